/* The partner and verdict of every element, in the form of CDM's detail. */
#include "metrics/cdm_strict/explain.h"

#include "metrics/cdm/detail.h"
#include "metrics/cdm_strict/align.h"

/* Elements are named by their source. */
static void name_elements(GStringChunk *names, const TgStrictFormula *formula,
                          TgCdmElementDetail *elements)
{
    for (guint i = 0; i < formula->elements->len; i++)
        elements[i].token =
            g_string_chunk_insert_len(names, formula->source + elements[i].start,
                                      (gssize) elements[i].end - (gssize) elements[i].start);
}

/* The outcome of one element; @partner and @counts as tg_strict_score() gives them, for its own
 * side. */
static TgCdmElementDetail describe_element(const TgStrictFormula *side, guint i, guint32 partner,
                                           gboolean counts, guint weight)
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
        detail.costs[0] = 1 - (double) weight / TG_STRICT_WEIGHT_SAME;
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

GVariant *tg_strict_explain(guint reference, const TgStrictFormula *ref, const TgStrictFormula *hyp,
                            gboolean any_style, const guint32 *partner, const gboolean *counts)
{
    static const char *const cost_names[] = { "style", NULL };
    const guint n_ref = ref->elements->len, n_hyp = hyp->elements->len;
    g_autofree TgCdmElementDetail *of_ref = g_new(TgCdmElementDetail, (gsize) n_ref + 1);
    g_autofree TgCdmElementDetail *of_hyp = g_new(TgCdmElementDetail, (gsize) n_hyp + 1);
    g_autoptr(GStringChunk) names = g_string_chunk_new(256);

    for (guint i = 0; i < n_hyp; i++)
        of_hyp[i] = describe_element(hyp, i, TG_STRICT_ALONE, FALSE, 0);
    for (guint i = 0; i < n_ref; i++) {
        const guint32 k = partner[i];
        const guint weight =
            k != TG_STRICT_ALONE
                ? tg_strict_weight(tg_strict_element(ref, i), tg_strict_element(hyp, k), any_style)
                : 0;

        of_ref[i] = describe_element(ref, i, k, counts[i], weight);
        if (k != TG_STRICT_ALONE)
            of_hyp[k] = describe_element(hyp, k, i, counts[i], weight);
    }
    name_elements(names, ref, of_ref);
    name_elements(names, hyp, of_hyp);
    const TgCdmSideDetail ref_side = describe_side(ref, of_ref),
                          hyp_side = describe_side(hyp, of_hyp);
    return tg_cdm_detail_new(reference, &ref_side, &hyp_side, cost_names);
}
