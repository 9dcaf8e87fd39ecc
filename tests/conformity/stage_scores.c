/* Matching, position check and scores alone: everything before them is the official program's. */
#include <math.h>

#include "tests/conformity/stages.h"
#include "tests/conformity/tally.h"

gboolean conformity_scores(const GPtrArray *pairs, TgCdmSetter *setter)
{
    g_autoptr(Tally) tally = tally_new();

    (void) setter;
    for (guint i = 0; i < pairs->len; i++) {
        const CdmReferencePair *pair = ((const ConformityPair *) pairs->pdata[i])->official;

        if (!conformity_both_drawn(pair))
            continue;
        g_autoptr(TgCdmFormula) gt = cdm_reference_ink(&pair->gt_side);
        g_autoptr(TgCdmFormula) pred = cdm_reference_ink(&pair->pred_side);
        const TgCdmScore score = cdm_score(gt, pred);
        const gboolean agrees = fabs(score.f1 - pair->f1) <= 0.0005 &&
                                fabs(score.recall - pair->recall) <= 0.0005 &&
                                fabs(score.precision - pair->precision) <= 0.0005;

        tally_add(tally, pair->kind, agrees);
        if (!agrees) {
            g_autofree char *cause = g_strdup_printf("F1 %.3f, official %.3f: other assignment of "
                                                     "equal cost",
                                                     score.f1, pair->f1);
            tally_note(tally, pair->id, cause);
        }
    }
    tally_print(tally, "Scores from the official boxes");
    return tally_share(tally) >= 0.99;
}
