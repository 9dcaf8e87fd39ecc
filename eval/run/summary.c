/* Values per model and subset, with intervals by resampling pairs; and as a grid in every form. */
#include "eval/run/run.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/json.h"
#include "core/number.h"
#include "core/utf8.h"
#include "metrics/metric.h"

enum { SEED = 1 }; /* of intervals */

/* A model, by the least number of its rows; models come in this order. */
typedef struct {
    char *name; /* NULL: rows without a model */
    guint64 first_row;
} Model;

/* One model's pairs of one subset; where means are over pages, of one page of it. */
typedef struct TgSummaryGroup {
    Model *model;
    char *subset;
    char *page;
    guint64 first_row;
    TgPageCounts counts; /* of its page */
    TgSums *sums;
    GArray *kept; /* Item: its pairs; NULL: none are kept */
} Group;

/* A pair or page that is drawn for intervals. */
typedef struct {
    guint64 row;   /* the first one in the input */
    guint32 place; /* of its numbers among those that are kept */
    guint32 group; /* of a pair, among those of its model */
} Item;

static guint hash_of(const char *text)
{
    return text != NULL ? g_str_hash(text) : 0;
}

static guint group_hash(gconstpointer key)
{
    const Group *group = key;

    return (g_direct_hash(group->model) * 31 + hash_of(group->subset)) * 31 + hash_of(group->page);
}

static gboolean group_equal(gconstpointer a, gconstpointer b)
{
    const Group *x = a, *y = b;

    return x->model == y->model && g_strcmp0(x->subset, y->subset) == 0 &&
           g_strcmp0(x->page, y->page) == 0;
}

static int group_order(gconstpointer a, gconstpointer b)
{
    const Group *x = *(Group *const *) a, *y = *(Group *const *) b;
    const Model *m = x->model, *n = y->model;
    int order = m->first_row != n->first_row ? (m->first_row < n->first_row ? -1 : 1)
                                             : g_strcmp0(m->name, n->name);

    order = order != 0 ? order : g_strcmp0(x->subset, y->subset);
    return order != 0 ? order : g_strcmp0(x->page, y->page);
}

static void model_free(gpointer data)
{
    g_free(((Model *) data)->name);
    g_free(data);
}

static void group_free(gpointer data)
{
    Group *group = data;

    g_free(group->subset);
    g_free(group->page);
    tg_sums_free(group->sums);
    g_clear_pointer(&group->kept, g_array_unref);
    g_free(group);
}

static TgSummary *summary_new(TgScoreLayout *layout)
{
    TgSummary *summary = g_new0(TgSummary, 1);

    summary->layout = layout;
    summary->models = g_ptr_array_new_with_free_func(model_free);
    summary->elsewhere = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    summary->groups = g_hash_table_new_full(group_hash, group_equal, group_free, NULL);
    summary->parts = g_ptr_array_new_with_free_func((GDestroyNotify) tg_summary_free);
    summary->names = g_string_chunk_new(64);
    summary->remarks = g_ptr_array_new_with_free_func(g_free);
    return summary;
}

TgSummary *tg_summary_new(TgScoreLayout *layout, const TgSummaryOptions *options, GError **error)
{
    static const TgSummaryOptions none = { 0 };
    g_autoptr(TgSummary) summary = summary_new(layout);

    options = options != NULL ? options : &none;
    summary->each = options->each;
    summary->data = options->data;
    if (!tg_mean_parse(options->mean, &summary->mean, error))
        return NULL;
    if (options->confidence)
        summary->kept = g_array_new(FALSE, FALSE, sizeof(double));
    /* The leaderboard of pages has their attributes, where the rows bring any. */
    static const char *const attributes[] = { "page_attributes", NULL };
    const gboolean is_named = options->by != NULL && options->by[0] != NULL;
    const char *const *fields = is_named                              ? options->by
                                : summary->mean.unit == TG_MEAN_PAGES ? attributes
                                                                      : NULL;
    for (const char *const *field = fields; field != NULL && *field != NULL; field++) {
        TgSummary *part = summary_new(tg_score_layout_ref(layout));

        part->field = g_strdup(*field);
        part->is_named = is_named;
        part->kept = options->confidence ? g_array_ref(summary->kept) : NULL;
        if (summary->mean.unit == TG_MEAN_PAGES)
            part->mean = (TgMean){ TG_MEAN_PAGES, g_strdup(summary->mean.field) };
        g_ptr_array_add(summary->parts, part);
    }
    return g_steal_pointer(&summary);
}

void tg_summary_free(TgSummary *summary)
{
    if (summary == NULL)
        return;
    g_ptr_array_unref(summary->remarks);
    g_clear_pointer(&summary->kept, g_array_unref);
    g_hash_table_unref(summary->groups);
    g_hash_table_unref(summary->elsewhere);
    g_ptr_array_unref(summary->models);
    tg_score_layout_unref(summary->layout);
    tg_mean_clear(&summary->mean);
    g_ptr_array_unref(summary->parts);
    g_string_chunk_free(summary->names);
    g_free(summary->field);
    g_free(summary);
}

gboolean tg_summary_check(const TgSummary *summary, GError **error)
{
    if (g_hash_table_size(summary->groups) == 0)
        return TRUE;
    for (guint i = 0; i < summary->parts->len; i++) {
        const TgSummary *part = summary->parts->pdata[i];

        if (part->is_named && g_hash_table_size(part->groups) == 0)
            return tg_fail_input(error, "no pair has a field '%s' to group by", part->field);
    }
    return summary->mean.unit == TG_MEAN_PAIRS || summary->has_names ||
           tg_mean_fail_unnamed(&summary->mean, error);
}

gboolean tg_summary_check_column(const TgScoreLayout *layout, const char *column, GError **error)
{
    return tg_score_layout_find_column(layout, column) >= 0 ||
           tg_fail_unknown(error, "column", column, layout->names);
}

/* ---- adding pairs ---- */

static Model *find_model(TgSummary *summary, const char *name)
{
    if (summary->last != NULL && g_strcmp0(summary->last->model->name, name) == 0)
        return summary->last->model;
    for (guint i = 0; i < summary->models->len; i++)
        if (g_strcmp0(((Model *) summary->models->pdata[i])->name, name) == 0)
            return summary->models->pdata[i];
    Model *model = g_new(Model, 1);
    *model = (Model){ g_strdup(name), G_MAXUINT64 };
    g_ptr_array_add(summary->models, model);
    return model;
}

TgSummaryPair tg_summary_pair_of_row(const TgResultsRow *row, const char *model)
{
    return (TgSummaryPair){ row->row, model, row->subset, row->id,
                            json_object_get(row->json, "stored") };
}

static char *elsewhere_key(const char *model, const char *value)
{
    return g_strdup_printf("%s\n%s", model != NULL ? model : "", value != NULL ? value : "");
}

/* Count one more page without a reference formula, and its predictions: for a model, or for those
 * of its pages that have @value of a part's field. */
static void add_elsewhere(TgSummary *summary, const char *model, const char *value, gsize n_unused)
{
    char *key = elsewhere_key(model, value);
    TgPagesElsewhere *counts = g_hash_table_lookup(summary->elsewhere, key);

    if (counts == NULL) {
        counts = g_new0(TgPagesElsewhere, 1);
        g_hash_table_insert(summary->elsewhere, key, counts);
    } else {
        g_free(key);
    }
    counts->n_pages++;
    counts->n_unused += n_unused;
}

/* One page without a reference formula, in all parts where it belongs. */
static void add_page_elsewhere(TgSummary *summary, const char *model, const json_t *page)
{
    const gsize n = json_array_size(json_object_get(page, "extras"));

    add_elsewhere(summary, model, NULL, n);
    for (guint i = 0; i < summary->parts->len; i++) {
        TgSummary *part = summary->parts->pdata[i];
        g_auto(GStrv) values = tg_attribute_values(json_object_get(page, part->field));

        for (guint k = 0; values[k] != NULL; k++)
            if (!g_strv_contains((const char *const *) values + k + 1, values[k]))
                add_elsewhere(part, model, values[k], n);
    }
}

/* Add a pair whose numbers are the last ones that are kept. */
static void add_to_group(TgSummary *summary, const TgSummaryPair *pair, const TgScores *scores)
{
    const TgMean *mean = &summary->mean;
    g_autofree char *name = mean->unit != TG_MEAN_PAIRS
                                ? tg_mean_group(mean, pair->id, pair->subset, pair->stored)
                                : NULL;
    const Group key = {
        .model = find_model(summary, pair->model),
        .subset = mean->unit == TG_MEAN_SUBSETS ? name : (char *) pair->subset,
        .page = mean->unit == TG_MEAN_PAGES ? name : NULL,
    };

    summary->has_names = summary->has_names || name != NULL;
    Group *group = summary->last;
    if (group == NULL || !group_equal(group, &key))
        group = g_hash_table_lookup(summary->groups, &key);
    if (group == NULL) {
        group = g_new0(Group, 1);
        group->model = key.model;
        group->subset = g_strdup(key.subset);
        group->page = g_strdup(key.page);
        group->first_row = G_MAXUINT64;
        group->sums = tg_sums_new(summary->layout);
        if (summary->kept != NULL && mean->unit != TG_MEAN_PAGES)
            group->kept = g_array_new(FALSE, FALSE, sizeof(Item));
        g_hash_table_add(summary->groups, group);
    }
    summary->last = group;
    group->first_row = MIN(group->first_row, pair->row);
    group->model->first_row = MIN(group->model->first_row, pair->row);
    tg_sums_add(group->sums, summary->layout, scores);
    tg_page_counts_add(&group->counts, pair->stored);
    if (group->kept != NULL) {
        const Item item = { pair->row, summary->kept->len / MAX(summary->layout->width, 1) - 1 };

        g_array_append_val(group->kept, item);
    }
}

void tg_summary_add_pair(TgSummary *summary, const TgSummaryPair *pair, const TgScores *scores)
{
    if (summary->each != NULL)
        summary->each(summary->layout, scores, summary->data);
    if (summary->kept != NULL && summary->mean.unit != TG_MEAN_PAGES)
        g_array_append_vals(summary->kept, scores->columns, summary->layout->width);
    add_to_group(summary, pair, scores);
    const json_t *elsewhere = tg_page_elsewhere(pair->stored);
    for (gsize i = 0; i < json_array_size(elsewhere); i++)
        add_page_elsewhere(summary, pair->model, json_array_get(elsewhere, i));
    for (guint i = 0; i < summary->parts->len; i++) {
        TgSummary *part = summary->parts->pdata[i];
        g_auto(GStrv) values = tg_attribute_values(json_object_get(pair->stored, part->field));

        for (guint k = 0; values[k] != NULL; k++) {
            TgSummaryPair of_value = *pair;

            of_value.subset = values[k];
            if (!g_strv_contains((const char *const *) values + k + 1, values[k]))
                add_to_group(part, &of_value, scores);
        }
    }
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

/* A row of the summary, and the items that are drawn again for its intervals: pairs, or the values
 * of pages. */
typedef struct {
    TgSummaryRow *row;
    TgPoolColumn *columns; /* [n_columns] */
    GArray *pages;         /* double: the numbers of pages; NULL: items are pairs that are kept */
    TgSelection items;
} Set;

static void set_clear(Set *set)
{
    g_free(set->columns);
    g_clear_pointer(&set->pages, g_array_unref);
    tg_selection_clear(&set->items);
}

static gint by_row(gconstpointer a, gconstpointer b)
{
    const Item *x = a, *y = b;

    return x->row != y->row ? (x->row < y->row ? -1 : 1)
                            : (x->place > y->place) - (x->place < y->place);
}

/* Draw from @items, (transfer full) of Item, in the order of the input. @numbers: double */
static void set_items(Set *set, const TgScoreLayout *layout, const GArray *numbers, GArray *items)
{
    g_array_sort(items, by_row);
    set->columns =
        tg_pool_columns(layout, (const double *) (gpointer) numbers->data, layout->width);
    set->items.n = items->len;
    set->items.rows = g_new(guint32, items->len);
    for (guint i = 0; i < items->len; i++)
        set->items.rows[i] = g_array_index(items, Item, i).place;
    if (set->items.unit == TG_MEAN_SUBSETS) { /* each group is one; by their first pairs */
        g_autofree guint *number = g_new0(guint, items->len);

        set->items.groups = g_new(guint, items->len);
        for (guint i = 0; i < items->len; i++) {
            guint *own = &number[g_array_index(items, Item, i).group];

            *own = *own > 0 ? *own : ++set->items.n_groups;
            set->items.groups[i] = *own - 1;
        }
    }
    g_array_unref(items);
}

/* Give the row of @set intervals. @replicates: as tg_pool_measure() takes them */
static void measure_set(const Set *set, const TgScoreLayout *layout, guint64 seed,
                        double *replicates)
{
    set->row->intervals = g_malloc_n(layout->n_columns + 1, sizeof *set->row->intervals);
    tg_pool_measure(set->columns, layout->n_columns, &set->items, TG_CONFIDENCE_RESAMPLES, seed,
                    replicates, NULL, set->row->intervals);
}

static gint by_page(gconstpointer a, gconstpointer b)
{
    return g_strcmp0((*(Group *const *) a)->page, (*(Group *const *) b)->page);
}

/* Make a set of the values of the pages of @groups; a page may be in several groups, of several
 * subsets. The row gets the counts of the pages, and their means. */
static void add_page_values(Set *set, const TgScoreLayout *layout, Group *const *groups, guint n)
{
    TgSummaryRow *row = set->row;
    GArray *numbers = set->pages = g_array_new(FALSE, TRUE, sizeof(double));
    GArray *pages = g_array_new(FALSE, FALSE, sizeof(Item));
    g_autofree Group **sorted = g_memdup2(groups, n * sizeof *groups);

    qsort(sorted, n, sizeof *sorted, by_page);
    for (guint i = 0, end; i < n; i = end) {
        g_autoptr(TgSums) sums = tg_sums_new(layout);
        TgPageCounts counts = { 0 };
        Item page = { G_MAXUINT64, pages->len };

        for (end = i; end < n && by_page(&sorted[i], &sorted[end]) == 0; end++) {
            tg_sums_merge(sums, layout, sorted[end]->sums);
            page.row = MIN(page.row, sorted[end]->first_row);
            counts.is_known |= sorted[end]->counts.is_known;
            counts.n_missed += sorted[end]->counts.n_missed;
            counts.n_unused = MAX(counts.n_unused, sorted[end]->counts.n_unused);
        }
        row->page_counts.n_missed += counts.n_missed;
        row->page_counts.n_unused += counts.n_unused;
        row->page_counts.is_known |= counts.is_known;
        g_array_append_val(pages, page);
        g_array_set_size(numbers, pages->len * layout->width);
        tg_sums_values(sums, layout,
                       &g_array_index(numbers, double, (gsize) page.place * layout->width));
    }
    row->n_pages = pages->len;
    set_items(set, layout, numbers, pages);
    for (guint c = 0; c < layout->n_columns; c++) {
        g_auto(TgSample) sample = { 0 };

        if (set->columns[c].pooling == TG_POOL_STATS)
            set->columns[c].pooling = TG_POOL_MEAN;
        tg_sample_init(&sample, &set->columns[c], &set->items);
        row->values[c] = tg_additive_statistic(NULL, sample.additive.n, &sample.additive);
    }
}

/* Add the pages without a reference formula to a row. @value: NULL for all of the model, else those
 * with this value of the part's field */
static void count_elsewhere(TgSummaryRow *row, const TgSummary *summary, const char *value)
{
    g_autofree char *key = elsewhere_key(row->model, value);
    const TgPagesElsewhere *counts = g_hash_table_lookup(summary->elsewhere, key);

    if (counts == NULL)
        return;
    row->elsewhere = *counts;
    row->page_counts.n_unused += counts->n_unused;
}

static Set set_of(const TgSummary *summary, const char *subset, Group *const *groups, guint n)
{
    const TgScoreLayout *layout = summary->layout;
    g_autoptr(TgSums) sums = tg_sums_new(layout);
    TgSummaryRow *row = row_new(layout, groups[0]->model->name, subset);
    Set set = { .row = row };

    for (guint i = 0; i < n; i++)
        tg_sums_merge(sums, layout, groups[i]->sums);
    row->n_pairs = sums->n_pairs;
    tg_sums_values(sums, layout, row->values);
    for (guint m = 0; m < layout->metrics->len; m++) {
        row->n_undefined[m] = tg_sums_n_undefined(sums, layout, m);
        row->n_failed[m] = sums->n_failed[m];
    }
    if (summary->mean.unit == TG_MEAN_PAGES) {
        add_page_values(&set, layout, groups, n);
        if (subset == NULL || summary->field != NULL)
            count_elsewhere(row, summary, summary->field != NULL ? groups[0]->subset : NULL);
    } else if (summary->kept != NULL) {
        GArray *pairs = g_array_new(FALSE, FALSE, sizeof(Item));

        for (guint i = 0; i < n; i++) {
            for (guint k = 0; k < groups[i]->kept->len; k++) {
                Item item = g_array_index(groups[i]->kept, Item, k);

                item.group = i;
                g_array_append_val(pairs, item);
            }
        }
        if (subset == NULL)
            set.items.unit = summary->mean.unit;
        set_items(&set, layout, summary->kept, pairs);
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
        if (layout->columns[i]->pooling != TG_POOL_SUM)
            row->values[i] = tg_number_round(row->values[i] / n);
    return row;
}

/* The end of the model that begins at @start, or of the subset, if it is @of_subset. */
static guint end_of(Group *const *groups, guint start, guint n, gboolean of_subset)
{
    guint end = start;

    while (end < n && groups[end]->model == groups[start]->model &&
           (!of_subset || g_strcmp0(groups[end]->subset, groups[start]->subset) == 0))
        end++;
    return end;
}

/* Rows of the model whose groups are @groups[0..n), by subset. */
static void add_model_rows(GPtrArray *rows, const TgSummary *summary, Group *const *groups, guint n)
{
    g_autoptr(GArray) subsets = g_array_new(FALSE, FALSE, sizeof(Set));
    Set all = set_of(summary, NULL, groups, n);
    TgSummaryRow *macro = NULL;

    for (guint i = 0, end; i < n && end_of(groups, 0, n, TRUE) < n; i = end) {
        end = end_of(groups, i, n, TRUE);
        const Set set = set_of(summary, tg_shown_name(groups[i]->subset), groups + i, end - i);
        g_array_append_val(subsets, set);
    }
    Set *sets = (Set *) (gpointer) subsets->data;
    if (subsets->len > 0)
        macro = macro_row(summary->layout, sets, subsets->len);
    if (macro != NULL && summary->mean.unit == TG_MEAN_SUBSETS) {
        row_free(all.row);
        all.row = macro;
    }
    if (summary->kept != NULL) {
        /* Intervals of a model: of all its pairs, of its subsets, and of the mean of these. The
         * draws of a subset go by its name, so that they are independent of each other and the same
         * elsewhere. */
        const TgScoreLayout *layout = summary->layout;
        g_autofree double *sums =
            g_new0(double, (gsize) TG_CONFIDENCE_RESAMPLES * layout->n_columns + 1);

        measure_set(&all, layout, SEED, NULL);
        for (guint s = 0; s < subsets->len; s++)
            measure_set(&sets[s], layout, tg_subset_seed(SEED, sets[s].row->subset), sums);
        if (macro != NULL && macro != all.row) {
            macro->intervals = g_malloc_n(layout->n_columns + 1, sizeof *macro->intervals);
            tg_pool_measure_mean(sums, layout, TG_CONFIDENCE_RESAMPLES, subsets->len,
                                 macro->intervals);
        }
    }
    g_ptr_array_add(rows, all.row);
    set_clear(&all);
    for (guint i = 0; i < subsets->len; i++) {
        g_ptr_array_add(rows, sets[i].row);
        set_clear(&sets[i]);
    }
    if (macro == NULL || macro == all.row)
        return;
    macro->is_macro = TRUE;
    macro->n_pages = all.row->n_pages;
    macro->page_counts = all.row->page_counts;
    g_ptr_array_add(rows, macro);
}

/* All groups, by model in order, subset and page. (transfer container) */
static Group **groups_in_order(const TgSummary *summary, guint *n)
{
    Group **groups = (Group **) g_hash_table_get_keys_as_array(summary->groups, n);

    qsort(groups, *n, sizeof *groups, group_order);
    return groups;
}

/* A row for each value of the part's field that pairs of @model have. */
static void add_part_rows(GPtrArray *rows, const TgSummary *part, const char *model)
{
    guint n, i = 0;
    g_autofree Group **groups = groups_in_order(part, &n);

    while (i < n && g_strcmp0(groups[i]->model->name, model) != 0)
        i = end_of(groups, i, n, FALSE);
    for (const guint stop = end_of(groups, i, n, FALSE); i < stop;) {
        const guint end = end_of(groups, i, stop, TRUE);
        const char *value = groups[i]->subset;
        const gboolean is_named = strstr(value, ": ") != NULL;
        g_autofree char *name =
            g_strconcat(is_named ? "" : part->field, is_named ? "" : ": ", value, NULL);
        Set set = set_of(part, g_string_chunk_insert_const(part->names, name), groups + i, end - i);

        if (part->kept != NULL)
            measure_set(&set, part->layout, SEED, NULL);
        set_clear(&set);
        g_ptr_array_add(rows, set.row);
        i = end;
    }
}

GPtrArray *tg_summary_rows(const TgSummary *summary)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func(row_free);
    guint n;
    g_autofree Group **groups = groups_in_order(summary, &n);

    for (guint start = 0, end; start < n; start = end) {
        end = end_of(groups, start, n, FALSE);
        add_model_rows(rows, summary, groups + start, end - start);
        for (guint i = 0; i < summary->parts->len; i++)
            add_part_rows(rows, summary->parts->pdata[i], groups[start]->model->name);
    }
    return rows;
}

/* ---- as a grid ---- */

enum { DIGITS = 4 };

/* The rows that are written, and the optional columns that a table for people has. */
typedef struct {
    const TgSummaryFormat *format;
    const TgScoreLayout *layout;
    const GPtrArray *rows; /* of TgSummaryRow */
    guint n_models;
    gboolean models, subsets, failed, undefined, intervals, pages, page_counts;
} View;

/* Metrics mostly fail on the same pairs, so a table shows the worst metric's count. */
static guint64 largest_count(const guint64 *counts, guint n)
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

    tg_grid_column(grid, &(TgGridColumn){ head, name, object, .member = name, .is_share = share,
                                          .arrow = arrow });
    if (!view->intervals)
        return;
    tg_grid_column(grid, &(TgGridColumn){ head != NULL ? "interval" : NULL, csv, "intervals",
                                          .member = name, .is_share = share });
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

    tg_grid_column(grid, &(TgGridColumn){ view->models ? "model" : NULL, "model", "model" });
    tg_grid_column(grid, &(TgGridColumn){ view->subsets ? "subset" : NULL, "subset", "subset" });
    tg_grid_column(grid, &(TgGridColumn){ "pairs", "pairs", "pairs" });
    if (view->pages)
        tg_grid_column(grid, &(TgGridColumn){ "pages", "pages", "pages" });
    if (view->page_counts) {
        tg_grid_column(grid, &(TgGridColumn){ "missed", "missed", "missed" });
        tg_grid_column(grid, &(TgGridColumn){ "unused", "unused", "unused" });
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
        g_autofree char *left_out = g_strconcat("left out ", label, NULL);

        tg_grid_column(grid, &(TgGridColumn){ NULL, failed, "not_ok", .member = label });
        tg_grid_column(grid, &(TgGridColumn){ NULL, left_out, "left_out", .member = label });
    }
    tg_grid_column(grid, &(TgGridColumn){ view->failed ? "not ok" : NULL });
    tg_grid_column(grid, &(TgGridColumn){ view->undefined ? "left out" : NULL });

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
        tg_grid_put_count(grid, largest_count(row->n_failed, n_metrics));
        tg_grid_put_count(grid, largest_count(row->n_undefined, n_metrics));
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

    tg_grid_column(grid, &(TgGridColumn){ "model", "model", "model" });
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

/* Note the meaning of missed and unused, and how many of the latter are on pages without a
 * reference formula. */
static void note_page_counts(TgGrid *grid, const View *view)
{
    g_autoptr(GString) elsewhere = g_string_new(NULL);

    for (guint i = 0; i < view->rows->len; i++) {
        const TgSummaryRow *row = row_at(view, i);
        const guint64 n = row->elsewhere.n_pages;

        if (!is_first(view, i) || n == 0)
            continue;
        g_string_append_printf(elsewhere, "%s%" G_GUINT64_FORMAT, elsewhere->len > 0 ? ", " : "",
                               row->elsewhere.n_unused);
        if (row->model != NULL)
            g_string_append_printf(elsewhere, " of %s", row->model);
        g_string_append_printf(elsewhere, " on %" G_GUINT64_FORMAT " page%s", n, n == 1 ? "" : "s");
    }
    tg_grid_note(grid, TG_PAGE_COUNTS_NOTE);
    if (elsewhere->len > 0)
        tg_grid_note(grid, "Unused on pages without a reference formula: %s.", elsewhere->str);
}

/* Formula CDM in the leaderboard's form, and what else is in its line. */
static void note_leaderboard(TgGrid *grid, const View *view)
{
    static const char signature[] = "cdm|dialect:omnidocbench-1.6|v:";
    const GPtrArray *metrics = view->layout->metrics;
    g_autoptr(GString) values = g_string_new(NULL);
    guint m = 0;

    while (m < metrics->len && !g_str_has_prefix(tg_metric_signature(metrics->pdata[m]), signature))
        m++;
    for (guint i = 0; i < view->rows->len && m < metrics->len; i++) {
        const TgSummaryRow *row = row_at(view, i);
        const double value = row->values[view->layout->first_column[m]];

        if (!is_first(view, i) || isnan(value))
            continue;
        g_string_append_printf(values, "%s%.2f", values->len > 0 ? ", " : "", 100 * value);
        if (row->model != NULL)
            g_string_append_printf(values, " (%s)", row->model);
    }
    if (values->len > 0)
        tg_grid_note(grid,
                     "Formula CDM on OmniDocBench's leaderboard: %s. Its Overall, ((1 - Text Edit) "
                     "x 100 + Formula CDM + Table TEDS) / 3, also needs Text Edit and Table TEDS, "
                     "and its line the reading order, from the official program.",
                     values->str);
}

char *tg_summary_format(const TgSummary *summary, const TgSummaryFormat *format)
{
    const TgMean *mean = &summary->mean;
    const char *unit = tg_mean_name(mean->unit);
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
        view.undefined |= largest_count(row->n_undefined, summary->layout->metrics->len) > 0;
        view.failed |= largest_count(row->n_failed, summary->layout->metrics->len) > 0;
    }
    const gint pivot =
        format->pivot != NULL ? tg_score_layout_find_column(view.layout, format->pivot) : -1;
    g_autoptr(TgGrid) grid = pivot >= 0 ? pivot_grid(&view, (guint) pivot) : rows_grid(&view);

    if (mean->unit != TG_MEAN_PAIRS)
        tg_grid_note(grid, "Values are means over %s%s%s.", unit,
                     mean->field != NULL ? ", named by " : "",
                     mean->field != NULL ? mean->field : "");
    if (view.page_counts)
        note_page_counts(grid, &view);
    if (view.page_counts && mean->unit == TG_MEAN_PAGES)
        note_leaderboard(grid, &view);
    if (view.intervals)
        tg_grid_note(grid, "Intervals: 95 %%, percentile bootstrap of %d resamples of the %s%s.",
                     TG_CONFIDENCE_RESAMPLES, unit,
                     mean->unit == TG_MEAN_SUBSETS ? ", of one subset of its pairs" : "");
    if (pivot >= 0 && view.n_models > 1 && format->form.style == TG_GRID_TABLE)
        tg_grid_note(grid, "*: the best.");
    tg_signatures_note(grid, view.layout, summary->remarks);
    if (format->form.style != TG_GRID_JSON)
        return tg_grid_text(grid, &format->form);
    return tg_json_take(json_pack("{s:s, s:o, s:o*, s:o*, s:s*, s:o*, s:s*, s:o}", "version",
                                  tg_version(), "signatures", tg_signatures_json(view.layout),
                                  "remarks", tg_remarks_json(summary->remarks), "percent",
                                  format->form.percent ? json_true() : NULL, "mean",
                                  mean->unit != TG_MEAN_PAIRS ? unit : NULL, "mean_field",
                                  mean->field != NULL ? tg_json_text(mean->field) : NULL, "metric",
                                  format->pivot, "summary", tg_grid_rows_json(grid, &format->form)),
                        "\n");
}
