/* An allow list: what our tables of commands and environments know. */
#include "render/tex/tex_source.h"

#include <string.h>

#include "tokenizer/latex/parse.h"
#include "tokenizer/macros/commands.h"

#define PREFIX  "texgauge"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define BLANKS  " \t\n\r"

/* Refused by name, so that a message can say so: of our tables what is global, and what is known to
 * reach beyond a formula. The rest of TeX's names is harmless with the prefix. */
static gboolean is_refused(const char *name)
{
    static const char *const names[] = {
        "catcode", "csname",   "gdef",       "global",  "include", "input", "openin", "openout",
        "read",    "readline", "scantokens", "special", "write",   "xdef",  NULL,
    };

    return g_strv_contains(names, name) || strstr(name, "lua") != NULL ||
           g_str_has_prefix(name, "pdf");
}

static gboolean is_known(const char *name, gsize len)
{
    const TgName *found = tg_name_find(name, len);

    return tg_command_find(name, len) != NULL || (found != NULL && found->symbol != NULL);
}

/* Whether a formula with this command may share a document: no definitions, labels or numbers. */
static gboolean is_local(const char *name, gsize len)
{
    const TgCommand *command = tg_command_find(name, len);

    if (command == NULL)
        return TRUE;
    switch ((TgCommandAction) command->action) {
    case TG_ACTION_DEF:
    case TG_ACTION_NEWCOMMAND:
    case TG_ACTION_LET:
    case TG_ACTION_DECLARE_OPERATOR:
    case TG_ACTION_IGNORE:
    case TG_ACTION_TAG:
        return FALSE;
    default:
        return TRUE;
    }
}

/* Environments that are displays themselves: an error inside of one, and a number. */
static gboolean is_display(const char *name)
{
    static const char *const names[] = { "align",    "alignat", "displaymath", "eqnarray",
                                         "equation", "flalign", "gather",      "math",
                                         "multline", NULL };
    g_autofree char *plain = g_strdup(name);

    if (g_str_has_suffix(plain, "*"))
        plain[strlen(plain) - 1] = '\0';
    return g_strv_contains(names, plain);
}

/* ---- copying ---- */

/* Reads on in a formula and writes what TeX may have. */
typedef struct {
    const char *at;
    GString *out;
    char *refused;
    gboolean is_local;
} Copy;

static void refuse(Copy *copy, const char *what)
{
    copy->refused = g_strdup_printf("%s is not given to TeX", what);
}

/* {name}, behind \begin or \end. TeX would build the name of a command from anything else. */
static void copy_environment(Copy *copy, const char *command)
{
    const char *start = copy->at + strspn(copy->at, BLANKS);
    const gsize length = *start == '{' ? strcspn(start + 1, "{}") : 0;
    g_autofree char *name = g_strstrip(g_strndup(start + (length > 0), length));
    const gsize letters = strspn(name, LETTERS);
    const gboolean is_plain = letters > 0 && strcmp(name + letters, name[letters] ? "*" : "") == 0;

    if (length == 0 || start[1 + length] != '}' || !is_plain) {
        g_autofree char *what = g_strdup_printf("\\%s without a plain name", command);
        refuse(copy, what);
        return;
    }
    copy->is_local = copy->is_local && !is_display(name);
    g_string_append_printf(copy->out, "\\%s{%s%s}", command,
                           tg_environment_find(name) != NULL ? "" : PREFIX, name);
    copy->at = start + length + 2;
}

static void copy_command(Copy *copy)
{
    const char *start = copy->at + 1;
    const gsize length = strspn(start, LETTERS);
    g_autofree char *name = g_strndup(start, length);

    if (length == 0) { /* a control symbol: two bytes suffice, as no part of UTF-8 is a backslash */
        const gsize bytes = *start != '\0' ? 2 : 1;
        g_string_append_len(copy->out, copy->at, (gssize) bytes);
        copy->at += bytes;
        return;
    }
    copy->at = start + length;
    if (is_refused(name)) {
        g_autofree char *what = g_strconcat("\\", name, NULL);
        refuse(copy, what);
    } else if (strcmp(name, "begin") == 0 || strcmp(name, "end") == 0) {
        copy_environment(copy, name);
    } else {
        copy->is_local = copy->is_local && is_local(name, length);
        g_string_append_printf(copy->out, "\\%s%s", is_known(name, length) ? "" : PREFIX, name);
    }
}

static gboolean has_no_fault(const char *latex)
{
    const TgParseOptions options = { .strict = TRUE, .source = TG_SOURCE_MATH };
    g_autoptr(TgTree) tree = tg_tree_parse(latex, strlen(latex), &options, NULL);

    return tree != NULL;
}

TgTexSource tg_tex_source_new(const char *latex)
{
    Copy copy = { latex, g_string_new(NULL), NULL, TRUE };

    if (strstr(latex, "^^") != NULL)
        refuse(&copy, "^^");
    while (*copy.at != '\0' && copy.refused == NULL) {
        const gsize plain = strcspn(copy.at, "\\");
        g_string_append_len(copy.out, copy.at, (gssize) plain);
        copy.at += plain;
        if (*copy.at == '\\')
            copy_command(&copy);
    }
    const gboolean is_refused = copy.refused != NULL;
    return (TgTexSource){
        .text = g_string_free(copy.out, is_refused),
        .refused = copy.refused,
        .is_self_contained = !is_refused && copy.is_local && has_no_fault(latex),
    };
}

void tg_tex_source_clear(TgTexSource *source)
{
    g_clear_pointer(&source->text, g_free);
    g_clear_pointer(&source->refused, g_free);
}
