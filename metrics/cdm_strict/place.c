/* Places are compared by what the drawing shows: what covers what, how high, how far in a column.
 */
#include <math.h>
#include <stdlib.h>

#include "metrics/cdm_strict/strict.h"

typedef struct {
    const TgStrictFormula *a, *b;
    const guint32 *of_a, *of_b;
    gboolean *in_place; /* of the elements of a */
} Pairs;

/* A pair that is compared with others of its kind, along one axis of the pictures. */
typedef struct {
    guint64 kind;
    double at_a_px, at_b_px, em_a_px, em_b_px;
    double offset_em;    /* between the two pictures */
    guint32 first, last; /* the elements of a that stand or fall with it */
} Offset;

static gint by_kind(gconstpointer x, gconstpointer y)
{
    const Offset *a = x, *b = y;

    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

static gint by_offset(gconstpointer x, gconstpointer y)
{
    const Offset *a = x, *b = y;

    return (a->offset_em > b->offset_em) - (a->offset_em < b->offset_em);
}

static guint n_elements(const Offset *offset)
{
    return offset->last - offset->first + 1;
}

/* The median by elements; between two of the same right, the middle, so that sides may change. */
static double find_median(const Offset *sorted, guint n)
{
    guint total = 0, sum = 0, i = 0;

    for (guint k = 0; k < n; k++)
        total += n_elements(&sorted[k]);
    while (2 * (sum + n_elements(&sorted[i])) < total)
        sum += n_elements(&sorted[i++]);
    const guint upper = 2 * (sum + n_elements(&sorted[i])) == total ? i + 1 : i;
    return (sorted[i].offset_em + sorted[upper].offset_em) / 2;
}

/* Offsets of one kind, in em of the smallest font that it has on either side, sorted. */
static void find_offsets(Offset *run, guint n)
{
    double em_a_px = run[0].em_a_px, em_b_px = run[0].em_b_px;

    for (guint i = 1; i < n; i++) {
        em_a_px = MIN(em_a_px, run[i].em_a_px);
        em_b_px = MIN(em_b_px, run[i].em_b_px);
    }
    for (guint i = 0; i < n; i++)
        run[i].offset_em = run[i].at_a_px / em_a_px - run[i].at_b_px / em_b_px;
    qsort(run, n, sizeof *run, by_offset);
}

/* Of each kind, take out what is further than @tolerance_em from the median. */
static void reject_outliers(Pairs *self, GArray *offsets, double tolerance_em)
{
    g_array_sort(offsets, by_kind);
    for (guint begin = 0, end; begin < offsets->len; begin = end) {
        Offset *run = &g_array_index(offsets, Offset, begin);

        for (end = begin + 1; end < offsets->len; end++) {
            if (g_array_index(offsets, Offset, end).kind != run->kind)
                break;
        }
        find_offsets(run, end - begin);
        const double median = find_median(run, end - begin);
        for (guint i = 0; i < end - begin; i++) {
            if (!(fabs(run[i].offset_em - median) > tolerance_em))
                continue;
            for (guint32 k = run[i].first; k <= run[i].last; k++)
                self->in_place[k] = FALSE;
        }
    }
}

/* ---- What covers it ------------------------------------------------------------------------ */

/* The partners of what @cover, an element of a or @of_b, covers are covered by its partner. */
static void check_cover(Pairs *self, gboolean of_b, guint32 cover)
{
    const TgStrictFormula *from = of_b ? self->b : self->a, *to = of_b ? self->a : self->b;
    const guint32 *partner = of_b ? self->of_b : self->of_a;
    const guint32 end = from->elements[cover].cover_end, other = partner[cover];

    if (other == TG_STRICT_ALONE)
        return;
    const guint32 other_end = to->elements[other].cover_end;
    for (guint32 i = cover + 1; i < end; i++) {
        if (partner[i] != TG_STRICT_ALONE && (partner[i] <= other || partner[i] >= other_end))
            self->in_place[of_b ? partner[i] : i] = FALSE;
    }
}

/* ---- How high it stands -------------------------------------------------------------------- */

/* Whether its height is its own: an accent's is that of what it is over, a rule has no size. */
static gboolean has_height(const TgStrictElement *element)
{
    return element->cover_end == 0 && element->em_px > 0;
}

static void check_rises(Pairs *self)
{
    g_autoptr(GArray) offsets = g_array_new(FALSE, FALSE, sizeof(Offset));
    guint64 kind = 0;

    for (guint row = 0; row < self->a->n_groups; row++) {
        const TgStrictGroup *group = &self->a->groups[row];
        const TgStrictElement *last_a = NULL, *last_b = NULL;

        kind++;
        for (guint32 k = 0; k < group->n_children; k++) {
            const guint32 i = self->a->children[group->first_child + k];
            if ((i & TG_STRICT_GROUP_BIT) != 0 || self->of_a[i] == TG_STRICT_ALONE)
                continue;

            const TgStrictElement *a = &self->a->elements[i];
            const TgStrictElement *b = &self->b->elements[self->of_a[i]];
            if (last_a != NULL && (a->line != last_a->line || b->line != last_b->line))
                kind++;
            last_a = a;
            last_b = b;
            if (has_height(a) && has_height(b)) {
                const Offset offset = { .kind = kind,
                                        .at_a_px = (a->box.y0 + a->box.y1) / 2,
                                        .at_b_px = (b->box.y0 + b->box.y1) / 2,
                                        .em_a_px = a->em_px,
                                        .em_b_px = b->em_px,
                                        .first = i,
                                        .last = i };
                g_array_append_val(offsets, offset);
            }
        }
    }
    reject_outliers(self, offsets, TG_STRICT_RISE_EM);
}

/* ---- How far in its column ----------------------------------------------------------------- */

/* The end of the run of elements from @begin on that are in the same cell. */
static guint32 cell_end(const TgStrictFormula *formula, guint32 begin)
{
    const guint32 index = formula->elements[begin].cell.index;
    guint32 end = begin + 1;

    while (end < formula->n_elements && formula->elements[end].cell.index == index)
        end++;
    return end;
}

/* Whether the cell from @begin to @end has all of its elements paired with those of one cell. */
static gboolean is_same_cell(const Pairs *self, guint32 begin, guint32 end)
{
    const guint32 other = self->of_a[begin];

    for (guint32 i = begin; i < end; i++) {
        if (self->of_a[i] == TG_STRICT_ALONE || self->of_a[i] - other != i - begin)
            return FALSE;
    }
    return (other == 0 ||
            self->b->elements[other - 1].cell.index != self->b->elements[other].cell.index) &&
           cell_end(self->b, other) - other == end - begin;
}

/* Cells that agree, by their column: an array with other alignments moves some against others. */
static void check_columns(Pairs *self)
{
    g_autoptr(GArray) offsets = g_array_new(FALSE, FALSE, sizeof(Offset));

    for (guint32 begin = 0, end; begin < self->a->n_elements; begin = end) {
        const TgStrictElement *a = &self->a->elements[begin];

        end = cell_end(self->a, begin);
        if (a->cell.n_columns < 2 || !is_same_cell(self, begin, end))
            continue;
        const TgStrictElement *b = &self->b->elements[self->of_a[begin]];
        if (a->cell.n_columns == b->cell.n_columns && a->em_px > 0 && b->em_px > 0) {
            /* the arrays of both sides tell columns apart, so that sides may change */
            const Offset offset = { .kind = (guint64) a->cell.grid << 40 |
                                            (guint64) b->cell.grid << 16 | a->cell.column,
                                    .at_a_px = (a->box.x0 + a->box.x1) / 2,
                                    .at_b_px = (b->box.x0 + b->box.x1) / 2,
                                    .em_a_px = a->em_px,
                                    .em_b_px = b->em_px,
                                    .first = begin,
                                    .last = end - 1 };
            g_array_append_val(offsets, offset);
        }
    }
    reject_outliers(self, offsets, TG_STRICT_SHIFT_EM);
}

/* ---- Interface ----------------------------------------------------------------------------- */

void tg_strict_check_places(const TgStrictFormula *a, const TgStrictFormula *b, const guint32 *of_a,
                            const guint32 *of_b, gboolean *in_place)
{
    Pairs pairs = { a, b, of_a, of_b, in_place };

    for (guint i = 0; i < a->n_elements; i++)
        in_place[i] = of_a[i] != TG_STRICT_ALONE;
    if (a == b)
        return;
    for (guint32 i = 0; i < a->n_elements; i++)
        check_cover(&pairs, FALSE, i);
    for (guint32 i = 0; i < b->n_elements; i++)
        check_cover(&pairs, TRUE, i);
    check_rises(&pairs);
    check_columns(&pairs);
}
