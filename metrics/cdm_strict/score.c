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

static void invert(const guint32 *partner, guint n, guint32 *inverse, guint n_inverse)
{
    for (guint i = 0; i < n_inverse; i++)
        inverse[i] = TG_STRICT_ALONE;
    for (guint i = 0; i < n; i++) {
        if (partner[i] != TG_STRICT_ALONE)
            inverse[partner[i]] = i;
    }
}

/* Pairs both ways; of several best alignments always the same one, whichever side comes first. */
static void align(const TgStrictFormula *gt, const TgStrictFormula *pred, gboolean any_style,
                  guint32 *of_gt, guint32 *of_pred)
{
    if (compare_formulas(gt, pred) <= 0) {
        tg_strict_align(gt, pred, any_style, of_gt);
        invert(of_gt, gt->elements->len, of_pred, pred->elements->len);
    } else {
        tg_strict_align(pred, gt, any_style, of_pred);
        invert(of_pred, pred->elements->len, of_gt, gt->elements->len);
    }
}

/* ---- Score --------------------------------------------------------------------------------- */

static double share(guint worth, guint n)
{
    return n > 0 ? (double) worth / ((double) TG_STRICT_WORTH_SAME * n) : 0.0;
}

TgStrictScore tg_strict_score(const TgStrictFormula *gt, const TgStrictFormula *pred,
                              gboolean any_style, guint32 *partner, gboolean *counts)
{
    const guint n_gt = gt->elements->len, n_pred = pred->elements->len;
    g_autofree guint32 *of_pred = g_new(guint32, (gsize) n_pred + 1);
    TgStrictScore score = { .n_gt = tg_strict_formula_size(gt),
                            .n_pred = tg_strict_formula_size(pred) };

    align(gt, pred, any_style, partner, of_pred);
    tg_strict_check_places(gt, pred, partner, of_pred, counts);
    for (guint i = 0; i < n_gt; i++) {
        if (counts[i])
            score.worth += tg_strict_worth(tg_strict_element(gt, i),
                                           tg_strict_element(pred, partner[i]), any_style);
    }
    score.precision = share(score.worth, score.n_pred);
    score.recall = share(score.worth, score.n_gt);
    score.f1 = share(2 * score.worth, score.n_gt + score.n_pred);
    score.exact = score.worth == TG_STRICT_WORTH_SAME * score.n_gt && score.n_gt == score.n_pred &&
                  score.n_gt > 0;
    return score;
}
