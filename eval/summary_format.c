/* A summary as text: for people, for papers, for programs. */
#include "eval/summary.h"

#include <csv.h>
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "eval/json_util.h"

static const char *const style_names[] = { "table", "json", "csv", "md", "latex" };

gboolean tg_summary_style_parse(const char *name, TgSummaryStyle *out, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(style_names); i++)
        if (strcmp(name, style_names[i]) == 0) {
            *out = (TgSummaryStyle) i;
            return TRUE;
        }
    g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                "no summary style '%s'; there are table, json, csv, md, latex", name);
    return FALSE;
}

/* ---- tables of text cells ---- */

/* Cells row by row; the first row is the head, the first @n_keys columns are names. */
typedef struct {
    GPtrArray *cells;
    guint n_columns;
    guint n_keys;
} Grid;

static void put(Grid *grid, char *text)
{
    g_ptr_array_add(grid->cells, text);
}

static const char *cell(const Grid *grid, guint row, guint column)
{
    return grid->cells->pdata[row * grid->n_columns + column];
}

static guint n_rows(const Grid *grid)
{
    return grid->n_columns > 0 ? grid->cells->len / grid->n_columns : 0;
}

static gboolean is_count(const TgColumn *column)
{
    return column->pooling == TG_POOL_SUM;
}

static char *value_text(const TgColumn *column, double value, const TgSummaryFormat *format)
{
    const gboolean percent = format->percent && (column->max == 1.0 || column->as_percent);
    const gint digits = format->digits > 0 ? format->digits : percent ? 2 : 4;
    char text[64];
    char pattern[16];

    if (isnan(value))
        return g_strdup("-");
    if (is_count(column) && value == floor(value))
        return g_strdup_printf("%.0f", value);
    g_snprintf(pattern, sizeof pattern, "%%.%df", digits);
    return g_strdup(g_ascii_formatd(text, sizeof text, pattern, percent ? value * 100 : value));
}

static const char *row_name(const TgSummaryRow *row)
{
    return row->is_macro ? "macro" : row->subset != NULL ? row->subset : "all";
}

static gboolean has_models(const GPtrArray *rows)
{
    for (guint i = 0; i < rows->len; i++)
        if (((TgSummaryRow *) rows->pdata[i])->model != NULL)
            return TRUE;
    return FALSE;
}

static gboolean has_subsets(const GPtrArray *rows)
{
    for (guint i = 0; i < rows->len; i++)
        if (((TgSummaryRow *) rows->pdata[i])->subset != NULL)
            return TRUE;
    return FALSE;
}

/* Metrics mostly fail on the same pairs, so a table shows the worst metric's count. */
static guint64 largest(const guint64 *counts, guint n)
{
    guint64 most = 0;

    for (guint i = 0; i < n; i++)
        most = MAX(most, counts[i]);
    return most;
}

/* Model and subset down, columns across. @arrows marks the better direction in the head. */
static void fill_grid(Grid *grid, const TgSheet *sheet, const GPtrArray *rows,
                      const TgSummaryFormat *format, gboolean arrows)
{
    const gboolean models = has_models(rows), subsets = has_subsets(rows);
    gboolean undefined = FALSE, failed = FALSE;
    g_autoptr(GArray) shown = g_array_new(FALSE, FALSE, sizeof(guint));

    for (guint i = 0; i < sheet->n_columns; i++)
        if (format->all || tg_sheet_is_headline(sheet, i))
            g_array_append_val(shown, i);
    for (guint i = 0; i < rows->len; i++) {
        const TgSummaryRow *row = rows->pdata[i];
        undefined = undefined || largest(row->n_undefined, sheet->metrics->len) > 0;
        failed = failed || largest(row->n_failed, sheet->metrics->len) > 0;
    }

    if (models)
        put(grid, g_strdup("model"));
    if (subsets)
        put(grid, g_strdup("subset"));
    grid->n_keys = grid->cells->len;
    put(grid, g_strdup("pairs"));
    for (guint i = 0; i < shown->len; i++) {
        const guint at = g_array_index(shown, guint, i);
        const gboolean up = tg_sheet_column(sheet, at)->direction == TG_HIGHER_IS_BETTER;
        put(grid, g_strconcat(tg_sheet_column_name(sheet, at),
                              !arrows || is_count(tg_sheet_column(sheet, at)) ? ""
                              : up                                            ? " ↑"
                                                                              : " ↓",
                              NULL));
    }
    if (failed)
        put(grid, g_strdup("not ok"));
    if (undefined)
        put(grid, g_strdup("undefined"));
    grid->n_columns = grid->cells->len;

    for (guint i = 0; i < rows->len; i++) {
        const TgSummaryRow *row = rows->pdata[i];
        if (models)
            put(grid, g_strdup(row->model != NULL ? row->model : ""));
        if (subsets)
            put(grid, g_strdup(row_name(row)));
        put(grid, g_strdup_printf("%" G_GUINT64_FORMAT, row->n_pairs));
        for (guint k = 0; k < shown->len; k++) {
            const guint at = g_array_index(shown, guint, k);
            put(grid, value_text(tg_sheet_column(sheet, at), row->values[at], format));
        }
        if (failed)
            put(grid,
                g_strdup_printf("%" G_GUINT64_FORMAT, largest(row->n_failed, sheet->metrics->len)));
        if (undefined)
            put(grid, g_strdup_printf("%" G_GUINT64_FORMAT,
                                      largest(row->n_undefined, sheet->metrics->len)));
    }
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

/* Aligned columns, joined and framed as the style wants. */
static void append_aligned(GString *out, const Grid *grid, gboolean markdown)
{
    g_autofree guint *widths = g_new0(guint, grid->n_columns);

    for (guint i = 0; i < grid->cells->len; i++)
        widths[i % grid->n_columns] =
            MAX(widths[i % grid->n_columns], width_of(grid->cells->pdata[i]));
    for (guint r = 0; r < n_rows(grid); r++) {
        if (markdown)
            g_string_append(out, "| ");
        for (guint c = 0; c < grid->n_columns; c++) {
            if (c > 0)
                g_string_append(out, markdown ? " | " : "  ");
            append_padded(out, cell(grid, r, c), widths[c], c < grid->n_keys);
        }
        if (markdown)
            g_string_append(out, " |");
        while (!markdown && out->str[out->len - 1] == ' ')
            g_string_truncate(out, out->len - 1);
        g_string_append_c(out, '\n');
        if (r > 0 || !markdown)
            continue;
        for (guint c = 0; c < grid->n_columns; c++)
            g_string_append(out, c < grid->n_keys ? "|:---" : "|---:");
        g_string_append(out, "|\n");
    }
}

static void append_latex_text(GString *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("_%&#$", *text) != NULL)
            g_string_append_printf(out, "\\%c", *text);
        else if (strchr("\\^~{}", *text) != NULL)
            g_string_append_printf(out, "\\char%d{}", (guchar) *text);
        else
            g_string_append_c(out, *text);
    }
}

static void append_latex(GString *out, const Grid *grid)
{
    g_string_append(out, "% needs \\usepackage{booktabs}\n\\begin{tabular}{");
    for (guint c = 0; c < grid->n_columns; c++)
        g_string_append_c(out, c < grid->n_keys ? 'l' : 'r');
    g_string_append(out, "}\n\\toprule\n");
    for (guint r = 0; r < n_rows(grid); r++) {
        for (guint c = 0; c < grid->n_columns; c++) {
            g_string_append(out, c > 0 ? " & " : "");
            append_latex_text(out, cell(grid, r, c));
        }
        g_string_append(out, r == 0 ? " \\\\\n\\midrule\n" : " \\\\\n");
    }
    g_string_append(out, "\\bottomrule\n\\end{tabular}\n");
}

/* ---- for programs: every column, 10 digits ---- */

static void append_csv_text(GString *out, const char *text)
{
    const size_t len = strlen(text);
    const size_t quoted = csv_write(NULL, 0, text, len);
    g_autofree char *field = g_malloc(quoted);

    csv_write(field, quoted, text, len);
    g_string_append_len(out, field, (gssize) quoted);
}

static void append_csv(GString *out, const TgSheet *sheet, const GPtrArray *rows)
{
    g_string_append(out, "model,subset,pairs");
    for (guint i = 0; i < sheet->n_columns; i++) {
        g_string_append_c(out, ',');
        append_csv_text(out, tg_sheet_column_name(sheet, i));
    }
    for (guint m = 0; m < sheet->metrics->len; m++)
        for (guint k = 0; k < 2; k++) {
            g_autofree char *name = g_strconcat(k == 0 ? "not ok " : "undefined ",
                                                tg_metric_label(tg_sheet_metric(sheet, m)), NULL);
            g_string_append_c(out, ',');
            append_csv_text(out, name);
        }
    g_string_append_c(out, '\n');

    for (guint r = 0; r < rows->len; r++) {
        const TgSummaryRow *row = rows->pdata[r];
        append_csv_text(out, row->model != NULL ? row->model : "");
        g_string_append_c(out, ',');
        append_csv_text(out, row_name(row));
        g_string_append_printf(out, ",%" G_GUINT64_FORMAT, row->n_pairs);
        for (guint i = 0; i < sheet->n_columns; i++) {
            char text[32] = "";
            if (!isnan(row->values[i]))
                tg_number_format(row->values[i], text);
            g_string_append_printf(out, ",%s", text);
        }
        for (guint m = 0; m < sheet->metrics->len; m++)
            g_string_append_printf(out, ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT,
                                   row->n_failed[m], row->n_undefined[m]);
        g_string_append_c(out, '\n');
    }
}

static json_t *row_json(const TgSheet *sheet, const TgSummaryRow *row)
{
    json_t *scores = json_object(), *undefined = json_object(), *failed = json_object();

    for (guint i = 0; i < sheet->n_columns; i++)
        json_object_set_new(scores, tg_sheet_column_name(sheet, i), tg_json_number(row->values[i]));
    for (guint m = 0; m < sheet->metrics->len; m++) {
        const char *label = tg_metric_label(tg_sheet_metric(sheet, m));
        json_object_set_new(failed, label, json_integer((json_int_t) row->n_failed[m]));
        json_object_set_new(undefined, label, json_integer((json_int_t) row->n_undefined[m]));
    }
    return json_pack("{s:o, s:s, s:I, s:o, s:o, s:o}", "model", tg_json_text(row->model), "subset",
                     row_name(row), "pairs", (json_int_t) row->n_pairs, "scores", scores, "not_ok",
                     failed, "undefined", undefined);
}

static void append_json(GString *out, const TgSheet *sheet, const GPtrArray *rows)
{
    json_t *signatures = json_object(), *list = json_array();

    for (guint m = 0; m < sheet->metrics->len; m++)
        json_object_set_new(signatures, tg_metric_label(tg_sheet_metric(sheet, m)),
                            json_string(tg_metric_signature(tg_sheet_metric(sheet, m))));
    for (guint i = 0; i < rows->len; i++)
        json_array_append_new(list, row_json(sheet, rows->pdata[i]));
    json_t *all = json_pack("{s:s, s:o, s:o}", "version", tg_version(), "signatures", signatures,
                            "summary", list);
    tg_json_append(out, all);
    json_decref(all);
    g_string_append_c(out, '\n');
}

char *tg_summary_format(const TgSummary *summary, const TgSummaryFormat *format)
{
    const TgSheet *sheet = tg_summary_sheet(summary);
    g_autoptr(GPtrArray) rows = tg_summary_rows(summary);
    g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);
    Grid grid = { cells, 0, 0 };
    GString *out = g_string_new(NULL);

    switch (format->style) {
    case TG_SUMMARY_TABLE:
    case TG_SUMMARY_MARKDOWN:
        fill_grid(&grid, sheet, rows, format, TRUE);
        append_aligned(out, &grid, format->style == TG_SUMMARY_MARKDOWN);
        break;
    case TG_SUMMARY_LATEX:
        fill_grid(&grid, sheet, rows, format, FALSE);
        append_latex(out, &grid);
        break;
    case TG_SUMMARY_CSV:
        append_csv(out, sheet, rows);
        break;
    case TG_SUMMARY_JSON:
        append_json(out, sheet, rows);
        break;
    }
    return g_string_free(out, FALSE);
}
