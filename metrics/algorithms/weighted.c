/* Edit distance with weights, by dynamic programming. */
#include "metrics/algorithms/algorithms.h"

#include <string.h>

#include "core/deadline.h"
#include "core/vocab.h"

/* The items of a sequence by number: those that cost the same are one type. */
typedef struct {
    guint32 *type;    /* of each item */
    guint32 *example; /* an item of each type */
    guint32 n;
} Types;

static Types find_types(const guint64 *items, guint32 n)
{
    Types self = { g_new(guint32, 2 * (gsize) n + 1), NULL, 0 };
    g_autoptr(TgVocab) types = tg_vocab_new();

    self.example = self.type + n;
    for (guint32 i = 0; i < n; i++) {
        self.type[i] = tg_vocab_number(types, (const char *) &items[i], sizeof *items);
        if (self.type[i] == self.n)
            self.example[self.n++] = i;
    }
    return self;
}

/* One row of distances from the row above, in place; steps are packed, four in a byte. */
static void fill_row(const TgWeighted *self, guint32 i, const double *changes, const guint32 *type,
                     double *row, guint8 *steps)
{
    const double loss = self->costs[i], tolerance = self->tolerance;
    const double *additions = self->costs + self->n_ref;
    const guint32 n = self->n_hyp; /* bytes are written below */
    guint packed = TG_STEP_LOSS;
    double diagonal = row[0], left;

    left = row[0] = row[0] + loss;
    for (guint32 j = 1; j <= n; j++) {
        const double above = row[j];
        double best = diagonal + changes[type[j - 1]];
        TgWeightedStep step = TG_STEP_CHANGE;

        if (above + loss < best - tolerance) {
            best = above + loss;
            step = TG_STEP_LOSS;
        }
        if (left + additions[j - 1] < best - tolerance) {
            best = left + additions[j - 1];
            step = TG_STEP_ADDITION;
        }
        diagonal = above;
        left = row[j] = best;
        if (j % 4 == 0) {
            *steps++ = (guint8) packed;
            packed = 0;
        }
        packed |= (guint) step << (2 * (j % 4));
    }
    *steps = (guint8) packed;
}

/* Follow the steps back from the last cell, and put them in order. */
static guint32 trace_back(const TgWeighted *self, const guint8 *steps, gsize stride, guint8 *path)
{
    guint32 i = self->n_ref, j = self->n_hyp, at = i + j, n;

    while (i > 0 || j > 0) {
        const guint step = steps[i * stride + j / 4] >> (2 * (j % 4)) & 3;

        i -= step != TG_STEP_ADDITION;
        j -= step != TG_STEP_LOSS;
        path[--at] = (guint8) step;
    }
    n = self->n_ref + self->n_hyp - at;
    memmove(path, path + at, n);
    return n;
}

guint32 tg_weighted_align(const TgWeighted *self, guint8 *path)
{
    const gsize stride = (gsize) self->n_hyp / 4 + 1;
    const Types ref = find_types(self->items, self->n_ref);
    const Types hyp = find_types(self->items + self->n_ref, self->n_hyp);
    g_autofree double *row = g_new(double, (gsize) self->n_hyp + 1);
    g_autofree double **changes = g_new0(double *, ref.n); /* by type of the reference */
    g_autofree guint8 *steps = g_malloc(((gsize) self->n_ref + 1) * stride);

    row[0] = 0;
    for (guint32 j = 0; j < self->n_hyp; j++)
        row[j + 1] = row[j] + self->costs[self->n_ref + j];
    memset(steps, TG_STEP_ADDITION * 0x55, stride);
    for (guint32 i = 0; i < self->n_ref && !tg_deadline_spend(self->n_hyp); i++) {
        double **of_type = &changes[ref.type[i]];

        if (*of_type == NULL) {
            /* the loop above asks whether the time is up */
            (void) tg_deadline_spend(self->effort * (gsize) hyp.n);
            *of_type = g_new(double, hyp.n);
            for (guint32 t = 0; t < hyp.n; t++)
                (*of_type)[t] = self->change(self->data, i, hyp.example[t]);
        }
        fill_row(self, i, *of_type, hyp.type, row, steps + (i + 1) * stride);
    }
    for (guint32 t = 0; t < ref.n; t++)
        g_free(changes[t]);
    g_free(ref.type);
    g_free(hyp.type);
    return tg_deadline_spend(0) ? 0 : trace_back(self, steps, stride, path); /* else some lack */
}
