/* A report: values, tests, tables and sentences of results files, and how they become Markdown. */
#include "eval/report/report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/output.h"
#include "core/json.h"
#include "core/number.h"
#include "core/utf8.h"
#include "eval/compare/compare.h"
#include "eval/report/private.h"
#include "eval/study/study.h"
#include "tokenizer/latex/parse.h"

enum { DEFAULT_RESAMPLES = 1000, MAX_RESAMPLES = 100000, MAX_SHOWN = 12 };
enum { DIGITS = 4, RANK_DIGITS = 3 };
enum { MAX_MODELS = 8, MAX_LISTED = 100 }; /* in tables; the page has all */

/* ---- what a report holds ---- */

static void free_section(gpointer data)
{
    TgReportSection *section = data;

    g_free(section->text);
    g_ptr_array_unref(section->grids);
    g_free(section);
}

static void free_block(gpointer data)
{
    TgReportBlock *block = data;

    g_free(block->n);
    g_free(block->values);
    g_free(block);
}

void tg_report_free(TgReport *report)
{
    if (report == NULL)
        return;
    g_ptr_array_unref(report->sections);
    g_ptr_array_unref(report->blocks);
    g_ptr_array_unref(report->headline);
    g_array_unref(report->shown);
    tg_report_errors_free(report->errors);
    tg_page_drawings_free(report->drawings);
    json_decref(report->parts);
    g_clear_pointer(&report->pictures, g_ptr_array_unref);
    g_free(report->images);
    g_free(report->formulas);
    g_free(report->against);
    g_free(report->title);
    tg_table_mean_clear(&report->mean);
    tg_table_free(report->table);
    g_free(report);
}

const GPtrArray *tg_report_remarks(const TgReport *report)
{
    return report->table->remarks;
}

/* Add a section. Returns: its tables, to be added to */
static GPtrArray *add_section(TgReport *report, const char *title, const char *text)
{
    TgReportSection *section = g_new(TgReportSection, 1);

    *section = (TgReportSection){ title, g_strdup(text),
                                  g_ptr_array_new_with_free_func((GDestroyNotify) tg_grid_free) };
    g_ptr_array_add(report->sections, section);
    return section->grids;
}

gboolean tg_report_is_wrong(const TgReport *report, guint row)
{
    return !(report->errors->of[row].price <= 0);
}

const TgTableColumn *tg_report_column(const TgReport *report, guint i)
{
    return tg_table_column(report->table, g_array_index(report->shown, guint, i));
}

TgReportValue *tg_report_value(const TgReport *report, const TgReportBlock *block, guint model,
                               guint column)
{
    return &block->values[(gsize) model * report->shown->len + column];
}

static const char *model_name(const TgReport *report, guint model)
{
    return tg_shown_name(tg_table_model(report->table, model));
}

static const char *subset_name(const TgReport *report, guint subset)
{
    return tg_shown_name(tg_table_subset(report->table, subset));
}

/* ---- the values of models and subsets, with intervals ---- */

/* The values of all models over one subset, or over all pairs (-1), with eval's intervals.
 * (transfer full) */
static TgReportBlock *new_block(const TgReport *report, gint subset)
{
    const guint64 seed =
        subset < 0 ? report->options.seed
                   : tg_subset_seed(report->options.seed, subset_name(report, (guint) subset));
    const guint n_models = report->table->models->len, n_columns = report->shown->len;
    TgReportBlock *block = g_new(TgReportBlock, 1);
    g_autofree TgPoolColumn *columns = g_new(TgPoolColumn, n_columns + 1);
    g_autofree double *values = g_new(double, n_columns + 1);
    g_autofree double(*intervals)[2] = g_malloc_n(n_columns + 1, sizeof *intervals);

    *block = (TgReportBlock){ subset, g_new0(guint, n_models),
                              g_new(TgReportValue, (gsize) n_models * n_columns) };
    for (guint c = 0; c < n_columns; c++)
        columns[c] = tg_report_column(report, c)->pool;
    for (guint m = 0; m < n_models; m++) {
        g_auto(TgSelection) pairs = tg_table_select(report->table, &report->mean, (gint) m, subset,
                                                    NULL, report->table->n_rows);

        block->n[m] = pairs.n;
        if (pairs.n > 0)
            tg_pool_measure(columns, n_columns, &pairs, report->resamples, seed, NULL, values,
                            intervals);
        for (guint c = 0; c < n_columns; c++) {
            TgReportValue *value = tg_report_value(report, block, m, c);

            *value = (TgReportValue){ .value = NAN,
                                      .interval = { NAN, NAN },
                                      .best = -1,
                                      .gap = NAN,
                                      .gap_range = { NAN, NAN } };
            if (pairs.n > 0) {
                value->value = values[c];
                memcpy(value->interval, intervals[c], sizeof intervals[c]);
            }
        }
    }
    return block;
}

/* ---- tests against the best ---- */

/* The best of several models' values of one column, marked with those equal to it; -1: none, as
 * values are counts or of one model. */
static gint find_best(const TgTableColumn *column, TgReportValue *values, guint n, guint step)
{
    const double sign = column->lower_is_better ? -1 : 1;
    gint best = -1;

    for (guint i = 0; i < n; i++) {
        const double value = values[i * step].value;

        if (!isnan(value) && (best < 0 || sign * value > sign * values[(guint) best * step].value))
            best = (gint) i;
    }
    if (best < 0 || n < 2 || column->pool.pooling == TG_POOL_SUM)
        return -1;
    for (guint i = 0; i < n; i++) {
        values[i * step].is_best = values[i * step].value == values[(guint) best * step].value;
        values[i * step].best =
            values[i * step].is_best || isnan(values[i * step].value) ? -1 : best;
    }
    return best;
}

/* Note the verdict over a worse model, which is @c's base, or, where @turned, its model. */
static void set_verdict(TgReportValue *value, const TgComparedColumn *c, gboolean turned,
                        double sign)
{
    const double *t = c->test.bootstrap.t;

    if (turned)
        sign = -sign;
    value->verdict = !turned                           ? c->verdict
                     : c->verdict == TG_VERDICT_BETTER ? TG_VERDICT_WORSE
                     : c->verdict == TG_VERDICT_WORSE  ? TG_VERDICT_BETTER
                                                       : c->verdict;
    value->p = c->adjusted[TG_RANDOMIZATION_TEST];
    value->gap = sign * c->difference;
    value->gap_range[0] = sign * t[sign < 0];
    value->gap_range[1] = sign * t[sign > 0];
}

/* Note what a comparison of two models says of their values. */
static void take_comparison(TgReport *report, const TgComparedColumn *c)
{
    const guint n_models = report->table->models->len;
    const double sign = tg_table_column(report->table, c->column)->lower_is_better ? -1 : 1;
    const TgReportBlock *block = report->blocks->pdata[c->subset + 1];
    guint k = 0;

    while (k < report->shown->len && g_array_index(report->shown, guint, k) != c->column)
        k++;
    if (k == report->shown->len)
        return;
    TgReportValue *base = tg_report_value(report, block, c->base, k);
    TgReportValue *model = tg_report_value(report, block, c->model, k);

    if (base->best == (gint) c->model)
        set_verdict(base, c, FALSE, sign);
    if (model->best == (gint) c->base)
        set_verdict(model, c, TRUE, sign);
    if (c->subset < 0 && report->against != NULL) {
        TgReportValue *all = report->against + (gsize) k * n_models * n_models;

        set_verdict(&all[c->base * n_models + c->model], c, FALSE, sign);
        set_verdict(&all[c->model * n_models + c->base], c, TRUE, sign);
    }
}

/* The verdicts on the models over all pairs. */
static TgGrid *against_grid(const TgReport *report, const TgComparison *comparison)
{
#define OF(member) G_STRUCT_OFFSET(TgComparedColumn, member)
    const char *unit = tg_comparison_unit(comparison);
    g_autofree char *interval = tg_level_text(comparison->options.tests.level);
    const TgGridColumn columns[] = {
        { "metric", NULL, NULL, TG_GRID_TEXT, OF(column_name), .scores = TRUE },
        { "model", NULL, NULL, TG_GRID_NAME, OF(model_name) },
        { "against", NULL, NULL, TG_GRID_TEXT, OF(base_name) },
        { unit, NULL, NULL, TG_GRID_COUNT, OF(n) },
        { "difference", NULL, NULL, TG_GRID_NUMBER, OF(difference), DIGITS, TRUE },
        { interval, NULL, NULL, TG_GRID_INTERVAL, OF(test.bootstrap.t), DIGITS, TRUE },
        { "Holm", NULL, NULL, TG_GRID_P, OF(adjusted[TG_RANDOMIZATION_TEST]) },
        { "verdict", NULL, NULL, TG_GRID_TEXT, OF(verdict_name) },
    };
#undef OF
    TgGrid *grid =
        tg_grid_new_of("Models against each other", 3, columns, G_N_ELEMENTS(columns), NULL);
    guint n = 0;

    for (guint k = 0; k < report->shown->len; k++) {
        const guint column = g_array_index(report->shown, guint, k);

        for (guint i = 0; i < comparison->columns->len; i++) {
            const TgComparedColumn *c = comparison->columns->pdata[i];

            if (c->subset < 0 && c->column == column && n++ < MAX_LISTED)
                tg_grid_row(grid, c, tg_report_column(report, k)->is_share);
        }
    }
    if (n > MAX_LISTED)
        tg_grid_note(grid, "The first %d of %u.", MAX_LISTED, n);
    for (guint i = 0; i < comparison->models->len; i++) {
        const TgComparedModels *m = comparison->models->pdata[i];

        if (m->pairing.ids != NULL)
            tg_grid_note(grid, "Ids of %s and %s are compared %s.", model_name(report, m->model),
                         model_name(report, m->base), m->pairing.ids);
    }
    tg_grid_note(grid,
                 "Of the %s that both models have, so that a difference is not always that of the "
                 "values above. Verdict on the model, as texgauge compare has it at 0.05.",
                 unit);
    return grid;
}

/* Test the models against each other, as compare does: all of them, or, where there are many, each
 * against the best one of every column and block. The table of the tests is added to @grids. */
static gboolean test_blocks(TgReport *report, GPtrArray *grids, GError **error)
{
    const guint n_models = report->table->models->len, n_columns = report->shown->len;
    const gboolean all = n_models > 1 && n_models <= MAX_MODELS;
    const TgCompareOptions options = { .tests = { .resamples = report->options.resamples,
                                                  .seed = report->options.seed },
                                       .threads = report->options.threads,
                                       .listener = report->options.listener };
    g_autofree gboolean *needed = g_new0(gboolean, (gsize) n_models * n_models + 1);
    g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, 2 * sizeof(guint));

    for (guint i = 0; i < report->blocks->len * n_columns; i++) {
        const TgReportBlock *block = report->blocks->pdata[i / n_columns];
        const TgTableColumn *column = tg_report_column(report, i % n_columns);
        const gint best = find_best(column, block->values + i % n_columns, n_models, n_columns);

        for (guint m = 0; best >= 0 && m < n_models; m++)
            needed[MIN((guint) best, m) * n_models + MAX((guint) best, m)] |=
                tg_report_value(report, block, m, i % n_columns)->best >= 0;
    }
    if (all)
        report->against = g_new0(TgReportValue, MAX((gsize) n_columns * n_models * n_models, 1));
    for (guint i = 0; i < n_models * n_models; i++) {
        const guint pair[2] = { i / n_models, i % n_models };

        if (pair[0] < pair[1] && (all || needed[i]))
            g_array_append_vals(pairs, pair, 1);
    }
    g_autoptr(TgComparison) comparison =
        tg_compare_models(report->table, &report->mean, (const guint(*)[2])(gpointer) pairs->data,
                          pairs->len, &options, error);
    for (guint i = 0; comparison != NULL && i < comparison->columns->len; i++)
        take_comparison(report, comparison->columns->pdata[i]);
    if (comparison != NULL && comparison->columns->len > 0)
        g_ptr_array_add(grids, against_grid(report, comparison));
    return comparison != NULL;
}

/* ---- the headline ---- */

static void add_headline(TgReport *report)
{
    const TgTable *table = report->table;
    g_autoptr(GPtrArray) models = g_ptr_array_new(), columns = g_ptr_array_new();

    if (table->n_rows == 0) {
        g_ptr_array_add(report->headline, g_strdup("These results hold no pairs."));
        return;
    }
    if (table->models->len < 2) {
        /* There is nothing to compare: how many of its formulas are right. */
        const guint n = table->n_rows - report->errors->n_graphs;
        g_autofree char *formulas = tg_count_text(n);
        guint wrong = 0;
        char share[32];

        if (n == 0)
            return;
        for (guint i = 0; i < table->n_rows; i++)
            wrong += !report->errors->of[i].is_graph && tg_report_is_wrong(report, i);
        g_ascii_formatd(share, sizeof share, "%.1f", 100.0 * (n - wrong) / n);
        g_ptr_array_add(
            report->headline,
            g_strdup_printf("%s %% of %s formulas are without error of FORTE.", share, formulas));
        return;
    }
    for (guint m = 0; m < table->models->len; m++)
        g_ptr_array_add(models, (gpointer) model_name(report, m));
    for (guint c = 0; c < report->shown->len; c++)
        g_ptr_array_add(columns, (gpointer) tg_report_column(report, c)->name);
    const TgReportVerdicts verdicts = {
        .models = (const char *const *) models->pdata,
        .columns = (const char *const *) columns->pdata,
        .n_models = models->len,
        .n_columns = columns->len,
        .values = ((const TgReportBlock *) report->blocks->pdata[0])->values,
        .against = report->against,
    };
    g_autoptr(GPtrArray) sentences = tg_report_sentences(&verdicts);
    g_ptr_array_extend_and_steal(report->headline, g_steal_pointer(&sentences));
}

/* ---- values ---- */

/* @values: [n_shown], or NULL: means over the subsets, which are all blocks but the first; of
 * counts their sums, as eval has them */
static void put_values(const TgReport *report, TgGrid *grid, const char *subset, guint model,
                       guint n, const TgReportValue *values)
{
    const guint n_subsets = report->blocks->len - 1;

    if (subset != NULL)
        tg_grid_put(grid, subset);
    tg_grid_put(grid, model_name(report, model));
    tg_grid_put_count(grid, n);
    for (guint i = 0; i < report->shown->len; i++) {
        const gboolean is_count = tg_report_column(report, i)->pool.pooling == TG_POOL_SUM;
        TgReportValue value = { .interval = { NAN, NAN }, .best = -1 };

        for (guint b = 1; values == NULL && b <= n_subsets; b++)
            value.value += tg_report_value(report, report->blocks->pdata[b], model, i)->value /
                           (is_count ? 1 : n_subsets);
        if (values != NULL)
            value = values[i];
        tg_grid_put_number(grid, value.value, DIGITS);
        tg_grid_mark(grid, value.is_best, value.verdict == TG_VERDICT_NO_DIFFERENCE ? "=" : NULL);
        tg_grid_put_number(grid, (value.interval[1] - value.interval[0]) / 2, DIGITS);
    }
}

/* Values rest on fewer pairs than the number beside them where a score is missing. */
static void note_left_out(const TgReport *report, TgGrid *grid)
{
    const TgTable *table = report->table;

    for (guint c = 0; c < report->shown->len; c++) {
        g_autofree guint *missing = g_new0(guint, table->models->len + 1);
        g_autoptr(GString) list = g_string_new(NULL);

        for (guint i = 0; i < table->n_rows; i++)
            missing[table->rows[i].model] += !tg_pool_counts(&tg_report_column(report, c)->pool, i);
        for (guint m = 0; m < table->models->len; m++) {
            if (missing[m] == 0)
                continue;
            g_string_append_printf(list, "%s%u", list->len > 0 ? ", " : "", missing[m]);
            if (table->models->len > 1)
                g_string_append_printf(list, " of %s", model_name(report, m));
        }
        if (list->len > 0)
            tg_grid_note(grid, "Left out of %s, because a score is missing: %s.",
                         tg_report_column(report, c)->name, list->str);
    }
}

static gboolean add_values(TgReport *report, GError **error)
{
    const TgTable *table = report->table;
    const guint n_models = table->models->len;
    const gboolean with_subset = table->subsets->len > 1;
    const guint n_blocks = with_subset ? table->subsets->len + 1 : 1;
    const TgMeanUnit unit = report->mean.mean.unit;
    g_autofree char *text = unit == TG_MEAN_PAIRS
                                ? g_strdup("Pooled over all pairs, as eval does.")
                                : g_strdup_printf("Means over %s, as eval --mean %s has them.",
                                                  tg_mean_name(unit), tg_mean_name(unit));
    TgGrid *grid = tg_grid_new("Values", with_subset ? 2 : 1);

    if (with_subset)
        tg_grid_head(grid, "subset");
    tg_grid_heads(grid, (const char *const[]){ "model", "pairs", NULL });
    for (guint i = 0; i < report->shown->len; i++) {
        const TgTableColumn *column = tg_report_column(report, i);
        const char *arrow = column->pool.pooling == TG_POOL_SUM ? NULL
                            : column->lower_is_better           ? "↓"
                                                                : "↑";

        tg_grid_column(grid, &(TgGridColumn){ column->name, column->name,
                                              .is_share = column->is_share, .arrow = arrow });
        tg_grid_column(grid, &(TgGridColumn){ "±", "±", .is_share = column->is_share });
    }

    GPtrArray *grids = add_section(report, "Overview", text);
    g_ptr_array_add(grids, grid);
    if (table->n_rows == 0) {
        tg_grid_note(grid, "These results hold no pairs.");
        return TRUE;
    }
    for (guint i = 0; i < n_blocks; i++) {
        tg_listener_tell(&report->options.listener, "intervals", i, n_blocks);
        g_ptr_array_add(report->blocks, new_block(report, (gint) i - 1));
    }
    if (!test_blocks(report, grids, error))
        return FALSE;
    for (guint i = 0; i < report->blocks->len; i++) {
        const TgReportBlock *block = report->blocks->pdata[i];
        const char *subset = !with_subset        ? NULL
                             : block->subset < 0 ? "all"
                                                 : subset_name(report, block->subset);

        for (guint m = 0; m < n_models; m++)
            put_values(report, grid, subset, m, block->n[m], tg_report_value(report, block, m, 0));
    }
    for (guint m = 0; with_subset && unit != TG_MEAN_SUBSETS && m < n_models; m++)
        put_values(report, grid, TG_MEAN_OF_SUBSETS, m,
                   ((const TgReportBlock *) report->blocks->pdata[0])->n[m], NULL);
    tg_grid_note(
        grid, "±: half the 95 %% bootstrap interval, %u resamples%s, seed %" G_GUINT64_FORMAT ".",
        report->resamples,
        unit == TG_MEAN_SUBSETS && with_subset ? " of whole subsets (of one subset of its pairs)"
                                               : "",
        report->options.seed);
    note_left_out(report, grid);
    if (n_models > 1)
        tg_grid_note(grid, "Bold: the best model. =: no significant difference from the best one, "
                           "by the verdict of texgauge compare at 0.05.");
    return TRUE;
}

/* ---- errors ---- */

static gint by_count(gconstpointer a, gconstpointer b, gpointer totals)
{
    const guint x = *(const guint *) a, y = *(const guint *) b, *n = totals;

    return n[x] != n[y] ? (n[x] < n[y] ? 1 : -1) : (x > y) - (x < y);
}

static void add_errors(TgReport *report)
{
    const TgReportErrors *errors = report->errors;
    const guint n_models = report->table->models->len, n_classes = errors->classes->len;
    g_autofree guint *counts = g_new0(guint, (gsize) (n_classes + 1) * n_models);
    g_autofree guint *totals = g_new0(guint, n_classes + 1);
    g_autofree guint *order = g_new(guint, n_classes + 1);
    TgGrid *grid = tg_grid_new("Formulas by class of error", 1);

    for (guint i = 0; i < report->table->n_rows; i++) {
        const TgReportFindings *of = &errors->of[i];
        g_autofree gboolean *has = g_new0(gboolean, n_classes + 1);

        has[n_classes] = !of->is_graph && !tg_report_is_wrong(report, i);
        for (guint e = of->first; e < of->first + of->n; e++)
            has[g_array_index(errors->list, TgReportError, e).class] = TRUE;
        for (guint k = 0; k <= n_classes; k++) {
            counts[k * n_models + report->table->rows[i].model] += has[k];
            totals[k] += has[k];
        }
    }
    for (guint k = 0; k <= n_classes; k++)
        order[k] = k;
    totals[n_classes] = G_MAXUINT; /* those without error come first */
    g_qsort_with_data(order, (gint) n_classes + 1, sizeof *order, by_count, totals);
    tg_grid_head(grid, "class");
    for (guint m = 0; m < n_models; m++)
        tg_grid_head(grid, model_name(report, m));
    for (guint i = 0; i <= n_classes; i++) {
        const guint k = order[i];

        tg_grid_put(grid, k == n_classes ? "without error" : errors->classes->pdata[k]);
        for (guint m = 0; m < n_models; m++)
            tg_grid_put_count(grid, counts[k * n_models + m]);
    }
    tg_grid_note(grid, "Errors are the edits that FORTE finds, whatever metrics were run; a "
                       "formula counts once in each of its classes.");
    g_ptr_array_add(add_section(report, "What goes wrong", NULL), grid);
}

/* ---- what was run ---- */

static void add_run(TgReport *report)
{
    static const char *const keys[] = { "file", "format", "sha256", NULL };
    const TgScoreLayout *layout = report->table->layout;
    const json_t *inputs = report->table->inputs;
    const GPtrArray *remarks = report->table->remarks;
    GPtrArray *grids = add_section(report, "What was run", NULL);
    TgGrid *metrics = tg_grid_new("Metrics", 2), *data = tg_grid_new("Data", 3);

    tg_grid_heads(metrics, (const char *const[]){ "metric", "signature", NULL });
    for (guint m = 0; m < layout->metrics->len; m++) {
        tg_grid_put(metrics, tg_metric_label(layout->metrics->pdata[m]));
        tg_grid_put(metrics, tg_metric_signature(layout->metrics->pdata[m]));
    }
    g_ptr_array_add(grids, metrics);
    tg_grid_heads(data, keys);
    for (guint i = 0; i < json_array_size(inputs); i++) {
        for (guint k = 0; keys[k] != NULL; k++) {
            const char *text =
                json_string_value(json_object_get(json_array_get(inputs, i), keys[k]));

            tg_grid_put(data, text != NULL ? text : "-");
        }
    }
    for (guint i = 0; i < json_array_size(inputs); i++) {
        const json_t *input = json_array_get(inputs, i);
        const char *fields = json_string_value(json_object_get(input, "fields"));

        if (fields != NULL)
            tg_grid_note(data, "Fields of %s: %s.",
                         json_string_value(json_object_get(input, "file")), fields);
    }
    for (guint i = 0; i < remarks->len; i++)
        tg_grid_note(data, "%s.", (const char *) remarks->pdata[i]);
    if (report->errors->n_graphs > 0)
        tg_grid_note(
            data,
            "Label graphs in %u of %u pair%s: these have no errors of FORTE, and count in no "
            "table of formulas without error, of classes or of faults.",
            report->errors->n_graphs, report->table->n_rows, tg_plural(report->table->n_rows));
    g_ptr_array_add(grids, data);
}

/* ---- predictions that cannot be typeset ---- */

enum { N_FAULTS = TG_PARSE_LIMIT + 1, MISSING = N_FAULTS, EMPTY, GOOD, N_STATES };

/* The state of a prediction: missing, empty, the kind of its first fault, or good. */
static guint state_of(const char *tex)
{
    if (tex == NULL || tex[strspn(tex, " \t\r\n")] == '\0')
        return tex == NULL ? MISSING : EMPTY;
    g_autoptr(TgTree) tree = tg_tree_parse(tex, strlen(tex), NULL, NULL);

    return tree == NULL ? TG_PARSE_LIMIT : tree->n_errors > 0 ? tree->errors[0].kind : GOOD;
}

static gint compare_faults(gconstpointer a, gconstpointer b)
{
    return strcmp(tg_parse_error_names[*(const TgParseErrorKind *) a],
                  tg_parse_error_names[*(const TgParseErrorKind *) b]);
}

static TgGrid *rendering_grid(const TgReport *report)
{
    const TgTable *table = report->table;
    guint(*counts)[N_STATES] = g_malloc0_n(table->models->len + 1, sizeof *counts);
    guint *total = counts[table->models->len];
    TgParseErrorKind kinds[N_FAULTS];
    TgGrid *grid = tg_grid_new("Predictions that can be typeset", 1);

    for (guint i = 0; i < table->n_rows; i++)
        if (!report->errors->of[i].is_graph)
            counts[table->rows[i].model][state_of(table->rows[i].hyp)]++;
    for (guint k = 0; k < N_FAULTS; k++)
        kinds[k] = (TgParseErrorKind) k;
    qsort(kinds, N_FAULTS, sizeof *kinds, compare_faults);
    tg_grid_heads(grid, (const char *const[]){ "model", "pairs", "no prediction", "empty",
                                               "without fault", "share", NULL });
    for (guint k = 0; k < N_FAULTS; k++) {
        for (guint m = 0; m < table->models->len; m++)
            total[kinds[k]] += counts[m][kinds[k]];
        if (total[kinds[k]] > 0)
            tg_grid_head(grid, tg_parse_error_names[kinds[k]]);
    }
    for (guint m = 0; m < table->models->len; m++) {
        const guint *own = counts[m];
        guint n = 0;

        for (guint k = 0; k < N_STATES; k++)
            n += own[k];
        if (n == 0)
            continue; /* label graphs alone */
        tg_grid_put(grid, model_name(report, m));
        tg_grid_put_count(grid, n);
        tg_grid_put_count(grid, own[MISSING]);
        tg_grid_put_count(grid, own[EMPTY]);
        tg_grid_put_count(grid, own[GOOD]);
        tg_grid_put_number(grid, (double) own[GOOD] / n, DIGITS);
        tg_grid_share(grid);
        for (guint k = 0; k < N_FAULTS; k++) {
            if (total[kinds[k]] > 0)
                tg_grid_put_count(grid, own[kinds[k]]);
        }
    }
    tg_grid_note(grid,
                 "A prediction that cannot be typeset counts by the first fault of its source, "
                 "as in the messages of eval.");
    g_free(counts);
    return grid;
}

/* One row per model, metric and class of status other than "ok", which ends at the first colon. */
static TgGrid *status_grid(const TgReport *report)
{
    const TgTable *table = report->table;
    g_autoptr(GPtrArray) keys = g_ptr_array_new_with_free_func(g_free);
    TgGrid *grid = tg_grid_new("What metrics said about pairs, other than ok", 3);

    for (guint i = 0; i < table->n_rows; i++) {
        for (guint m = 0; m < table->layout->metrics->len; m++) {
            const char *status = tg_table_status(table, i, m);

            if (status != NULL) /* in the order of models and metrics */
                g_ptr_array_add(keys, g_strdup_printf("%08x%08x%.*s", table->rows[i].model, m,
                                                      (int) strcspn(status, ":"), status));
        }
    }
    tg_texts_sort(keys);
    tg_grid_heads(grid, (const char *const[]){ "model", "metric", "status", "pairs", NULL });
    for (guint i = 0, end; i < keys->len; i = end) {
        const char *key = keys->pdata[i];
        guint model, metric;

        for (end = i + 1; end < keys->len && strcmp(keys->pdata[end], key) == 0;)
            end++;
        (void) sscanf(key, "%8x%8x", &model, &metric);
        tg_grid_put(grid, model_name(report, model));
        tg_grid_put(grid, tg_metric_label(table->layout->metrics->pdata[metric]));
        tg_grid_put(grid, key + 16);
        tg_grid_put_count(grid, end - i);
    }
    return grid;
}

static void add_rendering(TgReport *report)
{
    GPtrArray *grids = add_section(report, "Rendering and faults", NULL);
    g_autoptr(TgGrid) status = status_grid(report), rendering = rendering_grid(report);

    if (tg_grid_n_rows(rendering) > 0)
        g_ptr_array_add(grids, g_steal_pointer(&rendering));
    if (tg_grid_n_rows(status) > 0)
        g_ptr_array_add(grids, g_steal_pointer(&status));
}

/* ---- two models on the same formulas: how many only one of them has right ---- */

static void add_changes(TgReport *report)
{
    const guint n_models = MIN(report->table->models->len, MAX_MODELS);
    TgGrid *grid = tg_grid_new("Formulas without error, model against model", 2);

    tg_grid_heads(grid, (const char *const[]){ "from", "to", "pairs", "improved", "regressed",
                                               "both wrong", "both right", NULL });
    for (guint a = 0; a < n_models; a++) {
        for (guint b = a + 1; b < n_models; b++) {
            g_auto(TgPairing) pairing = { 0 };
            guint n[2][2] = { { 0 } }, n_formulas = 0;

            if (!tg_pairing_init(&pairing, report->table, a, b, NULL) || pairing.n == 0)
                continue;
            for (guint i = 0; i < pairing.n; i++) {
                const guint one = pairing.a[i], two = pairing.b[i];

                if (report->errors->of[one].is_graph || report->errors->of[two].is_graph)
                    continue;
                n[tg_report_is_wrong(report, one)][tg_report_is_wrong(report, two)]++;
                n_formulas++;
            }
            if (n_formulas == 0)
                continue;
            tg_grid_put(grid, model_name(report, a));
            tg_grid_put(grid, model_name(report, b));
            tg_grid_put_count(grid, n_formulas);
            tg_grid_put_count(grid, n[1][0]);
            tg_grid_put_count(grid, n[0][1]);
            tg_grid_put_count(grid, n[1][1]);
            tg_grid_put_count(grid, n[0][0]);
        }
    }
    tg_grid_note(grid, "Improved: only the second model is without error; regressed: only the "
                       "first.");
    g_ptr_array_add(add_section(report, "What changed", NULL), grid);
}

/* ---- rank correlations of the metrics with each other ---- */

static void add_agreement(TgReport *report)
{
    const guint n = report->shown->len;
    TgGrid *grid = tg_grid_new("Spearman's rank correlation between metrics", 1);

    tg_grid_head(grid, "metric");
    for (guint i = 0; i < n; i++)
        tg_grid_head(grid, tg_report_column(report, i)->name);
    for (guint i = 0; i < n; i++) {
        g_autofree double *own = tg_table_values(report->table, tg_report_column(report, i));

        tg_grid_put(grid, tg_report_column(report, i)->name);
        for (guint k = 0; k < n; k++) {
            g_autofree double *others = tg_table_values(report->table, tg_report_column(report, k));

            if (k > i)
                tg_grid_put(grid, "");
            else
                tg_grid_put_number(
                    grid, tg_stats_correlate(TG_SPEARMAN, own, others, report->table->n_rows, NULL),
                    RANK_DIGITS);
        }
    }
    tg_grid_note(grid,
                 "Over all pairs that both score; metrics where lower is better are negated.");
    g_ptr_array_add(add_section(report, "Metric against metric", NULL), grid);
}

/* ---- pages, the worst first, where values are means over pages ---- */

/* One model's result on a page. */
typedef struct {
    guint model, page; /* the page: a place among the names of the mean's groups */
    guint first;       /* the row that names it first */
    guint32 *rows;     /* in the order of the data */
    guint n;
    TgPageCounts counts;
    const json_t *extras; /* predictions that no reference takes; NULL: the rows list none */
    double value;         /* of the first column that is shown, turned so that higher is better */
} Page;

/* Order rows by model, then page, then place. */
static gint by_page(gconstpointer a, gconstpointer b, gpointer data)
{
    const TgReport *report = data;
    const guint i = *(const guint32 *) a, k = *(const guint32 *) b;
    const guint models[2] = { report->table->rows[i].model, report->table->rows[k].model };
    const guint pages[2] = { report->mean.group[i], report->mean.group[k] };

    return models[0] != models[1] ? (models[0] > models[1] ? 1 : -1)
           : pages[0] != pages[1] ? (pages[0] > pages[1] ? 1 : -1)
                                  : (i > k) - (i < k);
}

/* Pages without a value come last. */
static gint by_value(gconstpointer a, gconstpointer b)
{
    const Page *x = a, *y = b;

    if (isnan(x->value) != isnan(y->value))
        return isnan(x->value) - isnan(y->value);
    if (!isnan(x->value) && x->value != y->value)
        return x->value > y->value ? 1 : -1;
    return x->first != y->first ? (x->first > y->first ? 1 : -1)
                                : (x->page > y->page) - (x->page < y->page);
}

static double page_value(const TgReport *report, const Page *page, guint column)
{
    return tg_pool(&tg_report_column(report, column)->pool,
                   &(TgSelection){ .rows = page->rows, .n = page->n });
}

/* Add the pages that a row names which have predictions but no reference formula. */
static void add_pages_elsewhere(TgReport *report, guint row, GArray *pages)
{
    const json_t *list = json_object_get(report->table->rows[row].stored, "page_elsewhere");
    GPtrArray *names = report->mean.names;

    for (gsize i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        const char *name = json_string_value(json_object_get(entry, "page"));
        const json_t *extras = json_object_get(entry, "extras");
        Page page = {
            .model = report->table->rows[row].model, .first = row, .extras = extras, .value = NAN
        };

        if (name == NULL)
            continue;
        page.counts.is_known = TRUE;
        page.counts.n_unused = json_array_size(extras);
        if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, &page.page)) {
            page.page = names->len;
            g_ptr_array_add(names, g_string_chunk_insert(report->table->texts, name));
        }
        g_array_append_val(pages, page);
    }
}

/* All pages, the worst first. @rows: [n_rows] into which they point. (element-type Page) */
static GArray *find_pages(TgReport *report, guint32 *rows)
{
    const TgTable *table = report->table;
    GArray *pages = g_array_new(FALSE, TRUE, sizeof(Page));

    for (guint i = 0; i < table->n_rows; i++)
        rows[i] = i;
    g_qsort_with_data(rows, (gint) table->n_rows, sizeof *rows, by_page, report);
    for (guint i = 0, end; i < table->n_rows; i = end) {
        Page page = { .model = table->rows[rows[i]].model,
                      .page = report->mean.group[rows[i]],
                      .first = rows[i],
                      .rows = rows + i };

        for (end = i; end < table->n_rows && report->mean.group[rows[end]] == page.page &&
                      table->rows[rows[end]].model == page.model;
             end++) {
            const json_t *stored = table->rows[rows[end]].stored;
            const json_t *extras = json_object_get(stored, "page_extras");

            tg_page_counts_add(&page.counts, stored);
            page.extras = json_array_size(extras) > 0 ? extras : page.extras;
        }
        page.n = end - i;
        page.value = report->shown->len > 0 ? page_value(report, &page, 0) : NAN;
        if (report->shown->len > 0 && tg_report_column(report, 0)->lower_is_better)
            page.value = -page.value;
        g_array_append_val(pages, page);
    }
    for (guint i = 0; i < table->n_rows; i++)
        add_pages_elsewhere(report, i, pages);
    g_array_sort(pages, by_value);
    return pages;
}

static TgGrid *pages_grid(const TgReport *report, const GArray *pages)
{
    const gboolean models = report->table->models->len > 1;
    gboolean known = FALSE;
    TgGrid *grid = tg_grid_new("Pages, the worst first", models ? 2 : 1);

    for (guint i = 0; i < pages->len; i++)
        known |= g_array_index(pages, Page, i).counts.is_known;
    tg_grid_head(grid, "page");
    if (models)
        tg_grid_head(grid, "model");
    tg_grid_head(grid, "pairs");
    if (known)
        tg_grid_heads(grid, (const char *const[]){ "missed", "unused", NULL });
    for (guint c = 0; c < report->shown->len; c++) {
        const TgTableColumn *column = tg_report_column(report, c);

        tg_grid_column(grid,
                       &(TgGridColumn){ column->name, column->name, .is_share = column->is_share,
                                        .arrow = column->lower_is_better ? "↓" : "↑" });
    }
    for (guint i = 0; i < MIN(pages->len, MAX_LISTED); i++) {
        const Page *page = &g_array_index(pages, Page, i);

        tg_grid_put_name(grid, report->mean.names->pdata[page->page], "(none)");
        if (models)
            tg_grid_put(grid, model_name(report, page->model));
        tg_grid_put_count(grid, page->n);
        if (known) {
            tg_grid_put_count(grid, page->counts.n_missed);
            tg_grid_put_count(grid, page->counts.n_unused);
        }
        for (guint c = 0; c < report->shown->len; c++)
            tg_grid_put_number(grid, page_value(report, page, c), DIGITS);
    }
    if (pages->len > MAX_LISTED)
        tg_grid_note(grid, "The first %d of %u.", MAX_LISTED, pages->len);
    if (known)
        tg_grid_note(grid, TG_PAGE_COUNTS_NOTE);
    return grid;
}

/* [page, model, pairs, missed, unused, extras, value, ...] of every page; unused is null where the
 * rows do not say */
static json_t *pages_json(const TgReport *report, const GArray *pages)
{
    json_t *list = json_array();

    for (guint i = 0; i < pages->len; i++) {
        const Page *page = &g_array_index(pages, Page, i);
        const TgPageCounts *counts = &page->counts;
        json_t *row =
            json_pack("[i, i, i, i, o, o]", (int) page->page, (int) page->model, (int) page->n,
                      (int) counts->n_missed,
                      counts->is_known ? json_integer((json_int_t) counts->n_unused) : json_null(),
                      page->extras != NULL ? json_incref((json_t *) page->extras) : json_array());

        for (guint c = 0; c < report->shown->len; c++)
            json_array_append_new(row, tg_json_number(page_value(report, page, c)));
        json_array_append_new(list, row);
    }
    return list;
}

/* ---- pages by their attributes, a column for each model ---- */

static gint by_name(gconstpointer a, gconstpointer b)
{
    return strcmp((*(TgTableSlice *const *) a)->name, (*(TgTableSlice *const *) b)->name);
}

/* A table for each shown column, and for the page [[attribute, [value of each model], ... a list
 * for each column], ...]. */
static void add_attributes(TgReport *report, GPtrArray *grids)
{
    g_autoptr(GPtrArray) attributes =
        tg_table_slices(report->table, "page_attributes", tg_attribute_values);
    const guint n_models = report->table->models->len;
    json_t *list = json_object_get(report->parts, "attributes");

    g_ptr_array_sort(attributes, by_name);
    for (guint a = 0; a < attributes->len; a++)
        json_array_append_new(list,
                              json_pack("[s]", ((TgTableSlice *) attributes->pdata[a])->name));
    for (guint c = 0; c < report->shown->len && attributes->len > 0; c++) {
        const TgTableColumn *column = tg_report_column(report, c);
        g_autofree char *title = g_strdup_printf("%s by attribute of the pages", column->name);
        TgGrid *grid = tg_grid_new(title, 1);

        tg_grid_head(grid, "attribute");
        for (guint m = 0; m < n_models; m++) {
            tg_grid_column(grid, &(TgGridColumn){ model_name(report, m), model_name(report, m),
                                                  .is_share = column->is_share,
                                                  .arrow = column->lower_is_better ? "↓" : "↑" });
        }
        for (guint a = 0; a < attributes->len; a++) {
            const TgTableSlice *attribute = attributes->pdata[a];
            json_t *values = json_array();

            tg_grid_put(grid, attribute->name);
            for (guint m = 0; m < n_models; m++) {
                g_auto(TgSelection) pairs = tg_table_select(report->table, &report->mean, (gint) m,
                                                            -1, attribute->rows, attribute->n);
                const double value = tg_pool(&column->pool, &pairs);

                tg_grid_put_number(grid, value, DIGITS);
                json_array_append_new(values, tg_json_number(value));
            }
            json_array_append_new(json_array_get(list, a), values);
        }
        g_ptr_array_add(grids, grid);
    }
}

/* The file with the scan of a page, or with another picture, by its name below the folder of
 * pictures. (transfer full) NULL: there is none */
static char *find_scan(const TgReport *report, const char *page)
{
    g_auto(GStrv) parts = g_strsplit(page, "/", -1);

    /* a name that goes up could lead anywhere */
    if (report->images == NULL || *page == '\0' || g_path_is_absolute(page) ||
        g_strv_contains((const char *const *) parts, ".."))
        return NULL;
    char *path = g_build_filename(report->images, page, NULL);

    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
        g_clear_pointer(&path, g_free);
    return path;
}

/* In the folder that stands beside the report, or as the folder of scans was named. */
json_t *tg_report_address(const TgReport *report, const char *name)
{
    g_autofree char *path = find_scan(report, name);

    if (path == NULL)
        return json_null();
    g_autofree char *beside = g_build_filename(TG_REPORT_IMAGES, name, NULL);
    const char *named = report->options.with_images ? beside : path;
    g_autofree char *address = g_path_is_absolute(named) ? g_filename_to_uri(named, NULL, NULL)
                                                         : g_uri_escape_string(named, "/", FALSE);
    return tg_json_text(address);
}

/* The name of a pair's picture below the folder of pictures: as the data have it, or without its
 * folders. (transfer full) NULL: there is none */
static char *find_picture(const TgReport *report, guint row)
{
    const char *name = tg_table_picture(&report->table->rows[row]);
    g_autofree char *path = name != NULL ? find_scan(report, name) : NULL;
    g_autofree char *last = name != NULL ? g_path_get_basename(name) : NULL;
    g_autofree char *below = last != NULL && path == NULL ? find_scan(report, last) : NULL;

    return path != NULL ? g_strdup(name) : below != NULL ? g_steal_pointer(&last) : NULL;
}

/* Find the rows' pictures, and say how many the folder has, those of pages too, if it has not all.
 */
static void find_pictures(TgReport *report)
{
    const TgTable *table = report->table;
    const gboolean by_pages = report->mean.mean.unit == TG_MEAN_PAGES;
    const guint n_pages = by_pages ? report->mean.names->len : 0;
    guint n = n_pages, n_found = 0;

    report->pictures = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < n_pages; i++) {
        g_autofree char *scan = find_scan(report, report->mean.names->pdata[i]);
        n_found += scan != NULL;
    }
    for (guint i = 0; i < table->n_rows; i++) {
        char *picture = find_picture(report, i);

        g_ptr_array_add(report->pictures, picture);
        n += picture != NULL || (!by_pages && tg_table_picture(&table->rows[i]) != NULL);
        n_found += picture != NULL;
    }
    if (n_found < n || n == 0)
        g_ptr_array_add(table->remarks,
                        g_strdup_printf("%u of %u picture%s found in %s", n_found,
                                        n > 0 ? n : table->n_rows,
                                        tg_plural(n > 0 ? n : table->n_rows), report->images));
}

/* Copy a picture into a folder; FALSE with @error. */
static gboolean copy_picture(const TgReport *report, const char *name, const char *folder,
                             GError **error)
{
    g_autofree char *from = find_scan(report, name);
    g_autofree char *to = g_build_filename(folder, name, NULL);
    g_autofree char *parent = g_path_get_dirname(to);
    g_autofree char *bytes = NULL;
    gsize n;

    if (from == NULL)
        return TRUE;
    if (g_mkdir_with_parents(parent, 0777) != 0)
        return tg_fail(error, TG_ERROR_OUTPUT, "%s: %s", parent, g_strerror(errno));
    if (!g_file_get_contents(from, &bytes, &n, NULL))
        return tg_fail_input(error, "%s: cannot be read", from);
    return tg_output_write(to, bytes, n, error);
}

static gboolean copy_scans(const TgReport *report, const char *output, GError **error)
{
    g_autofree char *parent = g_path_get_dirname(output);
    g_autofree char *folder = g_build_filename(parent, TG_REPORT_IMAGES, NULL);
    g_autoptr(GHashTable) done = g_hash_table_new(g_str_hash, g_str_equal);
    const guint n_pages = report->mean.names != NULL ? report->mean.names->len : 0;

    if (!report->options.with_images)
        return TRUE;
    for (guint i = 0; i < n_pages + report->table->n_rows; i++) {
        char *name =
            i < n_pages ? report->mean.names->pdata[i] : report->pictures->pdata[i - n_pages];

        if (name != NULL && g_hash_table_add(done, name) &&
            !copy_picture(report, name, folder, error))
            return FALSE;
    }
    return TRUE;
}

static void add_pages(TgReport *report)
{
    g_autofree guint32 *rows = g_new(guint32, MAX(report->table->n_rows, 1));
    g_autoptr(GArray) pages = find_pages(report, rows);
    GPtrArray *grids = add_section(report, "Pages", NULL);
    json_t *scans = json_object_get(report->parts, "scans");

    g_ptr_array_add(grids, pages_grid(report, pages));
    json_object_set_new(report->parts, "pages", pages_json(report, pages));
    json_object_set_new(report->parts, "page_names", tg_json_texts(report->mean.names));
    add_attributes(report, grids);
    for (guint i = 0; i < report->mean.names->len; i++)
        json_array_append_new(scans, tg_report_address(report, report->mean.names->pdata[i]));
}

/* ---- making it ---- */

/* Append Pearson's coefficients of the shown columns over all pairs, with the intervals of the
 * tables. */
static void append_correlations(json_t *list, const TgReport *report, const TgStudy *study)
{
    for (guint g = 0; g < study->table->groups->len; g++) {
        for (guint i = 0; i < report->shown->len; i++) {
            const TgStudyCorrelation *each =
                tg_study_correlation(study, 0, g, g_array_index(report->shown, guint, i));
            const TgStudyCoefficient *r = &each->coefficient[TG_PEARSON];

            json_array_append_new(list, json_pack("{s:i, s:i, s:i, s:o, s:o, s:o}", "group",
                                                  (int) g, "column", (int) i, "n", (int) each->n,
                                                  "r", tg_json_number(r->value), "low",
                                                  tg_json_number(r->bootstrap.bca[0]), "high",
                                                  tg_json_number(r->bootstrap.bca[1])));
        }
    }
}

/* Human scores: the tables of a study, and how the shown columns agree with people. */
static gboolean add_human(TgReport *report, GError **error)
{
    const TgStudyOptions study_options = {
        .resamples = report->options.resamples,
        .seed = report->options.seed,
        .threads = report->options.threads,
    };
    g_autoptr(TgStudy) study = tg_study_of_table(report->table, &study_options, error);

    if (study == NULL)
        return FALSE;
    append_correlations(json_object_get(report->parts, "agreement"), report, study);
    g_ptr_array_extend_and_steal(add_section(report, "Human scores", NULL),
                                 tg_study_grids(study, NULL, &(TgGridForm){ 0 }));
    return TRUE;
}

/* Draws what the page shows: the reference that counted and the prediction of every pair. */
static gboolean draw_pairs(TgReport *report, GError **error)
{
    const TgTable *table = report->table;

    report->drawings = tg_page_drawings_new(!report->options.no_drawings, error);
    report->formulas = (guint(*)[2]) g_new0(guint, 2 * ((gsize) table->n_rows + 1));
    if (report->drawings == NULL)
        return FALSE;
    for (guint i = 0; i < table->n_rows; i++) {
        const TgTableRow *row = &table->rows[i];
        const char *const sides[2] = { row->refs[report->errors->of[i].reference], row->hyp };

        tg_listener_tell(&report->options.listener, "drawings", i, table->n_rows);
        for (guint s = 0; s < 2; s++) {
            if (sides[s] != NULL &&
                !tg_page_drawings_add(report->drawings, sides[s], &report->formulas[i][s], error))
                return FALSE;
        }
    }
    return TRUE;
}

static gboolean add_sections(TgReport *report, GError **error)
{
    const TgTable *table = report->table;

    report->errors = tg_report_errors_new(table, &report->options.listener, error);
    if (report->errors == NULL || !draw_pairs(report, error))
        return FALSE;
    if (!add_values(report, error))
        return FALSE;
    add_run(report);
    add_headline(report);
    /* A part of a run must not pass for the whole. */
    for (guint i = 0; i < table->remarks->len; i++)
        g_ptr_array_add(report->headline,
                        g_strdup_printf("%s.", (const char *) table->remarks->pdata[i]));
    if (report->mean.mean.unit == TG_MEAN_PAGES)
        add_pages(report);
    if (table->n_rows > report->errors->n_graphs) {
        add_errors(report);
        add_rendering(report);
    }
    if (table->n_rows > report->errors->n_graphs && table->models->len > 1)
        add_changes(report);
    if (table->n_rows > 0 && report->shown->len > 1)
        add_agreement(report);
    return (table->groups->len == 0 && table->ratings == NULL) || add_human(report, error);
}

TgReport *tg_report_new(const char *const *paths, const TgReportOptions *options, GError **error)
{
    g_autoptr(TgReport) report = NULL;
    TgTable *table;

    if (options->resamples > MAX_RESAMPLES)
        return tg_null_usage(error, "there are at most %d resamples", MAX_RESAMPLES);
    if (options->with_images && options->images == NULL)
        return tg_null_usage(error, "--with-images needs the scans that --images names");
    if (options->images != NULL && !g_file_test(options->images, G_FILE_TEST_IS_DIR))
        return tg_null_usage(error, "%s: is no folder of scans", options->images);
    table = tg_table_read(paths, &options->table, error);
    if (table == NULL)
        return NULL;
    report = g_new(TgReport, 1);
    *report = (TgReport){
        .options = *options,
        .table = table,
        .title = g_strdup(options->title != NULL ? options->title : "texgauge report"),
        .images = g_strdup(options->images),
        .resamples = options->resamples > 0 ? options->resamples : DEFAULT_RESAMPLES,
        .shown = g_array_new(FALSE, FALSE, sizeof(guint)),
        .blocks = g_ptr_array_new_with_free_func(free_block),
        .headline = g_ptr_array_new_with_free_func(g_free),
        .sections = g_ptr_array_new_with_free_func(free_section),
        .parts = json_pack("{s:[], s:[], s:[], s:[], s:[]}", "agreement", "pages", "page_names",
                           "attributes", "scans"),
    };
    /* each metric's first column and the stored ones, as many as a page can show */
    for (guint i = 0; i < table->columns->len && report->shown->len < MAX_SHOWN; i++) {
        if (tg_table_column(table, i)->is_headline)
            g_array_append_val(report->shown, i);
    }
    if (!tg_table_mean_init(&report->mean, table, options->mean, error) ||
        !add_sections(report, error))
        return NULL;
    if (report->images != NULL)
        find_pictures(report);
    return g_steal_pointer(&report);
}

/* ---- writing ---- */

gboolean tg_report_style_of_file(const char *path, TgReportStyle *out, GError **error)
{
    *out = g_str_has_suffix(path, ".md") ? TG_REPORT_MARKDOWN : TG_REPORT_HTML;
    return *out == TG_REPORT_MARKDOWN || g_str_has_suffix(path, ".html") ||
           g_str_has_suffix(path, ".htm") ||
           tg_fail_usage(error, "'%s' does not end in .html or .md", path);
}

static char *format_markdown(const TgReport *report)
{
    TgGridForm form = report->options.form;
    GString *out = g_string_new(NULL);

    form.style = TG_GRID_MARKDOWN;
    g_string_append(out, "# ");
    tg_markdown_append_line(out, report->title);
    g_string_append(out, "\n<!-- made by texgauge -->\n\n");
    for (guint i = 0; i < report->headline->len; i++) {
        tg_markdown_append_line(out, report->headline->pdata[i]);
        g_string_append_c(out, '\n');
    }
    for (guint i = 0; i < report->sections->len; i++) {
        const TgReportSection *section = report->sections->pdata[i];

        g_string_append_printf(out, "## %s\n\n", section->title);
        if (section->text != NULL) {
            tg_markdown_append_line(out, section->text);
            g_string_append_c(out, '\n');
        }
        for (guint g = 0; g < section->grids->len; g++) {
            tg_grid_append(out, section->grids->pdata[g], &form);
            g_string_append_c(out, '\n');
        }
    }
    return g_string_free(out, FALSE);
}

char *tg_report_format(const TgReport *report, TgReportStyle style)
{
    return style == TG_REPORT_HTML ? tg_report_html(report) : format_markdown(report);
}

gboolean tg_report_check_outputs(const char *const *paths, const char *advice, GError **error)
{
    static const char *const marks[] = { "texgauge", NULL };
    TgReportStyle style;

    for (guint i = 0; paths[i] != NULL; i++)
        if (!tg_report_style_of_file(paths[i], &style, error) ||
            !tg_output_check(paths[i], marks, advice, error))
            return FALSE;
    return TRUE;
}

gboolean tg_report_write(const TgReport *report, const char *path, GError **error)
{
    TgReportStyle style;

    if (!tg_report_style_of_file(path, &style, error))
        return FALSE;
    g_autofree char *text = tg_report_format(report, style);
    return tg_output_write(path, text, strlen(text), error) &&
           (style != TG_REPORT_HTML || copy_scans(report, path, error));
}
