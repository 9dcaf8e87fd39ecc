/* From two drawn formulas to F1, precision and recall: costs, the cheapest assignment, counts. */
#include <math.h>
#include <string.h>

#include "core/deadline.h"
#include "metrics/algorithms/algorithms.h"
#include "metrics/cdm/cdm.h"

double tg_cdm_round(double value)
{
    const double nearest = floor(value * 1000 + 0.5);
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    /* The quotient is the number that strtod() reads in its three decimals. */
    if (fabs(value * 1000 - nearest) < 0.4999 && nearest <= 1000)
        return nearest / 1000;
    return g_ascii_strtod(g_ascii_formatd(text, sizeof text, "%.3f", value), NULL);
}

/* ---- costs ---- */

/* An inked element for the innermost loop. */
typedef struct {
    guint token_hash, canonical_hash;
    TgRect relative; /* its box, in parts of the picture's width and height */
    const TgCdmElement *element;
} Candidate;

static const TgCdmElement *inked_element(const TgCdmFormula *formula, guint i)
{
    return &formula->elements.list[formula->inked[i]];
}

static Candidate *list_candidates(const TgCdmFormula *formula)
{
    Candidate *candidates = g_new(Candidate, formula->n_inked);

    for (guint i = 0; i < formula->n_inked; i++) {
        const TgCdmElement *element = inked_element(formula, i);
        const TgRect box = element->box;

        candidates[i] = (Candidate){
            .token_hash = g_str_hash(element->token),
            .canonical_hash = g_str_hash(element->canonical),
            .relative = { box.x0 / formula->width_px, box.y0 / formula->height_px,
                          box.x1 / formula->width_px, box.y1 / formula->height_px },
            .element = element,
        };
    }
    return candidates;
}

static double token_cost(const TgCdmDialect *dialect, const Candidate *a, const Candidate *b)
{
    if (a->token_hash == b->token_hash && strcmp(a->element->token, b->element->token) == 0)
        return 0.0;
    if (a->canonical_hash == b->canonical_hash &&
        strcmp(a->element->canonical, b->element->canonical) == 0)
        return dialect->same_symbol_cost;
    return TG_CDM_COST_OTHER_TOKEN;
}

static double position_cost(const Candidate *a, const Candidate *b)
{
    return (fabs(a->relative.x0 - b->relative.x0) + fabs(a->relative.y0 - b->relative.y0) +
            fabs(a->relative.x1 - b->relative.x1) + fabs(a->relative.y1 - b->relative.y1)) /
           4;
}

/* Each index is divided on its own: among assignments that cost the same but for rounding, this
 * is what makes the official choice. */
static double order_cost(guint i, guint n_ref, guint j, guint n_hyp)
{
    return fabs((double) i / n_ref - (double) j / n_hyp);
}

/* The matches of the cheapest assignment, without verdicts; returns how many there are. */
static guint match_elements(const TgCdmFormula *ref, const TgCdmFormula *hyp,
                            const TgCdmDialect *dialect, TgCdmMatch *matches)
{
    const guint width = hyp->n_inked, longer = MAX(ref->n_inked, width);
    const guint n_ref = dialect->has_own_order ? ref->n_inked : longer;
    const guint n_hyp = dialect->has_own_order ? width : longer;
    guint n = 0;

    if (ref == hyp) { /* only each element's pair with itself costs nothing */
        for (; n < width; n++)
            matches[n] = (TgCdmMatch){ .ref = n, .hyp = n };
        return n;
    }
    g_autofree Candidate *a = list_candidates(ref), *b = list_candidates(hyp);
    g_autofree double *cost = g_new(double, (gsize) ref->n_inked *width);
    g_autofree guint *partner = g_new(guint, ref->n_inked);
    for (guint i = 0; i < ref->n_inked && !tg_deadline_spend(width); i++)
        for (guint j = 0; j < width; j++)
            cost[(gsize) i * width + j] = token_cost(dialect, &a[i], &b[j]) +
                                          TG_CDM_COST_POSITION * position_cost(&a[i], &b[j]) +
                                          TG_CDM_COST_ORDER * order_cost(i, n_ref, j, n_hyp);
    if (tg_deadline_spend(0)) /* costs are missing */
        return 0;
    tg_assignment_solve(cost, ref->n_inked, width, partner);
    for (guint i = 0; i < ref->n_inked; i++)
        if (partner[i] != TG_UNASSIGNED)
            matches[n++] = (TgCdmMatch){
                .ref = i,
                .hyp = partner[i],
                .token = token_cost(dialect, &a[i], &b[partner[i]]),
                .position = position_cost(&a[i], &b[partner[i]]),
                .order = order_cost(i, n_ref, partner[i], n_hyp),
            };
    return n;
}

/* ---- counts ---- */

static TgCdmPoint box_center(TgRect box)
{
    return (TgCdmPoint){ (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 };
}

static double count_share(guint part, guint whole)
{
    return whole > 0 ? tg_cdm_round((double) part / whole) : 0.0;
}

/* All pairs take part in the position check, also those of different symbols. */
TgCdmScore tg_cdm_score(const TgCdmFormula *ref, const TgCdmFormula *hyp,
                        const TgCdmDialect *dialect, TgCdmMatch *matches)
{
    const guint room = MIN(ref->n_inked, hyp->n_inked);
    g_autofree TgCdmPoint *centers = g_new(TgCdmPoint, 2 * (gsize) room + 1); /* never NULL */
    g_autofree gboolean *in_place = g_new(gboolean, room);
    const guint n = match_elements(ref, hyp, dialect, matches);
    guint n_accepted = 0;

    for (guint k = 0; k < n; k++) {
        centers[k] = box_center(inked_element(ref, matches[k].ref)->box);
        centers[room + k] = box_center(inked_element(hyp, matches[k].hyp)->box);
    }
    tg_cdm_check_positions(centers, centers + room, n, &dialect->ransac, in_place);
    for (guint k = 0; k < n; k++) {
        matches[k].verdict = !in_place[k]                                  ? TG_MATCHED_MISPLACED
                             : matches[k].token >= TG_CDM_COST_OTHER_TOKEN ? TG_MATCHED_OTHER_TOKEN
                                                                           : TG_MATCHED_ACCEPTED;
        n_accepted += in_place[k] && matches[k].token < TG_CDM_COST_OTHER_TOKEN;
    }
    return (TgCdmScore){
        .f1 = count_share(2 * n_accepted, ref->n_inked + hyp->n_inked),
        .precision = count_share(n_accepted, hyp->n_inked),
        .recall = count_share(n_accepted, ref->n_inked),
    };
}
