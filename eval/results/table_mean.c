#include "eval/results/table_mean.h"

#include <math.h>

#include "core/fail.h"
#include "core/number.h"

/* ---- where pairs belong ---- */

/* The number of @name in @names, which it may be new to. */
static guint group_number(GHashTable *numbers, GPtrArray *names, const char *name, TgTable *table)
{
    gpointer number;

    if (g_hash_table_lookup_extended(numbers, name, NULL, &number))
        return GPOINTER_TO_UINT(number);
    const char *kept = g_string_chunk_insert(table->texts, name);
    g_hash_table_insert(numbers, (gpointer) kept, GUINT_TO_POINTER(names->len));
    g_ptr_array_add(names, (gpointer) kept);
    return names->len - 1;
}

gboolean tg_table_mean_init(TgTableMean *out, TgTable *table, const char *text, GError **error)
{
    g_autoptr(GHashTable) numbers = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    gboolean any = FALSE;

    *out = (TgTableMean){ 0 };
    if (!tg_mean_parse(text, &out->mean, error))
        return FALSE;
    if (out->mean.over == TG_MEAN_PAIRS)
        return TRUE;
    out->group = g_new(guint, MAX(table->n_rows, 1));
    for (guint i = 0; i < table->n_rows; i++) {
        const TgTableRow *row = &table->rows[i];
        const char *subset = tg_table_subset(table, row->subset);
        g_autofree char *name =
            tg_mean_group(&out->mean, row->id, *subset != '\0' ? subset : NULL, row->stored);

        any = any || name != NULL;
        out->group[i] = group_number(numbers, names, name != NULL ? name : "", table);
    }
    if (!any && table->n_rows > 0) {
        tg_mean_fail_unnamed(&out->mean, error);
        return FALSE;
    }
    if (out->mean.over == TG_MEAN_SUBSETS && out->mean.field != NULL) {
        g_ptr_array_set_size(table->subsets, 0);
        g_ptr_array_extend(table->subsets, names, NULL, NULL);
        for (guint i = 0; i < table->n_rows; i++)
            table->rows[i].subset = out->group[i];
    }
    return TRUE;
}

void tg_table_mean_clear(TgTableMean *mean)
{
    tg_mean_clear(&mean->mean);
    g_clear_pointer(&mean->group, g_free);
}

/* ---- samples ---- */

static double sample_pool_pairs(const double *sum, gpointer self)
{
    return tg_table_pool_value(sum, &((TgTableSample *) self)->column);
}

/* Pages: the sum of their values, and their number. */
static double sample_pool_pages(const double *sum, gpointer self)
{
    (void) self;
    return sum[1] > 0 ? tg_number_round(sum[0] / sum[1]) : NAN;
}

/* Subsets: the sums of each, one behind the other. */
static double sample_pool_subsets(const double *sum, gpointer self)
{
    TgTableSample *sample = self;
    double total = 0;

    for (guint g = 0; g < sample->n_groups; g++)
        total += tg_table_pool_value(sum + (gsize) g * sample->column.n_stats, &sample->column);
    return tg_number_round(total / sample->n_groups);
}

/* Number the groups of these pairs from 0. (transfer full) [n] */
static guint *sample_groups(const TgTableMean *mean, const guint32 *named, guint n, guint *n_groups)
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

/* Pool the pairs of each page; a page without a value adds nothing. */
static void sample_pages(TgTableSample *sample, const guint *groups, guint n)
{
    const guint width = sample->column.n_stats;
    g_autofree double *pairs = g_steal_pointer(&sample->rows);
    g_autofree double *sums = g_new0(double, (gsize) MAX(sample->n_groups, 1) * width);

    for (guint i = 0; i < n; i++)
        for (guint k = 0; k < width; k++)
            sums[(gsize) groups[i] * width + k] += pairs[(gsize) i * width + k];
    sample->rows = g_new0(double, (gsize) MAX(sample->n_groups, 1) * 2);
    for (guint g = 0; g < sample->n_groups; g++) {
        const double value = tg_table_pool_value(sums + (gsize) g * width, &sample->column);

        sample->rows[2 * g] = isnan(value) ? 0 : value;
        sample->rows[2 * g + 1] = !isnan(value);
    }
    sample->n = sample->n_groups;
    sample->n_stats = 2;
    sample->pool = sample_pool_pages;
}

/* Move what each pair adds to the place of its subset. */
static void sample_subsets(TgTableSample *sample, const guint *groups, guint n)
{
    const guint width = sample->column.n_stats;
    g_autofree double *pairs = g_steal_pointer(&sample->rows);

    sample->n_stats = width * sample->n_groups;
    sample->rows = g_new0(double, (gsize) n * sample->n_stats + 1);
    for (guint i = 0; i < n; i++)
        for (guint k = 0; k < width; k++)
            sample->rows[(gsize) i * sample->n_stats + (gsize) groups[i] * width + k] =
                pairs[(gsize) i * width + k];
    sample->pool = sample_pool_subsets;
}

void tg_table_sample_init(TgTableSample *out, const TgTableMean *mean, const TgTable *table,
                          const TgTableColumn *column, const guint32 *rows, const guint32 *named,
                          guint n)
{
    const TgTablePool pool = tg_table_pool(table, column);

    *out = (TgTableSample){ .column = pool,
                            .rows = g_new(double, (gsize) n *pool.n_stats + 1),
                            .n = n,
                            .n_stats = pool.n_stats,
                            .pool = sample_pool_pairs };
    for (guint i = 0; i < n; i++)
        tg_table_pool_row(&pool, rows[i], out->rows + (gsize) i * pool.n_stats);
    if (mean->group == NULL || column->pooling == TG_POOL_SUM)
        return;
    g_autofree guint *groups = sample_groups(mean, named, n, &out->n_groups);
    if (mean->mean.over == TG_MEAN_PAGES)
        sample_pages(out, groups, n);
    else if (out->n_groups > 1)
        sample_subsets(out, groups, n);
}

void tg_table_sample_clear(TgTableSample *sample)
{
    g_clear_pointer(&sample->rows, g_free);
}
