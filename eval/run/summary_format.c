/* A summary as a grid, and so in every form: for people, for papers, for programs. */
#include "eval/run/run.h"

#include <math.h>
#include <string.h>

#include "core/json.h"
#include "metrics/metric.h"

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
    gboolean models, subsets, failed, undefined, intervals, pages;
} TableShape;

static TableShape table_shape(const TgScoreLayout *layout, const GPtrArray *rows)
{
    TableShape shape = { 0 };

    for (guint i = 0; i < rows->len; i++) {
        const TgSummaryRow *row = rows->pdata[i];

        shape.intervals |= row->intervals != NULL;
        shape.pages |= row->n_pages > 0;
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

/* The 95 % interval beside a column. */
static void add_interval(TgGrid *grid, const TgScoreLayout *layout, guint column, gboolean shown)
{
    const char *name = tg_score_layout_column_name(layout, column);
    g_autofree char *csv = g_strconcat(name, "_*", NULL);

    tg_grid_member(grid, shown ? "interval" : NULL, csv, "intervals", name);
    tg_grid_column_scores(grid, tg_score_layout_is_share(layout, column), NULL);
}

/* Model and subset down, columns across; programs get every column. */
static TgGrid *new_grid(const TgScoreLayout *layout, const TableShape *shape,
                        const TgSummaryFormat *format)
{
    TgGrid *grid = tg_grid_new(NULL, shape->models + shape->subsets);

    tg_grid_column(grid, shape->models ? "model" : NULL, "model", "model");
    tg_grid_column(grid, shape->subsets ? "subset" : NULL, "subset", "subset");
    tg_grid_column(grid, "pairs", "pairs", "pairs");
    if (shape->pages)
        tg_grid_column(grid, "pages", "pages", "pages");
    for (guint i = 0; i < layout->n_columns; i++) {
        const char *name = tg_score_layout_column_name(layout, i);
        const gboolean shown = format->all || tg_score_layout_is_headline(layout, i);

        tg_grid_member(grid, shown ? name : NULL, name, "scores", name);
        tg_grid_column_scores(grid, tg_score_layout_is_share(layout, i),
                              arrow_of(tg_score_layout_column(layout, i)));
        if (shape->intervals)
            add_interval(grid, layout, i, shown);
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

static void put_row(TgGrid *grid, const TgScoreLayout *layout, const TableShape *shape,
                    const TgSummaryRow *row)
{
    const guint n_metrics = layout->metrics->len;

    if (row->model != NULL)
        tg_grid_put(grid, row->model);
    else
        tg_grid_put_absent(grid);
    tg_grid_put(grid, row_name(row));
    tg_grid_put_count(grid, row->n_pairs);
    if (shape->pages)
        tg_grid_put_count(grid, row->n_pages);
    for (guint i = 0; i < layout->n_columns; i++) {
        put_value(grid, tg_score_layout_column(layout, i), row->values[i]);
        if (row->intervals != NULL)
            tg_grid_put_interval(grid, row->intervals[i], DIGITS);
    }
    for (guint m = 0; m < n_metrics; m++) {
        tg_grid_put_count(grid, row->n_failed[m]);
        tg_grid_put_count(grid, row->n_undefined[m]);
    }
    tg_grid_put_count(grid, largest(row->n_failed, n_metrics));
    tg_grid_put_count(grid, largest(row->n_undefined, n_metrics));
}

/* ---- models ---- */

typedef struct {
    const TgSummaryRow *first; /* of the model: all its pairs */
    guint start, end;          /* its rows */
} ModelRows;

/* The models of @rows, as they were given. (transfer full) ModelRows */
static GArray *models_of(const GPtrArray *rows)
{
    GArray *models = g_array_new(FALSE, TRUE, sizeof(ModelRows));

    for (guint i = 0, end; i < rows->len; i = end) {
        const TgSummaryRow *row = rows->pdata[i];

        for (end = i + 1; end < rows->len; end++)
            if (g_strcmp0(((TgSummaryRow *) rows->pdata[end])->model, row->model) != 0)
                break;
        g_array_append_val(models, ((ModelRows){ row, i, end }));
    }
    return models;
}

/* ---- models by subsets ---- */

static gint by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *) a, *(char *const *) b);
}

/* The names of all subsets in their order, then "mean"; or "all" alone. (transfer full) */
static GPtrArray *pivot_names(const GPtrArray *rows)
{
    GPtrArray *names = g_ptr_array_new();

    for (guint i = 0; i < rows->len; i++) {
        const TgSummaryRow *row = rows->pdata[i];

        if (row->subset != NULL &&
            !g_ptr_array_find_with_equal_func(names, row->subset, g_str_equal, NULL))
            g_ptr_array_add(names, (gpointer) row->subset);
    }
    g_ptr_array_sort(names, by_name);
    g_ptr_array_add(names, (gpointer) (names->len > 0 ? "mean" : "all"));
    return names;
}

/* The row of a model for a column of the pivot, or NULL. */
static const TgSummaryRow *pivot_row(const GPtrArray *rows, const ModelRows *model,
                                     const GPtrArray *names, guint at)
{
    const gboolean is_last = at + 1 == names->len;

    if (is_last && names->len == 1)
        return model->first;
    for (guint i = model->start; i < model->end; i++) {
        const TgSummaryRow *row = rows->pdata[i];

        if (is_last ? row->is_macro : g_strcmp0(row->subset, names->pdata[at]) == 0)
            return row;
    }
    /* a model with pairs of one subset alone has no row for it, and no mean but its own */
    return is_last ? model->first : NULL;
}

static double pivot_best(const GPtrArray *rows, const GArray *models, const GPtrArray *names,
                         guint at, guint column, gboolean lower)
{
    double best = NAN;

    for (guint m = 0; m < models->len; m++) {
        const TgSummaryRow *row = pivot_row(rows, &g_array_index(models, ModelRows, m), names, at);
        const double value = row != NULL ? row->values[column] : NAN;

        if (!isnan(value) && (isnan(best) || (lower ? value < best : value > best)))
            best = value;
    }
    return best;
}

static TgGrid *pivot_grid(const TgScoreLayout *layout, const GPtrArray *rows, const GArray *models,
                          guint column, gboolean intervals)
{
    const TgColumn *info = tg_score_layout_column(layout, column);
    const char *arrow = arrow_of(info);
    g_autoptr(GPtrArray) names = pivot_names(rows);
    g_autofree char *title = g_strconcat(tg_score_layout_column_name(layout, column),
                                         arrow != NULL ? " " : "", arrow, NULL);
    TgGrid *grid = tg_grid_new(title, 1);

    tg_grid_column(grid, "model", "model", "model");
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *csv = g_strconcat(names->pdata[i], "_*", NULL);

        tg_grid_member(grid, names->pdata[i], names->pdata[i], "values", names->pdata[i]);
        tg_grid_column_scores(grid, tg_score_layout_is_share(layout, column), NULL);
        if (intervals)
            tg_grid_member(grid, "interval", csv, "intervals", names->pdata[i]);
        if (intervals)
            tg_grid_column_scores(grid, tg_score_layout_is_share(layout, column), NULL);
    }
    for (guint m = 0; m < models->len; m++) {
        const ModelRows *model = &g_array_index(models, ModelRows, m);

        tg_grid_put_name(grid, model->first->model, "(none)");
        for (guint i = 0; i < names->len; i++) {
            static const double none[2] = { NAN, NAN };
            const TgSummaryRow *row = pivot_row(rows, model, names, i);
            const double value = row != NULL ? row->values[column] : NAN;

            put_value(grid, info, value);
            tg_grid_mark(grid,
                         models->len > 1 &&
                             value == pivot_best(rows, models, names, i, column,
                                                 info->direction == TG_LOWER_IS_BETTER),
                         NULL);
            if (intervals)
                tg_grid_put_interval(
                    grid, row != NULL && row->intervals != NULL ? row->intervals[column] : none,
                    DIGITS);
        }
    }
    return grid;
}

static void append_json(GString *out, const TgScoreLayout *layout, const TgGrid *grid,
                        const TgMean *mean, const TgSummaryFormat *format)
{
    const TgGridForm *form = &format->form;
    json_t *all =
        json_pack("{s:s, s:o}", "version", tg_version(), "signatures", tg_signatures_json(layout));

    if (form->percent)
        json_object_set_new(all, "percent", json_true());
    if (mean->over != TG_MEAN_PAIRS)
        json_object_set_new(all, "mean", json_string(tg_mean_name(mean->over)));
    if (mean->field != NULL)
        json_object_set_new(all, "mean_field", tg_json_text(mean->field));
    if (format->pivot != NULL)
        json_object_set_new(all, "metric", json_string(format->pivot));
    json_object_set_new(all, "summary", tg_grid_rows_json(grid, form));
    tg_json_append(out, all);
    json_decref(all);
    g_string_append_c(out, '\n');
}

static void add_notes(TgGrid *grid, const TgMean *mean, gboolean intervals)
{
    const char *over = tg_mean_name(mean->over);

    if (mean->over != TG_MEAN_PAIRS)
        tg_grid_note(grid, "Values are means over %s%s%s.", over,
                     mean->field != NULL ? ", named by " : "",
                     mean->field != NULL ? mean->field : "");
    if (intervals)
        tg_grid_note(grid, "Intervals: 95 %%, percentile bootstrap of %d resamples of the %s.",
                     TG_CONFIDENCE_RESAMPLES, mean->over == TG_MEAN_PAGES ? over : "pairs");
}

static TgGrid *summary_grid(const TgSummary *summary, const GPtrArray *rows, const GArray *models,
                            const TgSummaryFormat *format)
{
    const TgScoreLayout *layout = tg_summary_layout(summary);
    const TableShape shape = table_shape(layout, rows);
    const gint pivot =
        format->pivot != NULL ? tg_score_layout_find_column(layout, format->pivot) : -1;
    TgGrid *grid = pivot >= 0 ? pivot_grid(layout, rows, models, (guint) pivot, shape.intervals)
                              : new_grid(layout, &shape, format);

    add_notes(grid, tg_summary_mean(summary), shape.intervals);
    if (pivot >= 0 && models->len > 1 && format->form.style == TG_GRID_TABLE)
        tg_grid_note(grid, "*: the best.");
    tg_signatures_note(grid, layout);
    for (guint i = 0; pivot < 0 && i < rows->len; i++)
        put_row(grid, layout, &shape, rows->pdata[i]);
    return grid;
}

char *tg_summary_format(const TgSummary *summary, const TgSummaryFormat *format)
{
    const TgScoreLayout *layout = tg_summary_layout(summary);
    g_autoptr(GPtrArray) rows = tg_summary_rows(summary);
    g_autoptr(GArray) models = models_of(rows);
    g_autoptr(TgGrid) grid = summary_grid(summary, rows, models, format);
    GString *out = g_string_new(NULL);

    if (format->form.style == TG_GRID_JSON)
        append_json(out, layout, grid, tg_summary_mean(summary), format);
    else
        tg_grid_append(out, grid, &format->form);
    return g_string_free(out, FALSE);
}
