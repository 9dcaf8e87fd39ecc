/* From two drawn formulas to the detail of their comparison. */
#include "metrics/cdm/explain.h"

#include "metrics/cdm/detail.h"
#include "metrics/cdm/draw/spans.h"
#include "metrics/cdm/score.h"

static const char *const cost_names[] = { "token", "position", "order", NULL };

static const char *verdict_name(TgCdmVerdict verdict)
{
    switch (verdict) {
    case TG_CDM_ACCEPTED:
        return TG_CDM_VERDICT_ACCEPTED;
    case TG_CDM_MISPLACED:
        return TG_CDM_VERDICT_MISPLACED;
    case TG_CDM_OTHER_TOKEN:
    default:
        return TG_CDM_VERDICT_OTHER_TOKEN;
    }
}

/* All elements of a formula, as if none had a partner. (transfer full) */
static TgCdmElementDetail *list_elements(TgCdmSide side, const TgCdmDialect *dialect)
{
    const TgCdmFormula *formula = side.formula;
    TgCdmElementDetail *list = g_new0(TgCdmElementDetail, formula->elements->len);
    g_autofree TgCdmRange *spans = g_new(TgCdmRange, formula->elements->len);

    tg_cdm_find_spans(side.latex, dialect, formula->elements, spans);
    for (guint i = 0; i < formula->elements->len; i++) {
        const TgCdmElement *element = formula->elements->pdata[i];

        list[i].token = element->token;
        list[i].start = spans[i].start;
        list[i].end = spans[i].end;
        list[i].partner = TG_CDM_NO_PARTNER;
        list[i].verdict = TG_CDM_VERDICT_NO_INK;
    }
    for (guint k = 0; k < formula->drawing.n; k++) {
        TgCdmElementDetail *element = &list[formula->inked[k]];

        element->has_ink = TRUE;
        element->box = formula->drawing.boxes[k];
        element->verdict = TG_CDM_VERDICT_UNMATCHED;
    }
    return list;
}

static void set_match(TgCdmElementDetail *element, guint partner, const TgCdmMatch *match,
                      TgCdmVerdict verdict)
{
    element->partner = partner;
    element->costs[0] = match->token;
    element->costs[1] = match->position;
    element->costs[2] = match->order;
    element->verdict = verdict_name(verdict);
}

static TgCdmSideDetail side_detail(const TgCdmFormula *formula, const TgCdmElementDetail *elements)
{
    return (TgCdmSideDetail){
        .width_px = formula->drawing.n > 0 ? formula->drawing.width_px : 0,
        .height_px = formula->drawing.n > 0 ? formula->drawing.height_px : 0,
        .trouble = formula->trouble,
        .note = formula->tokenizer_failed && formula->drawing.n > 0
                    ? "not readable, so its elements are what stands between blanks"
                    : NULL,
        .elements = elements,
        .n_elements = formula->elements->len,
    };
}

GVariant *tg_cdm_explain(guint index, TgCdmSide reference, TgCdmSide hypothesis,
                         const TgCdmDialect *dialect, TgCdmRansac method)
{
    const TgCdmFormula *ref = reference.formula, *hyp = hypothesis.formula;
    const guint n = MIN(ref->drawing.n, hyp->drawing.n);
    g_autofree TgCdmMatch *matches = g_new(TgCdmMatch, n);
    g_autofree TgCdmVerdict *verdicts = g_new(TgCdmVerdict, n);
    g_autofree TgCdmElementDetail *ref_elements = list_elements(reference, dialect);
    g_autofree TgCdmElementDetail *hyp_elements = list_elements(hypothesis, dialect);

    if (n > 0)
        tg_cdm_score(&ref->drawing, &hyp->drawing, dialect, method, matches, verdicts);
    for (guint k = 0; k < n; k++) {
        const guint i = ref->inked[matches[k].ref], j = hyp->inked[matches[k].hyp];

        set_match(&ref_elements[i], j, &matches[k], verdicts[k]);
        set_match(&hyp_elements[j], i, &matches[k], verdicts[k]);
    }
    const TgCdmSideDetail ref_side = side_detail(ref, ref_elements);
    const TgCdmSideDetail hyp_side = side_detail(hyp, hyp_elements);
    return tg_cdm_detail_new(index, &ref_side, &hyp_side, cost_names);
}
