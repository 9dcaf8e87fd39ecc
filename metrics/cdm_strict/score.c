/* Pairing elements, and counting what is in place. */
#include <string.h>

#include "metrics/cdm_strict/strict.h"

/* ---- Rows are aligned as strings whose letters may be rows; weights are memoized ------------- */

#define UNKNOWN G_MAXUINT32

typedef struct {
    const TgStrictFormula *a, *b;
    gboolean any_style;
    guint32 *row_weight; /* [rows of a][rows of b], UNKNOWN until it is asked for */
    guint32 *partner;
} Aligner;

guint tg_strict_weight(const TgStrictElement *a, const TgStrictElement *b, gboolean any_style)
{
    const gboolean in_place = a->cell.n_columns == b->cell.n_columns
                                  ? a->cell.column == b->cell.column
                                  : a->cell.step == b->cell.step;

    return in_place ? tg_strict_compare(a->glyph, b->glyph, any_style) : 0;
}

/* Children with different keys have no weight together, as most pairs of children have. */
static guint32 key_of(const TgStrictFormula *formula, guint32 child)
{
    return (child & TG_STRICT_GROUP_BIT) == 0
               ? formula->elements[child].glyph.sign
               : TG_STRICT_GROUP_BIT | formula->groups[child ^ TG_STRICT_GROUP_BIT].role;
}

static guint32 align_rows(Aligner *self, guint32 row_a, guint32 row_b, gboolean pair);

/* The weight of two children with the same key. */
static guint32 children_weight(Aligner *self, guint32 x, guint32 y)
{
    if ((x & TG_STRICT_GROUP_BIT) == 0)
        return tg_strict_weight(&self->a->elements[x], &self->b->elements[y], self->any_style);
    x ^= TG_STRICT_GROUP_BIT;
    y ^= TG_STRICT_GROUP_BIT;
    guint32 *weight = &self->row_weight[(gsize) x * self->b->n_groups + y];
    if (*weight == UNKNOWN)
        *weight = align_rows(self, x, y, FALSE);
    return *weight;
}

/* The greatest weight of two rows, by the recurrence of the longest common subsequence. With @pair
 * their children are paired by an alignment that has it, the last children first. */
static guint32 align_rows(Aligner *self, guint32 row_a, guint32 row_b, gboolean pair)
{
    const guint32 n_a = self->a->groups[row_a].n_children, n_b = self->b->groups[row_b].n_children;

    if (n_a == 0 || n_b == 0)
        return 0; /* a formula without elements has no list of children to point into */

    const guint32 *a = self->a->children + self->a->groups[row_a].first_child;
    const guint32 *b = self->b->children + self->b->groups[row_b].first_child;
    const gsize width = (gsize) n_b + 1, size = ((gsize) n_a + 1) * width;
    g_autofree guint32 *best = g_new(guint32, size + width); /* of a[0..i) and b[0..j) */
    guint32 *keys = best + size;

    for (guint32 j = 0; j < n_b; j++)
        keys[j] = key_of(self->b, b[j]);
    memset(best, 0, width * sizeof *best);
    for (guint32 i = 0; i < n_a; i++) {
        const guint32 *above = best + i * width, key = key_of(self->a, a[i]);
        guint32 *here = best + (i + 1) * width, most = 0;

        here[0] = 0;
        for (guint32 j = 0; j < n_b; j++) {
            most = MAX(most, above[j + 1]);
            if (keys[j] == key)
                most = MAX(most, above[j] + children_weight(self, a[i], b[j]));
            here[j + 1] = most;
        }
    }
    for (guint32 i = n_a, j = n_b; pair && i > 0 && j > 0;) {
        const guint32 here = best[i * width + j], x = a[i - 1], y = b[j - 1];
        const guint32 weight = key_of(self->a, x) == keys[j - 1] ? children_weight(self, x, y) : 0;

        if (weight == 0 || here != best[(i - 1) * width + j - 1] + weight) {
            if (here == best[(i - 1) * width + j])
                i--;
            else
                j--;
            continue;
        }
        if ((x & TG_STRICT_GROUP_BIT) != 0)
            align_rows(self, x ^ TG_STRICT_GROUP_BIT, y ^ TG_STRICT_GROUP_BIT, TRUE);
        else
            self->partner[x] = y;
        i--;
        j--;
    }
    return best[size - 1];
}

void tg_strict_align(const TgStrictFormula *a, const TgStrictFormula *b, gboolean any_style,
                     guint32 *partner)
{
    const gsize n_cells = (gsize) a->n_groups * b->n_groups;
    g_autofree guint32 *row_weight = g_new(guint32, n_cells);
    Aligner aligner = { a, b, any_style, row_weight, partner };

    for (guint i = 0; i < a->n_elements; i++) {
        const TgStrictElement *element = &a->elements[i];
        /* With itself, an element is paired unless it is an error. */
        partner[i] =
            a == b && tg_strict_weight(element, element, any_style) > 0 ? i : TG_STRICT_ALONE;
    }
    if (n_cells == 0 || a == b)
        return;
    for (gsize i = 0; i < n_cells; i++)
        row_weight[i] = UNKNOWN;
    align_rows(&aligner, a->n_groups - 1, b->n_groups - 1, TRUE);
}

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
    order = order != 0 ? order : compare_numbers(a->cell.step, b->cell.step);
    order = order != 0 ? order : compare_numbers((guint) a->is_break, (guint) b->is_break);
    return order != 0 ? order : compare_numbers(a->cover_end, b->cover_end);
}

/* An order of formulas in which only those are equal that the alignment cannot tell apart. */
static gint compare_formulas(const TgStrictFormula *a, const TgStrictFormula *b)
{
    gint order = compare_numbers(a->n_elements, b->n_elements);

    order = order != 0 ? order : compare_numbers(a->n_groups, b->n_groups);
    order = order != 0 ? order : compare_numbers(a->n_children, b->n_children);
    for (guint i = 0; order == 0 && i < a->n_elements; i++)
        order = compare_elements(&a->elements[i], &b->elements[i]);
    for (guint i = 0; order == 0 && i < a->n_groups; i++) {
        const TgStrictGroup *x = &a->groups[i], *y = &b->groups[i];
        order = compare_numbers(x->role, y->role);
        order = order != 0 ? order : compare_numbers(x->n_children, y->n_children);
    }
    for (guint i = 0; order == 0 && i < a->n_children; i++)
        order = compare_numbers(a->children[i], b->children[i]);
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

/* ---- Score --------------------------------------------------------------------------------- */

/* The line of each element, counted by the breaks before it. Returns: (transfer full) */
static guint32 *number_lines(const TgStrictFormula *formula, guint *n_breaks)
{
    guint32 *line = g_new(guint32, (gsize) formula->n_elements + 1);

    *n_breaks = 0;
    for (guint32 i = 0; i < formula->n_elements; i++) {
        *n_breaks += formula->elements[i].is_break != FALSE;
        line[i] = *n_breaks;
    }
    return line;
}

/* For each line of one side, the line of the other side that has the partner of the line's first
 * pair. */
static guint32 *pair_lines(guint n_lines, const guint32 *line, guint32 n_elements,
                           const guint32 *partner, const guint32 *line_of_other)
{
    guint32 *other = g_new(guint32, n_lines);

    for (guint i = 0; i < n_lines; i++)
        other[i] = TG_STRICT_ALONE;
    for (guint32 i = 0; i < n_elements; i++) {
        if (partner[i] != TG_STRICT_ALONE && other[line[i]] == TG_STRICT_ALONE)
            other[line[i]] = line_of_other[partner[i]];
    }
    return other;
}

/* Add the line breaks that one side alone has to the sizes: a break has a partner if the lines that
 * it begins are each other's. */
static void count_lost_breaks(const TgStrictFormula *ref, const TgStrictFormula *hyp,
                              const guint32 *of_ref, const guint32 *of_hyp, TgStrictScore *score)
{
    guint n_ref, n_hyp, kept = 0;
    g_autofree guint32 *line_of_ref = number_lines(ref, &n_ref);
    g_autofree guint32 *line_of_hyp = number_lines(hyp, &n_hyp);

    if (n_ref + n_hyp == 0)
        return;
    g_autofree guint32 *to_hyp =
        pair_lines(n_ref + 1, line_of_ref, ref->n_elements, of_ref, line_of_hyp);
    g_autofree guint32 *to_ref =
        pair_lines(n_hyp + 1, line_of_hyp, hyp->n_elements, of_hyp, line_of_ref);
    for (guint i = 1; i <= n_ref; i++)
        kept += to_hyp[i] != TG_STRICT_ALONE && to_hyp[i] > 0 && to_ref[to_hyp[i]] == i;
    score->n_ref += n_ref - kept;
    score->n_hyp += n_hyp - kept;
}

static double share_of_weight(guint weight, guint n)
{
    return n > 0 ? (double) weight / ((double) TG_STRICT_SAME * n) : 0.0;
}

TgStrictScore tg_strict_score(const TgStrictFormula *ref, const TgStrictFormula *hyp,
                              gboolean any_style, guint32 *partner, gboolean *counts)
{
    const guint n_ref = ref->n_elements, n_hyp = hyp->n_elements;
    g_autofree guint32 *of_hyp = g_new(guint32, (gsize) n_hyp + 1);
    TgStrictScore score = { .n_ref = tg_strict_formula_size(ref),
                            .n_hyp = tg_strict_formula_size(hyp) };

    /* the same one of several best alignments is taken, whichever side comes first */
    if (compare_formulas(ref, hyp) <= 0) {
        tg_strict_align(ref, hyp, any_style, partner);
        invert_partners(partner, ref->n_elements, of_hyp, hyp->n_elements);
    } else {
        tg_strict_align(hyp, ref, any_style, of_hyp);
        invert_partners(of_hyp, hyp->n_elements, partner, ref->n_elements);
    }
    tg_strict_check_places(ref, hyp, partner, of_hyp, counts);
    for (guint i = 0; i < n_ref; i++) {
        if (counts[i])
            score.weight +=
                tg_strict_weight(&ref->elements[i], &hyp->elements[partner[i]], any_style);
    }
    count_lost_breaks(ref, hyp, partner, of_hyp, &score);
    score.precision = share_of_weight(score.weight, score.n_hyp);
    score.recall = share_of_weight(score.weight, score.n_ref);
    score.f1 = share_of_weight(2 * score.weight, score.n_ref + score.n_hyp);
    score.exact = score.weight == TG_STRICT_SAME * score.n_ref && score.n_ref == score.n_hyp &&
                  score.n_ref > 0;
    return score;
}
