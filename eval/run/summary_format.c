/* A summary as a grid, and so in every form: for people, for papers, for programs. */
#include "eval/run/summary.h"

#include <string.h>

#include "core/json.h"
#include "eval/results/grid.h"

enum { DIGITS = 4 };

static const char *row_name(const TgSummaryRow *row)
{
    return row->is_macro ? "macro" : row->subset != NULL ? row->subset : "all";
}

/* Metrics mostly fail on the same pairs, so a table shows the worst metric's count. */
static guint64 largest(const guint64 *counts, guint n)
{
    guint64 most = 0;

    for (guint i = 0; i < n; i++)
        most = MAX(most, counts[i]);
    return most;
}

/* Which optional columns a table for people has. */
typedef struct {
    gboolean models, subsets, failed, undefined;
} TableShape;

static TableShape table_shape(const TgScoreLayout *layout, const GPtrArray *rows)
{
    TableShape shape = { 0 };

    for (guint i = 0; i < rows->len; i++) {
        const TgSummaryRow *row = rows->pdata[i];

        shape.models |= row->model != NULL;
        shape.subsets |= row->subset != NULL;
        shape.undefined |= largest(row->n_undefined, layout->metrics->len) > 0;
        shape.failed |= largest(row->n_failed, layout->metrics->len) > 0;
    }
    return shape;
}

/* The arrow of a column's better direction. */
static const char *arrow_of(const TgColumn *column)
{
    if (column->pooling == TG_POOL_SUM)
        return NULL;
    return column->direction == TG_HIGHER_IS_BETTER ? "↑" : "↓";
}

static void add_counts(TgGrid *grid, const TgScoreLayout *layout)
{
    for (guint m = 0; m < layout->metrics->len; m++) {
        const char *label = tg_metric_label(tg_score_layout_metric(layout, m));
        g_autofree char *failed = g_strconcat("not ok ", label, NULL);
        g_autofree char *undefined = g_strconcat("undefined ", label, NULL);

        tg_grid_member(grid, NULL, failed, "not_ok", label);
        tg_grid_member(grid, NULL, undefined, "undefined", label);
    }
}

/* Model and subset down, columns across; programs get every column. */
static TgGrid *new_grid(const TgScoreLayout *layout, const TableShape *shape,
                        const TgSummaryFormat *format)
{
    TgGrid *grid = tg_grid_new(NULL, shape->models + shape->subsets);

    tg_grid_column(grid, shape->models ? "model" : NULL, "model", "model");
    tg_grid_column(grid, shape->subsets ? "subset" : NULL, "subset", "subset");
    tg_grid_column(grid, "pairs", "pairs", "pairs");
    for (guint i = 0; i < layout->n_columns; i++) {
        const char *name = tg_score_layout_column_name(layout, i);
        const gboolean shown = format->all || tg_score_layout_is_headline(layout, i);

        tg_grid_member(grid, shown ? name : NULL, name, "scores", name);
        tg_grid_column_scores(grid, tg_score_layout_is_share(layout, i),
                              arrow_of(tg_score_layout_column(layout, i)));
    }
    add_counts(grid, layout);
    tg_grid_column(grid, shape->failed ? "not ok" : NULL, NULL, NULL);
    tg_grid_column(grid, shape->undefined ? "undefined" : NULL, NULL, NULL);
    return grid;
}

static void put_value(TgGrid *grid, const TgColumn *column, double value)
{
    if (column->pooling == TG_POOL_SUM && value >= 0 && value == (double) (guint64) value)
        tg_grid_put_count(grid, (guint64) value);
    else
        tg_grid_put_number(grid, value, DIGITS);
}

static void put_row(TgGrid *grid, const TgScoreLayout *layout, const TgSummaryRow *row)
{
    const guint n_metrics = layout->metrics->len;

    if (row->model != NULL)
        tg_grid_put(grid, row->model);
    else
        tg_grid_put_absent(grid);
    tg_grid_put(grid, row_name(row));
    tg_grid_put_count(grid, row->n_pairs);
    for (guint i = 0; i < layout->n_columns; i++)
        put_value(grid, tg_score_layout_column(layout, i), row->values[i]);
    for (guint m = 0; m < n_metrics; m++) {
        tg_grid_put_count(grid, row->n_failed[m]);
        tg_grid_put_count(grid, row->n_undefined[m]);
    }
    tg_grid_put_count(grid, largest(row->n_failed, n_metrics));
    tg_grid_put_count(grid, largest(row->n_undefined, n_metrics));
}

static void append_json(GString *out, const TgScoreLayout *layout, const TgGrid *grid,
                        const TgGridForm *form)
{
    json_t *signatures = json_object();

    for (guint m = 0; m < layout->metrics->len; m++)
        json_object_set_new(signatures, tg_metric_label(tg_score_layout_metric(layout, m)),
                            json_string(tg_metric_signature(tg_score_layout_metric(layout, m))));
    json_t *all = json_pack("{s:s, s:o}", "version", tg_version(), "signatures", signatures);
    if (form->percent)
        json_object_set_new(all, "percent", json_true());
    json_object_set_new(all, "summary", tg_grid_rows_json(grid, form));
    tg_json_append(out, all);
    json_decref(all);
    g_string_append_c(out, '\n');
}

char *tg_summary_format(const TgSummary *summary, const TgSummaryFormat *format)
{
    const TgScoreLayout *layout = tg_summary_layout(summary);
    g_autoptr(GPtrArray) rows = tg_summary_rows(summary);
    const TableShape shape = table_shape(layout, rows);
    g_autoptr(TgGrid) grid = new_grid(layout, &shape, format);
    GString *out = g_string_new(NULL);

    for (guint i = 0; i < rows->len; i++)
        put_row(grid, layout, rows->pdata[i]);
    if (format->form.style == TG_GRID_JSON)
        append_json(out, layout, grid, &format->form);
    else
        tg_grid_append(out, grid, &format->form);
    return g_string_free(out, FALSE);
}
