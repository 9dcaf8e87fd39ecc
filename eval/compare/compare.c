/* Every model against one of them: the tests, the tables and JSON, and thresholds. */
#include "eval/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "core/json.h"
#include "core/number.h"
#include "core/pipeline.h"
#include "eval/grid/grid.h"
#include "eval/results/results.h"
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
    tg_table_mean_clear(&comparison->own_mean);
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

static void find_pairs(TgComparedColumn *c, const TgTableColumn *column, guint max_pairs)
{
    const TgPairing *pairing = c->pairing;
    TgDifferentPair *pairs = g_new(TgDifferentPair, pairing->n);
    guint n = 0;

    for (guint i = 0; i < pairing->n; i++) {
        const guint32 base = pairing->a[i], other = pairing->b[i];
        const double difference = tg_table_number(column, other) - tg_table_number(column, base);

        if (!isnan(difference) && difference != 0.0)
            pairs[n++] = (TgDifferentPair){ base, other, difference };
    }
    if (n > 1)
        qsort(pairs, n, sizeof *pairs, compare_pairs);
    c->n_pairs = MIN(n, max_pairs);
    c->pairs = g_memdup2(pairs, c->n_pairs * sizeof *pairs);
    g_free(pairs);
}

/* The pairs of a column's subset that both models have. */
static void select_pairs(const TgComparedColumn *c, const TgComparison *comparison,
                         TgSelection selections[2])
{
    for (guint s = 0; s < 2; s++)
        selections[s] = tg_table_select(comparison->table, comparison->mean, -1, c->subset,
                                        s == 0 ? c->pairing->a : c->pairing->b, c->pairing->n);
}

/* The pages (or subsets) of a column's subset that both models have, each with all its rows: models
 * may split a page's formulas differently. */
static void select_groups(const TgComparedColumn *c, const TgComparison *comparison,
                          TgSelection selections[2])
{
    const TgTableMean *mean = comparison->mean;
    const guint models[2] = { c->base, c->model };
    g_autofree guint *met = g_new0(guint, mean->names->len);
    g_autofree guint *place = g_new(guint, mean->names->len);
    guint n_groups = 0;

    for (guint s = 0; s < 2; s++) {
        selections[s] = tg_table_select(comparison->table, NULL, (gint) models[s], c->subset, NULL,
                                        comparison->table->n_rows);
        for (guint i = 0; i < selections[s].n; i++)
            met[mean->group[selections[s].rows[i]]] |= 1u << s;
    }
    for (guint g = 0; g < mean->names->len; g++)
        place[g] = met[g] == 3 ? n_groups++ : G_MAXUINT;
    for (guint s = 0; s < 2; s++) {
        TgSelection *selection = &selections[s];
        const guint n = selection->n;

        selection->n = 0;
        selection->unit = TG_MEAN_PAGES; /* subsets too are drawn whole */
        selection->n_groups = n_groups;
        selection->groups = g_new(guint, MAX(n, 1));
        for (guint i = 0; i < n; i++) {
            const guint32 row = selection->rows[i];

            if (place[mean->group[row]] == G_MAXUINT)
                continue;
            selection->groups[selection->n] = place[mean->group[row]];
            selection->rows[selection->n++] = row;
        }
    }
}

/* Whether subsets are drawn whole, but pairs where a column is of one subset. */
static gboolean draws_subsets(const TgComparison *comparison)
{
    return comparison->mean->mean.unit == TG_MEAN_SUBSETS && comparison->table->subsets->len > 1;
}

/* Whether whole groups are drawn, of a column of all subsets. */
static gboolean draws_groups(const TgComparison *comparison)
{
    return comparison->mean->mean.unit == TG_MEAN_PAGES || draws_subsets(comparison);
}

/* Leave out of both models what one of them has no value for: values over different pairs say
 * little about the models. Returns: how many are left out */
static guint leave_out_missing(TgSample samples[2])
{
    const guint n = samples[0].additive.n, n_stats = samples[0].additive.n_stats;
    guint n_missing = 0;

    for (gsize i = 0; i < n; i++) {
        double *a = samples[0].rows + i * n_stats, *b = samples[1].rows + i * n_stats;

        if (a[n_stats - 1] > 0 && b[n_stats - 1] > 0) /* the counts */
            continue;
        memset(a, 0, n_stats * sizeof *a);
        memset(b, 0, n_stats * sizeof *b);
        n_missing++;
    }
    return n_missing;
}

static void compare_column(gpointer item, guint worker, gpointer data)
{
    TgComparedColumn *c = item;
    const TgComparison *comparison = data;
    const TgTableColumn *column = tg_table_column(comparison->table, c->column);
    const gboolean of_groups =
        draws_groups(comparison) && (c->subset < 0 || !draws_subsets(comparison));
    TgSelection selections[2] = { { 0 } };
    TgSample samples[2];
    double *values[2];

    (void) worker;
    (of_groups ? select_groups : select_pairs)(c, comparison, selections);
    const guint n = of_groups ? selections[0].n_groups : selections[0].n;
    for (guint s = 0; s < 2; s++)
        tg_sample_init(&samples[s], &column->pool, &selections[s]);
    c->n_missing = leave_out_missing(samples);
    c->n = n - c->n_missing;
    for (guint s = 0; s < 2; s++) {
        values[s] = g_new(double, MAX(n, 1));
        for (guint i = 0; i < n; i++)
            values[s][i] =
                of_groups ? tg_sample_value(&samples[s], i) * (column->lower_is_better ? -1 : 1)
                          : tg_table_aligned(column, selections[s].rows[i]);
    }
    tg_stats_effect(values[0], values[1], n, &c->effect);
    tg_stats_paired(&samples[0].additive, &samples[1].additive, &comparison->options.tests,
                    &c->test);
    c->difference = c->test.system - c->test.base;
    if (c->subset < 0)
        find_pairs(c, column, comparison->options.pairs);
    for (guint s = 0; s < 2; s++) {
        g_free(values[s]);
        tg_sample_clear(&samples[s]);
        tg_selection_clear(&selections[s]);
    }
}

/* ---- all of them ---- */

static void add_columns(TgComparison *comparison, const TgComparedModels *models, gint subset)
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
            .base_name = tg_shown_name(tg_table_model(table, models->base)),
            .model_name = tg_table_model(table, models->model),
            .column_name = column->name,
            .subset_name =
                subset < 0 ? "all" : tg_shown_name(tg_table_subset(table, (guint) subset)),
        };

        if (comparison->options.all_columns || column->is_headline)
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

/* Student's t knows no bounds, but two values of a metric differ by no more than its range. The
 * verdict asks about 0 alone, so it stays. */
static void clip_interval(const TgTable *table, TgComparedColumn *c)
{
    const TgTableColumn *column = tg_table_column(table, c->column);

    if (column->is_stored || column->pool.pooling == TG_POOL_SUM)
        return;
    const TgColumn *info = table->layout->columns[c->column];
    double max = info->max;
    /* A score with 1 for the best that is beyond 1 by rare options alone. */
    if (max == G_MAXDOUBLE && info->as_percent && !column->lower_is_better) {
        max = MAX(1, MAX(c->test.base, c->test.system));
        for (guint i = 0; i < table->n_rows; i++)
            max = fmax(max, tg_table_aligned(column, i)); /* not with a missing one */
    }
    for (guint k = 0; k < 2; k++)
        c->test.bootstrap.t[k] = CLAMP(c->test.bootstrap.t[k], info->min - max, max - info->min);
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
                                      c->adjusted[TG_RANDOMIZATION_TEST], comparison->alpha);
        c->verdict_name = tg_verdict_name(c->verdict);
        clip_interval(comparison->table, c);
    }
}

static void count_item(gpointer item, gpointer data)
{
    TgComparison *comparison = data;

    (void) item; /* the comparison holds it already */
    tg_listener_tell(&comparison->options.listener, "tests", ++comparison->n_done,
                     comparison->columns->len);
}

/* The id and the subset of a model's first pair, for a message. (transfer full) */
static char *first_pair(const TgTable *table, guint model)
{
    guint i = 0;

    while (i + 1 < table->n_rows && table->rows[i].model != model)
        i++;
    const char *id = table->rows[i].id, *subset = tg_table_subset(table, table->rows[i].subset);
    g_autofree char *quoted =
        id != NULL ? g_strdup_printf("'%s'", id) : g_strdup("a pair without id");
    return *subset != '\0' ? g_strdup_printf("%s of subset '%s'", quoted, subset)
                           : g_strdup_printf("%s of no subset", quoted);
}

static gboolean add_models(TgComparison *comparison, guint base, guint model, GError **error)
{
    const TgTable *table = comparison->table;
    TgComparedModels *models = g_new0(TgComparedModels, 1);

    models->base = base;
    models->model = model;
    g_ptr_array_add(comparison->models, models);
    if (!tg_pairing_init(&models->pairing, table, base, model, error))
        return FALSE;
    if (models->pairing.n == 0) {
        g_autofree char *one = first_pair(table, base), *other = first_pair(table, model);

        return tg_fail_input(
            error,
            "models '%s' and '%s' have no pair in common: the first of one is %s, of the other %s; "
            "score both with the same ids and subsets (eval --map id=FIELD,subset=FIELD)",
            tg_table_model(table, base), tg_table_model(table, model), one, other);
    }
    add_columns(comparison, models, -1);
    for (guint s = 0; table->subsets->len > 1 && s < table->subsets->len; s++)
        add_columns(comparison, models, (gint) s);
    return TRUE;
}

TgComparison *tg_compare_models(const TgTable *table, const TgTableMean *mean,
                                const guint (*models)[2], guint n, const TgCompareOptions *options,
                                GError **error)
{
    g_autoptr(TgComparison) comparison = g_new(TgComparison, 1);
    guint each;

    *comparison = (TgComparison){
        .table = table,
        .mean = mean,
        .options = *options,
        .models = g_ptr_array_new_with_free_func(free_models),
        .columns = g_ptr_array_new_with_free_func(free_column),
    };
    if (options->tests.level < 0.0 || options->tests.level >= 1.0 ||
        options->tests.resamples > MAX_DRAWS || options->tests.trials > MAX_DRAWS)
        return tg_null_usage(
            error,
            "the level must be between 0 and 1, and the numbers of resamples and trials at most %d",
            MAX_DRAWS);
    TgPairedOptions *tests = &comparison->options.tests;
    if (tests->level == 0)
        tests->level = DEFAULT_LEVEL;
    comparison->alpha = tg_number_round(1 - tests->level);
    for (guint i = 0; i < n; i++) {
        if (!add_models(comparison, models[i][0], models[i][1], error))
            return NULL;
    }
    /* as many draws as the families need, where the caller named none */
    each = comparison->columns->len / MAX(n, 1);
    if (tests->resamples == 0)
        tests->resamples =
            tg_stats_draws_for(each, comparison->alpha, DEFAULT_RESAMPLES, MAX_DRAWS);
    if (tests->trials == 0)
        tests->trials = tg_stats_draws_for(each, comparison->alpha, DEFAULT_TRIALS, MAX_DRAWS);
    if (!tg_pipeline_each(comparison->columns, options->threads, compare_column, count_item,
                          comparison, error))
        return NULL;
    for (guint i = 0; i < n; i++)
        adjust_p_values(comparison, comparison->columns->pdata + (gsize) i * each, each);
    return g_steal_pointer(&comparison);
}

static gboolean find_base(const TgTable *table, const char *name, guint *out, GError **error)
{
    *out = 0;
    if (table->models->len == 0)
        return tg_fail_usage(error, "a comparison needs two models; these results have 0");
    if (table->models->len < 2)
        return tg_fail_usage(
            error,
            "a comparison needs two models, and these results have one%s%s; name the results of "
            "another model, too, or score a file whose rows name their model",
            tg_table_model(table, 0)[0] != '\0' ? ": " : "", tg_table_model(table, 0));
    return name == NULL || tg_table_find_model(table, name, out, error);
}

TgComparison *tg_compare_run(const char *const *paths, const TgCompareOptions *options,
                             GError **error)
{
    g_autoptr(TgTable) table = tg_table_read(paths, &options->table, error);
    g_auto(TgTableMean) mean = { 0 };
    TgComparison *comparison;
    guint base;

    if (table == NULL || !find_base(table, options->base, &base, error) ||
        !tg_table_mean_init(&mean, table, options->mean, error))
        return NULL;
    g_autoptr(GArray) models = g_array_new(FALSE, FALSE, 2 * sizeof(guint));
    for (guint i = 0; i < table->models->len; i++)
        if (i != base)
            g_array_append_vals(models, ((const guint[2]){ base, i }), 1);
    comparison = tg_compare_models(table, &mean, (const guint(*)[2])(gpointer) models->data,
                                   models->len, options, error);
    if (comparison == NULL)
        return NULL;
    comparison->own_mean = mean;
    comparison->mean = &comparison->own_mean;
    memset(&mean, 0, sizeof mean); /* it has moved */
    comparison->base = base;
    comparison->owned = g_steal_pointer(&table);
    return comparison;
}

/* ---- tables ---- */

enum { DIGITS = 4, FORMULA_WIDTH = 30, FEW = 10 };

const char *tg_comparison_unit(const TgComparison *comparison)
{
    return tg_mean_name(draws_groups(comparison) ? comparison->mean->mean.unit : TG_MEAN_PAIRS);
}

/* The numbers of the compared columns from @first to @end, one a row; @other: the model's heading
 * where the table is of one model. */
static TgGrid *compared_grid(const TgComparison *comparison, const char *title, const char *other,
                             guint first, guint end)
{
#define OF(member) G_STRUCT_OFFSET(TgComparedColumn, member)
    const gboolean subsets = comparison->table->subsets->len > 1;
    const char *unit = draws_subsets(comparison) ? "drawn" : tg_comparison_unit(comparison);
    g_autofree char *effect_unit = g_strconcat("effect.", unit, NULL);
    const TgComparedColumn *head =
        first < end ? comparison->columns->pdata[first] : &(TgComparedColumn){ 0 };
    g_autofree char *interval = tg_level_text(comparison->options.tests.level);
    const TgGridColumn columns[] = {
        { NULL, "base", NULL, TG_GRID_TEXT, OF(base_name) },
        { NULL, "model", "model", TG_GRID_NAME, OF(model_name) },
        { "metric", "metric", "metric", TG_GRID_TEXT, OF(column_name), .scores = TRUE },
        { subsets ? "subset" : NULL, "subset", "subset", TG_GRID_TEXT, OF(subset_name) },
        { unit, unit, unit, TG_GRID_COUNT, OF(n) },
        { head->base_name, "base_value", "base_value", TG_GRID_NUMBER, OF(test.base), DIGITS,
          TRUE },
        { other, "value", "value", TG_GRID_NUMBER, OF(test.system), DIGITS, TRUE },
        { "difference", "difference", "difference", TG_GRID_NUMBER, OF(difference), DIGITS, TRUE },
        { NULL, "differing", "differing", TG_GRID_COUNT, OF(test.n_differing) },
        { NULL, NULL, "bootstrap.p", TG_GRID_P, OF(test.bootstrap_p) },
        { NULL, "percentile_*", "bootstrap.percentile", TG_GRID_INTERVAL,
          OF(test.bootstrap.percentile), DIGITS, TRUE },
        { NULL, "bca_*", "bootstrap.bca", TG_GRID_INTERVAL, OF(test.bootstrap.bca), DIGITS, TRUE },
        { interval, "t_*", "bootstrap.t", TG_GRID_INTERVAL, OF(test.bootstrap.t), DIGITS, TRUE },
        { NULL, "base_mean", "bootstrap.base.mean", TG_GRID_NUMBER, OF(test.base_interval.mean),
          DIGITS, TRUE },
        { NULL, "base_half_width", "bootstrap.base.half_width", TG_GRID_NUMBER,
          OF(test.base_interval.half_width), DIGITS, TRUE },
        { NULL, "mean", "bootstrap.model.mean", TG_GRID_NUMBER, OF(test.system_interval.mean),
          DIGITS, TRUE },
        { NULL, "half_width", "bootstrap.model.half_width", TG_GRID_NUMBER,
          OF(test.system_interval.half_width), DIGITS, TRUE },
        { "p bootstrap", "bootstrap_p", NULL, TG_GRID_P, OF(test.bootstrap_p) },
        { "p randomized", "randomization_p", "randomization.p", TG_GRID_P,
          OF(test.randomization_p) },
        { NULL, "bootstrap_holm", "bootstrap.holm", TG_GRID_P, OF(adjusted[0]) },
        { "Holm", "randomization_holm", "randomization.holm", TG_GRID_P, OF(adjusted[1]) },
        { "verdict", "verdict", "verdict", TG_GRID_TEXT, OF(verdict_name) },
        { NULL, NULL, effect_unit, TG_GRID_COUNT, OF(effect.n) },
        { NULL, "mean_gain", "effect.mean_gain", TG_GRID_NUMBER, OF(effect.mean_difference), DIGITS,
          TRUE },
        { "d_z", "d_z", "effect.d_z", TG_GRID_NUMBER, OF(effect.d_z), 2 },
        { "better", "better", "effect.better", TG_GRID_COUNT, OF(effect.n_higher) },
        { "equal", "equal", "effect.equal", TG_GRID_COUNT, OF(effect.n_equal) },
        { "worse", "worse", "effect.worse", TG_GRID_COUNT, OF(effect.n_lower) },
        { "superiority", "superiority", "effect.superiority", TG_GRID_NUMBER,
          OF(effect.superiority), 3 },
    };
#undef OF
    TgGrid *grid = tg_grid_new_of(title, subsets ? 2 : 1, columns, G_N_ELEMENTS(columns), NULL);

    for (guint i = first; i < end; i++) {
        const TgComparedColumn *c = comparison->columns->pdata[i];

        tg_grid_row(grid, c, tg_table_column(comparison->table, c->column)->is_share);
    }
    return grid;
}

/* How many characters two texts begin with in common; 0 where one is missing. */
static guint common_start(const char *a, const char *b)
{
    guint n = 0;

    while (a != NULL && b != NULL && *a != '\0' && g_utf8_get_char(a) == g_utf8_get_char(b)) {
        a = g_utf8_next_char(a);
        b = g_utf8_next_char(b);
        n++;
    }
    return n;
}

/* A formula, shortened to the width of a table around its character @center. */
static void put_formula(TgGrid *grid, const char *text, guint center)
{
    const guint length = text != NULL ? (guint) g_utf8_strlen(text, -1) : 0;
    guint first = center > FORMULA_WIDTH / 2 ? center - FORMULA_WIDTH / 2 : 0;

    if (text == NULL) {
        tg_grid_put(grid, "-");
    } else if (length <= FORMULA_WIDTH) {
        tg_grid_put(grid, text);
    } else {
        first = MIN(first, length - FORMULA_WIDTH);
        const guint end = first + FORMULA_WIDTH;
        g_autofree char *part =
            g_utf8_substring(text, first + (first > 0 ? 3 : 0), end - (end < length ? 3 : 0));

        tg_grid_putf(grid, "%s%s%s", first > 0 ? "..." : "", part, end < length ? "..." : "");
    }
}

static void write_pairs(GString *out, const TgComparison *comparison, const TgComparedColumn *c,
                        const TgGridForm *form)
{
    const TgTable *table = comparison->table;
    const TgTableColumn *column = tg_table_column(table, c->column);
    const char *base = c->base_name, *other = tg_shown_name(c->model_name);
    g_autofree char *title = g_strdup_printf("Pairs that differ most in %s", column->name);
    g_autofree char *base_head = g_strdup_printf("prediction of %s", base);
    g_autofree char *other_head = g_strdup_printf("prediction of %s", other);
    const char *const heads[] = { "id", "reference", base_head,   other_head,
                                  base, other,       "difference" };
    g_autoptr(TgGrid) grid = tg_grid_new(title, 4);

    if (c->n_pairs == 0)
        return;
    for (guint i = 0; i < G_N_ELEMENTS(heads); i++)
        tg_grid_head(grid, heads[i]);
    for (guint i = 0; i < c->n_pairs; i++) {
        const TgDifferentPair *pair = &c->pairs[i];
        const TgTableRow *row = &table->rows[pair->base];

        if (row->id != NULL)
            tg_grid_put(grid, row->id);
        else
            tg_grid_putf(grid, "row %" G_GUINT64_FORMAT, row->row);
        /* All three are cut around the place where the predictions, or reference and prediction,
         * part.
         */
        const char *ref = row->refs[0], *hyp = row->hyp, *hyp2 = table->rows[pair->other].hyp;
        const guint apart = common_start(hyp, hyp2);
        put_formula(grid, ref, MIN(apart, MAX(common_start(ref, hyp), common_start(ref, hyp2))));
        put_formula(grid, hyp, apart);
        put_formula(grid, hyp2, apart);
        const double scores[] = { tg_table_number(column, pair->base),
                                  tg_table_number(column, pair->other), pair->difference };
        for (guint k = 0; k < G_N_ELEMENTS(scores); k++) {
            tg_grid_put_number(grid, scores[k], DIGITS);
            if (column->is_share)
                tg_grid_share(grid);
        }
    }
    g_string_append_c(out, '\n');
    tg_grid_append(out, grid, form);
}

/* Write a table for each model, with notes on the pairs it lacks, on rows that rest on few pairs,
 * and on how the verdicts are made; then the pairs that differ most. (transfer full) */
static char *tables_text(const TgComparison *comparison, const TgGridForm *form)
{
    const TgPairedOptions *tests = &comparison->options.tests;
    GString *out = g_string_new(NULL);

    for (guint first = 0, end; first < comparison->columns->len; first = end) {
        const TgComparedColumn *head = comparison->columns->pdata[first];

        end = first + comparison->columns->len / comparison->models->len;
        g_string_append(out, first > 0 ? "\n" : "");
        const TgPairing *pairing = head->pairing;
        const char *other = tg_shown_name(head->model_name);
        g_autofree char *title = g_strdup_printf("%s against %s", other, head->base_name);
        g_autoptr(TgGrid) grid = compared_grid(comparison, title, other, first, end);

        const gboolean of_subsets = draws_subsets(comparison);
        const gboolean is_split = draws_groups(comparison);
        const char *unit = of_subsets ? "subsets or pairs" : tg_comparison_unit(comparison);
        if (is_split)
            tg_grid_note(grid, "Values are means over %s, which are drawn whole%s.",
                         tg_comparison_unit(comparison),
                         of_subsets ? "; of one subset its pairs are" : "");
        if (pairing->ids != NULL)
            tg_grid_note(grid, "Ids are compared %s.", pairing->ids);
        if (pairing->n_only_a + pairing->n_only_b > 0)
            tg_grid_note(grid,
                         of_subsets ? "Pairs that only one of them has: %u of %s, %u of %s; they "
                                      "count for the mean over subsets alone."
                         : is_split ? "Reference formulas that only one of them is matched with: "
                                      "%u of %s, %u of %s; all count for their pages."
                                    : "Pairs that only one of them has: %u of %s, %u of %s; they "
                                      "are left out.",
                         pairing->n_only_a, head->base_name, pairing->n_only_b, other);
        for (guint i = first; i < end; i++) {
            const TgComparedColumn *c = comparison->columns->pdata[i];

            if (c->subset < 0 && c->n_missing > 0)
                tg_grid_note(grid, "Left out of %s, because a score is missing: %u of %u %s.",
                             c->column_name, c->n_missing, c->n + c->n_missing,
                             tg_comparison_unit(comparison));
        }
        const double alpha = comparison->alpha;
        guint n_tests = 0, n_of_all = 0, n_drawn = 0; /* tests, those over all pairs; groups */
        /* Name the rows that rest on few pairs, because fewer than FEW differences say little about
         * other pairs. */
        g_autoptr(GString) few = g_string_new(NULL);
        char text[32];

        for (guint i = first; i < end; i++) {
            const TgComparedColumn *c = comparison->columns->pdata[i];

            if (!isnan(c->test.randomization_p)) {
                n_tests++;
                n_of_all += family_of(comparison->table, c) == 0;
                n_drawn = c->subset < 0 ? c->n : n_drawn;
            }
            if (c->n == 0 || c->test.n_differing >= FEW)
                continue;
            g_string_append_printf(few, "%s%s", few->len > 0 ? ", " : "", c->column_name);
            if (c->subset >= 0)
                g_string_append_printf(few, " of %s", c->subset_name);
            g_string_append_printf(few, " (%u)", c->test.n_differing);
        }
        if (few->len > 0)
            tg_grid_note(grid, "Fewer than %d %s differ: %s", FEW, unit, few->str);
        g_ascii_formatd(text, sizeof text, "%.4g", alpha);
        tg_grid_note(
            grid,
            "Verdict: \"better\" or \"worse\" if the interval excludes 0 and the randomization "
            "p-value is below %s after Holm's correction, which is applied separately to each "
            "metric's main column over all pairs, to the same by subset, and to all other columns.",
            text);
        if (n_tests / (tests->trials + 1.0) >= alpha)
            tg_grid_note(grid,
                         "%u trials are too few for %u tests: if many %s differ, Holm's p may not "
                         "fall below %s.",
                         tests->trials, n_tests, unit,
                         g_ascii_formatd(text, sizeof text, "%.2g",
                                         MIN(1, n_tests / (tests->trials + 1.0))));
        /* Of n groups 2^n assignments to the models are possible, and two of them differ the most.
         */
        const double least = n_of_all * ldexp(2, -(int) n_drawn);
        if (is_split && n_of_all > 0 && tests->rules == TG_TEST_TWO_SIDED && least >= alpha)
            tg_grid_note(grid,
                         "%u %s are too few for %u test%s over all of them: Holm's p cannot fall "
                         "below %s, whatever the difference is.",
                         n_drawn, tg_comparison_unit(comparison), n_of_all, tg_plural(n_of_all),
                         g_ascii_formatd(text, sizeof text, "%.2g", MIN(1, least)));
        tg_signatures_note(grid, comparison->table->layout, comparison->table->remarks);
        tg_grid_note(grid,
                     "Paired bootstrap: %u resamples; approximate randomization: %u trials, or all "
                     "where few %s differ; seed %" G_GUINT64_FORMAT "; p-values: %s.",
                     tests->resamples, tests->trials, unit, tests->seed,
                     tg_test_rules_name(tests->rules));
        tg_grid_append(out, grid, form);
        for (guint i = first; i < end; i++) {
            const TgComparedColumn *c = comparison->columns->pdata[i];

            if (c->subset < 0)
                write_pairs(out, comparison, c, form);
        }
    }
    return g_string_free(out, FALSE);
}

/* ---- JSON ---- */

static json_t *pairs_json(const TgComparison *comparison, const TgComparedColumn *c)
{
    const TgTable *table = comparison->table;
    const TgTableColumn *column = tg_table_column(table, c->column);
    json_t *list = json_array();

    for (guint i = 0; i < c->n_pairs; i++) {
        const TgDifferentPair *pair = &c->pairs[i];
        const TgTableRow *base = &table->rows[pair->base], *other = &table->rows[pair->other];
        json_t *refs = json_array();

        for (guint r = 0; base->refs[r] != NULL; r++)
            json_array_append_new(refs, tg_json_text(base->refs[r]));
        json_array_append_new(
            list,
            json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "id", tg_json_text(base->id),
                      "subset", tg_json_text(tg_table_subset(table, base->subset)), "gt", refs,
                      "base_pred", tg_json_text(base->hyp), "pred", tg_json_text(other->hyp),
                      "base_value", tg_json_number(tg_table_number(column, pair->base)), "value",
                      tg_json_number(tg_table_number(column, pair->other)), "difference",
                      tg_json_number(pair->difference)));
    }
    return list;
}

static json_t *models_json(const TgComparison *comparison)
{
    json_t *list = json_array();

    for (guint i = 0; i < comparison->models->len; i++) {
        const TgComparedModels *m = comparison->models->pdata[i];

        json_array_append_new(
            list, json_pack("{s:o, s:i, s:i, s:i}", "model",
                            tg_json_text(tg_table_model(comparison->table, m->model)), "pairs",
                            (int) m->pairing.n, "only_base", (int) m->pairing.n_only_a,
                            "only_model", (int) m->pairing.n_only_b));
    }
    return list;
}

char *tg_comparison_format(const TgComparison *comparison, const TgGridForm *form)
{
    const TgPairedOptions *tests = &comparison->options.tests;

    if (form->style != TG_GRID_JSON && form->style != TG_GRID_CSV)
        return tables_text(comparison, form);
    g_autoptr(TgGrid) grid = compared_grid(comparison, NULL, NULL, 0, comparison->columns->len);
    if (form->style == TG_GRID_CSV)
        return tg_grid_text(grid, form);
    json_t *columns = tg_grid_rows_json(grid, form), *all;

    for (guint i = 0; i < comparison->columns->len; i++) {
        const TgComparedColumn *c = comparison->columns->pdata[i];

        if (c->subset < 0)
            json_object_set_new(json_array_get(columns, i), "most_different",
                                pairs_json(comparison, c));
    }
    all = json_pack(
        "{s:s, s:o, s:O, s:o*, s:o, s:s*, s:i, s:i, s:I, s:s, s:o, s:o, s:o, s:o*}", "version",
        tg_version(), "signatures", tg_signatures_json(comparison->table->layout), "inputs",
        comparison->table->inputs, "remarks", tg_remarks_json(comparison->table->remarks), "base",
        tg_json_text(tg_table_model(comparison->table, comparison->base)), "mean",
        draws_groups(comparison) ? tg_comparison_unit(comparison) : NULL, "resamples",
        (int) tests->resamples, "trials", (int) tests->trials, "seed", (json_int_t) tests->seed,
        "rules", tg_test_rules_name(tests->rules), "level", tg_json_number(tests->level), "models",
        models_json(comparison), "comparisons", columns, "percent",
        form->percent ? json_true() : NULL);
    return tg_json_take(all, "\n");
}

/* ---- thresholds: is every model good enough? ---- */

/* The lines of the report, and whether all values pass. */
typedef struct {
    const TgTable *table, *baseline;
    const TgTableMean *mean, *baseline_mean;
    GString *report;
    gboolean passed;
    gboolean force;
} Gate;

static double pooled_value(const TgTable *table, const TgTableMean *mean,
                           const TgTableColumn *column, guint model)
{
    g_auto(TgSelection) selection =
        tg_table_select(table, mean, (gint) model, -1, NULL, table->n_rows);

    return tg_pool(&column->pool, &selection);
}

static void put_number(GString *out, double value)
{
    char text[32] = "undefined";

    if (!isnan(value))
        tg_number_format(value, text);
    g_string_append(out, text);
}

/* One line of the report: the value of a column, @words and what it is compared with. */
static void add_line(Gate *gate, guint model, const TgTableColumn *column, const char *words,
                     double limit, double tolerance)
{
    const char *name = tg_table_model(gate->table, model);
    const double value = pooled_value(gate->table, gate->mean, column, model);
    const double loss = column->lower_is_better ? value - limit : limit - value;
    /* the digits that results have decide, not the last bit */
    const gboolean good = !isnan(loss) && tg_number_round(loss) <= tolerance;

    gate->passed = gate->passed && good;
    g_string_append_printf(gate->report, "%s %s%s%s ", good ? "ok  " : "FAIL", name,
                           *name != '\0' ? ": " : "", column->name);
    put_number(gate->report, value);
    g_string_append(gate->report, words);
    put_number(gate->report, limit);
}

/* Split `COLUMN=NUMBER`; the column is NULL where only the number is there. */
static gboolean parse_limit(const char *text, const char *option, char **column, double *value,
                            GError **error)
{
    const char *equals = strrchr(text, '=');

    *column = equals != NULL ? g_strndup(text, (gsize) (equals - text)) : NULL;
    return tg_number_parse(equals != NULL ? equals + 1 : text, value) ||
           tg_fail_usage(error, "%s: no number in '%s'", option, text);
}

static gboolean check_limit(Gate *gate, const char *text, GError **error)
{
    g_autofree char *name = NULL;
    const TgTableColumn *column;
    double limit;

    if (!parse_limit(text, "--fail-under", &name, &limit, error))
        return FALSE;
    if (name == NULL)
        return tg_fail_usage(error, "--fail-under takes COLUMN=VALUE, not '%s'", text);
    column = tg_table_find(gate->table, name, error);
    for (guint m = 0; column != NULL && m < gate->table->models->len; m++) {
        add_line(gate, m, column, column->lower_is_better ? ", at most " : ", at least ", limit, 0);
        g_string_append_c(gate->report, '\n');
    }
    return column != NULL;
}

/* The tolerances by column; "" for all other columns. NULL where a named column is not there.
 * (transfer full) (element-type char* double*) */
static GHashTable *read_tolerances(const TgTable *table, const char *const *texts, GError **error)
{
    g_autoptr(GHashTable) out = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

    for (guint i = 0; texts != NULL && texts[i] != NULL; i++) {
        char *name = NULL;
        double value = 0;
        const gboolean good = parse_limit(texts[i], "--tolerance", &name, &value, error) &&
                              (name == NULL || tg_table_find(table, name, error) != NULL);

        g_hash_table_insert(out, name != NULL ? name : g_strdup(""),
                            g_memdup2(&value, sizeof value));
        if (!good)
            return NULL;
    }
    return g_steal_pointer(&out);
}

/* The baseline's model that model @model is compared with. */
static gboolean match_model(const Gate *gate, guint model, guint *out, GError **error)
{
    const char *name = tg_table_model(gate->table, model);

    if (tg_table_find_model(gate->baseline, name, out, NULL))
        return TRUE;
    *out = 0;
    return gate->baseline->models->len == 1 ||
           tg_fail_input(error, "the baseline has no model '%s'", name);
}

/* The same column of the baseline, scored in the same way. */
static const TgTableColumn *match_column(const Gate *gate, const TgTableColumn *column,
                                         GError **error)
{
    const TgTableColumn *theirs = tg_table_find(gate->baseline, column->name, NULL);
    const char *signature, *their_signature;

    if (theirs == NULL || theirs->is_stored != column->is_stored)
        return tg_null_input(error, "the baseline has no column '%s'", column->name);
    if (column->is_stored || gate->force)
        return theirs;
    signature = tg_metric_signature(column->pool.metric);
    their_signature = tg_metric_signature(theirs->pool.metric);
    if (strcmp(signature, their_signature) == 0)
        return theirs;
    return tg_null_input(error, "the baseline's %s is %s, here it is %s", column->name,
                         their_signature, signature);
}

static gboolean check_column(Gate *gate, const TgTableColumn *column, double tolerance,
                             GError **error)
{
    const TgTableColumn *theirs = match_column(gate, column, error);

    for (guint m = 0; theirs != NULL && m < gate->table->models->len; m++) {
        guint model;

        if (!match_model(gate, m, &model, error))
            return FALSE;
        add_line(gate, m, column, ", baseline ",
                 pooled_value(gate->baseline, gate->baseline_mean, theirs, model), tolerance);
        g_string_append(gate->report, ", tolerance ");
        put_number(gate->report, tolerance);
        g_string_append_c(gate->report, '\n');
    }
    return theirs != NULL;
}

/* Add @step to the number of every pair of a model: the same are those of one subset, id,
 * references. Of pages, whose formulas a model's output splits, each counts once. */
static void count_pairs(GHashTable *counts, const TgTable *table, guint model, gint step)
{
    for (guint i = 0; i < table->n_rows; i++) {
        const TgTableRow *row = &table->rows[i];

        if (row->model != model)
            continue;
        g_autofree char *refs = g_strjoinv("\n", (char **) row->refs);
        char *key = row->formula != NULL
                        ? g_strndup(row->formula, strcspn(row->formula, "\n")) /* the page */
                        : g_strdup_printf("%s\n%s\n%s", tg_table_subset(table, row->subset),
                                          row->id != NULL ? row->id : "", refs);
        gint count = GPOINTER_TO_INT(g_hash_table_lookup(counts, key));

        if (row->formula == NULL || !g_hash_table_contains(counts, key))
            count += step;
        else if (step < 0)
            count = MIN(count, 0);
        g_hash_table_replace(counts, key, GINT_TO_POINTER(count));
    }
}

/* Fail a model that lacks pairs of the baseline: without the hard ones its values are better. */
static gboolean check_pairs(Gate *gate, GError **error)
{
    for (guint m = 0; !gate->force && m < gate->table->models->len; m++) {
        g_autoptr(GHashTable) counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        const char *name = tg_table_model(gate->table, m);
        guint missing = 0, more = 0, model;
        GHashTableIter iter;
        gpointer count;

        if (!match_model(gate, m, &model, error))
            return FALSE;
        count_pairs(counts, gate->baseline, model, 1);
        count_pairs(counts, gate->table, m, -1);
        g_hash_table_iter_init(&iter, counts);
        while (g_hash_table_iter_next(&iter, NULL, &count)) {
            missing += (guint) MAX(GPOINTER_TO_INT(count), 0);
            more += (guint) MAX(-GPOINTER_TO_INT(count), 0);
        }
        if (missing == 0 && more == 0)
            continue;
        gate->passed = FALSE;
        g_string_append_printf(gate->report,
                               "FAIL %s%spairs: %u of the baseline's are missing, %u are not in "
                               "it\n",
                               name, *name != '\0' ? ": " : "", missing, more);
    }
    return TRUE;
}

static void append_remarks(GString *out, const TgTable *table)
{
    for (guint i = 0; i < table->remarks->len; i++)
        g_string_append_printf(out, "note %s\n", (const char *) table->remarks->pdata[i]);
}

static gboolean check_baseline(Gate *gate, const TgGateOptions *options, GError **error)
{
    const char *const paths[] = { options->baseline, NULL };
    g_autoptr(TgTable) baseline = tg_table_read(paths, &options->table, error);
    g_autoptr(GHashTable) tolerances =
        baseline != NULL ? read_tolerances(gate->table, options->tolerances, error) : NULL;

    g_auto(TgTableMean) mean = { 0 };

    gate->baseline = baseline;
    gate->baseline_mean = &mean;
    if (tolerances == NULL || !tg_table_mean_init(&mean, baseline, options->mean, error) ||
        (!gate->force && !tg_run_header_check_options(gate->table->run, baseline->run, error)) ||
        !check_pairs(gate, error))
        return FALSE;
    for (guint c = 0; c < gate->table->columns->len; c++) {
        const TgTableColumn *column = tg_table_column(gate->table, c);
        const double *own = g_hash_table_lookup(tolerances, column->name);
        const double *all = g_hash_table_lookup(tolerances, "");

        if ((own != NULL || (column->is_headline && !column->is_stored)) &&
            !check_column(gate, column,
                          own != NULL   ? *own
                          : all != NULL ? *all
                                        : 0,
                          error))
            return FALSE;
    }
    append_remarks(gate->report, baseline);
    return TRUE;
}

gboolean tg_gate_check(const char *const *paths, const TgGateOptions *options, char **report,
                       gboolean *passed, GError **error)
{
    g_autoptr(TgTable) table = tg_table_read(paths, &options->table, error);
    g_autoptr(GString) text = g_string_new(NULL);
    g_auto(TgTableMean) mean = { 0 };
    Gate gate = { table, NULL, &mean, NULL, text, TRUE, options->table.force };

    if (table == NULL)
        return FALSE;
    if (table->n_rows == 0)
        return tg_fail_input(error, "the results hold no pairs, so no threshold can be met");
    if (!tg_table_mean_init(&mean, table, options->mean, error))
        return FALSE;
    for (guint i = 0; options->fail_under != NULL && options->fail_under[i] != NULL; i++) {
        if (!check_limit(&gate, options->fail_under[i], error))
            return FALSE;
    }
    if (options->baseline != NULL && !check_baseline(&gate, options, error))
        return FALSE;
    append_remarks(text, table);
    *report = g_string_free(g_steal_pointer(&text), FALSE);
    *passed = gate.passed;
    return TRUE;
}
