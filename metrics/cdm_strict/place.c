/* Places are compared by what the drawing shows: what covers what, how high, how far in a column.
 */
#include <math.h>
#include <stdlib.h>

#include "metrics/cdm_strict/strict.h"

/* Elements that stand together: a row, or a line of those that are read as one. */
typedef struct {
    guint32 begin, end;
    guint8 role;
} Span;

typedef struct {
    const TgStrictFormula *a, *b;
    const guint32 *of_a, *of_b;
    gboolean *in_place; /* of the elements of a */
    /* of the comparison of distances, in which only parts take part that are in place as a whole */
    const gboolean *is_placed; /* before distances are looked at */
    Span *rows_of_b;           /* sorted */
} Pairs;

/* A pair that is compared with others of its kind, along one axis of the pictures. */
typedef struct {
    guint64 kind;
    double at_a_px, at_b_px, em_a_px, em_b_px;
    double offset_em;    /* between the two pictures */
    guint32 first, last; /* the elements of a that stand or fall with it */
} Offset;

/* Add the pair of @a and @b, at these places of their pictures. */
static void add_offset(GArray *offsets, guint64 kind, const TgStrictElement *a, double at_a_px,
                       const TgStrictElement *b, double at_b_px, guint32 first, guint32 last)
{
    const Offset offset = { kind, at_a_px, at_b_px, a->em_px, b->em_px, 0, first, last };

    g_array_append_val(offsets, offset);
}

static gint compare_kinds(gconstpointer x, gconstpointer y)
{
    const Offset *a = x, *b = y;

    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

static gint compare_offsets(gconstpointer x, gconstpointer y)
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

/* Fill in the offsets of one kind, in em of the smallest font of that kind on either side, and sort
 * them. */
static void find_offsets(Offset *run, guint n)
{
    double em_a_px = run[0].em_a_px, em_b_px = run[0].em_b_px;

    for (guint i = 1; i < n; i++) {
        em_a_px = MIN(em_a_px, run[i].em_a_px);
        em_b_px = MIN(em_b_px, run[i].em_b_px);
    }
    for (guint i = 0; i < n; i++)
        run[i].offset_em = run[i].at_a_px / em_a_px - run[i].at_b_px / em_b_px;
    qsort(run, n, sizeof *run, compare_offsets);
}

/* Reject the pairs that are further than @tolerance_em from the median of their kind. */
static void reject_outliers(Pairs *self, GArray *offsets, double tolerance_em)
{
    g_array_sort(offsets, compare_kinds);
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

/* Reject pairs that are covered on one side alone: elements under @cover, which is of a or @of_b,
 * must have partners under the partner of @cover. */
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

/* Whether the vertical position means something: accents follow their base, and rules have no font
 * size. */
static gboolean has_height(const TgStrictElement *element)
{
    return element->cover_end == 0 && element->em_px > 0;
}

static double middle_y(const TgStrictElement *element)
{
    return (element->box.y0 + element->box.y1) / 2;
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
            if (has_height(a) && has_height(b))
                add_offset(offsets, kind, a, middle_y(a), b, middle_y(b), i, i);
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

/* Compare equal cells within their column, because an array with other alignments moves some of
 * them against others. */
static void check_columns(Pairs *self)
{
    g_autoptr(GArray) offsets = g_array_new(FALSE, FALSE, sizeof(Offset));

    for (guint32 begin = 0, end; begin < self->a->n_elements; begin = end) {
        const TgStrictElement *a = &self->a->elements[begin];

        end = cell_end(self->a, begin);
        if (a->cell.n_columns < 2 || !is_same_cell(self, begin, end))
            continue;
        const TgStrictElement *b = &self->b->elements[self->of_a[begin]];
        /* the arrays of both sides tell columns apart, so that sides may change */
        const guint64 kind =
            (guint64) a->cell.grid << 40 | (guint64) b->cell.grid << 16 | a->cell.column;
        if (a->cell.n_columns == b->cell.n_columns && a->em_px > 0 && b->em_px > 0)
            add_offset(offsets, kind, a, (a->box.x0 + a->box.x1) / 2, b,
                       (b->box.x0 + b->box.x1) / 2, begin, end - 1);
    }
    reject_outliers(self, offsets, TG_STRICT_SHIFT_EM);
}

/* ---- How far from what it belongs to -------------------------------------------------------- */

static gint compare_spans(gconstpointer x, gconstpointer y)
{
    const Span *a = x, *b = y;

    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return (a->role > b->role) - (a->role < b->role);
}

/* The rows of a formula as spans; a row ends after the rows in it. Returns: (transfer full) */
static Span *list_spans(const TgStrictFormula *formula)
{
    Span *spans = g_new(Span, (gsize) formula->n_groups + 1);

    for (guint32 g = 0; g < formula->n_groups; g++) {
        const TgStrictGroup *group = &formula->groups[g];
        const guint32 first = formula->children[group->first_child];
        const guint32 last = formula->children[group->first_child + group->n_children - 1];

        spans[g] = (Span){
            .begin = (first & TG_STRICT_GROUP_BIT) != 0 ? spans[first & ~TG_STRICT_GROUP_BIT].begin
                                                        : first,
            .end = (last & TG_STRICT_GROUP_BIT) != 0 ? spans[last & ~TG_STRICT_GROUP_BIT].end
                                                     : last + 1,
            .role = group->role,
        };
    }
    return spans;
}

/* Whether all from @begin to @end is in place, in one run of b. */
static gboolean is_run(const Pairs *self, guint32 begin, guint32 end)
{
    for (guint32 i = begin; i < end; i++) {
        if (!self->is_placed[i] || self->of_a[i] - self->of_a[begin] != i - begin)
            return FALSE;
    }
    return TRUE;
}

/* Whether the run of a row is all of a row of b in the same role. */
static gboolean is_row_of_both(const Pairs *self, const Span *row)
{
    const guint32 begin = self->of_a[row->begin];
    const Span other = { begin, begin + (row->end - row->begin), row->role };

    return bsearch(&other, self->rows_of_b, self->b->n_groups, sizeof other, compare_spans) != NULL;
}

/* The first sign of the run from @begin to @end that has a height of its own, else @end. */
static guint32 find_sign(const Pairs *self, guint32 begin, guint32 end)
{
    while (begin < end && !(has_height(&self->a->elements[begin]) &&
                            has_height(&self->b->elements[self->of_a[begin]])))
        begin++;
    return begin;
}

/* Whether the sign @i of a is as far above or below @from as their partners are. */
static gboolean is_as_far_as_partner(const Pairs *self, guint32 from, guint32 i)
{
    const TgStrictElement *from_a = &self->a->elements[from],
                          *from_b = &self->b->elements[self->of_a[from]];
    const TgStrictElement *a = &self->a->elements[i], *b = &self->b->elements[self->of_a[i]];
    const gboolean has_size = from_a->em_px > 0 && from_b->em_px > 0;

    if (fabs(a->em_px - b->em_px) > (a->em_px + b->em_px) / 40) /* size does not count (\tfrac) */
        return TRUE;
    const double far_a = (middle_y(a) - middle_y(from_a)) / (has_size ? from_a : a)->em_px;
    const double far_b = (middle_y(b) - middle_y(from_b)) / (has_size ? from_b : b)->em_px;

    return fabs(far_a - far_b) <= TG_STRICT_RISE_EM;
}

/* Whether both are drawn in one size: delimiters and operators of another size have their scripts
 * elsewhere. */
static gboolean is_same_size(const TgStrictElement *a, const TgStrictElement *b)
{
    const double em_a_px = a->em_px > 0 ? a->em_px : 1, em_b_px = b->em_px > 0 ? b->em_px : 1;

    return fabs((a->box.y1 - a->box.y0) / em_a_px - (b->box.y1 - b->box.y0) / em_b_px) <
           TG_STRICT_RISE_EM / 2;
}

/* Check that @line stands as far from @before, and begins as far to the left or right of it, as on
 * the other side; both are lines of both sides. */
static void check_line(Pairs *self, const Span *before, const Span *line)
{
    const guint32 from = find_sign(self, before->begin, before->end);
    const guint32 i = find_sign(self, line->begin, line->end);
    if (from == before->end || i == line->end)
        return;

    const TgStrictElement *first_a = &self->a->elements[line->begin],
                          *before_a = &self->a->elements[before->begin];
    const TgStrictElement *first_b = &self->b->elements[self->of_a[line->begin]];
    const TgStrictElement *before_b = &self->b->elements[self->of_a[before->begin]];
    const double indent_a = (first_a->box.x0 - before_a->box.x0) / self->a->elements[i].em_px;
    const double indent_b =
        (first_b->box.x0 - before_b->box.x0) / self->b->elements[self->of_a[i]].em_px;
    const gboolean is_column = first_a->cell.n_columns > 1 || first_b->cell.n_columns > 1;

    if ((!is_column && fabs(indent_a - indent_b) > TG_STRICT_INDENT_EM) ||
        !is_as_far_as_partner(self, from, i))
        self->in_place[line->begin] = FALSE;
}

/* Whether a line of those that are read as one begins at @i, or ends before it. */
static gboolean is_line_start(const TgStrictFormula *formula, guint32 i)
{
    return i == 0 || i == formula->n_elements ||
           formula->elements[i].line != formula->elements[i - 1].line;
}

/* Check the lines of a formula that is read as one line, where they are lines on both sides. */
static void check_broken_lines(Pairs *self)
{
    const TgStrictFormula *formula = self->a, *other = self->b;
    Span before = { 0 }, line = { 0 };

    for (guint32 i = 1; i <= formula->n_elements; i++) {
        if (!is_line_start(formula, i))
            continue;
        line.end = i;
        const gboolean is_line = is_run(self, line.begin, line.end) &&
                                 is_line_start(other, self->of_a[line.begin]) &&
                                 is_line_start(other, self->of_a[line.begin] + i - line.begin);
        if (is_line && before.end == line.begin && before.end > 0 &&
            is_run(self, before.begin, line.end) && self->a->elements[line.begin].is_break &&
            self->b->elements[self->of_a[line.begin]].is_break)
            check_line(self, &before, &line);
        before = is_line ? line : (Span){ 0 };
        line.begin = i;
    }
}

/* Check that a script or limit is as far from its sign as on the other side. */
static void check_row(Pairs *self, guint32 sign, const Span *row)
{
    enum {
        NO_SCRIPTS = 1 << TG_STRICT_GRID | 1 << TG_STRICT_GRID_TOP | 1 << TG_STRICT_GRID_BOTTOM |
                     1 << TG_STRICT_RAISED | 1 << TG_STRICT_LOWERED | 1 << TG_STRICT_OVER_LEFT |
                     1 << TG_STRICT_OVER_BOTH | 1 << TG_STRICT_OVER_RIGHT
    };

    if ((NO_SCRIPTS >> row->role & 1) != 0 || !is_run(self, sign, row->end) ||
        !is_row_of_both(self, row) ||
        !is_same_size(&self->a->elements[sign], &self->b->elements[self->of_a[sign]]))
        return;
    const guint32 i = find_sign(self, row->begin, row->end);
    if (i < row->end && !is_as_far_as_partner(self, sign, i))
        self->in_place[row->begin] = FALSE;
}

/* Compare distances between the elements under a root, a frame or an accent. */
static void check_covers(Pairs *self)
{
    for (guint32 cover = 0; cover < self->a->n_elements; cover++) {
        const TgStrictElement *a = &self->a->elements[cover];

        if (a->cover_end <= cover + 1 ||
            a->glyph.sign == tg_strict_construct(TG_STRICT_CIRCLE).sign ||
            !is_run(self, cover, a->cover_end))
            continue;
        const guint32 i = find_sign(self, cover + 1, a->cover_end);
        const TgStrictElement *b = &self->b->elements[self->of_a[cover]];
        if (i == a->cover_end || b->cover_end - self->of_a[cover] != a->cover_end - cover)
            continue;
        const TgStrictElement *in_a = &self->a->elements[i],
                              *in_b = &self->b->elements[self->of_a[i]];
        const double top =
            (a->box.y0 - middle_y(in_a)) / in_a->em_px - (b->box.y0 - middle_y(in_b)) / in_b->em_px;
        const double bottom =
            (a->box.y1 - middle_y(in_a)) / in_a->em_px - (b->box.y1 - middle_y(in_b)) / in_b->em_px;
        const double width =
            (a->box.x1 - a->box.x0) / in_a->em_px - (b->box.x1 - b->box.x0) / in_b->em_px;
        if (MAX(fabs(top), fabs(bottom)) > TG_STRICT_RISE_EM ||
            (a->glyph.sign == tg_strict_construct(TG_STRICT_FRAME).sign &&
             fabs(width) > TG_STRICT_INDENT_EM))
            self->in_place[cover] = FALSE;
    }
}

/* Check the lines of grids, and the rows that belong to a sign. */
static void check_rows(Pairs *self, const Span *spans)
{
    const TgStrictFormula *formula = self->a;

    for (guint32 g = 0; g < formula->n_groups; g++) {
        const TgStrictGroup *group = &formula->groups[g];
        const guint32 *children = &formula->children[group->first_child];
        const Span *line = NULL;
        guint32 sign = TG_STRICT_ALONE;

        for (guint32 k = 0; k < group->n_children; k++) {
            const Span *span = &spans[children[k] & ~TG_STRICT_GROUP_BIT];

            if ((children[k] & TG_STRICT_GROUP_BIT) == 0) {
                sign = children[k];
            } else if (span->role == TG_STRICT_LINE) {
                if (line != NULL && is_run(self, line->begin, span->end) &&
                    is_row_of_both(self, line) && is_row_of_both(self, span))
                    check_line(self, line, span);
                line = span;
            } else if (sign != TG_STRICT_ALONE) {
                check_row(self, sign, span);
            }
        }
    }
}

static void check_distances(Pairs *self)
{
    const gsize size = (gsize) self->a->n_elements * sizeof *self->in_place;
    g_autofree gboolean *is_placed = g_memdup2(self->in_place, size);
    g_autofree Span *spans = list_spans(self->a);
    g_autofree Span *rows_of_b = list_spans(self->b);

    qsort(rows_of_b, self->b->n_groups, sizeof *rows_of_b, compare_spans);
    self->is_placed = is_placed;
    self->rows_of_b = rows_of_b;
    check_covers(self);
    check_broken_lines(self);
    check_rows(self, spans);
}

/* ---- Interface ----------------------------------------------------------------------------- */

void tg_strict_check_places(const TgStrictFormula *a, const TgStrictFormula *b, const guint32 *of_a,
                            const guint32 *of_b, gboolean *in_place)
{
    Pairs pairs = { .a = a, .b = b, .of_a = of_a, .of_b = of_b, .in_place = in_place };

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
    check_distances(&pairs);
}
