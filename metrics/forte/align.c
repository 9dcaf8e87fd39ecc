/* Edit distance with weights, by dynamic programming over the two lists. */
#include "metrics/forte/align.h"

#include <math.h>
#include <string.h>

#define TIE 1e-9

typedef enum { STEP_CHANGE, STEP_LOSS, STEP_ADDITION } Step;

/* The tokens of a list by sort: tokens of equal name, kind and font cost the same. */
typedef struct {
    guint32 *sort;    /* of each token */
    guint32 *example; /* a token of each sort */
    guint32 n_sorts;
} Sorts;

static guint32 hash_token(const TgForteToken *token)
{
    return (token->name * 31 + token->kind) * 31 + token->font;
}

static gboolean same_token(const TgForteToken *a, const TgForteToken *b)
{
    return a->name == b->name && a->kind == b->kind && a->font == b->font;
}

static void sorts_init(Sorts *self, const GArray *tokens)
{
    const TgForteToken *list = (const TgForteToken *) (gconstpointer) tokens->data;
    guint32 size = 64;

    while (size < 2 * tokens->len)
        size *= 2;
    *self = (Sorts){ g_new(guint32, tokens->len), g_new(guint32, tokens->len), 0 };

    g_autofree guint32 *slots = g_new0(guint32, size); /* number of the sort, plus 1 */
    for (guint32 i = 0; i < tokens->len; i++) {
        guint32 slot = (hash_token(&list[i]) * 2654435761u) & (size - 1);

        while (slots[slot] != 0 && !same_token(&list[self->example[slots[slot] - 1]], &list[i]))
            slot = (slot + 1) & (size - 1);
        if (slots[slot] == 0) {
            self->example[self->n_sorts] = i;
            slots[slot] = ++self->n_sorts;
        }
        self->sort[i] = slots[slot] - 1;
    }
}

static void sorts_clear(Sorts *self)
{
    g_free(self->sort);
    g_free(self->example);
}

/* Two bits a cell. */
typedef struct {
    guint8 *bits;
    gsize width;
} Steps;

static void set_step(Steps *steps, gsize i, gsize j, Step step)
{
    const gsize cell = i * steps->width + j;

    steps->bits[cell / 4] |= (guint8) ((guint) step << (2 * (cell % 4)));
}

static Step get_step(const Steps *steps, gsize i, gsize j)
{
    const gsize cell = i * steps->width + j;

    return (Step) (steps->bits[cell / 4] >> (2 * (cell % 4)) & 3);
}

typedef struct {
    const TgForteCosts *costs;
    const TgForteTables *tables;
    const TgForteToken *ref, *hyp;
    guint32 n_ref, n_hyp;
} Problem;

/* Costs of putting each sort of the hypothesis for the token @ref. */
static void fill_changes(const Problem *self, const TgForteToken *ref, const Sorts *sorts,
                         double *changes)
{
    for (guint32 s = 0; s < sorts->n_sorts; s++)
        changes[s] =
            tg_forte_price_of_change(self->costs, self->tables, ref, &self->hyp[sorts->example[s]])
                .cost;
}

/* One row of distances from the row above, in place. */
static void fill_row(const Problem *self, guint32 i, const double *changes, const Sorts *sorts,
                     const double *additions, double *row, Steps *steps)
{
    const double loss = tg_forte_price_of_loss(self->costs, &self->ref[i - 1]).cost;
    double diagonal = row[0], left;

    left = row[0] = row[0] + loss;
    set_step(steps, i, 0, STEP_LOSS);
    for (guint32 j = 1; j <= self->n_hyp; j++) {
        const double above = row[j];
        double best = diagonal + changes[sorts->sort[j - 1]];
        Step step = STEP_CHANGE;

        if (above + loss < best - TIE) {
            best = above + loss;
            step = STEP_LOSS;
        }
        if (left + additions[j - 1] < best - TIE) {
            best = left + additions[j - 1];
            step = STEP_ADDITION;
        }
        diagonal = above;
        left = row[j] = best;
        set_step(steps, i, j, step);
    }
}

/* Fill the matrix; what it says at the end is the distance. */
static double fill(const Problem *self, const Sorts *ref_sorts, const Sorts *hyp_sorts,
                   Steps *steps)
{
    g_autofree double *row = g_new(double, (gsize) self->n_hyp + 1);
    g_autofree double *additions = g_new(double, (gsize) self->n_hyp + 1);
    g_autofree double **changes = g_new0(double *, ref_sorts->n_sorts);

    row[0] = 0;
    for (guint32 j = 1; j <= self->n_hyp; j++) {
        additions[j - 1] = tg_forte_price_of_loss(self->costs, &self->hyp[j - 1]).cost;
        row[j] = row[j - 1] + additions[j - 1];
        set_step(steps, 0, j, STEP_ADDITION);
    }
    for (guint32 i = 1; i <= self->n_ref; i++) {
        double **of_sort = &changes[ref_sorts->sort[i - 1]];

        if (*of_sort == NULL) {
            *of_sort = g_new(double, hyp_sorts->n_sorts);
            fill_changes(self, &self->ref[i - 1], hyp_sorts, *of_sort);
        }
        fill_row(self, i, *of_sort, hyp_sorts, additions, row, steps);
    }
    for (guint32 s = 0; s < ref_sorts->n_sorts; s++)
        g_free(changes[s]);
    return row[self->n_hyp];
}

static void add_edit(const Problem *self, guint32 i, guint32 j, Step step, GArray *edits)
{
    const TgFortePrice price =
        step == STEP_CHANGE
            ? tg_forte_price_of_change(self->costs, self->tables, &self->ref[i], &self->hyp[j])
        : step == STEP_LOSS ? tg_forte_price_of_loss(self->costs, &self->ref[i])
                            : tg_forte_price_of_loss(self->costs, &self->hyp[j]);
    const TgForteEdit edit = { .cost = price.cost,
                               .class = (guint8) price.class,
                               .lost = step != STEP_ADDITION,
                               .added = step != STEP_LOSS,
                               .ref = i,
                               .hyp = j };

    if (price.class != TG_FORTE_EDIT_NONE)
        g_array_append_val(edits, edit);
}

/* The edits along the way back from the end, put in order. */
static void trace(const Problem *self, const Steps *steps, GArray *edits)
{
    guint32 i = self->n_ref, j = self->n_hyp;

    while (i > 0 || j > 0) {
        const Step step = get_step(steps, i, j);

        i -= step != STEP_ADDITION;
        j -= step != STEP_LOSS;
        add_edit(self, i, j, step, edits);
    }
    for (guint32 a = 0, b = edits->len; a + 1 < b; a++, b--) {
        TgForteEdit *first = &g_array_index(edits, TgForteEdit, a);
        TgForteEdit *last = &g_array_index(edits, TgForteEdit, b - 1);
        const TgForteEdit swap = *first;

        *first = *last;
        *last = swap;
    }
}

static gboolean are_equal(const GArray *a, const GArray *b)
{
    if (a->len != b->len)
        return FALSE;
    for (guint i = 0; i < a->len; i++) {
        if (!same_token(&g_array_index(a, TgForteToken, i), &g_array_index(b, TgForteToken, i)))
            return FALSE;
    }
    return TRUE;
}

gboolean tg_forte_align(const TgForteCosts *costs, const TgForteTables *tables, const GArray *ref,
                        const GArray *hyp, GArray *edits, double *distance, GError **error)
{
    const gsize width = (gsize) hyp->len + 1, height = (gsize) ref->len + 1;

    g_array_set_size(edits, 0);
    *distance = 0;
    if (are_equal(ref, hyp))
        return TRUE;
    if (height > TG_FORTE_MAX_CELLS / width) {
        g_set_error(error, TG_ERROR, TG_ERROR_DATA,
                    "formulas of %u and %u tokens are too long to align", ref->len, hyp->len);
        return FALSE;
    }

    const Problem problem = { .costs = costs,
                              .tables = tables,
                              .ref = (const TgForteToken *) (gconstpointer) ref->data,
                              .hyp = (const TgForteToken *) (gconstpointer) hyp->data,
                              .n_ref = ref->len,
                              .n_hyp = hyp->len };
    g_autofree guint8 *bits = g_malloc0(height * width / 4 + 1);
    Steps steps = { bits, width };
    Sorts ref_sorts, hyp_sorts;

    sorts_init(&ref_sorts, ref);
    sorts_init(&hyp_sorts, hyp);
    *distance = fill(&problem, &ref_sorts, &hyp_sorts, &steps);
    trace(&problem, &steps, edits);
    sorts_clear(&ref_sorts);
    sorts_clear(&hyp_sorts);
    return TRUE;
}
