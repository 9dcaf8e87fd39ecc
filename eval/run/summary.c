#include "eval/run/summary.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/number.h"
#include "eval/run/confidence.h"

/* One model's pairs of one subset; where means are over pages, of one page of it. */
typedef struct {
    char *model;
    char *subset;
    char *page;
    guint64 first_row;
    guint64 model_row; /* the least first row of the model's groups; set when rows are made */
    TgSums *pooled;
    TgKeptPairs *kept; /* NULL where no intervals are wanted */
} Group;

struct TgSummary {
    TgScoreLayout *layout;
    GHashTable *groups; /* Group to itself */
    TgMean mean;
    gboolean has_names; /* any pair names a page or subset, as the mean wants it */
    gboolean keeps;     /* pairs, for intervals */
    GPtrArray *parts;   /* TgSummary * by a field, whose values are their subsets; or NULL */
    char *field;        /* of a part */
    GStringChunk *names;
    Group *last; /* most pairs belong where the one before did */
};

static guint group_hash(gconstpointer key)
{
    const Group *group = key;

    return ((group->model != NULL ? g_str_hash(group->model) : 0) * 31 +
            (group->subset != NULL ? g_str_hash(group->subset) : 0)) *
               31 +
           (group->page != NULL ? g_str_hash(group->page) : 0);
}

static gboolean group_equal(gconstpointer a, gconstpointer b)
{
    const Group *x = a, *y = b;

    return g_strcmp0(x->model, y->model) == 0 && g_strcmp0(x->subset, y->subset) == 0 &&
           g_strcmp0(x->page, y->page) == 0;
}

static int group_order(gconstpointer a, gconstpointer b)
{
    const Group *x = *(Group *const *) a, *y = *(Group *const *) b;
    const int models = x->model_row != y->model_row ? (x->model_row < y->model_row ? -1 : 1)
                                                    : g_strcmp0(x->model, y->model);

    const int subsets = models != 0 ? models : g_strcmp0(x->subset, y->subset);

    return subsets != 0 ? subsets : g_strcmp0(x->page, y->page);
}

static void group_free(gpointer data)
{
    Group *group = data;

    g_free(group->model);
    g_free(group->subset);
    g_free(group->page);
    tg_sums_free(group->pooled);
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
    tg_mean_clear(&summary->mean);
    g_clear_pointer(&summary->parts, g_ptr_array_unref);
    g_clear_pointer(&summary->names, g_string_chunk_free);
    g_free(summary->field);
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

gboolean tg_summary_want_mean(TgSummary *summary, const char *mean, GError **error)
{
    tg_mean_clear(&summary->mean);
    return tg_mean_parse(mean, &summary->mean, error);
}

void tg_summary_want_by(TgSummary *summary, const char *const *fields)
{
    for (; fields != NULL && *fields != NULL; fields++) {
        TgSummary *part = tg_summary_new(tg_score_layout_ref(summary->layout));

        part->field = g_strdup(*fields);
        part->names = g_string_chunk_new(64);
        part->keeps = summary->keeps;
        if (summary->mean.over == TG_MEAN_PAGES)
            part->mean = (TgMean){ TG_MEAN_PAGES, g_strdup(summary->mean.field) };
        if (summary->parts == NULL)
            summary->parts = g_ptr_array_new_with_free_func((GDestroyNotify) tg_summary_free);
        g_ptr_array_add(summary->parts, part);
    }
}

const TgMean *tg_summary_mean(const TgSummary *summary)
{
    return &summary->mean;
}

gboolean tg_summary_check_mean(const TgSummary *summary, GError **error)
{
    const TgMean *mean = &summary->mean;

    for (guint i = 0; summary->parts != NULL && i < summary->parts->len; i++) {
        const TgSummary *part = summary->parts->pdata[i];

        if (g_hash_table_size(part->groups) == 0 && g_hash_table_size(summary->groups) > 0)
            return tg_fail_input(error, "no pair has a field '%s' to group by", part->field);
    }
    if (mean->over == TG_MEAN_PAIRS || summary->has_names ||
        g_hash_table_size(summary->groups) == 0)
        return TRUE;
    return tg_mean_fail_unnamed(mean, error);
}

gboolean tg_summary_check_column(const TgScoreLayout *layout, const char *column, GError **error)
{
    g_autoptr(GString) known = g_string_new(NULL);

    if (tg_score_layout_find_column(layout, column) >= 0)
        return TRUE;
    for (guint i = 0; i < layout->n_columns; i++)
        g_string_append_printf(known, "%s%s", i > 0 ? ", " : "",
                               tg_score_layout_column_name(layout, i));
    return tg_fail_usage(error, "no column '%s'; there are %s", column, known->str);
}

/* The group of @key, made where there is none. */
static Group *find_group(TgSummary *summary, const Group *key, guint64 row)
{
    Group *group = g_hash_table_lookup(summary->groups, key);

    if (group != NULL)
        return group;
    group = g_new0(Group, 1);
    group->model = g_strdup(key->model);
    group->subset = g_strdup(key->subset);
    group->page = g_strdup(key->page);
    group->first_row = row;
    group->pooled = tg_sums_new(summary->layout);
    group->kept = summary->keeps && summary->mean.over != TG_MEAN_PAGES
                      ? tg_kept_pairs_new(summary->layout)
                      : NULL;
    g_hash_table_add(summary->groups, group);
    return group;
}

TgSummaryPair tg_summary_pair_of_row(const TgResultsRow *row, const char *model)
{
    return (TgSummaryPair){ row->row, model, row->subset, row->id,
                            json_object_get(row->json, "stored") };
}

/* Add a pair to the values that it has of a part's field. */
static void add_to_part(TgSummary *part, const TgSummaryPair *pair, const TgScores *scores)
{
    g_auto(GStrv) values = tg_attribute_values(json_object_get(pair->stored, part->field));

    for (guint i = 0; values[i] != NULL; i++) {
        TgSummaryPair of_value = *pair;

        of_value.subset = values[i];
        if (!g_strv_contains((const char *const *) values + i + 1, values[i]))
            tg_summary_add_pair(part, &of_value, scores);
    }
}

void tg_summary_add_pair(TgSummary *summary, const TgSummaryPair *pair, const TgScores *scores)
{
    for (guint i = 0; summary->parts != NULL && i < summary->parts->len; i++)
        add_to_part(summary->parts->pdata[i], pair, scores);

    const TgMean *mean = &summary->mean;
    g_autofree char *name = mean->over != TG_MEAN_PAIRS
                                ? tg_mean_group(mean, pair->id, pair->subset, pair->stored)
                                : NULL;
    const Group key = {
        .model = (char *) pair->model,
        .subset = mean->over == TG_MEAN_SUBSETS ? name : (char *) pair->subset,
        .page = mean->over == TG_MEAN_PAGES ? name : NULL,
    };

    summary->has_names = summary->has_names || name != NULL;
    if (summary->last == NULL || !group_equal(summary->last, &key))
        summary->last = find_group(summary, &key, pair->row);
    summary->last->first_row = MIN(summary->last->first_row, pair->row);
    tg_sums_add(summary->last->pooled, summary->layout, scores);
    if (summary->last->kept != NULL)
        tg_kept_pairs_add(summary->last->kept, pair->row, scores);
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
                                const TgSums *pooled)
{
    TgSummaryRow *row = row_new(layout, model, subset);

    row->n_pairs = pooled->n_pairs;
    tg_sums_values(pooled, layout, row->values);
    for (guint m = 0; m < layout->metrics->len; m++) {
        row->n_undefined[m] = tg_sums_n_undefined(pooled, layout, m);
        row->n_failed[m] = pooled->n_failed[m];
    }
    return row;
}

/* Pool the pairs of groups, and keep what of them is drawn again for intervals. */
typedef struct {
    TgSummaryRow *row;
    TgKeptPairs *kept; /* NULL where no intervals are wanted */
} Set;

static gint by_page(gconstpointer a, gconstpointer b)
{
    return g_strcmp0((*(Group *const *) a)->page, (*(Group *const *) b)->page);
}

/* The values of the pages of @groups. A page may be in several groups, of several subsets. */
static TgKeptPairs *page_values(const TgScoreLayout *layout, Group *const *groups, guint n)
{
    TgKeptPairs *pages = tg_kept_pairs_new(layout);
    g_autofree double *values = g_new(double, MAX(layout->n_columns, 1));
    g_autoptr(GPtrArray) sorted = g_ptr_array_new();

    for (guint i = 0; i < n; i++)
        g_ptr_array_add(sorted, groups[i]);
    g_ptr_array_sort(sorted, by_page);
    for (guint i = 0, end; i < n; i = end) {
        g_autoptr(TgSums) page = tg_sums_new(layout);

        for (end = i; end < n && by_page(&sorted->pdata[i], &sorted->pdata[end]) == 0; end++)
            tg_sums_merge(page, layout, ((Group *) sorted->pdata[end])->pooled);
        tg_sums_values(page, layout, values);
        tg_kept_pairs_add_value(pages, values);
    }
    return pages;
}

/* The row of the pairs in @groups. */
static Set set_of(const TgSummary *summary, const char *subset, Group *const *groups, guint n)
{
    g_autoptr(TgSums) all = tg_sums_new(summary->layout);
    Set set = { 0 };

    for (guint i = 0; i < n; i++)
        tg_sums_merge(all, summary->layout, groups[i]->pooled);
    set.row = pooled_row(summary->layout, groups[0]->model, subset, all);
    if (summary->mean.over == TG_MEAN_PAGES) {
        set.kept = page_values(summary->layout, groups, n);
        set.row->n_pages = tg_kept_pairs_mean(set.kept, set.row->values);
    } else if (summary->keeps) {
        set.kept = tg_kept_pairs_new(summary->layout);
        for (guint i = 0; i < n; i++)
            tg_kept_pairs_merge(set.kept, groups[i]->kept);
    }
    return set;
}

/* The plain mean of the subsets' rows; counts are sums, so they stay those of all pairs. */
static TgSummaryRow *macro_row(const TgScoreLayout *layout, const Set *subsets, guint n)
{
    TgSummaryRow *row = row_new(layout, subsets[0].row->model, NULL);

    for (guint s = 0; s < n; s++) {
        const TgSummaryRow *subset = subsets[s].row;

        row->n_pairs += subset->n_pairs;
        for (guint i = 0; i < layout->n_columns; i++)
            row->values[i] += subset->values[i];
        for (guint m = 0; m < layout->metrics->len; m++) {
            row->n_undefined[m] += subset->n_undefined[m];
            row->n_failed[m] += subset->n_failed[m];
        }
    }
    for (guint i = 0; i < layout->n_columns; i++)
        if (tg_score_layout_column(layout, i)->pooling != TG_POOL_SUM)
            row->values[i] = tg_number_round(row->values[i] / n);
    return row;
}

static void put_intervals(TgSummaryRow *row, const TgScoreLayout *layout, const double *replicates)
{
    row->intervals = g_malloc0_n(MAX(layout->n_columns, 1), sizeof *row->intervals);
    tg_confidence_intervals(replicates, layout->n_columns, row->intervals);
}

/* Intervals of a model: of all its pairs, of its subsets, and of the mean of these. */
static void add_intervals(const TgScoreLayout *layout, const Set *all, const Set *subsets, guint n,
                          TgSummaryRow *macro)
{
    const gsize n_values = (gsize) TG_CONFIDENCE_RESAMPLES * layout->n_columns;
    g_autofree double *values = g_new(double, n_values + 1), *mean = g_new0(double, n_values + 1);

    if (all->row != macro) {
        tg_kept_pairs_replicate(all->kept, 1, values);
        put_intervals(all->row, layout, values);
    }
    for (guint s = 0; s < n; s++) {
        tg_kept_pairs_replicate(subsets[s].kept, 2 + s, values);
        put_intervals(subsets[s].row, layout, values);
        for (gsize k = 0; k < n_values; k++)
            mean[k] += values[k] / n;
    }
    if (macro != NULL)
        put_intervals(macro, layout, mean);
}

/* Where the subset that begins at @start ends. */
static guint subset_end(Group *const *groups, guint start, guint n)
{
    guint end = start;

    while (end < n && g_strcmp0(groups[end]->subset, groups[start]->subset) == 0)
        end++;
    return end;
}

/* Rows of the model whose groups are @groups[0..n), by subset. */
static void add_model_rows(GPtrArray *rows, const TgSummary *summary, Group *const *groups, guint n)
{
    g_autoptr(GArray) subsets = g_array_new(FALSE, FALSE, sizeof(Set));
    Set all = set_of(summary, NULL, groups, n);
    TgSummaryRow *macro = NULL;

    for (guint i = 0, end; i < n && subset_end(groups, 0, n) < n; i = end) {
        const char *name = groups[i]->subset != NULL ? groups[i]->subset : "(none)";

        end = subset_end(groups, i, n);
        const Set set = set_of(summary, name, groups + i, end - i);
        g_array_append_val(subsets, set);
    }
    const Set *sets = (const Set *) (gpointer) subsets->data;
    if (subsets->len > 0)
        macro = macro_row(summary->layout, sets, subsets->len);
    if (macro != NULL && summary->mean.over == TG_MEAN_SUBSETS) {
        row_free(all.row);
        all.row = macro;
    }
    if (summary->keeps)
        add_intervals(summary->layout, &all, sets, subsets->len, macro);
    g_ptr_array_add(rows, all.row);
    tg_kept_pairs_free(all.kept);
    for (guint i = 0; i < subsets->len; i++) {
        g_ptr_array_add(rows, sets[i].row);
        tg_kept_pairs_free(sets[i].kept);
    }
    if (macro == NULL || macro == all.row)
        return;
    macro->is_macro = TRUE;
    macro->n_pages = all.row->n_pages;
    g_ptr_array_add(rows, macro);
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

/* All groups, by model in order, subset and page. (transfer full) */
static GPtrArray *groups_in_order(const TgSummary *summary)
{
    GPtrArray *groups = g_ptr_array_new();
    GHashTableIter iter;
    gpointer key;

    g_hash_table_iter_init(&iter, summary->groups);
    while (g_hash_table_iter_next(&iter, &key, NULL))
        g_ptr_array_add(groups, key);
    find_model_rows(groups);
    g_ptr_array_sort(groups, group_order);
    return groups;
}

/* Where the model of the group at @start ends. */
static guint model_end(const GPtrArray *groups, guint start)
{
    const Group *first = groups->pdata[start];
    guint end = start;

    while (end < groups->len && g_strcmp0(((Group *) groups->pdata[end])->model, first->model) == 0)
        end++;
    return end;
}

/* A row for each value of the part's field that pairs of @model have. */
static void add_part_rows(GPtrArray *rows, const TgSummary *part, const char *model)
{
    g_autoptr(GPtrArray) groups = groups_in_order(part);
    const gsize n_values = (gsize) TG_CONFIDENCE_RESAMPLES * part->layout->n_columns;
    guint i = 0;

    while (i < groups->len && g_strcmp0(((Group *) groups->pdata[i])->model, model) != 0)
        i = model_end(groups, i);
    for (guint stop = i < groups->len ? model_end(groups, i) : i, end; i < stop; i = end) {
        Group *const *first = (Group *const *) (gpointer) (groups->pdata + i);
        g_autofree char *name = g_strdup_printf("%s: %s", part->field, first[0]->subset);

        end = i + subset_end(first, 0, stop - i);
        const Set set =
            set_of(part, g_string_chunk_insert_const(part->names, name), first, end - i);
        if (part->keeps) {
            g_autofree double *values = g_new(double, n_values + 1);

            tg_kept_pairs_replicate(set.kept, 1, values);
            put_intervals(set.row, part->layout, values);
        }
        tg_kept_pairs_free(set.kept);
        g_ptr_array_add(rows, set.row);
    }
}

GPtrArray *tg_summary_rows(const TgSummary *summary)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func(row_free);
    g_autoptr(GPtrArray) groups = groups_in_order(summary);

    for (guint start = 0, end; start < groups->len; start = end) {
        Group *const *first = (Group *const *) (gpointer) (groups->pdata + start);

        end = model_end(groups, start);
        add_model_rows(rows, summary, first, end - start);
        for (guint i = 0; summary->parts != NULL && i < summary->parts->len; i++)
            add_part_rows(rows, summary->parts->pdata[i], first[0]->model);
    }
    return rows;
}
