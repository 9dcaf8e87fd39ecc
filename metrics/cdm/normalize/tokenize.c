/* Stage 2 of the official normaliser: what is done to the text before and after it is parsed. */
#include "metrics/cdm/normalize/normalize.h"

#include <string.h>

#include "core/lock.h"
#include "metrics/cdm/normalize/parser.h"
#include "metrics/cdm/normalize/text.h"

/* The official program replaces in a loop of this many rounds, one occurrence a round. */
enum { ROUNDS = 300 };

static void replace_by_regex(GString *text, const GRegex *regex, const char *replacement)
{
    g_autofree char *replaced = g_regex_replace(regex, text->str, -1, 0, replacement, 0, NULL);

    if (replaced != NULL)
        g_string_assign(text, replaced);
}

/* Compiled once and constant from then on. */
static GRegex *aligned, *matrix, *hskip;

static void make_regexes(void)
{
    aligned = g_regex_new("\\\\begin\\{(split|align|alignedat|alignat|eqnarray)\\*?\\}(.+?)"
                          "\\\\end\\{\\1\\*?\\}",
                          G_REGEX_DOTALL | G_REGEX_OPTIMIZE, 0, NULL);
    matrix = g_regex_new("\\\\begin\\{(smallmatrix)\\*?\\}(.+?)\\\\end\\{\\1\\*?\\}",
                         G_REGEX_DOTALL | G_REGEX_OPTIMIZE, 0, NULL);
    hskip = g_regex_new("hskip(.*?)(cm|in|pt|mm|em)", G_REGEX_OPTIMIZE, 0, NULL);
}

static void compile(void)
{
    static TgOnce once = TG_ONCE_INIT;

    tg_once(&once, make_regexes);
}

/* Display environments become the one that the parser knows; contents are not searched again. */
static void rename_environments(GString *text)
{
    compile();
    if (strstr(text->str, "\\begin{") == NULL)
        return;
    replace_by_regex(text, aligned, "\\\\begin{aligned}\\2\\\\end{aligned}");
    replace_by_regex(text, matrix, "\\\\begin{matrix}\\2\\\\end{matrix}");
}

/* Lines end at a carriage return, and the last one wins. */
static void keep_last_line(GString *text)
{
    if (g_str_has_suffix(text->str, "\r"))
        g_string_truncate(text, text->len - 1);

    const char *last = strrchr(text->str, '\r');
    if (last != NULL)
        g_string_erase(text, 0, last + 1 - text->str);
}

static void cut_comment(GString *line)
{
    if (line->str[0] == '%')
        g_string_erase(line, 0, 1);

    const char *percent = strchr(line->str, '%');
    if (percent != NULL)
        g_string_truncate(line, (gsize) (percent - line->str));
}

static void delete_tabs_and_labels(GString *line, gboolean dollars_too)
{
    g_string_replace(line, "\\~", " ", 0);
    for (guint i = 0; i < ROUNDS; i++) {
        const gboolean tab = tg_cdm_replace_first(line, "\\>", " ");
        const gboolean dollar = dollars_too && tg_cdm_replace_first(line, "$", " ");
        const gboolean label = tg_cdm_delete_first(line, "\\label{", "}");

        if (!tab && !dollar && !label)
            break;
    }
}

/* Line breaks outside of any array become thin spaces. */
static void replace_line_breaks(GString *line)
{
    static const char *const arrays[] = { "matrix", "cases", "array", "begin" };

    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        if (strstr(line->str, arrays[i]) != NULL)
            return;
    g_string_replace(line, "\\\\", "\\,", ROUNDS);
}

static void replace_roman(GString *line)
{
    static const char *const forms[] = { "{\\rm", "{ \\rm", "\\rm{" };

    for (guint i = 0; i < ROUNDS; i++) {
        gboolean any = FALSE;

        for (guint k = 0; k < G_N_ELEMENTS(forms); k++)
            any |= tg_cdm_replace_first(line, forms[k], "\\mathrm{");
        if (!any)
            break;
    }
}

/* Operator names that are made commands again. The official list begins with arccos and ends with
 * tanh, but its pattern misses its first and its last entry. */
static gboolean is_respelled(const char *name)
{
    static const char *const names[] = { "arcsin", "arctan", "arg",     "cos",    "cosh", "cot",
                                         "coth",   "csc",    "deg",     "det",    "dim",  "exp",
                                         "gcd",    "hom",    "inf",     "injlim", "ker",  "lg",
                                         "lim",    "liminf", "limsup",  "ln",     "log",  "max",
                                         "min",    "Pr",     "projlim", "sec",    "sin",  "sinh",
                                         "sup",    "tan",    NULL };

    return g_strv_contains(names, name);
}

/* `\operatorname { s i n }` becomes `\sin`. */
static char *respell_operators(const char *tokens)
{
    static const char open[] = "\\operatorname {";
    g_autoptr(GString) out = g_string_new(NULL);
    const char *found;

    while ((found = strstr(tokens, open)) != NULL) {
        const char *start = found + strlen(open);
        const gsize length = strspn(start, " abcdefghijklmnopqrstuvwxyzP");
        g_autoptr(GString) name = g_string_new_len(start, (gssize) length);

        g_string_replace(name, " ", "", 0);
        g_string_append_len(out, tokens, found - tokens);
        if (start[length] == '}' && is_respelled(name->str)) {
            g_string_append_printf(out, "\\%s", name->str);
            tokens = start + length + 1;
        } else {
            g_string_append(out, open);
            tokens = start;
        }
    }
    g_string_append(out, tokens);
    return g_strdup(out->str);
}

static void delete_from_formula(GString *line)
{
    delete_tabs_and_labels(line, TRUE);
}

static void append_blank(GString *line)
{
    g_string_append_c(line, ' ');
}

gboolean tg_cdm_prepare_step(GString *line, guint step)
{
    static void (*const steps[])(GString * line) = {
        rename_environments, keep_last_line, cut_comment,   delete_from_formula,
        replace_line_breaks, append_blank,   replace_roman,
    };

    if (step >= G_N_ELEMENTS(steps))
        return FALSE;
    steps[step](line);
    return TRUE;
}

char *tg_cdm_tokenize_formula(const char *cleaned)
{
    g_autoptr(GString) line = g_string_new(cleaned);

    for (guint step = 0; tg_cdm_prepare_step(line, step); step++)
        ;
    g_autoptr(TgCdmSyntax) syntax = tg_cdm_syntax_parse(line->str);
    g_autofree char *printed = syntax != NULL ? tg_cdm_syntax_print(syntax, NULL) : NULL;
    if (printed == NULL)
        return NULL;
    g_autoptr(GString) out = g_string_new(printed);
    g_string_replace(out, " S S S S S S", "$", ROUNDS); /* six S stand for a dollar sign there */
    tg_cdm_delete_first(out, "\\label { ", " }");
    g_autofree char *squeezed = tg_cdm_squeeze_blanks(out->str);
    if (*squeezed == '\0')
        return NULL;
    g_autofree char *respelled = respell_operators(squeezed);
    g_string_assign(out, respelled);
    g_string_replace(out, "\\\\ \\end{array}", "\\end{array}", 0);
    return g_strdup(out->str);
}

/* `hskip3pt` becomes `hspace{3pt}`. */
static void replace_hskip(GString *text)
{
    compile();
    if (strstr(text->str, "hskip") != NULL)
        replace_by_regex(text, hskip, "hspace{\\1\\2}");
}

char *tg_cdm_tokenize_table(const char *cleaned)
{
    g_autoptr(GString) line = g_string_new(cleaned);

    g_string_truncate(line, strcspn(line->str, "%"));
    if (strstr(line->str, "\\end{tabular}") == NULL)
        g_string_append(line, "\\end{tabular}");
    g_strdelimit(line->str, "\r\n", ' ');
    replace_hskip(line);
    delete_tabs_and_labels(line, FALSE);
    replace_line_breaks(line);
    g_string_append_c(line, ' ');

    g_autoptr(TgCdmSyntax) syntax = tg_cdm_syntax_parse(line->str);
    if (syntax == NULL)
        return NULL;
    g_autoptr(GString) out = g_string_new(syntax->tokens_read->str);
    tg_cdm_delete_first(out, "\\label { ", " }");
    g_autofree char *squeezed = tg_cdm_squeeze_blanks(out->str);
    return *squeezed != '\0' ? g_steal_pointer(&squeezed) : NULL;
}
