/* Confused elements: what CDM and related metrics matched in place with another symbol. */
#include <string.h>

#include "eval/report/confusions.h"
#include "eval/report/sections.h"
#include "metrics/cdm/detail.h"
#include "metrics/metric.h"

/* Pairs per metric that are matched again for their elements; those without an error need not be.
 */
enum { MAX_MATCHED = 20000 };

/* The elements of a side, or NULL where the detail has none. (transfer full) */
static GVariant *elements_of(GVariant *detail, const char *side)
{
    g_autoptr(GVariant) description = g_variant_lookup_value(detail, side, G_VARIANT_TYPE_VARDICT);

    return description != NULL
               ? g_variant_lookup_value(description, "elements", G_VARIANT_TYPE("aa{sv}"))
               : NULL;
}

static void count_matches(GVariant *truths, GVariant *hyps, TgConfusions *confusions)
{
    const gsize n = g_variant_n_children(truths), n_preds = g_variant_n_children(hyps);

    for (gsize i = 0; i < n; i++) {
        g_autoptr(GVariant) ref = g_variant_get_child_value(truths, i);
        const char *verdict = "", *token = "", *read = "";
        guint32 partner;

        if (!g_variant_lookup(ref, "verdict", "&s", &verdict) ||
            strcmp(verdict, TG_CDM_VERDICT_OTHER_TOKEN) != 0 ||
            !g_variant_lookup(ref, "partner", "u", &partner) || partner >= n_preds)
            continue;
        g_autoptr(GVariant) hyp = g_variant_get_child_value(hyps, partner);
        if (g_variant_lookup(ref, "token", "&s", &token) &&
            g_variant_lookup(hyp, "token", "&s", &read))
            tg_confusions_count(confusions, token, -1, read, -1);
    }
}

/* FALSE where the metric's detail has no elements. */
static gboolean match_pair(const TgReport *report, const TgMetric *metric, TgEnv *env, guint row,
                           TgConfusions *confusions)
{
    const TgTableRow *pair = &report->table->rows[row];
    const TgPair texts = { pair->id != NULL ? pair->id : "", pair->refs,
                           g_strv_length((char **) pair->refs), pair->hyp };
    g_autoptr(TgResult) result = tg_result_new(metric, TRUE);

    tg_env_next_pair(env);
    if (!tg_metric_score(metric, env, &texts, result, NULL) || tg_result_detail(result) == NULL)
        return TRUE; /* a pair without a score has no matches either */
    g_autoptr(GVariant) truths = elements_of(tg_result_detail(result), "gt");
    g_autoptr(GVariant) hyps = elements_of(tg_result_detail(result), "pred");
    if (truths == NULL || hyps == NULL)
        return FALSE;
    count_matches(truths, hyps, confusions);
    return TRUE;
}

/* Whether a pair has errors to look at: both sides, and a score below the best. */
static gboolean is_wrong(const TgReport *report, const TgTableColumn *column, guint row)
{
    const TgTableRow *pair = &report->table->rows[row];

    return pair->refs[0] != NULL && pair->hyp != NULL && column->values[row] < 1;
}

static void add_section(TgReport *report, const TgMetric *metric, TgConfusions **confusions,
                        guint step)
{
    const char *label = tg_metric_label(metric);
    g_autofree char *sample =
        step > 1 ? g_strdup_printf(" (one in %u of the pairs with an error)", step) : g_strdup("");
    g_autofree char *text = g_strdup_printf(
        "Elements that %s matched in place, but with another symbol%s.", label, sample);
    TgReportSection *section = NULL;

    for (guint m = 0; m < report->table->models->len; m++) {
        g_autofree char *title =
            g_strdup_printf("Elements confused by %s: %s", label, tg_report_model_name(report, m));
        TgGrid *grid;

        if (tg_confusions_total(confusions[m]) == 0)
            continue;
        if (section == NULL)
            section = tg_report_add_section(report, "matches", "Confused elements", text);
        grid = tg_confusions_grid(confusions[m], title, TG_REPORT_CONFUSIONS);
        tg_grid_note(grid, "%u kinds, %" G_GUINT64_FORMAT " substitutions.",
                     tg_confusions_n_kinds(confusions[m]), tg_confusions_total(confusions[m]));
        g_ptr_array_add(section->grids, grid);
    }
}

static guint count_wrong(const TgReport *report, const TgTableColumn *column)
{
    guint n = 0;

    for (guint i = 0; i < report->table->n_rows; i++)
        n += is_wrong(report, column, i) != FALSE;
    return n;
}

static void add_metric(TgReport *report, const TgTableColumn *column, const TgMetric *metric)
{
    const guint n_models = report->table->models->len;
    const guint step = count_wrong(report, column) / MAX_MATCHED + 1;
    g_autofree TgConfusions **confusions = g_new(TgConfusions *, n_models);
    g_autoptr(TgEnv) env = tg_env_new();
    gboolean has_elements = TRUE;
    guint n = 0;

    for (guint m = 0; m < n_models; m++)
        confusions[m] = tg_confusions_new();
    for (guint i = 0; i < report->table->n_rows && has_elements; i++) {
        if (is_wrong(report, column, i) && n++ % step == 0)
            has_elements =
                match_pair(report, metric, env, i, confusions[report->table->rows[i].model]);
    }
    add_section(report, metric, confusions, step);
    for (guint m = 0; m < n_models; m++)
        tg_confusions_free(confusions[m]);
}

/* The first metric that matches elements: a second of its kind would say much the same. */
void tg_report_add_matches(TgReport *report)
{
    const TgScoreLayout *layout = report->table->layout;
    const guint n_sections = report->sections->len;

    for (guint i = 0; i < report->table->columns->len; i++) {
        const TgTableColumn *column = tg_table_column(report->table, i);
        const TgMetric *metric;

        if (column->is_stored || !column->is_headline)
            continue;
        metric = tg_score_layout_metric(layout, column->metric);
        if (tg_metric_has_picture(metric))
            add_metric(report, column, metric);
        if (report->sections->len > n_sections)
            return;
    }
}
