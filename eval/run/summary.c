#include "eval/run/summary.h"

#include <math.h>
#include <string.h>

#include "core/number.h"
#include "eval/run/confidence.h"

/* One model's pairs of one subset. */
typedef struct {
    char *model;
    char *subset;
    guint64 first_row;
    guint64 model_row; /* the least first row of the model's groups; set when rows are made */
    TgPooled *pooled;
    TgKeptPairs *kept; /* NULL where no intervals are wanted */
} Group;

struct TgSummary {
    TgScoreLayout *layout;
    GHashTable *groups; /* Group to itself */
    gboolean keeps;     /* pairs, for intervals */
    Group *last;        /* most pairs belong where the one before did */
};

static guint group_hash(gconstpointer key)
{
    const Group *group = key;

    return (group->model != NULL ? g_str_hash(group->model) : 0) * 31 +
           (group->subset != NULL ? g_str_hash(group->subset) : 0);
}

static gboolean group_equal(gconstpointer a, gconstpointer b)
{
    const Group *x = a, *y = b;

    return g_strcmp0(x->model, y->model) == 0 && g_strcmp0(x->subset, y->subset) == 0;
}

static int group_order(gconstpointer a, gconstpointer b)
{
    const Group *x = *(Group *const *) a, *y = *(Group *const *) b;
    const int models = x->model_row != y->model_row ? (x->model_row < y->model_row ? -1 : 1)
                                                    : g_strcmp0(x->model, y->model);

    return models != 0 ? models : g_strcmp0(x->subset, y->subset);
}

static void group_free(gpointer data)
{
    Group *group = data;

    g_free(group->model);
    g_free(group->subset);
    tg_pooled_free(group->pooled);
    tg_kept_pairs_free(group->kept);
    g_free(group);
}

TgSummary *tg_summary_new(TgScoreLayout *layout)
{
    TgSummary *summary = g_new0(TgSummary, 1);

    summary->layout = layout;
    summary->groups = g_hash_table_new_full(group_hash, group_equal, group_free, NULL);
    return summary;
}

void tg_summary_free(TgSummary *summary)
{
    if (summary == NULL)
        return;
    g_hash_table_unref(summary->groups);
    tg_score_layout_unref(summary->layout);
    g_free(summary);
}

const TgScoreLayout *tg_summary_layout(const TgSummary *summary)
{
    return summary->layout;
}

void tg_summary_want_intervals(TgSummary *summary)
{
    summary->keeps = TRUE;
}

gboolean tg_summary_check_column(const TgScoreLayout *layout, const char *column, GError **error)
{
    g_autoptr(GString) known = g_string_new(NULL);

    if (tg_score_layout_find_column(layout, column) >= 0)
        return TRUE;
    for (guint i = 0; i < layout->n_columns; i++)
        g_string_append_printf(known, "%s%s", i > 0 ? ", " : "",
                               tg_score_layout_column_name(layout, i));
    g_set_error(error, TG_ERROR, TG_ERROR_USAGE, "no column '%s'; there are %s", column,
                known->str);
    return FALSE;
}

void tg_summary_add(TgSummary *summary, const char *model, const char *subset,
                    const TgScores *scores)
{
    tg_summary_add_row(summary, 0, model, subset, scores);
}

void tg_summary_add_row(TgSummary *summary, guint64 row, const char *model, const char *subset,
                        const TgScores *scores)
{
    const Group key = { .model = (char *) model, .subset = (char *) subset };

    if (summary->last == NULL || !group_equal(summary->last, &key)) {
        summary->last = g_hash_table_lookup(summary->groups, &key);
        if (summary->last == NULL) {
            Group *group = g_new0(Group, 1);
            group->model = g_strdup(model);
            group->subset = g_strdup(subset);
            group->first_row = row;
            group->pooled = tg_pooled_new(summary->layout);
            group->kept = summary->keeps ? tg_kept_pairs_new(summary->layout) : NULL;
            g_hash_table_add(summary->groups, group);
            summary->last = group;
        }
    }
    summary->last->first_row = MIN(summary->last->first_row, row);
    tg_pooled_add(summary->last->pooled, summary->layout, scores);
    if (summary->last->kept != NULL)
        tg_kept_pairs_add(summary->last->kept, scores);
}

guint64 tg_summary_n_pairs(const TgSummary *summary)
{
    GHashTableIter iter;
    gpointer key;
    guint64 n = 0;

    g_hash_table_iter_init(&iter, summary->groups);
    while (g_hash_table_iter_next(&iter, &key, NULL))
        n += ((Group *) key)->pooled->n_pairs;
    return n;
}

/* ---- rows ---- */

static void row_free(gpointer data)
{
    TgSummaryRow *row = data;

    g_free(row->values);
    g_free(row->intervals);
    g_free(row->n_undefined);
    g_free(row->n_failed);
    g_free(row);
}

static TgSummaryRow *row_new(const TgScoreLayout *layout, const char *model, const char *subset)
{
    TgSummaryRow *row = g_new0(TgSummaryRow, 1);

    row->model = model;
    row->subset = subset;
    row->values = g_new0(double, MAX(layout->n_columns, 1));
    row->n_undefined = g_new0(guint64, layout->metrics->len);
    row->n_failed = g_new0(guint64, layout->metrics->len);
    return row;
}

static TgSummaryRow *pooled_row(const TgScoreLayout *layout, const char *model, const char *subset,
                                const TgPooled *pooled)
{
    TgSummaryRow *row = row_new(layout, model, subset);

    row->n_pairs = pooled->n_pairs;
    tg_pooled_values(pooled, layout, row->values);
    for (guint m = 0; m < layout->metrics->len; m++) {
        row->n_undefined[m] = tg_pooled_n_undefined(pooled, layout, m);
        row->n_failed[m] = pooled->n_failed[m];
    }
    return row;
}

/* The plain mean of the subset rows; counts are sums, so they stay those of the micro row. */
static TgSummaryRow *macro_row(const TgScoreLayout *layout, const char *model,
                               TgSummaryRow *const *subsets, guint n)
{
    TgSummaryRow *row = row_new(layout, model, NULL);

    row->is_macro = TRUE;
    for (guint s = 0; s < n; s++) {
        row->n_pairs += subsets[s]->n_pairs;
        for (guint i = 0; i < layout->n_columns; i++)
            row->values[i] += subsets[s]->values[i];
        for (guint m = 0; m < layout->metrics->len; m++) {
            row->n_undefined[m] += subsets[s]->n_undefined[m];
            row->n_failed[m] += subsets[s]->n_failed[m];
        }
    }
    for (guint i = 0; i < layout->n_columns; i++)
        if (tg_score_layout_column(layout, i)->pooling != TG_POOL_SUM)
            row->values[i] = tg_number_round(row->values[i] / n);
    return row;
}

/* Intervals of the rows of a model: [0] of all its pairs, then of its subsets, then of their mean.
 */
static void add_intervals(GPtrArray *rows, guint first, const TgScoreLayout *layout,
                          Group *const *groups, guint n)
{
    const gsize n_values = (gsize) TG_CONFIDENCE_RESAMPLES * layout->n_columns;
    g_autofree double *values = g_new(double, n_values + 1), *mean = g_new0(double, n_values + 1);
    g_autoptr(TgKeptPairs) all = tg_kept_pairs_new(layout);

    for (guint i = 0; i < n; i++)
        tg_kept_pairs_merge(all, groups[i]->kept);
    for (guint i = first; i < rows->len; i++) {
        TgSummaryRow *row = rows->pdata[i];
        const guint subset = i - first; /* 0: all */

        if (!row->is_macro)
            tg_kept_pairs_replicate(subset == 0 ? all : groups[subset - 1]->kept, 1 + subset,
                                    values);
        for (gsize k = 0; subset > 0 && !row->is_macro && k < n_values; k++)
            mean[k] += values[k] / n;
        row->intervals = g_malloc0_n(MAX(layout->n_columns, 1), sizeof *row->intervals);
        tg_confidence_intervals(row->is_macro ? mean : values, layout->n_columns, row->intervals);
    }
}

/* Rows of the model whose groups are @groups[0..n). */
static void add_model_rows(GPtrArray *rows, const TgScoreLayout *layout, Group *const *groups,
                           guint n)
{
    g_autoptr(TgPooled) all = tg_pooled_new(layout);
    const guint start = rows->len;

    for (guint i = 0; i < n; i++)
        tg_pooled_merge(all, layout, groups[i]->pooled);
    g_ptr_array_add(rows, pooled_row(layout, groups[0]->model, NULL, all));
    for (guint i = 0; n > 1 && i < n; i++)
        g_ptr_array_add(rows, pooled_row(layout, groups[i]->model,
                                         groups[i]->subset != NULL ? groups[i]->subset : "(none)",
                                         groups[i]->pooled));
    if (n > 1)
        g_ptr_array_add(rows,
                        macro_row(layout, groups[0]->model,
                                  (TgSummaryRow *const *) (gpointer) (rows->pdata + start + 1), n));
    if (groups[0]->kept != NULL)
        add_intervals(rows, start, layout, groups, n);
}

/* Give every group the least row of its model. */
static void find_model_rows(const GPtrArray *groups)
{
    for (guint i = 0; i < groups->len; i++) {
        Group *group = groups->pdata[i];

        group->model_row = group->first_row;
        for (guint k = 0; k < groups->len; k++) {
            const Group *other = groups->pdata[k];

            if (g_strcmp0(group->model, other->model) == 0)
                group->model_row = MIN(group->model_row, other->first_row);
        }
    }
}

GPtrArray *tg_summary_rows(const TgSummary *summary)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func(row_free);
    g_autoptr(GPtrArray) groups = g_ptr_array_new();
    GHashTableIter iter;
    gpointer key;

    g_hash_table_iter_init(&iter, summary->groups);
    while (g_hash_table_iter_next(&iter, &key, NULL))
        g_ptr_array_add(groups, key);
    find_model_rows(groups);
    g_ptr_array_sort(groups, group_order);
    for (guint start = 0, end; start < groups->len; start = end) {
        Group *const *first = (Group *const *) (gpointer) (groups->pdata + start);

        for (end = start + 1; end < groups->len; end++)
            if (g_strcmp0(((Group *) groups->pdata[end])->model, first[0]->model) != 0)
                break;
        add_model_rows(rows, summary->layout, first, end - start);
    }
    return rows;
}

double tg_summary_get(const TgSummary *summary, const char *model, const char *subset,
                      const char *column)
{
    g_autoptr(GPtrArray) rows = tg_summary_rows(summary);
    const gint at = tg_score_layout_find_column(summary->layout, column);

    for (guint i = 0; i < rows->len && at >= 0; i++) {
        const TgSummaryRow *row = rows->pdata[i];
        if (!row->is_macro && g_strcmp0(row->model, model) == 0 &&
            g_strcmp0(row->subset, subset) == 0)
            return row->values[at];
    }
    return NAN;
}
