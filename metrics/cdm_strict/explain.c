/* How every element fared, in the form that CDM's detail has. */
#include "metrics/cdm_strict/explain.h"

#include "metrics/cdm/detail.h"
#include "metrics/cdm_strict/align.h"

/* Elements are called as the source has them. */
static void name_elements(GStringChunk *names, const TgStrictFormula *formula,
                          TgCdmElementDetail *elements)
{
    for (guint i = 0; i < formula->elements->len; i++)
        elements[i].token =
            g_string_chunk_insert_len(names, formula->source + elements[i].start,
                                      (gssize) elements[i].end - (gssize) elements[i].start);
}

/* How an element fared; @partner and @counts as tg_strict_score() gives them, for its own side. */
static TgCdmElementDetail describe_element(const TgStrictFormula *side, guint i, guint32 partner,
                                           gboolean counts, guint worth)
{
    const TgStrictElement *element = tg_strict_element(side, i);
    TgCdmElementDetail detail = {
        .start = element->start,
        .end = element->end,
        .has_ink = TRUE,
        .box = element->box,
        .partner = TG_CDM_NO_PARTNER,
        .verdict = TG_CDM_VERDICT_UNMATCHED,
    };

    if (partner != TG_STRICT_ALONE) {
        detail.partner = partner;
        detail.costs[0] = 1 - (double) worth / TG_STRICT_WORTH_SAME;
        detail.verdict = counts ? TG_CDM_VERDICT_ACCEPTED : TG_CDM_VERDICT_MISPLACED;
    }
    return detail;
}

static TgCdmSideDetail describe_side(const TgStrictFormula *formula,
                                     const TgCdmElementDetail *elements)
{
    return (TgCdmSideDetail){
        .width_px = formula->width_px,
        .height_px = formula->height_px,
        .trouble = formula->trouble,
        .note = formula->first_error,
        .elements = elements,
        .n_elements = formula->elements->len,
    };
}

GVariant *tg_strict_explain(guint reference, const TgStrictFormula *gt, const TgStrictFormula *pred,
                            gboolean any_style, const guint32 *partner, const gboolean *counts)
{
    static const char *const cost_names[] = { "style", NULL };
    const guint n_gt = gt->elements->len, n_pred = pred->elements->len;
    g_autofree TgCdmElementDetail *of_gt = g_new(TgCdmElementDetail, (gsize) n_gt + 1);
    g_autofree TgCdmElementDetail *of_pred = g_new(TgCdmElementDetail, (gsize) n_pred + 1);
    g_autoptr(GStringChunk) names = g_string_chunk_new(256);

    for (guint i = 0; i < n_pred; i++)
        of_pred[i] = describe_element(pred, i, TG_STRICT_ALONE, FALSE, 0);
    for (guint i = 0; i < n_gt; i++) {
        const guint32 k = partner[i];
        const guint worth =
            k != TG_STRICT_ALONE
                ? tg_strict_worth(tg_strict_element(gt, i), tg_strict_element(pred, k), any_style)
                : 0;

        of_gt[i] = describe_element(gt, i, k, counts[i], worth);
        if (k != TG_STRICT_ALONE)
            of_pred[k] = describe_element(pred, k, i, counts[i], worth);
    }
    name_elements(names, gt, of_gt);
    name_elements(names, pred, of_pred);
    const TgCdmSideDetail gt_side = describe_side(gt, of_gt),
                          pred_side = describe_side(pred, of_pred);
    return tg_cdm_detail_new(reference, &gt_side, &pred_side, cost_names);
}
