#include "eval/results/grid.h"

#include <csv.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "core/json.h"
#include "core/number.h"

typedef struct {
    char *text; /* as people read it */
    char *mark; /* behind it; NULL for none */
    double number;
    gboolean is_number; /* of the cell's content, which may be NaN */
    gboolean is_best;
} Cell;

struct TgGrid {
    char *title;
    guint n_keys;
    guint n_columns;
    GArray *cells;    /* of Cell, the head first */
    GPtrArray *notes; /* char * */
};

static void clear_cell(gpointer data)
{
    Cell *cell = data;

    g_free(cell->text);
    g_free(cell->mark);
}

TgGrid *tg_grid_new(const char *title, guint n_keys)
{
    TgGrid *grid = g_new0(TgGrid, 1);

    grid->title = g_strdup(title);
    grid->n_keys = n_keys;
    grid->cells = g_array_new(FALSE, FALSE, sizeof(Cell));
    g_array_set_clear_func(grid->cells, clear_cell);
    grid->notes = g_ptr_array_new_with_free_func(g_free);
    return grid;
}

void tg_grid_free(TgGrid *grid)
{
    if (grid == NULL)
        return;
    g_free(grid->title);
    g_array_unref(grid->cells);
    g_ptr_array_unref(grid->notes);
    g_free(grid);
}

static void append_cell(TgGrid *grid, char *text, double number, gboolean is_number)
{
    const Cell cell = { .text = text, .number = number, .is_number = is_number };

    g_array_append_val(grid->cells, cell);
}

void tg_grid_head(TgGrid *grid, const char *text)
{
    g_return_if_fail(grid->cells->len == grid->n_columns);
    tg_grid_put(grid, text);
    grid->n_columns++;
}

void tg_grid_heads(TgGrid *grid, const char *const *texts)
{
    for (guint i = 0; texts[i] != NULL; i++)
        tg_grid_head(grid, texts[i]);
}

void tg_grid_put(TgGrid *grid, const char *text)
{
    append_cell(grid, g_strdup(text), NAN, FALSE);
}

void tg_grid_putf(TgGrid *grid, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    append_cell(grid, g_strdup_vprintf(format, args), NAN, FALSE);
    va_end(args);
}

/* @value with @digits decimals, whatever the locale. (transfer full) */
static char *format_fixed(double value, gint digits)
{
    char text[400], pattern[16];

    g_snprintf(pattern, sizeof pattern, "%%.%df", digits);
    return g_strdup(g_ascii_formatd(text, sizeof text, pattern, value));
}

void tg_grid_put_number(TgGrid *grid, double value, gint digits)
{
    char text[32] = "";

    if (digits >= 0) {
        append_cell(grid, isnan(value) ? g_strdup("-") : format_fixed(value, digits), value, TRUE);
        return;
    }
    if (!isnan(value))
        tg_number_format(value, text);
    append_cell(grid, g_strdup(text), value, TRUE);
}

void tg_grid_put_count(TgGrid *grid, guint64 count)
{
    append_cell(grid, g_strdup_printf("%" G_GUINT64_FORMAT, count), (double) count, TRUE);
}

void tg_grid_put_p(TgGrid *grid, double p)
{
    char text[32] = "-";

    if (!isnan(p))
        g_ascii_formatd(text, sizeof text, "%.2g", p);
    append_cell(grid, g_strdup(text), p, TRUE);
}

void tg_grid_put_interval(TgGrid *grid, const double ends[2], gint digits)
{
    if (isnan(ends[0]) || isnan(ends[1])) {
        tg_grid_put(grid, "-");
    } else {
        g_autofree char *low = format_fixed(ends[0], digits);
        g_autofree char *high = format_fixed(ends[1], digits);

        tg_grid_putf(grid, "[%s, %s]", low, high);
    }
}

void tg_grid_mark(TgGrid *grid, gboolean best, const char *mark)
{
    Cell *cell;

    g_return_if_fail(grid->cells->len > 0);
    cell = &g_array_index(grid->cells, Cell, grid->cells->len - 1);
    cell->is_best = best;
    g_free(cell->mark);
    cell->mark = g_strdup(mark);
}

void tg_grid_note(TgGrid *grid, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    g_ptr_array_add(grid->notes, g_strdup_vprintf(format, args));
    va_end(args);
}

guint tg_grid_n_rows(const TgGrid *grid)
{
    return grid->n_columns > 0 ? grid->cells->len / grid->n_columns - 1 : 0;
}

const char *tg_grid_title(const TgGrid *grid)
{
    return grid->title;
}

/* Row 0 is the head. */
static const Cell *cell_at(const TgGrid *grid, guint row, guint column)
{
    return &g_array_index(grid->cells, Cell, row * grid->n_columns + column);
}

static const char *note_at(const TgGrid *grid, guint i)
{
    return grid->notes->pdata[i];
}

/* ---- for people ---- */

/* Display width: code points, wide East Asian ones counted twice. */
static guint width_of(const char *text)
{
    guint width = 0;

    for (; *text != '\0'; text = g_utf8_next_char(text)) {
        const gunichar c = g_utf8_get_char(text);

        width += g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
    }
    return width;
}

static void append_padded(GString *out, const char *text, guint width, gboolean left)
{
    const guint blanks = width - width_of(text);

    if (left)
        g_string_append(out, text);
    for (guint i = 0; i < blanks; i++)
        g_string_append_c(out, ' ');
    if (!left)
        g_string_append(out, text);
}

/* A cell as it is written: no line break or other control, and in Markdown nothing that is HTML. */
static char *cell_text(const Cell *cell, gboolean markdown)
{
    GString *text = g_string_new(markdown && cell->is_best ? "**" : NULL);

    for (const char *c = cell->text; *c != '\0'; c++) {
        if (markdown && strchr("|<*_`\\", *c) != NULL)
            g_string_append_c(text, '\\');
        g_string_append_c(text, g_ascii_iscntrl(*c) ? ' ' : *c);
    }
    g_string_append(text, markdown && cell->is_best ? "**" : "");
    g_string_append(text, cell->mark != NULL ? cell->mark : "");
    return g_string_free(text, FALSE);
}

static void append_aligned_row(GString *out, const TgGrid *grid, guint row, const guint *widths,
                               gboolean markdown)
{
    g_string_append(out, markdown ? "| " : "");
    for (guint c = 0; c < grid->n_columns; c++) {
        g_autofree char *text = cell_text(cell_at(grid, row, c), markdown);

        if (c > 0)
            g_string_append(out, markdown ? " | " : "  ");
        append_padded(out, text, widths[c], c < grid->n_keys);
    }
    g_string_append(out, markdown ? " |" : "");
    while (!markdown && out->len > 0 && out->str[out->len - 1] == ' ')
        g_string_truncate(out, out->len - 1);
    g_string_append_c(out, '\n');
}

/* Aligned columns, joined and framed as the style wants. */
static void append_aligned(GString *out, const TgGrid *grid, gboolean markdown)
{
    g_autofree guint *widths = g_new0(guint, grid->n_columns);

    for (guint r = 0; r <= tg_grid_n_rows(grid); r++) {
        for (guint c = 0; c < grid->n_columns; c++) {
            g_autofree char *text = cell_text(cell_at(grid, r, c), markdown);

            widths[c] = MAX(widths[c], width_of(text));
        }
    }
    if (grid->title != NULL)
        g_string_append_printf(out, markdown ? "### %s\n\n" : "%s\n", grid->title);
    for (guint r = 0; r <= tg_grid_n_rows(grid); r++) {
        append_aligned_row(out, grid, r, widths, markdown);
        if (r > 0 || !markdown)
            continue;
        for (guint c = 0; c < grid->n_columns; c++)
            g_string_append(out, c < grid->n_keys ? "|:---" : "|---:");
        g_string_append(out, "|\n");
    }
    for (guint i = 0; i < grid->notes->len; i++)
        g_string_append_printf(out, "%s%s\n", markdown ? "\n" : "", note_at(grid, i));
}

static void append_latex_text(GString *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("_%&#$", *text) != NULL)
            g_string_append_printf(out, "\\%c", *text);
        else if (strchr("\\^~{}", *text) != NULL)
            g_string_append_printf(out, "\\char%d{}", (guchar) *text);
        else if (g_ascii_iscntrl(*text))
            g_string_append_c(out, ' ');
        else
            g_string_append_c(out, *text);
    }
}

static void append_latex_cell(GString *out, const Cell *cell)
{
    g_string_append(out, cell->is_best ? "\\textbf{" : "");
    append_latex_text(out, cell->text);
    g_string_append(out, cell->is_best ? "}" : "");
    if (cell->mark != NULL) {
        g_string_append(out, "\\textsuperscript{");
        append_latex_text(out, cell->mark);
        g_string_append_c(out, '}');
    }
}

static void append_latex(GString *out, const TgGrid *grid)
{
    g_string_append(out, "% needs \\usepackage{booktabs}\n");
    if (grid->title != NULL)
        g_string_append_printf(out, "%% %s\n", grid->title);
    g_string_append(out, "\\begin{tabular}{");
    for (guint c = 0; c < grid->n_columns; c++)
        g_string_append_c(out, c < grid->n_keys ? 'l' : 'r');
    g_string_append(out, "}\n\\toprule\n");
    for (guint r = 0; r <= tg_grid_n_rows(grid); r++) {
        for (guint c = 0; c < grid->n_columns; c++) {
            g_string_append(out, c > 0 ? " & " : "");
            append_latex_cell(out, cell_at(grid, r, c));
        }
        g_string_append(out, r == 0 ? " \\\\\n\\midrule\n" : " \\\\\n");
    }
    g_string_append(out, "\\bottomrule\n\\end{tabular}\n");
    for (guint i = 0; i < grid->notes->len; i++)
        g_string_append_printf(out, "%% %s\n", note_at(grid, i));
}

static void append_html_text(GString *out, const char *text)
{
    g_autofree char *escaped = g_markup_escape_text(text, -1);

    g_string_append(out, escaped);
}

/* Beyond this width a name may be broken into lines. */
enum { LONG_CELL = 60 };

static void append_html_cell(GString *out, const Cell *cell, gboolean head, gboolean key)
{
    g_string_append(out, head ? "<th scope=\"col\"" : key ? "<th scope=\"row\"" : "<td");
    g_string_append(out, !key                               ? ">"
                         : width_of(cell->text) > LONG_CELL ? " class=\"key long\">"
                                                            : " class=\"key\">");
    g_string_append(out, cell->is_best ? "<strong>" : "");
    append_html_text(out, cell->text);
    g_string_append(out, cell->is_best ? "</strong>" : "");
    if (cell->mark != NULL) {
        g_string_append(out, "<sup>");
        append_html_text(out, cell->mark);
        g_string_append(out, "</sup>");
    }
    g_string_append(out, head || key ? "</th>" : "</td>");
}

void tg_grid_append_html(GString *out, const TgGrid *grid)
{
    g_string_append(out, "<div class=\"table\"><table>\n");
    if (grid->title != NULL) {
        g_string_append(out, "<caption>");
        append_html_text(out, grid->title);
        g_string_append(out, "</caption>\n");
    }
    for (guint r = 0; r <= tg_grid_n_rows(grid); r++) {
        g_string_append(out, r == 0 ? "<thead><tr>" : "<tr>");
        for (guint c = 0; c < grid->n_columns; c++)
            append_html_cell(out, cell_at(grid, r, c), r == 0, c < grid->n_keys);
        g_string_append(out, r == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n");
    }
    g_string_append(out, "</tbody></table></div>\n");
    for (guint i = 0; i < grid->notes->len; i++) {
        g_string_append(out, "<p class=\"note\">");
        append_html_text(out, note_at(grid, i));
        g_string_append(out, "</p>\n");
    }
}

/* ---- for programs ---- */

void tg_csv_append(GString *out, const char *text)
{
    const size_t len = strlen(text);
    const size_t quoted = csv_write(NULL, 0, text, len);
    g_autofree char *field = g_malloc(quoted);

    csv_write(field, quoted, text, len);
    g_string_append_len(out, field, (gssize) quoted);
}

static void append_csv(GString *out, const TgGrid *grid)
{
    for (guint r = 0; r <= tg_grid_n_rows(grid); r++) {
        for (guint c = 0; c < grid->n_columns; c++) {
            const Cell *cell = cell_at(grid, r, c);
            char number[32] = "";

            if (cell->is_number && !isnan(cell->number))
                tg_number_format(cell->number, number);
            if (c > 0)
                g_string_append_c(out, ',');
            tg_csv_append(out, cell->is_number ? number : cell->text);
        }
        g_string_append_c(out, '\n');
    }
}

json_t *tg_grid_json(const TgGrid *grid)
{
    json_t *head = json_array(), *rows = json_array(), *notes = json_array();

    for (guint r = 0; r <= tg_grid_n_rows(grid); r++) {
        json_t *row = r == 0 ? head : json_array();

        for (guint c = 0; c < grid->n_columns; c++) {
            const Cell *cell = cell_at(grid, r, c);

            json_array_append_new(row, cell->is_number ? tg_json_number(cell->number)
                                                       : tg_json_text(cell->text));
        }
        if (r > 0)
            json_array_append_new(rows, row);
    }
    for (guint i = 0; i < grid->notes->len; i++)
        json_array_append_new(notes, tg_json_text(note_at(grid, i)));
    return json_pack("{s:o, s:o, s:o, s:o}", "title", tg_json_text(grid->title), "head", head,
                     "rows", rows, "notes", notes);
}

void tg_grid_append(GString *out, const TgGrid *grid, TgSummaryStyle style)
{
    switch (style) {
    case TG_SUMMARY_TABLE:
    case TG_SUMMARY_MARKDOWN:
        append_aligned(out, grid, style == TG_SUMMARY_MARKDOWN);
        break;
    case TG_SUMMARY_LATEX:
        append_latex(out, grid);
        break;
    case TG_SUMMARY_CSV:
        append_csv(out, grid);
        break;
    case TG_SUMMARY_JSON:
        g_return_if_reached();
    }
}
