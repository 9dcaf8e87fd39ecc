/*
 * A grid as LaTeX with booktabs, within the margins of an article on A4: what is wider than its
 * text becomes smaller, long texts break into lines, and numbers stand in several tables below each
 * other; what is longer than a page is a longtable.
 */
#include "eval/grid/private.h"

#include <string.h>

#include "core/utf8.h"

/* An article on A4 with 10 pt is 345 pt wide; widths of characters are those of wide text. */
enum { TEXT_WIDTH = 345, INDENT = 15, MAX_ROWS = 30, MIN_KEY = 8, BREAK_STEP = 3 };
static const double normal_char = 5.6, normal_gap = 12, small_char = 4.8, small_gap = 6;

/* How a grid is set. */
typedef struct {
    const TgGrid *grid;
    const TgGridForm *form;
    guint *widths; /* [n_columns] characters of the longest text */
    guint *limits; /* [n_keys] characters that a key may take in a line */
    guint n_keys;
    gboolean small;
    gboolean is_long; /* may go on over the page's end */
} LatexTable;

/* What stands for an ASCII character in LaTeX, whatever the encoding of its fonts. */
static const char *const latex_of[128] = {
    ['#'] = "\\#",
    ['$'] = "\\$",
    ['%'] = "\\%",
    ['&'] = "\\&",
    ['_'] = "\\_",
    ['{'] = "\\{",
    ['}'] = "\\}",
    ['\\'] = "\\textbackslash{}",
    ['^'] = "\\textasciicircum{}",
    ['~'] = "\\textasciitilde{}",
    ['<'] = "\\textless{}",
    ['>'] = "\\textgreater{}",
    ['|'] = "\\textbar{}",
    ['`'] = "\\textasciigrave{}",
    ['-'] = "-{}",
    ['\''] = "'{}", /* not the dash of --, not the quotes of '' */
};

/* A line of text, with what steers the order of text and other controls shown. */
static char *visible_line(const char *text)
{
    g_autofree char *line = g_strdelimit(g_strdup(text), "\t\r\n", ' ');

    return tg_visible(line, NULL);
}

/* @step: after how many characters a line may end; 0: nowhere but at spaces */
static void append_latex_text(GString *out, const char *text, guint step)
{
    g_autofree char *line = visible_line(text);
    guint n = 0;

    for (const char *at = line; *at != '\0'; at++) {
        const guchar c = (guchar) *at;
        const gboolean joins = c == '-' || c == '\''; /* with the next character */

        if (step > 0 && n > 0 && n % step == 0 && (c & 0xC0) != 0x80)
            g_string_append(out, "\\allowbreak{}");
        n += (c & 0xC0) != 0x80;
        if (c < 128 && latex_of[c] != NULL && (!joins || at[1] == *at))
            g_string_append(out, latex_of[c]);
        else
            g_string_append_c(out, *at);
    }
}

/* A comment ends with its line. */
static void append_latex_comment(GString *out, const char *text)
{
    g_autofree char *line = visible_line(text);

    g_string_append_printf(out, "%% %s\n", line);
}

static void append_latex_cell(GString *out, const TgCell *cell, const char *text, gboolean first,
                              guint step)
{
    /* Behind a row's end TeX would take these for an argument of \\ or of the rule. */
    g_string_append(out, first && (*text == '[' || *text == '*') ? "{}" : "");
    g_string_append(out, cell->is_best ? "\\textbf{" : "");
    append_latex_text(out, text, step);
    g_string_append(out, cell->is_best ? "}" : "");
    if (cell->mark != NULL) {
        g_string_append(out, "\\textsuperscript{");
        append_latex_text(out, cell->mark, 0);
        g_string_append_c(out, '}');
    }
}

/* ---- layout ---- */

static void measure_columns(LatexTable *table)
{
    const TgGrid *grid = table->grid;

    for (guint c = 0; c < grid->shown->len; c++) {
        for (guint r = 0; r <= tg_grid_n_rows(grid); r++) {
            const TgCell *cell = tg_grid_shown_cell(grid, r, c);
            g_autofree char *text = tg_grid_shown_text(grid, r, c, table->form);
            const guint mark = cell->mark != NULL ? 1 : 0;

            table->widths[c] = MAX(table->widths[c], tg_columns_of(text) + mark);
        }
    }
}

static double latex_width(const guint *chars, guint first, guint end, double of_char, double gap)
{
    double width = 0;

    for (guint c = first; c < end; c++)
        width += chars[c] * of_char + gap;
    return width;
}

/* The longest keys take less until all of them leave room for numbers. */
static void limit_keys(LatexTable *table)
{
    const guint n_columns = table->grid->shown->len;
    const double numbers =
        latex_width(table->widths, table->n_keys, n_columns, small_char, small_gap);
    const double room =
        MAX(TEXT_WIDTH - numbers, TEXT_WIDTH * (n_columns > table->n_keys ? 0.6 : 1));

    memcpy(table->limits, table->widths, table->n_keys * sizeof *table->limits);
    while (latex_width(table->limits, 0, table->n_keys, small_char, small_gap) > room) {
        guint longest = 0;

        for (guint c = 1; c < table->n_keys; c++)
            longest = table->limits[c] > table->limits[longest] ? c : longest;
        if (table->limits[longest] <= MIN_KEY)
            break;
        table->limits[longest]--;
    }
}

/* ---- writing ---- */

static gboolean is_broken(const LatexTable *table, guint column)
{
    return table->small && column < table->n_keys && table->limits[column] < table->widths[column];
}

static void append_row(GString *out, const LatexTable *table, guint row, guint first, guint end)
{
    for (guint c = 0; c < end; c++) {
        g_autofree char *text = tg_grid_shown_text(table->grid, row, c, table->form);

        if (c >= table->n_keys && c < first)
            continue;
        g_string_append(out, c > 0 ? " & " : "");
        g_string_append(out, is_broken(table, c) ? "\\raggedright " : "");
        append_latex_cell(out, tg_grid_shown_cell(table->grid, row, c), text, c == 0,
                          is_broken(table, c) ? BREAK_STEP : 0);
    }
    g_string_append(out, table->small ? " \\tabularnewline\n" : " \\\\\n");
    g_string_append(out, row == 0 ? "\\midrule\n" : "");
    g_string_append(out, row == 0 && table->is_long ? "\\endhead\n" : "");
}

static void append_block(GString *out, const LatexTable *table, guint first, guint end)
{
    const char *name = table->is_long ? "longtable" : "tabular";

    g_string_append_printf(out, "\\begin{%s}%s{", name, table->is_long ? "[l]" : "");
    for (guint c = 0; c < end; c++) {
        if (c >= table->n_keys && c < first)
            continue;
        if (is_broken(table, c))
            g_string_append_printf(out, "p{%upt}", (guint) (table->limits[c] * small_char));
        else
            g_string_append_c(out, c < table->n_keys ? 'l' : 'r');
    }
    g_string_append(out, "}\n\\toprule\n");
    for (guint r = 0; r <= tg_grid_n_rows(table->grid); r++)
        append_row(out, table, r, first, end);
    g_string_append_printf(out, "\\bottomrule\n\\end{%s}\n", name);
}

/* As many columns of numbers beside the keys as fit, and so on below. */
static void append_blocks(GString *out, const LatexTable *table)
{
    const guint n_columns = table->grid->shown->len;
    const double keys = latex_width(table->limits, 0, table->n_keys, small_char, small_gap);
    guint first = table->n_keys, end;

    g_string_append(out, "{\\noindent\\footnotesize\\setlength{\\tabcolsep}{3pt}%\n");
    do {
        for (end = MIN(first + 1, n_columns); end < n_columns; end++) {
            if (keys + latex_width(table->widths, first, end + 1, small_char, small_gap) >
                TEXT_WIDTH)
                break;
        }
        /* an interval stays beside its value */
        if (end < n_columns && end > first + 1 &&
            strcmp(tg_grid_shown_cell(table->grid, 0, end)->text, "±") == 0)
            end--;
        g_string_append(out, first > table->n_keys ? "\n\\medskip\n\\noindent\n" : "");
        append_block(out, table, first, end);
        first = end;
    } while (first < n_columns);
    g_string_append(out, "}\n");
}

void tg_grid_append_latex(GString *out, const TgGrid *grid, const TgGridForm *form)
{
    const guint n_columns = grid->shown->len;
    g_autofree guint *widths = g_new0(guint, n_columns + 1);
    g_autofree guint *limits = g_new0(guint, n_columns + 1);
    LatexTable table = { grid, form, widths, limits, MIN(grid->n_keys, n_columns), FALSE, FALSE };

    measure_columns(&table);
    limit_keys(&table);
    table.small = latex_width(widths, 0, n_columns, normal_char, normal_gap) > TEXT_WIDTH - INDENT;
    for (guint c = 0; c < table.n_keys; c++)
        table.is_long = table.is_long || is_broken(&table, c);
    table.is_long = tg_grid_n_rows(grid) > (table.is_long ? MAX_ROWS / 3 : MAX_ROWS);
    g_string_append_printf(out, "%% needs \\usepackage{booktabs%s}\n",
                           table.is_long ? ",longtable" : "");
    if (grid->title != NULL)
        append_latex_comment(out, grid->title);
    if (table.small)
        append_blocks(out, &table);
    else
        append_block(out, &table, 0, n_columns);
    for (guint i = 0; i < grid->notes->len; i++)
        append_latex_comment(out, grid->notes->pdata[i]);
}
