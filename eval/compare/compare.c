/* Every model against one of them. */
#include "eval/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "core/number.h"
#include "core/pipeline.h"
#include "eval/stats/stats.h"

enum { DEFAULT_RESAMPLES = 1000, DEFAULT_TRIALS = 10000, MAX_DRAWS = 1000000 };
#define DEFAULT_LEVEL 0.95

static void free_models(gpointer data)
{
    TgComparedModels *models = data;

    tg_pairing_clear(&models->pairing);
    g_free(models);
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
    tg_table_free(comparison->owned);
    g_free(comparison);
}

/* ---- one column ---- */

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

static double *aligned(const TgTableColumn *column, const guint32 *rows, guint n)
{
    double *values = g_new(double, n);

    for (guint i = 0; i < n; i++)
        values[i] = tg_table_aligned(column, rows[i]);
    return values;
}

/* What the threads of a comparison have in common. */
typedef struct {
    const TgComparison *comparison;
    const TgListener *listener;
    guint n_done;
} Work;

static void compare_column(gpointer item, guint worker, gpointer data)
{
    TgComparedColumn *c = item;
    const TgComparison *comparison = ((const Work *) data)->comparison;
    const TgTable *table = comparison->table;
    const TgTableColumn *column = tg_table_column(table, c->column);
    const TgPairing *pairing = c->pairing;
    g_auto(TgTableSample) base_sample = { 0 }, other_sample = { 0 };
    g_autofree guint32 *base = g_new(guint32, pairing->n);
    g_autofree guint32 *other = g_new(guint32, pairing->n);

    (void) worker;
    for (guint i = 0; i < pairing->n; i++) {
        if (c->subset >= 0 && table->rows[pairing->a[i]].subset != (guint) c->subset)
            continue;
        base[c->n] = pairing->a[i];
        other[c->n++] = pairing->b[i];
    }
    tg_table_sample_init(&base_sample, comparison->mean, table, column, base, base, c->n);
    tg_table_sample_init(&other_sample, comparison->mean, table, column, other, base, c->n);
    g_autofree double *base_values = aligned(column, base, c->n);
    g_autofree double *other_values = aligned(column, other, c->n);
    const TgAdditive base_system = { base_sample.rows, base_sample.n, base_sample.n_stats,
                                     base_sample.pool, &base_sample };
    const TgAdditive other_system = { other_sample.rows, other_sample.n, other_sample.n_stats,
                                      other_sample.pool, &other_sample };
    const TgPairedOptions options = { comparison->resamples, comparison->trials, comparison->seed,
                                      comparison->rules, comparison->level };

    tg_stats_paired(&base_system, &other_system, &options, &c->test);
    c->difference = c->test.system - c->test.base;
    tg_stats_effect(base_values, other_values, c->n, &c->effect);
    if (c->subset < 0)
        find_pairs(c, column, base, other, comparison->max_pairs);
}

/* ---- all of them ---- */

/* A name for people; "(none)" for none. */
static const char *shown_name(const char *name)
{
    return *name != '\0' ? name : "(none)";
}

static void add_columns(TgComparison *comparison, const TgComparedModels *models, gint subset,
                        gboolean all_columns)
{
    const TgTable *table = comparison->table;

    for (guint i = 0; i < table->columns->len; i++) {
        const TgTableColumn *column = tg_table_column(table, i);
        const TgComparedColumn c = {
            .base = models->base,
            .model = models->model,
            .pairing = &models->pairing,
            .column = i,
            .subset = subset,
            .base_name = shown_name(tg_table_model(table, models->base)),
            .model_name = tg_table_model(table, models->model),
            .column_name = column->name,
            .subset_name = subset < 0 ? "all" : shown_name(tg_table_subset(table, (guint) subset)),
        };

        if (all_columns || column->is_headline)
            g_ptr_array_add(comparison->columns, g_memdup2(&c, sizeof c));
    }
}

/* Of two models: 0: the headline columns of metrics over all pairs, 1: over subsets, 2: others. */
enum { N_FAMILIES = 3 };

static guint family_of(const TgTable *table, const TgComparedColumn *c)
{
    const TgTableColumn *column = tg_table_column(table, c->column);

    return !column->is_headline || column->is_stored ? 2 : c->subset >= 0;
}

/* @columns: those of two models */
static void adjust_p_values(const TgComparison *comparison, gpointer const *columns, guint n)
{
    for (guint f = 0; f < N_FAMILIES; f++) {
        g_autoptr(GPtrArray) family = g_ptr_array_new();

        for (guint i = 0; i < n; i++) {
            if (family_of(comparison->table, columns[i]) == f)
                g_ptr_array_add(family, columns[i]);
        }
        tg_stats_adjust(family->pdata, family->len,
                        G_STRUCT_OFFSET(TgComparedColumn, test.bootstrap_p),
                        G_STRUCT_OFFSET(TgComparedColumn, adjusted[TG_BOOTSTRAP_TEST]));
        tg_stats_adjust(family->pdata, family->len,
                        G_STRUCT_OFFSET(TgComparedColumn, test.randomization_p),
                        G_STRUCT_OFFSET(TgComparedColumn, adjusted[TG_RANDOMIZATION_TEST]));
    }
    for (guint i = 0; i < n; i++) {
        TgComparedColumn *c = columns[i];
        const gboolean lower = tg_table_column(comparison->table, c->column)->lower_is_better;

        c->verdict = tg_stats_verdict(lower ? -c->difference : c->difference, c->test.bootstrap.t,
                                      c->adjusted[TG_RANDOMIZATION_TEST].holm, comparison->alpha);
        c->verdict_name = tg_verdict_name(c->verdict);
    }
}

static void count_item(gpointer item, gpointer data)
{
    Work *work = data;

    (void) item; /* the comparison holds it already */
    tg_listener_tell(work->listener, "tests", ++work->n_done, work->comparison->columns->len);
}

static gboolean add_models(TgComparison *comparison, guint base, guint model, gboolean all_columns,
                           GError **error)
{
    const TgTable *table = comparison->table;
    TgComparedModels *models = g_new0(TgComparedModels, 1);

    models->base = base;
    models->model = model;
    g_ptr_array_add(comparison->models, models);
    if (!tg_pairing_init(&models->pairing, table, base, model, error))
        return FALSE;
    add_columns(comparison, models, -1, all_columns);
    for (guint s = 0; table->subsets->len > 1 && s < table->subsets->len; s++)
        add_columns(comparison, models, (gint) s, all_columns);
    return TRUE;
}

TgComparison *tg_compare_models(const TgTable *table, const TgTableMean *mean,
                                const guint (*models)[2], guint n, const TgCompareOptions *options,
                                GError **error)
{
    g_autoptr(TgComparison) comparison = g_new(TgComparison, 1);
    Work work = { comparison, &options->listener, 0 };
    guint each;

    *comparison = (TgComparison){
        .table = table,
        .mean = mean,
        .resamples = options->resamples,
        .trials = options->trials,
        .seed = options->seed,
        .rules = options->rules,
        .level = options->level > 0 ? options->level : DEFAULT_LEVEL,
        .max_pairs = options->pairs,
        .models = g_ptr_array_new_with_free_func(free_models),
        .columns = g_ptr_array_new_with_free_func(free_column),
    };
    if (options->level < 0.0 || options->level >= 1.0 || options->resamples > MAX_DRAWS ||
        options->trials > MAX_DRAWS)
        return tg_null_usage(error,
                             "an interval's level lies between 0 and 1, and there are at most %d "
                             "resamples and trials",
                             MAX_DRAWS);
    comparison->alpha = tg_number_round(1 - comparison->level);
    for (guint i = 0; i < n; i++) {
        if (!add_models(comparison, models[i][0], models[i][1], options->all_columns, error))
            return NULL;
    }
    /* as many draws as the families need, where the caller named none */
    each = comparison->columns->len / MAX(n, 1);
    if (comparison->resamples == 0)
        comparison->resamples =
            tg_stats_draws_for(each, comparison->alpha, DEFAULT_RESAMPLES, MAX_DRAWS);
    if (comparison->trials == 0)
        comparison->trials = tg_stats_draws_for(each, comparison->alpha, DEFAULT_TRIALS, MAX_DRAWS);
    if (!tg_pipeline_each(comparison->columns, options->threads, compare_column, count_item, &work,
                          error))
        return NULL;
    for (guint i = 0; i < n; i++)
        adjust_p_values(comparison, comparison->columns->pdata + (gsize) i * each, each);
    return g_steal_pointer(&comparison);
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
    if (table->models->len < 2)
        return tg_fail_usage(error, "a comparison needs two models; these results have %u (%s)",
                             table->models->len, known->str);
    if (name != NULL && strcmp(tg_table_model(table, *out), name) != 0)
        return tg_fail_usage(error, "no model '%s'; there are %s", name, known->str);
    return TRUE;
}

TgComparison *tg_compare_run(const char *const *paths, const TgCompareOptions *options,
                             GError **error)
{
    const TgTableOptions table_options = { options->stored, options->lower, options->force,
                                           options->edited };
    g_autoptr(TgTable) table = tg_table_read(paths, &table_options, error);
    TgComparison *comparison;
    guint base, n = 0;

    if (table == NULL || !find_base(table, options->base, &base, error))
        return NULL;
    g_autofree guint(*models)[2] = (guint(*)[2]) g_new(guint, 2 * (gsize) table->models->len);
    for (guint i = 0; i < table->models->len; i++) {
        if (i == base)
            continue;
        models[n][0] = base;
        models[n++][1] = i;
    }
    comparison = tg_compare_models(table, NULL, (const guint(*)[2]) models, n, options, error);
    if (comparison == NULL)
        return NULL;
    comparison->base = base;
    comparison->owned = g_steal_pointer(&table);
    return comparison;
}
