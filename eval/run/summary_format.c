/* A summary as text: for people, for papers, for programs. */
#include "eval/run/summary.h"

#include <math.h>
#include <string.h>

#include "core/json.h"
#include "core/number.h"
#include "eval/results/grid.h"

static gboolean is_count(const TgColumn *column)
{
    return column->pooling == TG_POOL_SUM;
}

static void put_value(TgGrid *grid, const TgColumn *column, double value,
                      const TgSummaryFormat *format)
{
    const gboolean percent = format->percent && column->max == 1.0;
    const gint digits = format->digits > 0 ? format->digits : percent ? 2 : 4;

    if (is_count(column) && value == floor(value))
        tg_grid_put_number(grid, value, 0);
    else
        tg_grid_put_number(grid, percent ? value * 100 : value, digits);
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

/* Which optional columns a table has. */
typedef struct {
    gboolean models, subsets, failed, undefined;
    GArray *shown; /* guint, numbers of columns */
} TableShape;

static TableShape table_shape(const TgScoreLayout *layout, const GPtrArray *rows,
                              const TgSummaryFormat *format)
{
    TableShape shape = { .models = has_models(rows),
                         .subsets = has_subsets(rows),
                         .shown = g_array_new(FALSE, FALSE, sizeof(guint)) };

    for (guint i = 0; i < layout->n_columns; i++)
        if (format->all || tg_score_layout_is_headline(layout, i))
            g_array_append_val(shape.shown, i);
    for (guint i = 0; i < rows->len; i++) {
        const TgSummaryRow *row = rows->pdata[i];
        shape.undefined |= largest(row->n_undefined, layout->metrics->len) > 0;
        shape.failed |= largest(row->n_failed, layout->metrics->len) > 0;
    }
    return shape;
}

/* @arrows marks the better direction. */
static void put_head(TgGrid *grid, const TgScoreLayout *layout, const TableShape *shape,
                     gboolean arrows)
{
    if (shape->models)
        tg_grid_head(grid, "model");
    if (shape->subsets)
        tg_grid_head(grid, "subset");
    tg_grid_head(grid, "pairs");
    for (guint i = 0; i < shape->shown->len; i++) {
        const guint at = g_array_index(shape->shown, guint, i);
        const TgColumn *column = tg_score_layout_column(layout, at);
        const gboolean up = column->direction == TG_HIGHER_IS_BETTER;
        g_autofree char *text = g_strconcat(tg_score_layout_column_name(layout, at),
                                            !arrows || is_count(column) ? ""
                                            : up                        ? " ↑"
                                                                        : " ↓",
                                            NULL);
        tg_grid_head(grid, text);
    }
    if (shape->failed)
        tg_grid_head(grid, "not ok");
    if (shape->undefined)
        tg_grid_head(grid, "undefined");
}

static void put_row(TgGrid *grid, const TgScoreLayout *layout, const TableShape *shape,
                    const TgSummaryRow *row, const TgSummaryFormat *format)
{
    const guint n_metrics = layout->metrics->len;

    if (shape->models)
        tg_grid_put(grid, row->model != NULL ? row->model : "");
    if (shape->subsets)
        tg_grid_put(grid, row_name(row));
    tg_grid_put_count(grid, row->n_pairs);
    for (guint i = 0; i < shape->shown->len; i++) {
        const guint at = g_array_index(shape->shown, guint, i);
        put_value(grid, tg_score_layout_column(layout, at), row->values[at], format);
    }
    if (shape->failed)
        tg_grid_put_count(grid, largest(row->n_failed, n_metrics));
    if (shape->undefined)
        tg_grid_put_count(grid, largest(row->n_undefined, n_metrics));
}

/* Model and subset down, columns across. */
static void append_grid(GString *out, const TgScoreLayout *layout, const GPtrArray *rows,
                        const TgSummaryFormat *format)
{
    const TableShape shape = table_shape(layout, rows, format);
    g_autoptr(TgGrid) grid = tg_grid_new(NULL, shape.models + shape.subsets);

    put_head(grid, layout, &shape, format->style != TG_GRID_LATEX);
    for (guint i = 0; i < rows->len; i++)
        put_row(grid, layout, &shape, rows->pdata[i], format);
    tg_grid_append(out, grid, format->style);
    g_array_unref(shape.shown);
}

/* ---- for programs: every column, 10 digits ---- */

static void append_csv(GString *out, const TgScoreLayout *layout, const GPtrArray *rows)
{
    g_string_append(out, "model,subset,pairs");
    for (guint i = 0; i < layout->n_columns; i++) {
        g_string_append_c(out, ',');
        tg_csv_append(out, tg_score_layout_column_name(layout, i));
    }
    for (guint m = 0; m < layout->metrics->len; m++)
        for (guint k = 0; k < 2; k++) {
            g_autofree char *name =
                g_strconcat(k == 0 ? "not ok " : "undefined ",
                            tg_metric_label(tg_score_layout_metric(layout, m)), NULL);
            g_string_append_c(out, ',');
            tg_csv_append(out, name);
        }
    g_string_append_c(out, '\n');

    for (guint r = 0; r < rows->len; r++) {
        const TgSummaryRow *row = rows->pdata[r];
        tg_csv_append(out, row->model != NULL ? row->model : "");
        g_string_append_c(out, ',');
        tg_csv_append(out, row_name(row));
        g_string_append_printf(out, ",%" G_GUINT64_FORMAT, row->n_pairs);
        for (guint i = 0; i < layout->n_columns; i++) {
            char text[32] = "";
            if (!isnan(row->values[i]))
                tg_number_format(row->values[i], text);
            g_string_append_printf(out, ",%s", text);
        }
        for (guint m = 0; m < layout->metrics->len; m++)
            g_string_append_printf(out, ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT,
                                   row->n_failed[m], row->n_undefined[m]);
        g_string_append_c(out, '\n');
    }
}

static json_t *row_json(const TgScoreLayout *layout, const TgSummaryRow *row)
{
    json_t *scores = json_object(), *undefined = json_object(), *failed = json_object();

    for (guint i = 0; i < layout->n_columns; i++)
        json_object_set_new(scores, tg_score_layout_column_name(layout, i),
                            tg_json_number(row->values[i]));
    for (guint m = 0; m < layout->metrics->len; m++) {
        const char *label = tg_metric_label(tg_score_layout_metric(layout, m));
        json_object_set_new(failed, label, json_integer((json_int_t) row->n_failed[m]));
        json_object_set_new(undefined, label, json_integer((json_int_t) row->n_undefined[m]));
    }
    return json_pack("{s:o, s:s, s:I, s:o, s:o, s:o}", "model", tg_json_text(row->model), "subset",
                     row_name(row), "pairs", (json_int_t) row->n_pairs, "scores", scores, "not_ok",
                     failed, "undefined", undefined);
}

static void append_json(GString *out, const TgScoreLayout *layout, const GPtrArray *rows)
{
    json_t *signatures = json_object(), *list = json_array();

    for (guint m = 0; m < layout->metrics->len; m++)
        json_object_set_new(signatures, tg_metric_label(tg_score_layout_metric(layout, m)),
                            json_string(tg_metric_signature(tg_score_layout_metric(layout, m))));
    for (guint i = 0; i < rows->len; i++)
        json_array_append_new(list, row_json(layout, rows->pdata[i]));
    json_t *all = json_pack("{s:s, s:o, s:o}", "version", tg_version(), "signatures", signatures,
                            "summary", list);
    tg_json_append(out, all);
    json_decref(all);
    g_string_append_c(out, '\n');
}

char *tg_summary_format(const TgSummary *summary, const TgSummaryFormat *format)
{
    const TgScoreLayout *layout = tg_summary_layout(summary);
    g_autoptr(GPtrArray) rows = tg_summary_rows(summary);
    GString *out = g_string_new(NULL);

    if (format->style == TG_GRID_CSV)
        append_csv(out, layout, rows);
    else if (format->style == TG_GRID_JSON)
        append_json(out, layout, rows);
    else
        append_grid(out, layout, rows, format);
    return g_string_free(out, FALSE);
}
