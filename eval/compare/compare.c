/* Every model against one of them. */
#include "eval/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/pipeline.h"

enum { DEFAULT_RESAMPLES = 1000, DEFAULT_TRIALS = 10000, MAX_DRAWS = 1000000 };
#define DEFAULT_LEVEL 0.95

static void free_model(gpointer data)
{
    TgComparedModel *model = data;

    tg_pairing_clear(&model->pairing);
    g_free(model);
}

static void free_column(gpointer data)
{
    TgComparedColumn *column = data;

    g_free(column->pairs);
    g_free(column);
}

void tg_comparison_free(TgComparison *comparison)
{
    if (comparison == NULL)
        return;
    g_ptr_array_unref(comparison->models);
    g_ptr_array_unref(comparison->columns);
    tg_table_free(comparison->table);
    g_free(comparison);
}

const TgPairing *tg_comparison_pairing(const TgComparison *comparison, guint model)
{
    for (guint i = 0; i < comparison->models->len; i++) {
        const TgComparedModel *m = comparison->models->pdata[i];

        if (m->model == model)
            return &m->pairing;
    }
    g_return_val_if_reached(NULL);
}

/* ---- one column ---- */

/* Both models' additive statistics on the same pairs. */
typedef struct {
    TgAdditive base, other;
} Systems;

static double *rows_of(const TgTablePool *pool, const guint32 *rows, guint n)
{
    double *stats = g_new(double, (gsize) n * pool->n_stats);

    for (guint i = 0; i < n; i++)
        tg_table_pool_row(pool, rows[i], stats + (gsize) i * pool->n_stats);
    return stats;
}

static double difference_of(const guint32 *rows, guint n, gpointer data)
{
    Systems *s = data;

    return tg_additive_statistic(rows, n, &s->other) - tg_additive_statistic(rows, n, &s->base);
}

static void test_difference(const TgComparison *comparison, TgComparedColumn *c, Systems *s)
{
    const guint n_resamples = comparison->resamples;
    const guint n_jackknife = tg_bootstrap_n_jackknife(c->n);
    g_autofree double *base = g_new(double, n_resamples);
    g_autofree double *other = g_new(double, n_resamples);
    g_autofree double *differences = g_new(double, n_resamples);
    g_autofree double *jackknife = g_new(double, n_jackknife);

    tg_bootstrap_replicate(tg_additive_statistic, &s->base, c->n, n_resamples, NULL,
                           comparison->seed, base);
    tg_bootstrap_replicate(tg_additive_statistic, &s->other, c->n, n_resamples, NULL,
                           comparison->seed, other);
    for (guint k = 0; k < n_resamples; k++)
        differences[k] = other[k] - base[k];
    tg_bootstrap_jackknife(difference_of, s, c->n, jackknife);
    tg_bootstrap_intervals(c->other - c->base, differences, n_resamples, jackknife, n_jackknife,
                           comparison->level, &c->bootstrap);
    tg_stats_trimmed_interval(base, n_resamples, &c->base_interval);
    tg_stats_trimmed_interval(other, n_resamples, &c->other_interval);
    if (comparison->rules == TG_TEST_SACREBLEU)
        c->bootstrap_p = tg_stats_paired_bootstrap_p(c->base, c->other, base, other, n_resamples);
    else if (!tg_additive_equal(&s->base, &s->other))
        c->bootstrap_p = tg_bootstrap_p(c->other - c->base, differences, n_resamples);
    c->randomization_p = tg_stats_paired_randomization_p(&s->base, &s->other, comparison->trials,
                                                         NULL, comparison->seed, comparison->rules);
}

/* Largest difference first, then in the order of the rows. */
static int compare_pairs(const void *a, const void *b)
{
    const TgDifferentPair *x = a, *y = b;
    const double dx = fabs(x->difference), dy = fabs(y->difference);

    return dx != dy ? (dx < dy) - (dx > dy) : (x->base > y->base) - (x->base < y->base);
}

static void find_pairs(TgComparedColumn *c, const TgTableColumn *column, const guint32 *base,
                       const guint32 *other, guint max_pairs)
{
    TgDifferentPair *pairs = g_new(TgDifferentPair, c->n);
    guint n = 0;

    for (guint i = 0; i < c->n; i++) {
        const double difference = column->values[other[i]] - column->values[base[i]];

        if (!isnan(difference) && difference != 0.0)
            pairs[n++] = (TgDifferentPair){ base[i], other[i], difference };
    }
    if (n > 1)
        qsort(pairs, n, sizeof *pairs, compare_pairs);
    c->n_pairs = MIN(n, max_pairs);
    c->pairs = g_memdup2(pairs, c->n_pairs * sizeof *pairs);
    g_free(pairs);
}

/* Scores turned so that higher is better. (transfer full) */
static double *aligned(const TgTableColumn *column, const guint32 *rows, guint n)
{
    double *values = g_new(double, n);

    for (guint i = 0; i < n; i++)
        values[i] = column->lower_is_better ? -column->values[rows[i]] : column->values[rows[i]];
    return values;
}

/* The pairs of one subset (-1: all), as rows of the base and of the other model. */
static guint select_rows(const TgTable *table, const TgPairing *pairing, gint subset, guint32 *base,
                         guint32 *other)
{
    guint n = 0;

    for (guint i = 0; i < pairing->n; i++) {
        if (subset >= 0 && table->rows[pairing->a[i]].subset != (guint) subset)
            continue;
        base[n] = pairing->a[i];
        other[n++] = pairing->b[i];
    }
    return n;
}

static void compare_column(gpointer item, guint worker, gpointer data)
{
    TgComparedColumn *c = item;
    const TgComparison *comparison = data;
    const TgTable *table = comparison->table;
    const TgTableColumn *column = tg_table_column(table, c->column);
    const TgPairing *pairing = tg_comparison_pairing(comparison, c->model);
    TgTablePool pool = tg_table_pool(table, column);
    g_autofree guint32 *base = g_new(guint32, pairing->n);
    g_autofree guint32 *other = g_new(guint32, pairing->n);

    (void) worker;
    c->n = select_rows(table, pairing, c->subset, base, other);
    g_autofree double *base_stats = rows_of(&pool, base, c->n);
    g_autofree double *other_stats = rows_of(&pool, other, c->n);
    g_autofree double *base_values = aligned(column, base, c->n);
    g_autofree double *other_values = aligned(column, other, c->n);
    Systems systems = { { base_stats, c->n, pool.n_stats, tg_table_pool_value, &pool },
                        { other_stats, c->n, pool.n_stats, tg_table_pool_value, &pool } };

    c->base = tg_additive_statistic(NULL, c->n, &systems.base);
    c->other = tg_additive_statistic(NULL, c->n, &systems.other);
    c->bootstrap_p = c->randomization_p = NAN;
    c->base_interval = c->other_interval = (TgTrimmedInterval){ NAN, NAN };
    tg_bootstrap_intervals(NAN, NULL, 0, NULL, 0, comparison->level, &c->bootstrap);
    if (!isnan(c->base) && !isnan(c->other))
        test_difference(comparison, c, &systems);
    tg_stats_effect(base_values, other_values, c->n, &c->effect);
    if (c->subset < 0)
        find_pairs(c, column, base, other, comparison->max_pairs);
}

/* ---- all of them ---- */

static void add_columns(TgComparison *comparison, guint model, gint subset, gboolean all_columns)
{
    for (guint i = 0; i < comparison->table->columns->len; i++) {
        TgComparedColumn *c;

        if (!all_columns && !tg_table_column(comparison->table, i)->is_headline)
            continue;
        c = g_new0(TgComparedColumn, 1);
        c->model = model;
        c->column = i;
        c->subset = subset;
        g_ptr_array_add(comparison->columns, c);
    }
}

static void keep_item(gpointer item, gpointer data)
{
    (void) item, (void) data; /* the comparison holds it already */
}

static gboolean compare_columns(TgComparison *comparison, guint threads, GError **error)
{
    const guint n_threads = threads > 0 ? threads : g_get_num_processors();
    TgPipeline *pipeline =
        tg_pipeline_new(n_threads, 2 * n_threads, compare_column, keep_item, comparison, error);

    if (pipeline == NULL)
        return FALSE;
    for (guint i = 0; i < comparison->columns->len; i++)
        tg_pipeline_push(pipeline, comparison->columns->pdata[i]);
    tg_pipeline_finish(pipeline);
    return TRUE;
}

static gboolean add_model(TgComparison *comparison, guint model, const TgCompareOptions *options,
                          GError **error)
{
    const TgTable *table = comparison->table;
    TgComparedModel *m = g_new0(TgComparedModel, 1);

    m->model = model;
    g_ptr_array_add(comparison->models, m);
    if (!tg_pairing_init(&m->pairing, table, comparison->base, model, error))
        return FALSE;
    add_columns(comparison, model, -1, options->all_columns);
    for (guint s = 0; table->subsets->len > 1 && s < table->subsets->len; s++)
        add_columns(comparison, model, (gint) s, options->all_columns);
    return TRUE;
}

static gboolean find_base(const TgTable *table, const char *name, guint *out, GError **error)
{
    g_autoptr(GString) known = g_string_new(NULL);

    *out = 0;
    for (guint i = 0; i < table->models->len; i++) {
        if (name != NULL && strcmp(tg_table_model(table, i), name) == 0)
            *out = i;
        g_string_append_printf(known, "%s'%s'", i > 0 ? ", " : "", tg_table_model(table, i));
    }
    if (table->models->len < 2) {
        g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                    "a comparison needs two models; these results have %u (%s)", table->models->len,
                    known->str);
        return FALSE;
    }
    if (name != NULL && strcmp(tg_table_model(table, *out), name) != 0) {
        g_set_error(error, TG_ERROR, TG_ERROR_USAGE, "no model '%s'; there are %s", name,
                    known->str);
        return FALSE;
    }
    return TRUE;
}

static gboolean check_options(const TgCompareOptions *options, GError **error)
{
    if (options->level < 0.0 || options->level >= 1.0 || options->resamples > MAX_DRAWS ||
        options->trials > MAX_DRAWS) {
        g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                    "an interval's level lies between 0 and 1, and there are at most %d resamples "
                    "and trials",
                    MAX_DRAWS);
        return FALSE;
    }
    return TRUE;
}

TgComparison *tg_compare_run(const char *const *paths, const TgCompareOptions *options,
                             GError **error)
{
    const TgTableOptions table_options = { options->stored, options->lower };
    g_autoptr(TgTable) table = NULL;
    g_autoptr(TgComparison) comparison = NULL;
    guint base;

    if (!check_options(options, error))
        return NULL;
    table = tg_table_read(paths, &table_options, error);
    if (table == NULL || !find_base(table, options->base, &base, error))
        return NULL;
    comparison = g_new(TgComparison, 1);
    *comparison = (TgComparison){
        .table = g_steal_pointer(&table),
        .base = base,
        .resamples = options->resamples > 0 ? options->resamples : DEFAULT_RESAMPLES,
        .trials = options->trials > 0 ? options->trials : DEFAULT_TRIALS,
        .seed = options->seed,
        .rules = options->rules,
        .level = options->level > 0 ? options->level : DEFAULT_LEVEL,
        .max_pairs = options->pairs,
        .models = g_ptr_array_new_with_free_func(free_model),
        .columns = g_ptr_array_new_with_free_func(free_column),
    };
    for (guint i = 0; i < comparison->table->models->len; i++) {
        if (i != base && !add_model(comparison, i, options, error))
            return NULL;
    }
    if (!compare_columns(comparison, options->threads, error))
        return NULL;
    return g_steal_pointer(&comparison);
}
