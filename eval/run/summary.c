/* Values per model and subset, with intervals by resampling pairs; and as a grid in every form. */
#include "eval/run/run.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/hash.h"
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

/* One model's pairs of one subset, or with one value of a field; where means are over pages, of one
 * page of it. */
typedef struct {
    Model *model;
    guint field;  /* number among those of the summary, from 1; 0: this is a subset */
    char *subset; /* or the value */
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

static int compare_groups(const Group *x, const Group *y)
{
    const Model *m = x->model, *n = y->model;
    int order = m->first_row != n->first_row ? (m->first_row < n->first_row ? -1 : 1)
                                             : g_strcmp0(m->name, n->name);

    order = order != 0 ? order : (x->field > y->field) - (x->field < y->field);
    order = order != 0 ? order : g_strcmp0(x->subset, y->subset);
    return order != 0 ? order : g_strcmp0(x->page, y->page);
}

static gboolean group_equal(gconstpointer a, gconstpointer b)
{
    return compare_groups(a, b) == 0;
}

static int group_order(gconstpointer a, gconstpointer b)
{
    return compare_groups(*(Group *const *) a, *(Group *const *) b);
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

TgSummary *tg_summary_new(TgScoreLayout *layout, const TgSummaryOptions *options, GError **error)
{
    static const TgSummaryOptions none = { 0 };
    /* The leaderboard of pages has their attributes, where the rows bring any. */
    static const char *const attributes[] = { "page_attributes", NULL };
    g_autoptr(TgSummary) summary = g_new0(TgSummary, 1);

    options = options != NULL ? options : &none;
    summary->layout = layout;
    summary->models = g_ptr_array_new_with_free_func(model_free);
    summary->elsewhere = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    summary->groups = g_hash_table_new_full(group_hash, group_equal, group_free, NULL);
    summary->remarks = g_ptr_array_new_with_free_func(g_free);
    summary->each = options->each;
    summary->data = options->data;
    if (!tg_mean_parse(options->mean, &summary->mean, error))
        return NULL;
    if (options->confidence)
        summary->kept = g_array_new(FALSE, FALSE, sizeof(double));
    summary->is_named = options->by != NULL && options->by[0] != NULL;
    if (summary->is_named || summary->mean.unit == TG_MEAN_PAGES)
        summary->fields = g_strdupv((char **) (summary->is_named ? options->by : attributes));
    summary->n_fields = summary->fields != NULL ? g_strv_length(summary->fields) : 0;
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
    g_strfreev(summary->fields);
    g_free(summary);
}

static gboolean is_of_field(gpointer group, gpointer ignored, gpointer field)
{
    (void) ignored;
    return ((const Group *) group)->field == GPOINTER_TO_UINT(field);
}

gboolean tg_summary_check(const TgSummary *summary, GError **error)
{
    if (g_hash_table_size(summary->groups) == 0)
        return TRUE;
    for (guint i = 0; summary->is_named && i < summary->n_fields; i++)
        if (g_hash_table_find(summary->groups, is_of_field, GUINT_TO_POINTER(i + 1)) == NULL)
            return tg_fail_input(error, "no pair has a field '%s' to group by", summary->fields[i]);
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

/* The counts of a model's pages without a reference formula: of all where @field is 0, else of
 * those that have @value of the field. */
static TgPagesElsewhere *elsewhere_of(const TgSummary *summary, const char *model, guint field,
                                      const char *value)
{
    g_autofree char *key =
        g_strdup_printf("%u\n%s\n%s", field, model != NULL ? model : "", field > 0 ? value : "");
    TgPagesElsewhere *counts = g_hash_table_lookup(summary->elsewhere, key);

    if (counts == NULL) {
        counts = g_new0(TgPagesElsewhere, 1);
        g_hash_table_insert(summary->elsewhere, g_steal_pointer(&key), counts);
    }
    return counts;
}

/* Count such a page and its predictions. */
static void add_elsewhere(TgPagesElsewhere *counts, const json_t *page)
{
    counts->n_pages++;
    counts->n_unused += json_array_size(json_object_get(page, "extras"));
}

/* Count such a page for its model and for its values of the fields. */
static void add_page_elsewhere(TgSummary *summary, const char *model, const json_t *page)
{
    add_elsewhere(elsewhere_of(summary, model, 0, NULL), page);
    for (guint i = 0; i < summary->n_fields; i++) {
        g_auto(GStrv) values = tg_attribute_values(json_object_get(page, summary->fields[i]));

        for (guint k = 0; values[k] != NULL; k++)
            if (!g_strv_contains((const char *const *) values + k + 1, values[k]))
                add_elsewhere(elsewhere_of(summary, model, i + 1, values[k]), page);
    }
}

/* Add a pair whose numbers are the last ones that are kept. */
static void add_to_group(TgSummary *summary, const Group *key, const TgSummaryPair *pair,
                         const TgScores *scores)
{
    Group *group = g_hash_table_lookup(summary->groups, key);

    if (group == NULL) {
        group = g_memdup2(key, sizeof *key);
        group->subset = g_strdup(key->subset);
        group->page = g_strdup(key->page);
        group->first_row = G_MAXUINT64;
        group->sums = tg_sums_new(summary->layout);
        if (summary->kept != NULL && summary->mean.unit != TG_MEAN_PAGES)
            group->kept = g_array_new(FALSE, FALSE, sizeof(Item));
        g_hash_table_add(summary->groups, group);
    }
    group->first_row = MIN(group->first_row, pair->row);
    tg_sums_add(group->sums, summary->layout, scores);
    tg_page_counts_add(&group->counts, pair->stored);
    if (group->kept != NULL) {
        const Item item = { pair->row, summary->kept->len / MAX(summary->layout->width, 1) - 1 };

        g_array_append_val(group->kept, item);
    }
}

void tg_summary_add_pair(TgSummary *summary, const TgSummaryPair *pair, const TgScores *scores)
{
    const TgMean *mean = &summary->mean;
    const json_t *elsewhere = json_object_get(pair->stored, "page_elsewhere");
    g_autofree char *name = mean->unit != TG_MEAN_PAIRS
                                ? tg_mean_group(mean, pair->id, pair->subset, pair->stored)
                                : NULL;
    Group key = {
        .model = find_model(summary, pair->model),
        .subset = mean->unit == TG_MEAN_SUBSETS ? name : (char *) pair->subset,
        .page = mean->unit == TG_MEAN_PAGES ? name : NULL,
    };

    if (summary->each != NULL)
        summary->each(summary->layout, scores, summary->data);
    if (summary->kept != NULL && mean->unit != TG_MEAN_PAGES)
        g_array_append_vals(summary->kept, scores->columns, summary->layout->width);
    summary->has_names = summary->has_names || name != NULL;
    key.model->first_row = MIN(key.model->first_row, pair->row);
    add_to_group(summary, &key, pair, scores);
    for (guint i = 0; i < summary->n_fields; i++) {
        g_auto(GStrv) values =
            tg_attribute_values(json_object_get(pair->stored, summary->fields[i]));

        key.field = i + 1;
        for (guint k = 0; values[k] != NULL; k++) {
            key.subset = values[k];
            if (!g_strv_contains((const char *const *) values + k + 1, values[k]))
                add_to_group(summary, &key, pair, scores);
        }
    }
    for (gsize i = 0; i < json_array_size(elsewhere); i++)
        add_page_elsewhere(summary, pair->model, json_array_get(elsewhere, i));
}

/* ---- rows ---- */

static void row_free(gpointer data)
{
    TgSummaryRow *row = data;

    g_free(row->subset);
    g_free(row->values);
    g_free(row->intervals);
    g_free(row->n_undefined);
    g_free(row->n_failed);
    g_free(row);
}

static gint by_row(gconstpointer a, gconstpointer b)
{
    const Item *x = a, *y = b;

    return x->row != y->row ? (x->row < y->row ? -1 : 1)
                            : (x->place > y->place) - (x->place < y->place);
}

static gint by_page(gconstpointer a, gconstpointer b)
{
    return g_strcmp0((*(Group *const *) a)->page, (*(Group *const *) b)->page);
}

/* Add the pages of @groups to @pages, and their numbers to @numbers; a page may be in several
 * groups, of several subsets. The row gets the counts of the pages. */
static void add_pages(TgSummaryRow *row, const TgScoreLayout *layout, Group *const *groups, guint n,
                      GArray *numbers, GArray *pages)
{
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
}

/* Give a row its intervals, where they are wanted, and the values of a mean over pages.
 *
 * @items: Item: its pairs, or pages; they are put in the order of the input. @numbers: theirs
 * @replicates: of a subset; the values of its resamples are added to them */
static void measure_row(TgSummaryRow *row, const TgSummary *summary, GArray *items,
                        const GArray *numbers, double *replicates)
{
    const TgScoreLayout *layout = summary->layout;
    const gboolean of_pages = summary->mean.unit == TG_MEAN_PAGES;
    const double *first = (const double *) (gpointer) numbers->data;
    g_autofree TgPoolColumn *columns = tg_pool_columns(layout, first, layout->width);
    g_autoptr(GHashTable) groups = g_hash_table_new(NULL, NULL);
    g_auto(TgSelection) drawn = { .rows = g_new(guint32, items->len),
                                  .groups = g_new(guint, items->len),
                                  .n = items->len };

    if (summary->mean.unit == TG_MEAN_SUBSETS && row->subset == NULL)
        drawn.unit = TG_MEAN_SUBSETS;
    g_array_sort(items, by_row);
    for (guint i = 0; i < items->len; i++) {
        const Item *item = &g_array_index(items, Item, i);

        drawn.rows[i] = item->place;
        drawn.groups[i] = tg_hash_number(groups, GUINT_TO_POINTER(item->group));
    }
    drawn.n_groups = g_hash_table_size(groups);
    for (guint c = 0; c < layout->n_columns; c++)
        if (of_pages && columns[c].pooling == TG_POOL_STATS)
            columns[c].pooling = TG_POOL_MEAN;
    if (summary->kept != NULL)
        row->intervals = g_malloc_n(layout->n_columns + 1, sizeof *row->intervals);
    /* The draws of a subset go by its name, so that they are independent of each other and the same
     * elsewhere. */
    tg_pool_measure(columns, layout->n_columns, &drawn, TG_CONFIDENCE_RESAMPLES,
                    replicates != NULL ? tg_subset_seed(SEED, row->subset) : SEED, replicates,
                    of_pages ? row->values : NULL, row->intervals);
}

/* The row of the pairs of @groups, of one model. @subset: (transfer full) its name, or NULL.
 * @replicates: as measure_row() takes them */
static TgSummaryRow *row_of(const TgSummary *summary, char *subset, Group *const *groups, guint n,
                            double *replicates)
{
    const TgScoreLayout *layout = summary->layout;
    const guint n_metrics = layout->metrics->len, field = groups[0]->field;
    g_autoptr(TgSums) sums = tg_sums_new(layout);
    g_autoptr(GArray) items = g_array_new(FALSE, FALSE, sizeof(Item));
    TgSummaryRow *row = g_new0(TgSummaryRow, 1);

    for (guint i = 0; i < n; i++)
        tg_sums_merge(sums, layout, groups[i]->sums);
    row->model = groups[0]->model->name;
    row->subset = subset;
    row->n_pairs = sums->n_pairs;
    row->values = g_new0(double, MAX(layout->n_columns, 1));
    tg_sums_values(sums, layout, row->values);
    row->n_failed = g_memdup2(sums->n_failed, n_metrics * sizeof *sums->n_failed);
    row->n_undefined = g_new0(guint64, n_metrics);
    for (guint m = 0; m < n_metrics; m++)
        row->n_undefined[m] = tg_sums_n_undefined(sums, layout, m);
    if (summary->mean.unit == TG_MEAN_PAGES) {
        g_autoptr(GArray) numbers = g_array_new(FALSE, TRUE, sizeof(double));

        add_pages(row, layout, groups, n, numbers, items);
        if (subset == NULL || field > 0)
            row->elsewhere = *elsewhere_of(summary, row->model, field, groups[0]->subset);
        row->page_counts.n_unused += row->elsewhere.n_unused;
        measure_row(row, summary, items, numbers, replicates);
    } else if (summary->kept != NULL) {
        for (guint i = 0; i < n; i++) {
            for (guint k = 0; k < groups[i]->kept->len; k++) {
                Item item = g_array_index(groups[i]->kept, Item, k);

                item.group = i;
                g_array_append_val(items, item);
            }
        }
        measure_row(row, summary, items, summary->kept, replicates);
    }
    return row;
}

/* The end of the model's subsets, or values of a field, that begin at @start; or of the one. */
static guint end_of(Group *const *groups, guint start, guint n, gboolean of_subset)
{
    const Group *first = groups[start];
    guint end = start;

    while (end < n && groups[end]->model == first->model && groups[end]->field == first->field &&
           (!of_subset || g_strcmp0(groups[end]->subset, first->subset) == 0))
        end++;
    return end;
}

/* Rows of the model whose groups are @groups[0..n), by subset: of all its pairs, of its subsets,
 * and of the mean of these. Counts are sums, so those of the mean are of all pairs. */
static void add_model_rows(GPtrArray *rows, const TgSummary *summary, Group *const *groups, guint n)
{
    const TgScoreLayout *layout = summary->layout;
    const guint n_columns = layout->n_columns, first = rows->len + 1;
    const gsize n_replicates = (gsize) TG_CONFIDENCE_RESAMPLES * n_columns + 1;
    g_autofree double *replicates = summary->kept != NULL ? g_new0(double, n_replicates) : NULL;
    g_autofree double *means = g_new0(double, MAX(n_columns, 1));
    TgSummaryRow *all = row_of(summary, NULL, groups, n, NULL);

    g_ptr_array_add(rows, all);
    if (end_of(groups, 0, n, TRUE) == n)
        return;
    for (guint i = 0, end; i < n; i = end) {
        end = end_of(groups, i, n, TRUE);
        g_ptr_array_add(rows, row_of(summary, g_strdup(tg_shown_name(groups[i]->subset)),
                                     groups + i, end - i, replicates));
    }
    const guint n_subsets = rows->len - first;
    for (guint c = 0; c < n_columns; c++) {
        for (guint s = 0; s < n_subsets; s++)
            means[c] += ((const TgSummaryRow *) rows->pdata[first + s])->values[c];
        if (layout->columns[c]->pooling != TG_POOL_SUM)
            means[c] = tg_number_round(means[c] / n_subsets);
    }
    if (summary->mean.unit == TG_MEAN_SUBSETS) {
        memcpy(all->values, means, n_columns * sizeof *means);
        return;
    }
    TgSummaryRow *macro = g_memdup2(all, sizeof *all);
    macro->is_macro = TRUE;
    macro->values = g_steal_pointer(&means);
    macro->n_failed = g_memdup2(all->n_failed, layout->metrics->len * sizeof *all->n_failed);
    macro->n_undefined = g_memdup2(all->n_undefined, layout->metrics->len * sizeof *all->n_failed);
    if (replicates != NULL) {
        macro->intervals = g_malloc_n(n_columns + 1, sizeof *macro->intervals);
        tg_pool_measure_mean(replicates, layout, TG_CONFIDENCE_RESAMPLES, n_subsets,
                             macro->intervals);
    }
    g_ptr_array_add(rows, macro);
}

/* A row for each value of a field that pairs of a model have. */
static void add_value_rows(GPtrArray *rows, const TgSummary *summary, Group *const *groups, guint n)
{
    for (guint i = 0, end; i < n; i = end) {
        const char *field = summary->fields[groups[i]->field - 1], *value = groups[i]->subset;
        char *name =
            strstr(value, ": ") != NULL ? g_strdup(value) : g_strconcat(field, ": ", value, NULL);

        end = end_of(groups, i, n, TRUE);
        g_ptr_array_add(rows, row_of(summary, name, groups + i, end - i, NULL));
    }
}

GPtrArray *tg_summary_rows(const TgSummary *summary)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func(row_free);
    guint n;
    g_autofree Group **groups = (Group **) g_hash_table_get_keys_as_array(summary->groups, &n);

    qsort(groups, n, sizeof *groups, group_order);
    for (guint start = 0, end; start < n; start = end) {
        end = end_of(groups, start, n, FALSE);
        if (groups[start]->field == 0)
            add_model_rows(rows, summary, groups + start, end - start);
        else
            add_value_rows(rows, summary, groups + start, end - start);
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
    for (guint m = 0; m < n_metrics; m++)
        for (guint i = layout->first_column[m]; i < layout->first_column[m + 1]; i++) {
            const gboolean shown = view->format->all || i == layout->first_column[m];
            const char *name = layout->names[i];

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
        g_string_append_printf(elsewhere, " on %" G_GUINT64_FORMAT " page%s", n, tg_plural(n));
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
    gboolean differ = FALSE; /* the models' numbers of pairs */

    for (guint i = 0; i < rows->len; i++) {
        const TgSummaryRow *row = rows->pdata[i];

        differ |= is_first(&view, i) && row->n_pairs != row_at(&view, 0)->n_pairs;
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
    if (differ && !view.page_counts)
        tg_grid_note(grid, "The models have different pairs; compare takes those that both have.");
    if (view.page_counts)
        note_page_counts(grid, &view);
    if (view.page_counts && mean->unit == TG_MEAN_PAGES && !summary->is_altered)
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
