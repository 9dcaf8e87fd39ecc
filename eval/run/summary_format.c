/* A summary as a grid, and so in every form: for people, for papers, for programs. */
#include "eval/run/run.h"

#include <math.h>
#include <string.h>

#include "core/json.h"
#include "core/utf8.h"
#include "metrics/metric.h"

enum { DIGITS = 4 };

/* What is written, and which optional columns a table for people has. */
typedef struct {
    const TgSummaryFormat *format;
    const TgScoreLayout *layout;
    const GPtrArray *rows; /* of TgSummaryRow */
    guint n_models;
    gboolean models, subsets, failed, undefined, intervals, pages, page_counts;
} View;

/* Metrics mostly fail on the same pairs, so a table shows the worst metric's count. */
static guint64 largest(const guint64 *counts, guint n)
{
    guint64 most = 0;

    for (guint i = 0; i < n; i++)
        most = MAX(most, counts[i]);
    return most;
}

static const TgSummaryRow *row_at(const View *view, guint i)
{
    return view->rows->pdata[i];
}

/* Whether row @i is the first of its model, which is about all its pairs. */
static gboolean is_first(const View *view, guint i)
{
    return i == 0 || g_strcmp0(row_at(view, i)->model, row_at(view, i - 1)->model) != 0;
}

/* The arrow of a column's better direction. */
static const char *arrow_of(const TgColumn *column)
{
    if (column->pooling == TG_POOL_SUM)
        return NULL;
    return column->direction == TG_HIGHER_IS_BETTER ? "↑" : "↓";
}

/* Add the values of a column to the grid, and their intervals; @head: NULL: not for people. */
static void add_scores(TgGrid *grid, const View *view, guint column, const char *head,
                       const char *name, const char *object, const char *arrow)
{
    const gboolean share = tg_score_layout_is_share(view->layout, column);
    g_autofree char *csv = g_strconcat(name, "_*", NULL);

    tg_grid_member(grid, head, name, object, name);
    tg_grid_column_scores(grid, share, arrow);
    if (!view->intervals)
        return;
    tg_grid_member(grid, head != NULL ? "interval" : NULL, csv, "intervals", name);
    tg_grid_column_scores(grid, share, NULL);
}

/* @row: NULL: none */
static void put_scores(TgGrid *grid, const View *view, guint column, const TgSummaryRow *row,
                       gboolean is_best)
{
    static const double none[2] = { NAN, NAN };
    const gboolean counts = view->layout->columns[column]->pooling == TG_POOL_SUM;
    const double value = row != NULL ? row->values[column] : NAN;

    if (counts && value >= 0 && value == (double) (guint64) value)
        tg_grid_put_count(grid, (guint64) value);
    else
        tg_grid_put_number(grid, value, DIGITS);
    tg_grid_mark(grid, is_best, NULL);
    if (view->intervals)
        tg_grid_put_interval(grid, row != NULL ? row->intervals[column] : none, DIGITS);
}

/* Model and subset down, columns across; programs get every column. */
static TgGrid *rows_grid(const View *view)
{
    const TgScoreLayout *layout = view->layout;
    const guint n_metrics = layout->metrics->len;
    TgGrid *grid = tg_grid_new(NULL, view->models + view->subsets);

    tg_grid_column(grid, view->models ? "model" : NULL, "model", "model");
    tg_grid_column(grid, view->subsets ? "subset" : NULL, "subset", "subset");
    tg_grid_column(grid, "pairs", "pairs", "pairs");
    if (view->pages)
        tg_grid_column(grid, "pages", "pages", "pages");
    if (view->page_counts) {
        tg_grid_column(grid, "missed", "missed", "missed");
        tg_grid_column(grid, "unused", "unused", "unused");
    }
    for (guint i = 0; i < layout->n_columns; i++) {
        const char *name = layout->names[i];
        const gboolean shown = view->format->all || tg_score_layout_is_headline(layout, i);

        add_scores(grid, view, i, shown ? name : NULL, name, "scores",
                   arrow_of(layout->columns[i]));
    }
    for (guint m = 0; m < n_metrics; m++) {
        const char *label = tg_metric_label(layout->metrics->pdata[m]);
        g_autofree char *failed = g_strconcat("not ok ", label, NULL);
        g_autofree char *undefined = g_strconcat("undefined ", label, NULL);

        tg_grid_member(grid, NULL, failed, "not_ok", label);
        tg_grid_member(grid, NULL, undefined, "undefined", label);
    }
    tg_grid_column(grid, view->failed ? "not ok" : NULL, NULL, NULL);
    tg_grid_column(grid, view->undefined ? "undefined" : NULL, NULL, NULL);

    for (guint r = 0; r < view->rows->len; r++) {
        const TgSummaryRow *row = row_at(view, r);

        tg_grid_put_name(grid, row->model, "");
        tg_grid_put(grid, row->is_macro         ? TG_MEAN_OF_SUBSETS
                          : row->subset != NULL ? row->subset
                                                : "all");
        tg_grid_put_count(grid, row->n_pairs);
        if (view->pages)
            tg_grid_put_count(grid, row->n_pages);
        if (view->page_counts) {
            tg_grid_put_count(grid, row->page_counts.n_missed);
            tg_grid_put_count(grid, row->page_counts.n_unused);
        }
        for (guint i = 0; i < layout->n_columns; i++)
            put_scores(grid, view, i, row, FALSE);
        for (guint m = 0; m < n_metrics; m++) {
            tg_grid_put_count(grid, row->n_failed[m]);
            tg_grid_put_count(grid, row->n_undefined[m]);
        }
        tg_grid_put_count(grid, largest(row->n_failed, n_metrics));
        tg_grid_put_count(grid, largest(row->n_undefined, n_metrics));
    }
    return grid;
}

/* ---- models by subsets ---- */

/* The row of the model that begins at @first: of a subset, or NULL; of their mean (@subset is
 * NULL), or of all its pairs, as a model with a single subset has no other row. */
static const TgSummaryRow *pivot_row(const View *view, guint first, const char *subset)
{
    for (guint i = first; i < view->rows->len && (i == first || !is_first(view, i)); i++) {
        const TgSummaryRow *row = row_at(view, i);

        if (subset == NULL ? row->is_macro : g_strcmp0(row->subset, subset) == 0)
            return row;
    }
    return subset == NULL ? row_at(view, first) : NULL;
}

static double pivot_best(const View *view, const char *subset, guint column)
{
    const gboolean lower = view->layout->columns[column]->direction == TG_LOWER_IS_BETTER;
    double best = NAN;

    for (guint i = 0; i < view->rows->len; i++) {
        const TgSummaryRow *row = is_first(view, i) ? pivot_row(view, i, subset) : NULL;
        const double value = row != NULL ? row->values[column] : NAN;

        if (!isnan(value) && (isnan(best) || (lower ? value < best : value > best)))
            best = value;
    }
    return best;
}

static TgGrid *pivot_grid(const View *view, guint column)
{
    const char *arrow = arrow_of(view->layout->columns[column]);
    /* The names of all subsets in their order, then their mean; or "all" alone. */
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    for (guint i = 0; i < view->rows->len; i++) {
        const char *subset = row_at(view, i)->subset;

        if (subset != NULL && !g_ptr_array_find_with_equal_func(names, subset, g_str_equal, NULL))
            g_ptr_array_add(names, (gpointer) subset);
    }
    tg_texts_sort(names);
    g_ptr_array_add(names, (gpointer) (names->len > 0 ? TG_MEAN_OF_SUBSETS : "all"));
    g_autofree char *title =
        g_strconcat(view->layout->names[column], arrow != NULL ? " " : "", arrow, NULL);
    TgGrid *grid = tg_grid_new(title, 1);

    tg_grid_column(grid, "model", "model", "model");
    for (guint i = 0; i < names->len; i++)
        add_scores(grid, view, column, names->pdata[i], names->pdata[i], "values", NULL);
    for (guint m = 0; m < view->rows->len; m++) {
        if (!is_first(view, m))
            continue;
        tg_grid_put_name(grid, row_at(view, m)->model, "(none)");
        for (guint i = 0; i < names->len; i++) {
            const char *subset = i + 1 < names->len ? names->pdata[i] : NULL;
            const TgSummaryRow *row = pivot_row(view, m, subset);

            put_scores(grid, view, column, row,
                       view->n_models > 1 && row != NULL &&
                           row->values[column] == pivot_best(view, subset, column));
        }
    }
    return grid;
}

/* ---- the whole ---- */

char *tg_summary_format(const TgSummary *summary, const TgSummaryFormat *format)
{
    const TgMean *mean = &summary->mean;
    const char *over = tg_mean_name(mean->over);
    g_autoptr(GPtrArray) rows = tg_summary_rows(summary);
    View view = { .format = format, .layout = summary->layout, .rows = rows };

    for (guint i = 0; i < rows->len; i++) {
        const TgSummaryRow *row = rows->pdata[i];

        view.n_models += is_first(&view, i);
        view.intervals |= row->intervals != NULL;
        view.pages |= row->n_pages > 0;
        view.page_counts |= row->page_counts.is_known;
        view.models |= row->model != NULL;
        view.subsets |= row->subset != NULL;
        view.undefined |= largest(row->n_undefined, summary->layout->metrics->len) > 0;
        view.failed |= largest(row->n_failed, summary->layout->metrics->len) > 0;
    }
    const gint pivot =
        format->pivot != NULL ? tg_score_layout_find_column(view.layout, format->pivot) : -1;
    g_autoptr(TgGrid) grid = pivot >= 0 ? pivot_grid(&view, (guint) pivot) : rows_grid(&view);
    GString *out = g_string_new(NULL);

    if (mean->over != TG_MEAN_PAIRS)
        tg_grid_note(grid, "Values are means over %s%s%s.", over,
                     mean->field != NULL ? ", named by " : "",
                     mean->field != NULL ? mean->field : "");
    if (view.page_counts)
        tg_grid_note(grid, "missed: references without a prediction; unused: predictions without a "
                           "reference, which no score counts.");
    if (view.intervals)
        tg_grid_note(grid, "Intervals: 95 %%, percentile bootstrap of %d resamples of the %s.",
                     TG_CONFIDENCE_RESAMPLES, mean->over == TG_MEAN_PAGES ? over : "pairs");
    if (pivot >= 0 && view.n_models > 1 && format->form.style == TG_GRID_TABLE)
        tg_grid_note(grid, "*: the best.");
    tg_signatures_note(grid, view.layout, summary->remarks);
    if (format->form.style != TG_GRID_JSON) {
        tg_grid_append(out, grid, &format->form);
        return g_string_free(out, FALSE);
    }
    json_auto_t *all = json_pack("{s:s, s:o, s:o*, s:o*, s:s*, s:o*, s:s*, s:o}", "version",
                                 tg_version(), "signatures", tg_signatures_json(view.layout),
                                 "remarks", tg_remarks_json(summary->remarks), "percent",
                                 format->form.percent ? json_true() : NULL, "mean",
                                 mean->over != TG_MEAN_PAIRS ? over : NULL, "mean_field",
                                 mean->field != NULL ? tg_json_text(mean->field) : NULL, "metric",
                                 format->pivot, "summary", tg_grid_rows_json(grid, &format->form));
    tg_json_append(out, all);
    g_string_append_c(out, '\n');
    return g_string_free(out, FALSE);
}
