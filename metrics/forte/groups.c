/* Puts edits together and prices them. */
#include "metrics/forte/groups.h"

#include <math.h>

#define ONE_SCRIPT   1.9 /* what the edits of a script of one symbol cost */
#define SCRIPT_PRICE 1.2

gboolean tg_forte_same_tokens(const GArray *a, guint32 at_a, const GArray *b, guint32 at_b,
                              guint32 n)
{
    for (guint32 i = 0; i < n; i++) {
        const TgForteToken *x = tg_forte_at(a, at_a + i), *y = tg_forte_at(b, at_b + i);

        if (x->name != y->name || x->kind != y->kind || x->font != y->font)
            return FALSE;
    }
    return TRUE;
}

double tg_forte_cost_of_range(const GArray *tokens, TgForteRange range)
{
    double sum = 0;

    for (guint32 i = range.start; i < range.end; i++)
        sum += tg_forte_price_of_loss(tg_forte_at(tokens, i)).cost;
    return sum;
}

double tg_forte_cost_of_ranges(TgForteGroups *self, TgForteRange ref, TgForteRange hyp)
{
    const guint32 n_ref = ref.end - ref.start, n_hyp = hyp.end - hyp.start;
    const gsize cells = (gsize) n_ref * n_hyp;

    if (n_ref == n_hyp && tg_forte_same_tokens(self->ref, ref.start, self->hyp, hyp.start, n_ref))
        return 0;
    if (cells > self->cells)
        return INFINITY;
    self->cells -= cells;
    if (cells == 0)
        return tg_forte_cost_of_range(self->ref, ref) + tg_forte_cost_of_range(self->hyp, hyp);
    return tg_forte_distance(self->tables, tg_forte_at(self->ref, ref.start), n_ref,
                             tg_forte_at(self->hyp, hyp.start), n_hyp);
}

double tg_forte_price_of_group(const TgForteGroup *group, double sum)
{
    switch (group->slip) {
    case TG_FORTE_SLIP_SCRIPT: /* one error, however much it held; more of it is slowly worse */
        return MIN(sum, SCRIPT_PRICE * sqrt(sum / ONE_SCRIPT));
    case TG_FORTE_SLIP_BRACKET: /* as one bracket for another */
        return MIN(sum, 0.7);
    case TG_FORTE_SLIP_ROWS: /* all is there, in another order */
    case TG_FORTE_SLIP_ROW:
        return MIN(sum, 1) + group->rest;
    case TG_FORTE_SLIP_EXCHANGE: /* all is there, the value is another */
    case TG_FORTE_SLIP_FRACTION:
    case TG_FORTE_SLIP_SCRIPTS:
    case TG_FORTE_SLIP_COLUMNS:
    case TG_FORTE_SLIP_MOVE:
        return MIN(sum, 1.5) + group->rest;
    default:
        return sum;
    }
}

static double sum_of_free_edits(const TgForteGroups *self, const TgForteRange *ranges, guint n)
{
    double sum = 0;

    for (guint r = 0; r < n; r++) {
        for (guint32 e = ranges[r].start; e < ranges[r].end; e++) {
            const TgForteEdit *edit = tg_forte_edit_at(self, e);
            sum += edit->group == 0 ? edit->cost : 0;
        }
    }
    return sum;
}

void tg_forte_make_group(TgForteGroups *self, const TgForteRange *ranges, guint n,
                         const TgForteGroup *group)
{
    const double sum = sum_of_free_edits(self, ranges, n);
    const double price = tg_forte_price_of_group(group, sum);

    self->n_groups++;
    for (guint r = 0; r < n; r++) {
        for (guint32 e = ranges[r].start; e < ranges[r].end; e++) {
            TgForteEdit *edit = tg_forte_edit_at(self, e);

            if (edit->group != 0)
                continue;
            edit->group = self->n_groups;
            edit->slip = (guint8) group->slip;
            memcpy(edit->parts, group->parts, sizeof edit->parts);
            edit->rest = group->rest;
            edit->share = sum > 0 ? edit->cost * price / sum : 0;
        }
    }
}

/* Whether an edit at @at, which has a token there (@taken) or stands before one, may be part of
 * @range, or of what is outside of it. */
static gboolean may_be_inside(TgForteRange range, guint32 at, gboolean taken)
{
    return at >= range.start && (taken ? at < range.end : at <= range.end);
}

static gboolean may_be_outside(TgForteRange range, guint32 at, gboolean taken)
{
    return at >= range.end || (taken ? at < range.start : at <= range.start);
}

gboolean tg_forte_edits_between(const TgForteGroups *self, TgForteRange ref, TgForteRange hyp,
                                TgForteRange *edits, double *cost)
{
    *edits = (TgForteRange){ 0, 0 };
    *cost = 0;
    for (guint e = 0; e < self->edits->len; e++) {
        const TgForteEdit *edit = tg_forte_edit_at(self, e);
        const gboolean inside =
            may_be_inside(ref, edit->ref, edit->lost) && may_be_inside(hyp, edit->hyp, edit->added);

        if (!inside && may_be_outside(ref, edit->ref, edit->lost) &&
            may_be_outside(hyp, edit->hyp, edit->added))
            continue;
        if (!inside || edit->group != 0)
            return FALSE;
        if (edits->end == 0)
            edits->start = e;
        edits->end = e + 1;
        *cost += edit->cost;
    }
    return edits->end > 0;
}
