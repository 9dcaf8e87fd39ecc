#include "eval/run/summary.h"

#include <math.h>
#include <string.h>

#include "core/number.h"

/* One model's pairs of one subset. */
typedef struct {
    char *model;
    char *subset;
    TgPooled *pooled;
} Group;

struct TgSummary {
    TgScoreLayout *layout;
    GHashTable *groups; /* Group to itself */
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
    const int models = g_strcmp0(x->model, y->model);

    return models != 0 ? models : g_strcmp0(x->subset, y->subset);
}

static void group_free(gpointer data)
{
    Group *group = data;

    g_free(group->model);
    g_free(group->subset);
    tg_pooled_free(group->pooled);
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

void tg_summary_add(TgSummary *summary, const char *model, const char *subset,
                    const TgScores *scores)
{
    const Group key = { (char *) model, (char *) subset, NULL };

    if (summary->last == NULL || !group_equal(summary->last, &key)) {
        summary->last = g_hash_table_lookup(summary->groups, &key);
        if (summary->last == NULL) {
            Group *group = g_new0(Group, 1);
            group->model = g_strdup(model);
            group->subset = g_strdup(subset);
            group->pooled = tg_pooled_new(summary->layout);
            g_hash_table_add(summary->groups, group);
            summary->last = group;
        }
    }
    tg_pooled_add(summary->last->pooled, summary->layout, scores);
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

/* Rows of the model whose groups are @groups[0..n). */
static void add_model_rows(GPtrArray *rows, const TgScoreLayout *layout, Group *const *groups,
                           guint n)
{
    g_autoptr(TgPooled) all = tg_pooled_new(layout);

    for (guint i = 0; i < n; i++)
        tg_pooled_merge(all, layout, groups[i]->pooled);
    g_ptr_array_add(rows, pooled_row(layout, groups[0]->model, NULL, all));
    if (n < 2)
        return;

    const guint first = rows->len;
    for (guint i = 0; i < n; i++)
        g_ptr_array_add(rows, pooled_row(layout, groups[i]->model,
                                         groups[i]->subset != NULL ? groups[i]->subset : "(none)",
                                         groups[i]->pooled));
    g_ptr_array_add(rows, macro_row(layout, groups[0]->model,
                                    (TgSummaryRow *const *) (gpointer) (rows->pdata + first), n));
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
