/* Rows are aligned as strings whose letters may be rows; weights of two rows are memoized. */
#include "metrics/cdm_strict/align.h"

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
                                  : a->cell.is_first == b->cell.is_first;

    if (!in_place)
        return 0;
    switch (tg_strict_compare(a->glyph, b->glyph, any_style)) {
    case TG_STRICT_SAME:
        return TG_STRICT_WEIGHT_SAME;
    case TG_STRICT_VARIANT:
        return TG_STRICT_WEIGHT_VARIANT;
    case TG_STRICT_OTHER:
    default:
        return 0;
    }
}

static const guint32 *children_of(const TgStrictFormula *formula, guint32 row, guint32 *n)
{
    const TgStrictGroup *group = tg_strict_group(formula, row);

    *n = group->n_children;
    if (group->n_children == 0)
        return NULL; /* the array may have no storage yet */
    return &g_array_index(formula->children, guint32, group->first_child);
}

static guint32 rows_weight(Aligner *self, guint32 row_a, guint32 row_b);

static guint32 children_weight(Aligner *self, guint32 x, guint32 y)
{
    if (((x ^ y) & TG_STRICT_GROUP_BIT) != 0)
        return 0;
    if ((x & TG_STRICT_GROUP_BIT) != 0)
        return rows_weight(self, x ^ TG_STRICT_GROUP_BIT, y ^ TG_STRICT_GROUP_BIT);
    return tg_strict_weight(tg_strict_element(self->a, x), tg_strict_element(self->b, y),
                            self->any_style);
}

/* The greatest weight of two rows, by the recurrence of the longest common subsequence. */
static guint32 weigh_rows(Aligner *self, guint32 row_a, guint32 row_b)
{
    guint32 n_a, n_b;
    const guint32 *a = children_of(self->a, row_a, &n_a), *b = children_of(self->b, row_b, &n_b);
    g_autofree guint32 *best = g_new0(guint32, (gsize) n_b + 1); /* of @a so far and b[0..j) */

    for (guint32 i = 0; i < n_a; i++) {
        guint32 diagonal = 0;
        for (guint32 j = 0; j < n_b; j++) {
            const guint32 with = diagonal + children_weight(self, a[i], b[j]);
            diagonal = best[j + 1];
            best[j + 1] = MAX(MAX(best[j], best[j + 1]), with);
        }
    }
    return best[n_b];
}

static guint32 rows_weight(Aligner *self, guint32 row_a, guint32 row_b)
{
    guint32 *weight = &self->row_weight[(gsize) row_a * self->b->groups->len + row_b];

    if (*weight == UNKNOWN)
        *weight = tg_strict_group(self->a, row_a)->role == tg_strict_group(self->b, row_b)->role
                      ? weigh_rows(self, row_a, row_b)
                      : 0;
    return *weight;
}

static void pair_rows(Aligner *self, guint32 row_a, guint32 row_b);

static void pair_children(Aligner *self, guint32 x, guint32 y)
{
    if ((x & TG_STRICT_GROUP_BIT) != 0)
        pair_rows(self, x ^ TG_STRICT_GROUP_BIT, y ^ TG_STRICT_GROUP_BIT);
    else
        self->partner[x] = y;
}

/* Go back along an alignment of the greatest weight; the last children are paired first. */
static void pair_rows(Aligner *self, guint32 row_a, guint32 row_b)
{
    guint32 n_a, n_b;
    const guint32 *a = children_of(self->a, row_a, &n_a), *b = children_of(self->b, row_b, &n_b);
    const gsize width = (gsize) n_b + 1;
    g_autofree guint32 *best = g_new0(guint32, ((gsize) n_a + 1) * width);

    for (guint32 i = 0; i < n_a; i++) {
        for (guint32 j = 0; j < n_b; j++) {
            const guint32 with = best[i * width + j] + children_weight(self, a[i], b[j]);
            best[(i + 1) * width + j + 1] =
                MAX(MAX(best[i * width + j + 1], best[(i + 1) * width + j]), with);
        }
    }
    for (guint32 i = n_a, j = n_b; i > 0 && j > 0;) {
        const guint32 here = best[i * width + j];
        const guint32 weight = children_weight(self, a[i - 1], b[j - 1]);

        if (weight > 0 && here == best[(i - 1) * width + j - 1] + weight) {
            pair_children(self, a[--i], b[--j]);
        } else if (here == best[(i - 1) * width + j]) {
            i--;
        } else {
            j--;
        }
    }
}

void tg_strict_align(const TgStrictFormula *a, const TgStrictFormula *b, gboolean any_style,
                     guint32 *partner)
{
    const gsize n_cells = (gsize) a->groups->len * b->groups->len;
    g_autofree guint32 *row_weight = g_new(guint32, n_cells);
    Aligner aligner = { a, b, any_style, row_weight, partner };

    for (guint i = 0; i < a->elements->len; i++)
        partner[i] = TG_STRICT_ALONE;
    if (n_cells == 0)
        return;
    for (gsize i = 0; i < n_cells; i++)
        row_weight[i] = UNKNOWN;
    pair_rows(&aligner, a->groups->len - 1, b->groups->len - 1);
}
