/* The metric `olmocr`: whether olmOCR-bench's math test finds the reference in the prediction. */
#include <texgauge/metric.h>

#include "metrics/base/base.h"
#include "metrics/olmocr/verdict.h"

enum { COLUMN_PASSES, COLUMN_ACCEPTED, COLUMN_NEAR };

static const TgColumn columns[] = {
    { "olmocr", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "share of pairs that pass the math test" },
    { "accepted", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN,
      "share of predictions that KaTeX accepts" },
    { "near", TG_LOWER_IS_BETTER, 0, 1, TG_POOL_MEAN,
      "share of verdicts that less than 1 px decides" },
    { 0 },
};

static gsize size_of_formula(gconstpointer formula)
{
    return ((const TgOlmocrFormula *) formula)->bytes + sizeof(TgOlmocrFormula);
}

static void unref_formula(gpointer formula)
{
    tg_olmocr_formula_unref(formula);
}

static const TgSharedKind formula_kind = { g_atomic_rc_box_acquire, unref_formula,
                                           size_of_formula };

/* @latex as KaTeX sets it: shared with other pairs, or made now. */
static TgOlmocrFormula *get_formula(TgEnv *env, const char *latex)
{
    TgOlmocrFormula *formula = tg_env_find_shared(env, &formula_kind, "", latex);

    if (formula == NULL) {
        formula = tg_olmocr_formula_new(latex);
        tg_env_share(env, &formula_kind, "", latex, formula);
    }
    return formula;
}

static char *describe_outcome(const TgOlmocrFormula *ref, const TgOlmocrFormula *hyp,
                              const TgOlmocrOutcome *outcome)
{
    if (outcome->verdict == TG_OLMOCR_FAIL)
        return tg_olmocr_explain(ref, hyp, outcome);
    if (outcome->verdict == TG_OLMOCR_NO_SYMBOLS && ref->error != NULL)
        return g_strdup_printf("passes because KaTeX rejects the reference: %s", ref->error);
    return g_strdup_printf("passes by %s", tg_olmocr_verdicts[outcome->verdict]);
}

static gboolean olmocr_score(gconstpointer self, TgEnv *env, const TgPair *pair, TgResult *out,
                             GError **error)
{
    g_autoptr(TgOlmocrFormula) hyp = get_formula(env, pair->hyp);
    g_autofree char *note = NULL;
    TgOlmocrOutcome outcome = { 0 };

    (void) self;
    (void) error;
    for (guint i = 0; i < pair->n_refs && outcome.verdict == TG_OLMOCR_FAIL; i++) {
        g_autoptr(TgOlmocrFormula) ref = get_formula(env, pair->refs[i]);

        tg_olmocr_compare(ref, hyp, &outcome);
        if (pair->hyp[0] == '\0' && pair->refs[i][0] != '\0') /* a page without a formula */
            outcome.verdict = TG_OLMOCR_FAIL;
        g_free(note);
        note = describe_outcome(ref, hyp, &outcome);
    }
    tg_result_set(out, COLUMN_PASSES, outcome.verdict != TG_OLMOCR_FAIL);
    tg_result_set(out, COLUMN_ACCEPTED, hyp->error == NULL);
    tg_result_set(out, COLUMN_NEAR, outcome.is_near);
    tg_result_set_note(out, note);
    return TRUE;
}

const TgMetricInfo tg_metric_olmocr = {
    .abi = TG_METRIC_ABI,
    .name = "olmocr",
    .version = "3",
    .summary = "whether olmOCR-bench's math test finds the reference in the prediction",
    .citation = "Poznanski et al. 2025, olmOCR 2, arXiv:2510.19817; docs/metrics/olmocr.md",
    .columns = columns,
    .score = olmocr_score,
};
