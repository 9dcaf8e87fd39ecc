/* Edit distance with weights, by dynamic programming over the two lists. */
#include "metrics/forte/align.h"

#include <math.h>
#include <string.h>

#include "core/deadline.h"
#include "core/fail.h"

#define TIE 1e-9

typedef enum { STEP_CHANGE, STEP_LOSS, STEP_ADDITION } Step;

/* The types of the tokens of a list: tokens of equal name, kind and font cost the same. */
typedef struct {
    guint32 *type;    /* of each token */
    guint32 *example; /* a token of each type */
    guint32 n_types;
} TokenTypes;

static guint32 hash_token(const TgForteToken *token)
{
    return (token->name * 31 + token->kind) * 31 + token->font;
}

static gboolean same_token(const TgForteToken *a, const TgForteToken *b)
{
    return a->name == b->name && a->kind == b->kind && a->font == b->font;
}

static void token_types_init(TokenTypes *self, const TgForteToken *list, guint32 n)
{
    guint32 size = 64;

    while (size < 2 * n)
        size *= 2;
    *self = (TokenTypes){ g_new(guint32, n), g_new(guint32, n), 0 };

    g_autofree guint32 *slots = g_new0(guint32, size); /* number of the type, plus 1 */
    for (guint32 i = 0; i < n; i++) {
        guint32 slot = (hash_token(&list[i]) * 2654435761u) & (size - 1);

        while (slots[slot] != 0 && !same_token(&list[self->example[slots[slot] - 1]], &list[i]))
            slot = (slot + 1) & (size - 1);
        if (slots[slot] == 0) {
            self->example[self->n_types] = i;
            slots[slot] = ++self->n_types;
        }
        self->type[i] = slots[slot] - 1;
    }
}

static void token_types_clear(TokenTypes *self)
{
    g_free(self->type);
    g_free(self->example);
}

/* Two bits a cell; every row begins a byte. */
typedef struct {
    guint8 *bits;
    gsize stride; /* bytes of a row */
} Steps;

static Steps steps_new(guint32 n_ref, guint32 n_hyp)
{
    const gsize stride = (gsize) n_hyp / 4 + 1;

    return (Steps){ g_malloc(((gsize) n_ref + 1) * stride), stride };
}

static Step get_step(const Steps *steps, gsize i, gsize j)
{
    return (Step) (steps->bits[i * steps->stride + j / 4] >> (2 * (j % 4)) & 3);
}

typedef struct {
    const TgForteTables *tables;
    const TgForteToken *ref, *hyp;
    guint32 n_ref, n_hyp;
} Problem;

/* Costs of putting each type of the hypothesis for the token @ref. */
static void fill_changes(const Problem *self, const TgForteToken *ref, const TokenTypes *types,
                         double *changes)
{
    for (guint32 s = 0; s < types->n_types; s++)
        changes[s] =
            tg_forte_price_of_change(self->tables, ref, &self->hyp[types->example[s]]).cost;
}

/* One row of distances from the row above, in place. */
static void fill_row(const Problem *self, guint32 i, const double *changes, const TokenTypes *types,
                     const double *additions, double *row, Steps *steps)
{
    const double loss = tg_forte_price_of_loss(&self->ref[i - 1]).cost;
    const guint32 *type = types->type, n = self->n_hyp; /* bytes are written below */
    guint8 *bits = steps->bits + i * steps->stride;
    guint packed = STEP_LOSS;
    double diagonal = row[0], left;

    left = row[0] = row[0] + loss;
    for (guint32 j = 1; j <= n; j++) {
        const double above = row[j];
        double best = diagonal + changes[type[j - 1]];
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
        if (j % 4 == 0) {
            *bits++ = (guint8) packed;
            packed = 0;
        }
        packed |= (guint) step << (2 * (j % 4));
    }
    *bits = (guint8) packed;
}

/* Fill the matrix; its last entry is the distance. */
static double fill_matrix(const Problem *self, Steps *steps)
{
    TokenTypes types[2], *ref_types = &types[0], *hyp_types = &types[1];
    g_autofree double *row = g_new(double, (gsize) self->n_hyp + 1);
    g_autofree double *additions = g_new(double, (gsize) self->n_hyp + 1);

    token_types_init(ref_types, self->ref, self->n_ref);
    token_types_init(hyp_types, self->hyp, self->n_hyp);
    g_autofree double **changes = g_new0(double *, ref_types->n_types);
    row[0] = 0;
    for (guint32 j = 1; j <= self->n_hyp; j++) {
        additions[j - 1] = tg_forte_price_of_loss(&self->hyp[j - 1]).cost;
        row[j] = row[j - 1] + additions[j - 1];
    }
    memset(steps->bits, STEP_ADDITION * 0x55, steps->stride);
    for (guint32 i = 1; i <= self->n_ref && !tg_too_long(self->n_hyp); i++) {
        double **of_type = &changes[ref_types->type[i - 1]];

        if (*of_type == NULL) {
            (void) tg_too_long(hyp_types->n_types); /* counted here, asked about above */
            *of_type = g_new(double, hyp_types->n_types);
            fill_changes(self, &self->ref[i - 1], hyp_types, *of_type);
        }
        fill_row(self, i, *of_type, hyp_types, additions, row, steps);
    }
    for (guint32 s = 0; s < ref_types->n_types; s++)
        g_free(changes[s]);
    token_types_clear(ref_types);
    token_types_clear(hyp_types);
    return row[self->n_hyp];
}

/* Leave out what both lists end in: at equal cost the last tokens are aligned with each other, and
 * nothing is cheaper while losing any other token instead costs no more than losing it and changing
 * the two. Of punctuation and bars that is not so: `.` is like \cdot, a bar like a slash. */
static void trim_end(Problem *self)
{
    while (self->n_ref > 0 && self->n_hyp > 0) {
        const TgForteToken *last = &self->ref[self->n_ref - 1];

        if (last->kind == TG_FORTE_PUNCTUATION || last->name == TG_FORTE_DEN ||
            !same_token(last, &self->hyp[self->n_hyp - 1]))
            return;
        self->n_ref--;
        self->n_hyp--;
    }
}

static void add_edit(const Problem *self, guint32 i, guint32 j, Step step, GArray *edits)
{
    const TgFortePrice price =
        step == STEP_CHANGE ? tg_forte_price_of_change(self->tables, &self->ref[i], &self->hyp[j])
        : step == STEP_LOSS ? tg_forte_price_of_loss(&self->ref[i])
                            : tg_forte_price_of_loss(&self->hyp[j]);
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
static void trace_back(const Problem *self, const Steps *steps, GArray *edits)
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

gboolean tg_forte_align(const TgForteTables *tables, const GArray *ref, const GArray *hyp,
                        GArray *edits, double *distance, GError **error)
{
    const gsize width = (gsize) hyp->len + 1, height = (gsize) ref->len + 1;

    g_array_set_size(edits, 0);
    *distance = 0;
    if (are_equal(ref, hyp))
        return TRUE;
    if (height > TG_FORTE_MAX_CELLS / width)
        return tg_fail(error, TG_ERROR_DATA, "formulas of %u and %u tokens are too long to align",
                       ref->len, hyp->len);

    Problem problem = { .tables = tables,
                        .ref = (const TgForteToken *) (gconstpointer) ref->data,
                        .hyp = (const TgForteToken *) (gconstpointer) hyp->data,
                        .n_ref = ref->len,
                        .n_hyp = hyp->len };
    trim_end(&problem);
    Steps steps = steps_new(problem.n_ref, problem.n_hyp);
    *distance = fill_matrix(&problem, &steps);
    if (!tg_too_long(0)) /* else steps are missing */
        trace_back(&problem, &steps, edits);
    g_free(steps.bits);
    return TRUE;
}

double tg_forte_distance(const TgForteTables *tables, const TgForteToken *ref, guint32 n_ref,
                         const TgForteToken *hyp, guint32 n_hyp)
{
    Problem problem = { tables, ref, hyp, n_ref, n_hyp };
    trim_end(&problem);
    Steps steps = steps_new(problem.n_ref, problem.n_hyp);
    const double distance = fill_matrix(&problem, &steps);

    g_free(steps.bits);
    return distance;
}
