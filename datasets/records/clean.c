#include "datasets/records/formula.h"

#include <string.h>

#include "core/fail.h"
#include "tokenizer/macros/lexer.h"

#define MAX_ROUNDS 8 /* of rules that uncover each other's work, such as `$ \[ x. \] $` */

static const char fence[] = "```", latex_fence[] = "```latex";

/* ---- parts of a text ---- */

/* Keep the bytes from @start to @end, without white space around them. */
static void clean_keep(GString *text, gsize start, gsize end)
{
    while (start < end && g_ascii_isspace(text->str[start]) &&
           tg_escaped_letter(text->str + start, text->str + end) == '\0')
        start++;
    while (end > start && g_ascii_isspace(text->str[end - 1]))
        end--;
    g_string_truncate(text, end);
    g_string_erase(text, 0, (gssize) start);
}

/* ---- rules ---- */

/* Keep the content of one code block: the last one of LaTeX, or the first one. */
static void clean_fences(GString *text)
{
    gsize n;
    const char *string = text->str, *open, *start = tg_delimiters_strip(string, text->len, &n);

    if (g_str_has_prefix(start, fence)) /* in delimiters that a parser of pages put around it */
        clean_keep(text, (gsize) (start - string), (gsize) (start - string) + n);
    open = g_strrstr(string, latex_fence);
    if (open != NULL) {
        start = open + strlen(latex_fence);
    } else {
        open = strstr(string, fence);
        if (open == NULL)
            return;
        start = open + strlen(fence);
        const char *word_end = start + strspn(start, G_CSET_a_2_z G_CSET_A_2_Z);
        if (g_ascii_isspace(*word_end) || *word_end == '\0')
            start = word_end;                        /* the name of the language */
        if (start[strspn(start, " \t\r\n")] == '\0') /* it closes what has no opening */
            start = open > string ? string : start;
    }
    const char *end = strstr(start, fence);
    clean_keep(text, (gsize) (start - string), end != NULL ? (gsize) (end - string) : text->len);
}

/* Dollars outside braces between @start and @end. */
static gboolean clean_has_dollars(const char *text, gsize start, gsize end)
{
    gint depth = 0;

    for (gsize i = start; i < end; i++) {
        if (text[i] == '\\')
            i++;
        else if (text[i] == '$' && depth == 0)
            return TRUE;
        else
            depth += (text[i] == '{') - (text[i] == '}');
    }
    return FALSE;
}

/* All dollars at both ends, with blanks between them; not those of `$a$ and $b$`. */
static void clean_dollars(GString *text)
{
    gsize start = strspn(text->str, "$ \t\r\n"), end = text->len;

    while (end > start && strchr("$ \t\r\n", text->str[end - 1]) != NULL &&
           !tg_is_escaped(text->str, text->str + end - 1))
        end--;
    if (!clean_has_dollars(text->str, start, end))
        clean_keep(text, start, end);
}

/* `\[` and `\]`, or `\(` and `\)`, at the ends; not those of `\[a\]\[b\]`. */
static void clean_ends(GString *text, char open, char close)
{
    const char *string = text->str;
    const gsize start = string[0] == '\\' && string[1] == open ? 2 : 0;
    gsize end = text->len;

    if (end >= start + 2 && string[end - 1] == close && tg_is_escaped(string, string + end - 1))
        end -= 2;
    for (gsize i = start; i < end; i++) {
        if (string[i] != '\\')
            continue;
        i++;
        if (i < end && (string[i] == open || string[i] == close))
            return;
    }
    if (start > 0 || end < text->len)
        clean_keep(text, start, end);
}

/* How far a command reaches that is deleted. */
typedef enum { WITH_ARGUMENT, WHOLE_WORD, PREFIX } Extent;

/* Delete every @command: with its argument (of one that never ends the command alone), where it is
 * a whole word, or whatever follows. */
static void clean_command(GString *text, const char *command, Extent extent)
{
    g_autofree char *copy = g_strdup(text->str);
    const gsize n = strlen(command);
    const char *rest = copy;
    gboolean never_closed = FALSE;

    g_string_truncate(text, 0);
    for (const char *at = copy; (at = strstr(at, command)) != NULL;) {
        const char *end = extent == WITH_ARGUMENT
                              ? tg_source_command_end(at, command, &never_closed)
                          : extent == PREFIX || !g_ascii_isalpha(at[n]) ? at + n
                                                                        : at;

        if (end == at) {
            at += n;
            continue;
        }
        g_string_append_len(text, rest, at - rest);
        at = rest = end;
    }
    g_string_append(text, rest);
    clean_keep(text, 0, text->len);
}

/* How many bytes of punctuation @text ends in; 0 for the point of `\right.` and for dots. */
static gsize clean_sign(const GString *text)
{
    static const char *const signs[] = { ".", ",", ";", ":", "，", "。", "；", "：", "、", "．" };
    static const char *const delimiters[] = { "\\left", "\\right", "\\middle" };
    gsize n = 0;

    for (guint i = 0; i < G_N_ELEMENTS(signs) && n == 0; i++)
        n = g_str_has_suffix(text->str, signs[i]) ? strlen(signs[i]) : 0;
    if (n == 0 || tg_is_escaped(text->str, text->str + text->len - n))
        return 0;
    if (n > 1 || text->str[text->len - 1] != '.')
        return n;
    g_autofree char *before = g_strchomp(g_strndup(text->str, text->len - n));
    if (g_str_has_suffix(before, "."))
        return 0;
    for (guint i = 0; i < G_N_ELEMENTS(delimiters); i++)
        if (g_str_has_suffix(before, delimiters[i]))
            return 0;
    return n;
}

/* One sign at the end, and the space before it. */
static void clean_punctuation(GString *text)
{
    static const char *const spaces[] = { "\\,", "\\;", "\\:", "\\quad", "\\qquad", "~" };
    const gsize n = clean_sign(text);

    if (n == 0)
        return;
    clean_keep(text, 0, text->len - n);
    for (guint i = 0; i < G_N_ELEMENTS(spaces); i++) {
        const gsize length = strlen(spaces[i]);

        if (g_str_has_suffix(text->str, spaces[i]) &&
            !tg_is_escaped(text->str, text->str + text->len - length)) {
            clean_keep(text, 0, text->len - length);
            i = (guint) -1; /* look again */
        }
    }
}

/* ---- OmniDocBench 1.6, in its order and to the letter ---- */

static void omnidocbench_dollars(GString *text)
{
    const gsize start = strspn(text->str, "$");
    gsize end = text->len;

    while (end > start && text->str[end - 1] == '$')
        end--;
    clean_keep(text, start, end);
}

static void omnidocbench_pair(GString *text, const char *open, const char *close)
{
    if (text->len >= 4 && g_str_has_prefix(text->str, open) && g_str_has_suffix(text->str, close))
        clean_keep(text, 2, text->len - 2);
}

/* ---- sets of rules ---- */

static const struct {
    const char *name;
    void (*apply)(GString *text); /* or: */
    const char *ends;             /* after backslashes */
    const char *commands[2];
    Extent extent;                      /* of these */
    char *(*replace)(const char *text); /* or: once, before all others */
    guint signs;                        /* that this one takes care of */
    gboolean of_predictions;            /* alone */
} clean_rules[] = {
    { "omnidocbench" }, /* see tg_clean_apply() */
    { "fences", clean_fences, .signs = TG_SIGN_FENCE, .of_predictions = TRUE },
    { "dollars", clean_dollars },
    { "brackets", .ends = "[]" },
    { "parens", .ends = "()" },
    { "tags", .commands = { "\\tag" } },
    { "labels", .commands = { "\\label" } },
    { "nonumber", .commands = { "\\nonumber", "\\notag" }, .extent = WHOLE_WORD },
    { "punctuation", clean_punctuation },
    { "think", .replace = tg_clean_think, .signs = TG_SIGN_THINK, .of_predictions = TRUE },
    { "tokens", .replace = tg_clean_special, .signs = TG_SIGN_SPECIAL },
    { "entities", .replace = tg_clean_entities, .signs = TG_SIGN_ENTITY },
    { "escapes", .replace = tg_clean_escapes, .signs = TG_SIGN_ESCAPE | TG_SIGN_DOUBLED },
    { "answer", .replace = tg_clean_answer, .of_predictions = TRUE,
      .signs = TG_SIGN_PROSE | TG_SIGN_THINK | TG_SIGN_FENCE },
};

enum { OMNIDOCBENCH = 1 << 0, FENCES = 1 << 1 };
#define EVERY ((1u << G_N_ELEMENTS(clean_rules)) - 1 - OMNIDOCBENCH)
#define ALL   (EVERY & ~(3u << (G_N_ELEMENTS(clean_rules) - 2))) /* the last two guess */

gboolean tg_clean_parse(const char *text, guint *out, GError **error)
{
    g_auto(GStrv) names = g_strsplit(text != NULL ? text : "none", ",", -1);

    *out = 0;
    for (guint i = 0; names[i] != NULL; i++) {
        guint rule = 0;

        while (rule < G_N_ELEMENTS(clean_rules) && strcmp(names[i], clean_rules[rule].name) != 0)
            rule++;
        if (rule < G_N_ELEMENTS(clean_rules)) {
            *out |= 1u << rule;
        } else if (strcmp(names[i], "all") == 0) {
            *out |= ALL;
        } else if (strcmp(names[i], "none") != 0)
            return tg_fail_usage(
                error,
                "--clean has no rule '%s'; the rules are fences, dollars, brackets, parens, tags, "
                "labels, nonumber, punctuation, think, tokens, entities, all, escapes, answer, "
                "omnidocbench, none",
                names[i]);
    }
    return TRUE;
}

char *tg_clean_name(guint rules)
{
    g_autoptr(GString) name = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(clean_rules); i++)
        if ((rules & (1u << i)) != 0)
            g_string_append_printf(name, "%s%s", name->len > 0 ? "," : "", clean_rules[i].name);
    return rules != 0 ? g_strdup(name->str) : NULL;
}

gboolean tg_clean_has_fences(guint rules)
{
    return (rules & (OMNIDOCBENCH | FENCES)) != 0;
}

guint tg_clean_signs(guint rules)
{
    guint signs = 0;

    for (guint i = 0; i < G_N_ELEMENTS(clean_rules); i++)
        if ((rules & (1u << i)) != 0)
            signs |= clean_rules[i].signs;
    return signs;
}

gboolean tg_clean_is_fenced(const char *text)
{
    return g_str_has_prefix(text + strspn(text, " \t\r\n"), fence);
}

char *tg_clean_apply(guint rules, gboolean is_prediction, const char *text, gsize len)
{
    GString *out = g_string_new_len(text, (gssize) len);
    gsize before = len + 1;

    if ((rules & OMNIDOCBENCH) != 0) {
        if (is_prediction) {
            const char *open = g_strrstr(out->str, latex_fence);
            const gsize start = open != NULL ? (gsize) (open - out->str) + strlen(latex_fence) : 0;
            const char *end = strstr(out->str + start, fence);

            clean_keep(out, start, end != NULL ? (gsize) (end - out->str) : out->len);
        }
        clean_keep(out, 0, out->len);
        omnidocbench_dollars(out);
        omnidocbench_dollars(out);
        omnidocbench_pair(out, "\\[", "\\]");
        omnidocbench_pair(out, "\\(", "\\)");
        clean_command(out, "\\tag", WITH_ARGUMENT);
        clean_command(out, "\\notag", PREFIX);
        clean_command(out, "\\nonumber", PREFIX);
    }
    if ((rules & EVERY) != 0)
        clean_keep(out, 0, out->len);
    for (guint i = 0; i < G_N_ELEMENTS(clean_rules); i++) {
        if ((rules & (1u << i)) == 0 || clean_rules[i].replace == NULL ||
            (clean_rules[i].of_predictions && !is_prediction))
            continue;
        g_autofree char *changed = clean_rules[i].replace(out->str);
        g_string_assign(out, changed);
        clean_keep(out, 0, out->len);
    }
    before = out->len + 1;
    for (guint round = 0; round < MAX_ROUNDS && out->len < before; round++) {
        before = out->len;
        for (guint i = 0; i < G_N_ELEMENTS(clean_rules); i++) {
            if ((rules & (1u << i)) == 0 || (!is_prediction && clean_rules[i].of_predictions))
                continue;
            if (clean_rules[i].apply != NULL)
                clean_rules[i].apply(out);
            if (clean_rules[i].ends != NULL)
                clean_ends(out, clean_rules[i].ends[0], clean_rules[i].ends[1]);
            for (guint k = 0; k < 2 && clean_rules[i].commands[k] != NULL; k++)
                clean_command(out, clean_rules[i].commands[k], clean_rules[i].extent);
        }
    }
    return g_string_free(out, FALSE);
}
