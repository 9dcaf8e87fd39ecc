/* Errors by class per model, and what FORTE has to say about every pair. */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "eval/explain/explain.h"
#include "eval/report/confusions.h"
#include "eval/report/sections.h"
#include "metrics/base/env.h"

enum { DIGITS = 1, MEAN_DIGITS = 4 };

/* ---- counts per 1,000 formulas ---- */

static gboolean is_of(const TgTableColumn *column, guint metric, TgPooling pooling)
{
    return !column->is_stored && column->metric == metric && column->pooling == pooling;
}

/* Errors of a column per 1,000 of the model's pairs that have a value; NaN for none. */
static double per_thousand(const TgReport *report, const TgTableColumn *column, guint model)
{
    double sum = 0;
    guint n = 0;

    for (guint i = 0; i < report->table->n_rows; i++) {
        if (report->table->rows[i].model != model || isnan(column->values[i]))
            continue;
        sum += column->values[i];
        n++;
    }
    return n > 0 ? 1000 * sum / n : NAN;
}

/* A row for each count of the metric, a column for each model; NULL where it has no classes to
 * count.
 */
static TgGrid *profile_grid(const TgReport *report, guint metric)
{
    const TgTable *table = report->table;
    const char *label = tg_metric_label(tg_score_layout_metric(table->layout, metric));
    g_autofree char *title = g_strdup_printf("Errors per 1,000 formulas by %s", label);
    TgGrid *grid = NULL;

    for (guint c = 0; c < table->columns->len; c++) {
        const TgTableColumn *column = tg_table_column(table, c);

        if (!is_of(column, metric, TG_POOL_SUM))
            continue;
        if (grid == NULL) {
            grid = tg_grid_new(title, 1);
            tg_grid_head(grid, "class");
            for (guint m = 0; m < table->models->len; m++)
                tg_grid_head(grid, tg_report_model_name(report, m));
        }
        tg_grid_put(grid,
                    g_str_has_prefix(column->name, label) && column->name[strlen(label)] == '.'
                        ? column->name + strlen(label) + 1
                        : column->name);
        for (guint m = 0; m < table->models->len; m++)
            tg_grid_put_number(grid, per_thousand(report, column, m), DIGITS);
    }
    if (grid != NULL && tg_grid_n_rows(grid) < 2)
        g_clear_pointer(&grid, tg_grid_free);
    return grid;
}

/* ---- FORTE ---- */

/* The mean of a column over the pairs of a model that have a value; NaN for none. */
static double mean_of_model(const TgReport *report, const TgTableColumn *column, guint model)
{
    return per_thousand(report, column, model) / 1000;
}

/* Score, severity and the share of formulas that a person would call right, per model. */
static TgGrid *scores_grid(const TgReport *report, guint metric)
{
    const TgTable *table = report->table;
    g_autofree char *title = g_strdup_printf(
        "%s per model", tg_metric_label(tg_score_layout_metric(table->layout, metric)));
    TgGrid *grid = tg_grid_new(title, 1);

    tg_grid_head(grid, "model");
    for (guint c = 0; c < table->columns->len; c++) {
        const TgTableColumn *column = tg_table_column(table, c);

        if (is_of(column, metric, TG_POOL_MEAN))
            tg_grid_head(grid, column->name);
    }
    for (guint m = 0; m < table->models->len; m++) {
        tg_grid_put(grid, tg_report_model_name(report, m));
        for (guint c = 0; c < table->columns->len; c++) {
            const TgTableColumn *column = tg_table_column(table, c);

            if (is_of(column, metric, TG_POOL_MEAN))
                tg_grid_put_number(grid, mean_of_model(report, column, m), MEAN_DIGITS);
        }
    }
    tg_grid_note(grid, "errors: mean severity; exact: share of formulas without any error.");
    return grid;
}

/* "digit: 2 -> 3, counts 1.2" for each run of edits. (transfer full) */
static char **edit_lines(const TgExplanation *explanation)
{
    char **lines = g_new0(char *, explanation->n_runs + 1);

    for (guint r = 0; r < explanation->n_runs; r++) {
        const TgExplainRun *run = &explanation->runs[r];
        g_autofree char *what = tg_explain_run_text(explanation, run);
        char counted[32];

        tg_number_format(tg_number_round(tg_explain_run_counted(explanation, run)), counted);
        lines[r] = g_strdup_printf("%s: %s, counts %s", tg_explain_run_class(explanation, run),
                                   what, counted);
    }
    return lines;
}

static void count_substitutions(const TgExplanation *explanation, TgConfusions *confusions)
{
    for (guint i = 0; i < explanation->n_edits; i++) {
        const TgExplainEdit *edit = &explanation->edits[i];
        g_autoptr(GString) ref = g_string_new(NULL);
        g_autoptr(GString) hyp = g_string_new(NULL);

        if (!edit->has[TG_EXPLAIN_REF] || !edit->has[TG_EXPLAIN_HYP])
            continue;
        tg_explain_spell(ref, &explanation->sides[0].tokens[edit->at[0]]);
        tg_explain_spell(hyp, &explanation->sides[1].tokens[edit->at[1]]);
        tg_confusions_count(confusions, ref->str, (gssize) ref->len, hyp->str, (gssize) hyp->len);
    }
}

static void explain_pairs(TgReport *report, const TgMetric *metric, const TgTableColumn *column,
                          TgConfusions **confusions)
{
    g_autoptr(TgEnv) env = tg_env_new();

    report->edits_by = tg_metric_label(metric);
    report->edits = g_new0(char **, report->table->n_rows);
    for (guint i = 0; i < report->table->n_rows; i++) {
        const TgTableRow *row = &report->table->rows[i];
        const TgPair pair = { "", row->refs, g_strv_length((char **) row->refs), row->hyp };

        if (pair.n_refs == 0 || pair.hyp == NULL || !(column->values[i] < 1))
            continue;
        g_autoptr(TgExplanation) explanation = tg_explanation_new(metric, env, &pair, NULL);
        if (explanation == NULL)
            continue; /* its status says why */
        report->edits[i] = edit_lines(explanation);
        count_substitutions(explanation, confusions[row->model]);
    }
}

static void add_substitutions(TgReport *report, TgReportSection *section,
                              TgConfusions *const *confusions)
{
    for (guint m = 0; m < report->table->models->len; m++) {
        g_autofree char *title = g_strdup_printf("Most frequent substitutions by %s: %s",
                                                 report->edits_by, tg_report_model_name(report, m));
        TgGrid *grid;

        if (tg_confusions_total(confusions[m]) == 0)
            continue;
        grid = tg_confusions_grid(confusions[m], title, TG_REPORT_CONFUSIONS);
        tg_grid_note(grid, "%u kinds, %" G_GUINT64_FORMAT " substitutions.",
                     tg_confusions_n_kinds(confusions[m]), tg_confusions_total(confusions[m]));
        g_ptr_array_add(section->grids, grid);
    }
}

/* The headline of the first FORTE among the metrics, or NULL. */
static const TgTableColumn *forte_column(const TgReport *report)
{
    for (guint i = 0; i < report->table->columns->len; i++) {
        const TgTableColumn *column = tg_table_column(report->table, i);

        if (!column->is_stored && column->is_headline &&
            strcmp(
                tg_metric_info(tg_score_layout_metric(report->table->layout, column->metric))->name,
                "forte") == 0)
            return column;
    }
    return NULL;
}

void tg_report_add_edits(TgReport *report)
{
    const TgTable *table = report->table;
    const TgTableColumn *forte = forte_column(report);
    g_autofree TgConfusions **confusions = g_new(TgConfusions *, table->models->len);
    TgReportSection *section = NULL;

    if (table->n_rows == 0)
        return;
    for (guint m = 0; m < table->layout->metrics->len; m++) {
        TgGrid *grid = profile_grid(report, m);

        if (grid != NULL && section == NULL)
            section = tg_report_add_section(report, "errors", "Errors by class",
                                            "What goes wrong, counted by the metrics that do so.");
        if (grid != NULL)
            g_ptr_array_add(section->grids, grid);
    }
    if (forte == NULL)
        return;
    g_ptr_array_insert(section->grids, 0, scores_grid(report, forte->metric));
    for (guint m = 0; m < table->models->len; m++)
        confusions[m] = tg_confusions_new();
    explain_pairs(report, tg_score_layout_metric(table->layout, forte->metric), forte, confusions);
    add_substitutions(report, section, confusions);
    for (guint m = 0; m < table->models->len; m++)
        tg_confusions_free(confusions[m]);
}
