#include "eval/grid.h"

#include <csv.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "core/number.h"

struct TgGrid {
    char *title;
    guint n_keys;
    guint n_columns;
    GPtrArray *cells; /* char *, the head first */
    GPtrArray *notes; /* char * */
};

TgGrid *tg_grid_new(const char *title, guint n_keys)
{
    TgGrid *grid = g_new0(TgGrid, 1);

    grid->title = g_strdup(title);
    grid->n_keys = n_keys;
    grid->cells = g_ptr_array_new_with_free_func(g_free);
    grid->notes = g_ptr_array_new_with_free_func(g_free);
    return grid;
}

void tg_grid_free(TgGrid *grid)
{
    if (grid == NULL)
        return;
    g_free(grid->title);
    g_ptr_array_unref(grid->cells);
    g_ptr_array_unref(grid->notes);
    g_free(grid);
}

void tg_grid_head(TgGrid *grid, const char *text)
{
    g_return_if_fail(grid->cells->len == grid->n_columns);
    tg_grid_put(grid, text);
    grid->n_columns++;
}

void tg_grid_put(TgGrid *grid, const char *text)
{
    g_ptr_array_add(grid->cells, g_strdup(text));
}

void tg_grid_putf(TgGrid *grid, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    g_ptr_array_add(grid->cells, g_strdup_vprintf(format, args));
    va_end(args);
}

void tg_grid_put_number(TgGrid *grid, double value, gint digits)
{
    char text[400];
    char pattern[16];

    if (isnan(value)) {
        tg_grid_put(grid, digits < 0 ? "" : "-");
        return;
    }
    if (digits < 0) {
        tg_number_format(value, text);
        tg_grid_put(grid, text);
        return;
    }
    g_snprintf(pattern, sizeof pattern, "%%.%df", digits);
    tg_grid_put(grid, g_ascii_formatd(text, sizeof text, pattern, value));
}

void tg_grid_note(TgGrid *grid, const char *text)
{
    g_ptr_array_add(grid->notes, g_strdup(text));
}

guint tg_grid_n_rows(const TgGrid *grid)
{
    return grid->n_columns > 0 ? grid->cells->len / grid->n_columns - 1 : 0;
}

/* Row 0 is the head. */
static const char *cell(const TgGrid *grid, guint row, guint column)
{
    return grid->cells->pdata[row * grid->n_columns + column];
}

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

/* A cell as it is written: no line break or other control, and in Markdown nothing that ends it or
 * is HTML. */
static char *cell_text(const TgGrid *grid, guint row, guint column, gboolean markdown)
{
    GString *text = g_string_new(NULL);

    for (const char *c = cell(grid, row, column); *c != '\0'; c++) {
        if (markdown && strchr("|<*_`\\", *c) != NULL)
            g_string_append_c(text, '\\');
        g_string_append_c(text, g_ascii_iscntrl(*c) ? ' ' : *c);
    }
    return g_string_free(text, FALSE);
}

static void append_aligned_row(GString *out, const TgGrid *grid, guint row, const guint *widths,
                               gboolean markdown)
{
    g_string_append(out, markdown ? "| " : "");
    for (guint c = 0; c < grid->n_columns; c++) {
        g_autofree char *text = cell_text(grid, row, c, markdown);

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

    for (guint i = 0; i < grid->cells->len; i++) {
        const guint c = i % grid->n_columns;
        g_autofree char *text = cell_text(grid, i / grid->n_columns, c, markdown);

        widths[c] = MAX(widths[c], width_of(text));
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
        g_string_append_printf(out, "%s%s\n", markdown ? "\n" : "",
                               (const char *) grid->notes->pdata[i]);
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
            append_latex_text(out, cell(grid, r, c));
        }
        g_string_append(out, r == 0 ? " \\\\\n\\midrule\n" : " \\\\\n");
    }
    g_string_append(out, "\\bottomrule\n\\end{tabular}\n");
    for (guint i = 0; i < grid->notes->len; i++)
        g_string_append_printf(out, "%% %s\n", (const char *) grid->notes->pdata[i]);
}

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
            if (c > 0)
                g_string_append_c(out, ',');
            tg_csv_append(out, cell(grid, r, c));
        }
        g_string_append_c(out, '\n');
    }
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
