/* Sets of pairs of a table: pooled, averaged over pages or subsets, and paired. */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/number.h"
#include "core/utf8.h"
#include "eval/results/table.h"
#include "metrics/metric.h"

/* ---- pooling ---- */

/* How many numbers a pair adds to a column: its value, or the metric's statistics; then a count. */
static guint pool_width(const TgTable *table, const TgTableColumn *column)
{
    if (column->pooling == TG_POOL_STATS)
        return tg_metric_n_stats(table->layout->metrics->pdata[column->metric]) + 1;
    return 2;
}

/* What pair @row adds; all zero where the pair does not count. */
static void pool_row(const TgTable *table, const TgTableColumn *column, guint row, double *out)
{
    const TgScoreLayout *layout = table->layout;
    const double *stats = table->stats + (gsize) row * (layout->width - layout->n_columns);
    const double value = column->values[row];

    if (column->pooling == TG_POOL_STATS) {
        const guint n = pool_width(table, column) - 1;

        memcpy(out, stats + layout->first_stat[column->metric], n * sizeof *out);
        out[n] = stats[layout->n_stats + column->metric];
    } else {
        out[0] = isnan(value) ? 0.0 : value;
        out[1] = !isnan(value);
    }
}

/* The value of a set from the sum of what its pairs add. */
static double pool_value(const TgTable *table, const TgTableColumn *column, const double *sum)
{
    const double count = sum[pool_width(table, column) - 1];

    if (count == 0.0)
        return NAN;
    if (column->pooling == TG_POOL_STATS) {
        const TgMetric *metric = table->layout->metrics->pdata[column->metric];
        g_autofree double *values = g_new(double, tg_metric_n_columns(metric));

        tg_metric_pool(metric, sum, values);
        return values[column->index];
    }
    return tg_number_round(column->pooling == TG_POOL_SUM ? sum[0] : sum[0] / count);
}

double tg_table_value(const TgTable *table, const TgTableColumn *column, const guint32 *rows,
                      guint n)
{
    const guint width = pool_width(table, column);
    g_autofree TgExactSum *sums = g_new0(TgExactSum, width);
    g_autofree double *row = g_new(double, width);

    for (guint i = 0; i < n; i++) {
        pool_row(table, column, rows[i], row);
        for (guint k = 0; k < width; k++)
            tg_exact_sum_add(&sums[k], row[k]);
    }
    for (guint k = 0; k < width; k++)
        row[k] = tg_exact_sum_value(&sums[k]);
    return pool_value(table, column, row);
}

guint32 *tg_table_rows(const TgTable *table, guint model, gint subset, guint *n)
{
    guint32 *rows = g_new(guint32, MAX(table->n_rows, 1));

    *n = 0;
    for (guint i = 0; i < table->n_rows; i++)
        if (table->rows[i].model == model &&
            (subset < 0 || table->rows[i].subset == (guint) subset))
            rows[(*n)++] = i;
    return rows;
}

/* ---- where pairs belong ---- */

void tg_table_sort_subsets(TgTable *table)
{
    g_autoptr(GPtrArray) sorted = g_ptr_array_copy(table->subsets, NULL, NULL);
    g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL); /* each name is kept once */

    tg_texts_sort(sorted);
    for (guint i = 0; i < sorted->len; i++)
        g_hash_table_insert(places, sorted->pdata[i], GUINT_TO_POINTER(i));
    for (guint i = 0; i < table->n_rows; i++)
        table->rows[i].subset = GPOINTER_TO_UINT(
            g_hash_table_lookup(places, tg_table_subset(table, table->rows[i].subset)));
    g_ptr_array_set_size(table->subsets, 0);
    g_ptr_array_extend(table->subsets, sorted, NULL, NULL);
}

gboolean tg_table_mean_init(TgTableMean *out, TgTable *table, const char *text, GError **error)
{
    g_autoptr(GHashTable) numbers = g_hash_table_new(g_str_hash, g_str_equal);
    gboolean any = FALSE;

    *out = (TgTableMean){ 0 };
    if (!tg_mean_parse(text, &out->mean, error))
        return FALSE;
    if (out->mean.over == TG_MEAN_PAIRS)
        return TRUE;
    out->group = g_new(guint, MAX(table->n_rows, 1));
    out->names = g_ptr_array_new();
    for (guint i = 0; i < table->n_rows; i++) {
        const TgTableRow *row = &table->rows[i];
        const char *subset = tg_table_subset(table, row->subset);
        g_autofree char *name =
            tg_mean_group(&out->mean, row->id, *subset != '\0' ? subset : NULL, row->stored);

        gpointer number;

        any = any || name != NULL;
        if (!g_hash_table_lookup_extended(numbers, name != NULL ? name : "", NULL, &number)) {
            char *kept = g_string_chunk_insert(table->texts, name != NULL ? name : "");

            number = GUINT_TO_POINTER(out->names->len);
            g_hash_table_insert(numbers, kept, number);
            g_ptr_array_add(out->names, kept);
        }
        out->group[i] = GPOINTER_TO_UINT(number);
    }
    if (!any && table->n_rows > 0)
        return tg_mean_fail_unnamed(&out->mean, error);
    if (out->mean.over == TG_MEAN_SUBSETS && out->mean.field != NULL) {
        g_ptr_array_set_size(table->subsets, 0);
        g_ptr_array_extend(table->subsets, out->names, NULL, NULL);
        for (guint i = 0; i < table->n_rows; i++)
            table->rows[i].subset = out->group[i];
        tg_table_sort_subsets(table);
        g_ptr_array_set_size(out->names, 0);
        g_ptr_array_extend(out->names, table->subsets, NULL, NULL);
        for (guint i = 0; i < table->n_rows; i++)
            out->group[i] = table->rows[i].subset;
    }
    return TRUE;
}

void tg_table_mean_clear(TgTableMean *mean)
{
    tg_mean_clear(&mean->mean);
    g_clear_pointer(&mean->group, g_free);
    g_clear_pointer(&mean->names, g_ptr_array_unref);
}

/* ---- samples ---- */

static double pool_pairs(const double *sum, gpointer self)
{
    const TgTableSample *sample = self;

    return pool_value(sample->table, sample->column, sum);
}

/* Pages: the sum of their values, and their number. */
static double pool_pages(const double *sum, gpointer self)
{
    (void) self;
    return sum[1] > 0 ? tg_number_round(sum[0] / sum[1]) : NAN;
}

/* Subsets: the sums of each, one after the other. */
static double pool_subsets(const double *sum, gpointer self)
{
    const TgTableSample *sample = self;
    double total = 0;

    for (guint g = 0; g < sample->n_groups; g++)
        total += pool_value(sample->table, sample->column, sum + (gsize) g * sample->width);
    return tg_number_round(total / sample->n_groups);
}

/* Number the groups of these pairs from 0. (transfer full) [n] */
static guint *groups_of(const TgTableMean *mean, const guint32 *named, guint n, guint *n_groups)
{
    g_autoptr(GHashTable) numbers = g_hash_table_new(NULL, NULL);
    guint *groups = g_new(guint, MAX(n, 1));

    for (guint i = 0; i < n; i++) {
        const gpointer key = GUINT_TO_POINTER(mean->group[named[i]]);
        gpointer number;

        if (!g_hash_table_lookup_extended(numbers, key, NULL, &number)) {
            number = GUINT_TO_POINTER(g_hash_table_size(numbers));
            g_hash_table_insert(numbers, key, number);
        }
        groups[i] = GPOINTER_TO_UINT(number);
    }
    *n_groups = g_hash_table_size(numbers);
    return groups;
}

void tg_table_sample_init(TgTableSample *out, const TgTableMean *mean, const TgTable *table,
                          const TgTableColumn *column, const guint32 *rows, const guint32 *named,
                          guint n)
{
    const guint width = pool_width(table, column);
    g_autofree double *pairs = g_new(double, (gsize) n *width + 1);
    g_autofree guint *groups = NULL;

    *out = (TgTableSample){ table, column, width, 0, NULL, n, width, pool_pairs };
    for (guint i = 0; i < n; i++)
        pool_row(table, column, rows[i], pairs + (gsize) i * width);
    if (mean != NULL && mean->group != NULL && column->pooling != TG_POOL_SUM)
        groups = groups_of(mean, named, n, &out->n_groups);
    if (groups != NULL && mean->mean.over == TG_MEAN_PAGES) {
        /* Pool the pairs of each page; one without a value adds nothing. */
        g_autofree double *sums = g_new0(double, (gsize) MAX(out->n_groups, 1) * width);

        for (guint i = 0; i < n; i++)
            for (guint k = 0; k < width; k++)
                sums[(gsize) groups[i] * width + k] += pairs[(gsize) i * width + k];
        out->rows = g_new0(double, (gsize) MAX(out->n_groups, 1) * 2);
        for (guint g = 0; g < out->n_groups; g++) {
            const double value = pool_value(table, column, sums + (gsize) g * width);

            out->rows[2 * g] = isnan(value) ? 0 : value;
            out->rows[2 * g + 1] = !isnan(value);
        }
        out->n = out->n_groups;
        out->n_stats = 2;
        out->pool = pool_pages;
    } else if (out->n_groups > 1) {
        /* What each pair adds has the place of its subset. */
        out->n_stats = width * out->n_groups;
        out->rows = g_new0(double, (gsize) n * out->n_stats + 1);
        for (guint i = 0; i < n; i++)
            memcpy(out->rows + (gsize) i * out->n_stats + (gsize) groups[i] * width,
                   pairs + (gsize) i * width, width * sizeof *pairs);
        out->pool = pool_subsets;
    } else {
        out->rows = g_steal_pointer(&pairs);
    }
}

void tg_table_sample_clear(TgTableSample *sample)
{
    g_clear_pointer(&sample->rows, g_free);
}

/* ---- two models ---- */

/* What two rows have in common when they belong together. */
typedef struct {
    guint subset;
    const char *id; /* "" for none */
    guint occurrence;
} Key;

static guint key_hash(gconstpointer data)
{
    const Key *key = data;

    return g_str_hash(key->id) * 31 + key->subset * 7919 + key->occurrence;
}

static gboolean key_equal(gconstpointer a, gconstpointer b)
{
    const Key *x = a, *y = b;

    return x->subset == y->subset && x->occurrence == y->occurrence && strcmp(x->id, y->id) == 0;
}

/* The key of @row; @counts knows how many rows of the model had this subset and id before. */
static Key *key_of(const TgTable *table, guint row, GHashTable *counts)
{
    const TgTableRow *r = &table->rows[row];
    Key *key = g_new(Key, 1);
    guint before;

    *key = (Key){ r->subset, r->id != NULL ? r->id : "", 0 };
    before = GPOINTER_TO_UINT(g_hash_table_lookup(counts, key));
    g_hash_table_replace(counts, g_memdup2(key, sizeof *key), GUINT_TO_POINTER(before + 1));
    key->occurrence = before;
    return key;
}

static GHashTable *new_counts(void)
{
    return g_hash_table_new_full(key_hash, key_equal, g_free, NULL);
}

static gboolean check_truths(const TgTable *table, guint a, guint b, GError **error)
{
    const TgTableRow *x = &table->rows[a], *y = &table->rows[b];

    if (g_strv_equal((const char *const *) x->refs, (const char *const *) y->refs))
        return TRUE;
    return tg_fail_input(
        error,
        "models '%s' and '%s' have different truths for %s '%s' (rows %" G_GUINT64_FORMAT
        " and %" G_GUINT64_FORMAT "); they were not scored on the same pairs",
        tg_table_model(table, x->model), tg_table_model(table, y->model),
        x->id != NULL ? "id" : "the same place in subset",
        x->id != NULL ? x->id : tg_table_subset(table, x->subset), x->row, y->row);
}

gboolean tg_pairing_init(TgPairing *pairing, const TgTable *table, guint model_a, guint model_b,
                         GError **error)
{
    g_autoptr(GHashTable) others = new_counts(); /* key to row + 1 of the other model's rows */
    g_autoptr(GHashTable) counts = new_counts(), counts_b = new_counts();

    for (guint i = 0; i < table->n_rows; i++)
        if (table->rows[i].model == model_b)
            g_hash_table_replace(others, key_of(table, i, counts_b), GUINT_TO_POINTER(i + 1));
    *pairing = (TgPairing){ g_new(guint32, table->n_rows), g_new(guint32, table->n_rows), 0, 0, 0 };
    for (guint i = 0; i < table->n_rows; i++) {
        g_autofree Key *key = NULL;
        guint other;

        if (table->rows[i].model != model_a)
            continue;
        key = key_of(table, i, counts);
        other = GPOINTER_TO_UINT(g_hash_table_lookup(others, key));
        if (other == 0) {
            pairing->n_only_a++;
            continue;
        }
        if (!check_truths(table, i, other - 1, error))
            return FALSE;
        pairing->a[pairing->n] = i;
        pairing->b[pairing->n++] = other - 1;
    }
    pairing->n_only_b = g_hash_table_size(others) - pairing->n;
    return TRUE;
}

void tg_pairing_clear(TgPairing *pairing)
{
    g_free(pairing->a);
    g_free(pairing->b);
    memset(pairing, 0, sizeof *pairing);
}
