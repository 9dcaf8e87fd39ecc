/* What is done to the text before and after it is read. */
#include "metrics/cdm/tolerant/tokenize.h"

#include <string.h>

#include "metrics/cdm/normalize/tokenize.h"
#include "metrics/cdm/tolerant/guard.h"
#include "metrics/cdm/tolerant/printer.h"
#include "metrics/cdm/tolerant/reader.h"
#include "metrics/cdm/tolerant/scan.h"
#include "metrics/cdm/tolerant/table.h"

/* ---- before ---- */

static gboolean is_han(gunichar c)
{
    return c >= 0x4E00 && c <= 0x9FFF;
}

/* Han characters are letters to the reader: a space ends a command before them. */
static void part_commands_from_han(TgCdmText *line)
{
    const TgCdmRange none = { 0, 0 };
    const char *string = line->string->str;

    if (!tg_cdm_has_han(string))
        return;
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(line);
    gboolean in_command = FALSE;
    for (const char *p = string; *p != '\0';) {
        const char *next = g_utf8_next_char(p);
        const gunichar c = g_utf8_get_char(p);

        if (in_command && is_han(c) && p[-1] != '\\')
            tg_cdm_text_append(out, " ", none);
        in_command = *p == '\\' ? !in_command : in_command && g_ascii_isalpha(*p);
        tg_cdm_text_copy(out, line, (gsize) (p - string), (gsize) (next - string));
        p = next;
    }
    tg_cdm_text_swap(line, out);
}

static void delete_comment(TgCdmText *line)
{
    if (line->string->str[0] == '%')
        tg_cdm_text_splice(line, 0, 1, "");
    tg_cdm_text_splice(line, strcspn(line->string->str, "%"), line->string->len, "");
}

/* Every `\label{...}` goes. */
static void delete_labels(TgCdmText *line)
{
    static const char open[] = "\\label{";
    const char *string = line->string->str, *rest = string, *found = strstr(string, open), *end;

    if (found == NULL)
        return;
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(line);
    for (; found != NULL && (end = strchr(found, '}')) != NULL; found = strstr(rest, open)) {
        tg_cdm_text_copy(out, line, (gsize) (rest - string), (gsize) (found - string));
        rest = end + 1;
    }
    tg_cdm_text_copy(out, line, (gsize) (rest - string), line->string->len);
    tg_cdm_text_swap(line, out);
}

/* Line breaks outside of any array become thin spaces. */
static void replace_line_breaks(TgCdmText *line)
{
    static const char *const arrays[] = { "matrix", "cases", "array", "begin" };

    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        if (strstr(line->string->str, arrays[i]) != NULL)
            return;
    tg_cdm_text_replace(line, "\\\\", "\\,", 0);
}

static void prepare_formula(TgCdmText *line)
{
    tg_cdm_rename_environments(line);
    delete_comment(line);
    tg_cdm_text_replace(line, "\\~", " ", 0);
    part_commands_from_han(line);
    tg_cdm_text_replace(line, "\\>", " ", 0);
    delete_labels(line);
    replace_line_breaks(line);
    tg_cdm_text_strip(line);
}

static void replace_dollars_and_roman(TgCdmText *line)
{
    tg_cdm_text_replace(line, "$", " ", 0);
    tg_cdm_text_replace(line, "{\\rm", "\\mathrm{", 0);
    tg_cdm_text_replace(line, "{ \\rm", "\\mathrm{", 0);
    tg_cdm_text_replace(line, "\\rm{", "\\mathrm{", 0);
}

/* ---- after ---- */

/* The reader passes over a backslash that ends the text. */
static gboolean ends_in_backslash(const char *line)
{
    gsize n = 0;

    for (gsize at = strlen(line); at > 0 && line[at - 1] == '\\'; at--)
        n++;
    return n % 2 == 1;
}

/* Without labels and superfluous spaces; FALSE when nothing is left. */
static gboolean tidy_tokens(TgCdmText *tokens)
{
    tg_cdm_text_squeeze(tokens);
    tg_cdm_text_delete_first(tokens, "\\label { ", " }");
    tg_cdm_text_squeeze(tokens);
    tg_cdm_text_replace(tokens, " S S S S S S", "$", 0); /* stand for a dollar sign there */
    return tokens->string->len > 0;
}

gboolean tg_cdm_tolerant_tokenize_formula(TgCdmText *text)
{
    g_autoptr(TgCdmText) line = tg_cdm_text_new_like(text), tokens = tg_cdm_text_new_like(text);

    tg_cdm_text_copy(line, text, 0, text->string->len);
    prepare_formula(line);
    if (!tg_cdm_guard_passes(line->string->str))
        return FALSE;
    replace_dollars_and_roman(line);
    g_autoptr(TgCdmUnits) units = tg_cdm_read_units(line->string->str);
    if (units == NULL)
        return FALSE;
    TgCdmPrinter printer = { .line = line,
                             .out = tokens,
                             .print_macro = tg_cdm_print_macro,
                             .print_environment = tg_cdm_print_environment };
    tg_cdm_print_units(&printer, units->children);
    if (ends_in_backslash(line->string->str))
        tg_cdm_print_mark(&printer, "\\");
    tg_cdm_text_replace(tokens, "\\left ", "\\left", 0);
    tg_cdm_text_replace(tokens, "\\right ", "\\right", 0);
    if (!tidy_tokens(tokens))
        return FALSE;
    tg_cdm_text_swap(text, tokens);
    return TRUE;
}

gboolean tg_cdm_tolerant_tokenize_table(TgCdmText *text)
{
    g_autoptr(TgCdmText) line = tg_cdm_text_new(text->string->str, FALSE);
    g_autoptr(TgCdmText) tokens = tg_cdm_text_new(NULL, FALSE);

    tg_cdm_prepare_table(line);
    tg_cdm_text_strip(line);
    if (!tg_cdm_guard_passes(line->string->str))
        return FALSE;
    g_autoptr(TgCdmUnits) units = tg_cdm_read_units(line->string->str);
    if (units == NULL)
        return FALSE;
    tg_cdm_list_tokens(line->string->str, units->children, tokens->string);
    if (!tidy_tokens(tokens))
        return FALSE;
    tg_cdm_text_swap(text, tokens);
    return TRUE;
}
