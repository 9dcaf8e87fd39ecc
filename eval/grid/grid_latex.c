/*
 * A grid as one LaTeX table with booktabs, within the margins of an article on A4: what is wider
 * than its text is set in a smaller font, long texts break into lines, and what is still too wide
 * is scaled down; what is longer than a page is a longtable.
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
    gboolean is_scaled; /* to the width of the text */
    gboolean is_long;   /* may go on over the page's end */
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
    /* After a row's end TeX would take these for an argument of \\ or of the rule. */
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

static void append_row(GString *out, const LatexTable *table, guint row)
{
    for (guint c = 0; c < table->grid->shown->len; c++) {
        g_autofree char *text = tg_grid_shown_text(table->grid, row, c, table->form);

        g_string_append(out, c > 0 ? " & " : "");
        g_string_append(out, is_broken(table, c) ? "\\raggedright " : "");
        append_latex_cell(out, tg_grid_shown_cell(table->grid, row, c), text, c == 0,
                          is_broken(table, c) ? BREAK_STEP : 0);
    }
    g_string_append(out, table->small ? " \\tabularnewline\n" : " \\\\\n");
    g_string_append(out, row == 0 ? "\\midrule\n" : "");
    g_string_append(out, row == 0 && table->is_long ? "\\endhead\n" : "");
}

/* The head and the rows from @first to before @end. */
static void append_rows(GString *out, const LatexTable *table, guint first, guint end)
{
    const char *name = table->is_long ? "longtable" : "tabular";

    g_string_append(out, table->is_scaled ? "\\resizebox{\\linewidth}{!}{%\n" : "");
    g_string_append_printf(out, "\\begin{%s}%s{", name, table->is_long ? "[l]" : "");
    for (guint c = 0; c < table->grid->shown->len; c++) {
        if (is_broken(table, c))
            g_string_append_printf(out, "p{%upt}", (guint) (table->limits[c] * small_char));
        else
            g_string_append_c(out, c < table->n_keys ? 'l' : 'r');
    }
    g_string_append(out, "}\n\\toprule\n");
    append_row(out, table, 0);
    for (guint r = first; r < end; r++)
        append_row(out, table, r);
    g_string_append_printf(out, "\\bottomrule\n\\end{%s}%s\n", name, table->is_scaled ? "}" : "");
}

void tg_grid_append_latex(GString *out, const TgGrid *grid, const TgGridForm *form)
{
    const guint n_columns = grid->shown->len;
    g_autofree guint *widths = g_new0(guint, n_columns + 1);
    g_autofree guint *limits = g_new0(guint, n_columns + 1);
    LatexTable table = { grid, form, widths, limits, MIN(grid->n_keys, n_columns) };

    for (guint c = 0; c < grid->shown->len; c++) {
        for (guint r = 0; r <= tg_grid_n_rows(grid); r++) {
            const TgCell *cell = tg_grid_shown_cell(grid, r, c);
            g_autofree char *text = tg_grid_shown_text(grid, r, c, table.form);
            const guint mark = cell->mark != NULL ? 1 : 0;

            table.widths[c] = MAX(table.widths[c], tg_columns_of(text) + mark);
        }
    }
    limit_keys(&table);
    const guint n_rows = tg_grid_n_rows(grid);
    guint rows_of_page = MAX_ROWS;

    table.small = latex_width(widths, 0, n_columns, normal_char, normal_gap) > TEXT_WIDTH - INDENT;
    for (guint c = 0; c < table.n_keys; c++)
        rows_of_page = is_broken(&table, c) ? MAX_ROWS / 3 : rows_of_page;
    table.is_scaled =
        table.small && latex_width(limits, 0, table.n_keys, small_char, small_gap) +
                               latex_width(widths, table.n_keys, n_columns, small_char, small_gap) >
                           TEXT_WIDTH;
    table.is_long = n_rows > rows_of_page && !table.is_scaled;
    g_string_append_printf(out, "%% needs \\usepackage{booktabs%s%s}\n",
                           table.is_long ? ",longtable" : "", table.is_scaled ? ",graphicx" : "");
    if (grid->title != NULL)
        append_latex_comment(out, grid->title);
    if (table.small)
        g_string_append(out, "{\\noindent\\footnotesize\\setlength{\\tabcolsep}{3pt}%\n");
    /* LaTeX cannot scale a longtable, so it becomes a table a page. */
    for (guint first = 1, end; first == 1 || first <= n_rows; first = end) {
        end = table.is_scaled ? MIN(first + rows_of_page, n_rows + 1) : n_rows + 1;
        g_string_append(out, first > 1 ? "\n\\medskip\n\\noindent\n" : "");
        append_rows(out, &table, first, end);
        end = MAX(end, 2);
    }
    g_string_append(out, table.small ? "}\n" : "");
    for (guint i = 0; i < grid->notes->len; i++)
        append_latex_comment(out, grid->notes->pdata[i]);
}
