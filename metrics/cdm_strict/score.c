/* Counting what is in place. */
#include "metrics/cdm_strict/score.h"

#include <string.h>

#include "metrics/cdm_strict/align.h"
#include "metrics/cdm_strict/place.h"

/* ---- Order of the sides -------------------------------------------------------------------- */

static gint compare_numbers(gint64 a, gint64 b)
{
    return (a > b) - (a < b);
}

static gint compare_elements(const TgStrictElement *a, const TgStrictElement *b)
{
    gint order = compare_numbers(a->glyph.sign, b->glyph.sign);

    order = order != 0 ? order : compare_numbers(a->glyph.face, b->glyph.face);
    order = order != 0 ? order : compare_numbers(a->glyph.bold, b->glyph.bold);
    order = order != 0 ? order : compare_numbers(a->glyph.negated, b->glyph.negated);
    order = order != 0 ? order : compare_numbers(a->cell.n_columns, b->cell.n_columns);
    order = order != 0 ? order : compare_numbers(a->cell.column, b->cell.column);
    order = order != 0 ? order : compare_numbers(a->cell.is_first, b->cell.is_first);
    return order != 0 ? order : compare_numbers(a->cover_end, b->cover_end);
}

/* An order of formulas in which only those are equal that the alignment cannot tell apart. */
static gint compare_formulas(const TgStrictFormula *a, const TgStrictFormula *b)
{
    gint order = compare_numbers(a->elements->len, b->elements->len);

    order = order != 0 ? order : compare_numbers(a->groups->len, b->groups->len);
    order = order != 0 ? order : compare_numbers(a->children->len, b->children->len);
    for (guint i = 0; order == 0 && i < a->elements->len; i++)
        order = compare_elements(tg_strict_element(a, i), tg_strict_element(b, i));
    for (guint i = 0; order == 0 && i < a->groups->len; i++) {
        const TgStrictGroup *x = tg_strict_group(a, i), *y = tg_strict_group(b, i);
        order = compare_numbers(x->role, y->role);
        order = order != 0 ? order : compare_numbers(x->n_children, y->n_children);
    }
    for (guint i = 0; order == 0 && i < a->children->len; i++)
        order = compare_numbers(g_array_index(a->children, guint32, i),
                                g_array_index(b->children, guint32, i));
    return order;
}

static void invert_partners(const guint32 *partner, guint n, guint32 *inverse, guint n_inverse)
{
    for (guint i = 0; i < n_inverse; i++)
        inverse[i] = TG_STRICT_ALONE;
    for (guint i = 0; i < n; i++) {
        if (partner[i] != TG_STRICT_ALONE)
            inverse[partner[i]] = i;
    }
}

/* Partners of both sides; of several best alignments always the same one, whichever side comes
 * first. */
static void align_both_ways(const TgStrictFormula *ref, const TgStrictFormula *hyp,
                            gboolean any_style, guint32 *of_ref, guint32 *of_hyp)
{
    if (compare_formulas(ref, hyp) <= 0) {
        tg_strict_align(ref, hyp, any_style, of_ref);
        invert_partners(of_ref, ref->elements->len, of_hyp, hyp->elements->len);
    } else {
        tg_strict_align(hyp, ref, any_style, of_hyp);
        invert_partners(of_hyp, hyp->elements->len, of_ref, ref->elements->len);
    }
}

/* ---- Score --------------------------------------------------------------------------------- */

static double share(guint weight, guint n)
{
    return n > 0 ? (double) weight / ((double) TG_STRICT_WEIGHT_SAME * n) : 0.0;
}

TgStrictScore tg_strict_score(const TgStrictFormula *ref, const TgStrictFormula *hyp,
                              gboolean any_style, guint32 *partner, gboolean *counts)
{
    const guint n_ref = ref->elements->len, n_hyp = hyp->elements->len;
    g_autofree guint32 *of_hyp = g_new(guint32, (gsize) n_hyp + 1);
    TgStrictScore score = { .n_ref = tg_strict_formula_size(ref),
                            .n_hyp = tg_strict_formula_size(hyp) };

    align_both_ways(ref, hyp, any_style, partner, of_hyp);
    tg_strict_check_places(ref, hyp, partner, of_hyp, counts);
    for (guint i = 0; i < n_ref; i++) {
        if (counts[i])
            score.weight += tg_strict_weight(tg_strict_element(ref, i),
                                             tg_strict_element(hyp, partner[i]), any_style);
    }
    score.precision = share(score.weight, score.n_hyp);
    score.recall = share(score.weight, score.n_ref);
    score.f1 = share(2 * score.weight, score.n_ref + score.n_hyp);
    score.exact = score.weight == TG_STRICT_WEIGHT_SAME * score.n_ref &&
                  score.n_ref == score.n_hyp && score.n_ref > 0;
    return score;
}
