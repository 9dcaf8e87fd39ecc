/* What is done to the text before and after it is parsed. */
#include "metrics/cdm/normalize/tokenize.h"

#include <pthread.h>
#include <string.h>

#include "core/deadline.h"
#include "metrics/cdm/normalize/parser.h"
#include "metrics/cdm/normalize/printer.h"

/* The official program replaces in a loop of this many rounds, one occurrence a round. */
enum { ROUNDS = 300 };

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

static void compile_regexes(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_regexes);
}

void tg_cdm_rename_environments(TgCdmText *text)
{
    compile_regexes();
    if (strstr(text->string->str, "\\begin{") == NULL)
        return;
    tg_cdm_text_replace_around(text, aligned, 2, 2, "\\begin{aligned}", "\\end{aligned}");
    tg_cdm_text_replace_around(text, matrix, 2, 2, "\\begin{matrix}", "\\end{matrix}");
}

static void delete_from(TgCdmText *text, gsize start)
{
    tg_cdm_text_splice(text, start, text->string->len, "");
}

/* Lines end at a carriage return, and the last one wins. */
static void keep_last_line(TgCdmText *text)
{
    if (g_str_has_suffix(text->string->str, "\r"))
        delete_from(text, text->string->len - 1);

    const char *last = strrchr(text->string->str, '\r');
    if (last != NULL)
        tg_cdm_text_splice(text, 0, (gsize) (last + 1 - text->string->str), "");
}

static void delete_comment(TgCdmText *line)
{
    if (line->string->str[0] == '%')
        tg_cdm_text_splice(line, 0, 1, "");
    delete_from(line, strcspn(line->string->str, "%"));
}

static void delete_tabs_and_labels(TgCdmText *line, gboolean dollars_too)
{
    tg_cdm_text_replace(line, "\\~", " ", 0);
    for (guint i = 0; i < ROUNDS && !tg_too_long(line->string->len / 8); i++) {
        const gboolean tab = tg_cdm_text_replace_first(line, "\\>", " ");
        const gboolean dollar = dollars_too && tg_cdm_text_replace_first(line, "$", " ");
        const gboolean label = tg_cdm_text_delete_first(line, "\\label{", "}");

        if (!tab && !dollar && !label)
            break;
    }
}

/* Line breaks outside of any array become thin spaces. */
static void replace_line_breaks(TgCdmText *line)
{
    static const char *const arrays[] = { "matrix", "cases", "array", "begin" };

    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        if (strstr(line->string->str, arrays[i]) != NULL)
            return;
    tg_cdm_text_replace(line, "\\\\", "\\,", ROUNDS);
}

static void append_space(TgCdmText *line)
{
    tg_cdm_text_splice(line, line->string->len, line->string->len, " ");
}

static void replace_roman(TgCdmText *line)
{
    static const char *const forms[] = { "{\\rm", "{ \\rm", "\\rm{" };

    for (guint i = 0; i < ROUNDS && !tg_too_long(line->string->len / 8); i++) {
        gboolean any = FALSE;

        for (guint k = 0; k < G_N_ELEMENTS(forms); k++)
            any |= tg_cdm_text_replace_first(line, forms[k], "\\mathrm{");
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
static void respell_operators(TgCdmText *text)
{
    static const char open[] = "\\operatorname {";
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(text);
    const char *string = text->string->str, *rest = string, *found;

    while ((found = strstr(rest, open)) != NULL) {
        const char *start = found + strlen(open);
        const gsize length = strspn(start, " abcdefghijklmnopqrstuvwxyzP");
        const gsize from = (gsize) (start - string), at = (gsize) (found - string);
        g_autoptr(GString) name = g_string_new_len(start, (gssize) length);

        g_string_replace(name, " ", "", 0);
        tg_cdm_text_copy(out, text, (gsize) (rest - string), at);
        if (start[length] == '}' && is_respelled(name->str)) {
            tg_cdm_text_copy(out, text, at, at + 1);
            tg_cdm_text_put(out, name->str, text, from, from + length);
            rest = start + length + 1;
        } else {
            tg_cdm_text_copy(out, text, at, from);
            rest = start;
        }
    }
    tg_cdm_text_copy(out, text, (gsize) (rest - string), text->string->len);
    tg_cdm_text_swap(text, out);
}

/* The line as the parser reads it. */
static void prepare_formula(TgCdmText *line)
{
    tg_cdm_rename_environments(line);
    keep_last_line(line);
    delete_comment(line);
    delete_tabs_and_labels(line, TRUE);
    replace_line_breaks(line);
    append_space(line);
    replace_roman(line);
}

/* Without labels and superfluous spaces; FALSE when nothing is left. */
static gboolean tidy_tokens(TgCdmText *tokens)
{
    tg_cdm_text_delete_first(tokens, "\\label { ", " }");
    tg_cdm_text_squeeze(tokens);
    return tokens->string->len > 0;
}

gboolean tg_cdm_tokenize_formula(TgCdmText *text)
{
    g_autoptr(TgCdmText) line = tg_cdm_text_new_like(text), tokens = tg_cdm_text_new_like(text);

    tg_cdm_text_copy(line, text, 0, text->string->len);
    prepare_formula(line);
    g_autoptr(TgCdmSyntax) syntax = tg_cdm_syntax_parse(line->string->str);
    if (syntax == NULL || !tg_cdm_syntax_print(syntax, line, tokens))
        return FALSE;
    /* six S stand for a dollar sign there */
    tg_cdm_text_replace(tokens, " S S S S S S", "$", ROUNDS);
    if (!tidy_tokens(tokens))
        return FALSE;
    respell_operators(tokens);
    tg_cdm_text_replace(tokens, "\\\\ \\end{array}", "\\end{array}", 0);
    tg_cdm_text_swap(text, tokens);
    return TRUE;
}

/* `hskip3pt` becomes `hspace{3pt}`. */
void tg_cdm_prepare_table(TgCdmText *line)
{
    delete_from(line, strcspn(line->string->str, "%"));
    if (strstr(line->string->str, "\\end{tabular}") == NULL)
        tg_cdm_text_splice(line, line->string->len, line->string->len, "\\end{tabular}");
    g_strdelimit(line->string->str, "\r\n", ' ');
    compile_regexes();
    tg_cdm_text_replace_around(line, hskip, 1, 2, "hspace{", "}");
    delete_tabs_and_labels(line, FALSE);
    replace_line_breaks(line);
    append_space(line);
}

gboolean tg_cdm_tokenize_table(TgCdmText *text)
{
    g_autoptr(TgCdmText) line = tg_cdm_text_new(text->string->str, FALSE);

    tg_cdm_prepare_table(line);
    g_autoptr(TgCdmSyntax) syntax = tg_cdm_syntax_parse(line->string->str);
    if (syntax == NULL)
        return FALSE;
    g_autoptr(TgCdmText) tokens = tg_cdm_text_new(syntax->tokens_read->str, FALSE);
    if (!tidy_tokens(tokens))
        return FALSE;
    tg_cdm_text_swap(text, tokens);
    return TRUE;
}
