/*
 * The parts of two constructs, compared in another order than they stand in. An alignment of tokens
 * cannot say that two rows are exchanged; here each part of one is aligned with the part of the
 * other that it would be, and what then still differs is priced beside the exchange.
 */
#include "metrics/forte/parts.h"

#include <math.h>

#define MAX_PARTS  256
#define MAX_DIFFER 12 /* rows that are tried in pairs */

/* The parts of a list of rows, of the cells of a grid, or of a fraction. */
typedef struct {
    TgForteRange at[MAX_PARTS];
    guint32 n;
    guint32 n_columns; /* of every row; 0: they differ */
} Parts;

/* Which part of the hypothesis each part of the reference is. */
typedef guint32 Order[MAX_PARTS];

/* How parts are told apart. */
typedef enum { BY_ROW, BY_CELL, BY_BAR } Division;

static gboolean parts_begin(Division division, const TgForteToken *token)
{
    switch (division) {
    case BY_ROW:
        return token->name == TG_FORTE_NEXT_ROW;
    case BY_CELL:
        return token->name == TG_FORTE_NEXT_ROW || token->name == TG_FORTE_NEXT_CELL;
    default:
        return token->name == TG_FORTE_DEN;
    }
}

/* The parts from @begin on, up to the end of the construct or list; n is 0 where there are too
 * many. */
static void read_parts(const GArray *tokens, guint32 begin, Division division, Parts *parts)
{
    guint depth = 0;
    guint32 i = begin, in_row = 0;

    parts->n = 0;
    parts->n_columns = G_MAXUINT32;
    for (gboolean last = FALSE; !last; i++) {
        const TgForteToken *token = i < tokens->len ? tg_forte_at(tokens, i) : NULL;

        last = token == NULL || (depth == 0 && tg_forte_ends(token));
        if (!last && (depth > 0 || !parts_begin(division, token))) {
            depth = depth + tg_forte_begins(token) - tg_forte_ends(token);
        } else if (parts->n == MAX_PARTS) {
            parts->n = 0;
            return;
        } else {
            parts->at[parts->n++] = (TgForteRange){ begin, i };
            begin = i + 1;
            in_row++;
            if (!last && token->name != TG_FORTE_NEXT_ROW)
                continue;
            parts->n_columns =
                parts->n_columns == G_MAXUINT32 || parts->n_columns == in_row ? in_row : 0;
            in_row = 0;
        }
    }
}

/* ---- Orders ---------------------------------------------------------------------------------- */

/* The parts of two constructs. */
typedef struct {
    TgForteGroups *groups;
    const Parts *ref, *hyp;
} Pair;

static gboolean same_part(const Pair *self, guint32 k, guint32 l)
{
    const TgForteRange a = self->ref->at[k], b = self->hyp->at[l];

    return a.end - a.start == b.end - b.start &&
           tg_forte_same_tokens(self->groups->ref, a.start, self->groups->hyp, b.start,
                                a.end - a.start);
}

static void keep_order(Order order)
{
    for (guint32 k = 0; k < MAX_PARTS; k++)
        order[k] = k;
}

/* What differs when the parts @first to @last are aligned in @order. At least half of what is not
 * in its place must be there, or this is no other order: INFINITY. */
static double rest_of(const Pair *self, guint32 first, guint32 last, const Order order)
{
    double rest = 0, moved = 0, size = 0;

    for (guint32 k = first; k <= last; k++) {
        const double cost =
            tg_forte_cost_of_ranges(self->groups, self->ref->at[k], self->hyp->at[order[k]]);

        rest += cost;
        if (order[k] == k)
            continue;
        moved += cost;
        size += tg_forte_cost_of_range(self->groups->ref, self->ref->at[k]);
    }
    return 2 * moved <= size ? rest : INFINITY;
}

/* Make the edits of the parts @first to @last a slip if that explains them at less cost. */
static void try_order(const Pair *self, guint32 first, guint32 last, const Order order,
                      TgForteGroup *group)
{
    const TgForteRange ref = { self->ref->at[first].start, self->ref->at[last].end };
    const TgForteRange hyp = { self->hyp->at[first].start, self->hyp->at[last].end };
    TgForteRange edits;
    double cost;

    if (!tg_forte_edits_between(self->groups, ref, hyp, &edits, &cost))
        return;
    group->rest = rest_of(self, first, last, order);
    if (tg_forte_price_of_group(group, cost) <= cost)
        tg_forte_make_group(self->groups, &edits, 1, group);
}

/* ---- Two parts of a list --------------------------------------------------------------------- */

/* The parts that differ where they stand; more than MAX_DIFFER if there are too many. */
static guint find_differing(const Pair *self, guint32 differ[MAX_DIFFER])
{
    guint n = 0;

    for (guint32 k = 0; k < self->ref->n && n <= MAX_DIFFER; k++) {
        if (same_part(self, k, k))
            continue;
        if (n < MAX_DIFFER)
            differ[n] = k;
        n++;
    }
    return n;
}

/* Two parts exchanged: one at least as it was. */
static void try_exchange(const Pair *self, const guint32 *differ, guint n, TgForteSlip slip)
{
    guint32 a = 0, b = 0;
    guint best = 0;
    Order order;

    for (guint k = 0; k < n; k++) {
        for (guint l = k + 1; l < n; l++) {
            const guint same = (guint) same_part(self, differ[k], differ[l]) +
                               (guint) same_part(self, differ[l], differ[k]);

            if (same <= best)
                continue;
            best = same;
            a = differ[k];
            b = differ[l];
        }
    }
    if (best == 0)
        return;
    TgForteGroup group = { .slip = slip, .parts = { a + 1, b + 1 } };
    keep_order(order);
    order[a] = b;
    order[b] = a;
    try_order(self, differ[0], differ[n - 1], order, &group);
}

/* One row that is elsewhere, the others as they were. */
static gboolean try_moved_row(const Pair *self, guint32 first, guint32 last)
{
    const guint32 n = last - first;

    for (guint down = 0; down < 2; down++) {
        TgForteGroup group = { .slip = TG_FORTE_SLIP_ROW,
                               .parts = { (down ? first : last) + 1, (down ? last : first) + 1 } };
        gboolean same = TRUE;
        Order order;

        keep_order(order);
        for (guint32 k = first; k <= last; k++) {
            order[k] = first + (k - first + (down ? n : 1)) % (n + 1);
            same = same && same_part(self, k, order[k]);
        }
        if (same) {
            try_order(self, first, last, order, &group);
            return TRUE;
        }
    }
    return FALSE;
}

static void check_list(TgForteGroups *groups, guint32 i, guint32 j, Division division,
                       TgForteSlip slip)
{
    guint32 differ[MAX_DIFFER];
    Parts ref, hyp;
    const Pair pair = { groups, &ref, &hyp };

    read_parts(groups->ref, i, division, &ref);
    if (ref.n < 2)
        return;
    read_parts(groups->hyp, j, division, &hyp);
    if (ref.n != hyp.n)
        return;
    const guint n = find_differing(&pair, differ);
    if (n < 2 || n > MAX_DIFFER)
        return;
    if (n == 2 || division != BY_ROW || !try_moved_row(&pair, differ[0], differ[n - 1]))
        try_exchange(&pair, differ, n, slip);
}

/* ---- Columns --------------------------------------------------------------------------------- */

/* Whether the columns @k and @l are exchanged in all rows. */
static gboolean columns_exchanged(const Pair *self, guint32 k, guint32 l)
{
    const guint32 width = self->ref->n_columns;
    guint32 same = 0;

    for (guint32 row = 0; row < self->ref->n; row += width) {
        same += (guint) same_part(self, row + k, row + l);
        same += (guint) same_part(self, row + l, row + k);
    }
    return same > self->ref->n / width; /* more than half of the cells: others may have errors */
}

static void check_columns(TgForteGroups *groups, guint32 i, guint32 j)
{
    Parts ref, hyp;
    const Pair pair = { groups, &ref, &hyp };
    Order order;

    read_parts(groups->ref, i, BY_CELL, &ref);
    read_parts(groups->hyp, j, BY_CELL, &hyp);
    if (ref.n == 0 || ref.n != hyp.n || ref.n_columns < 2 || ref.n_columns != hyp.n_columns ||
        ref.n_columns > MAX_DIFFER || ref.n == ref.n_columns)
        return;
    for (guint32 k = 0; k < ref.n_columns; k++) {
        for (guint32 l = k + 1; l < ref.n_columns; l++) {
            TgForteGroup group = { .slip = TG_FORTE_SLIP_COLUMNS, .parts = { k + 1, l + 1 } };

            if (!columns_exchanged(&pair, k, l))
                continue;
            keep_order(order);
            for (guint32 row = 0; row < ref.n; row += ref.n_columns) {
                order[row + k] = row + l;
                order[row + l] = row + k;
            }
            try_order(&pair, 0, ref.n - 1, order, &group);
            return;
        }
    }
}

/* ---- Scripts --------------------------------------------------------------------------------- */

/* What the script at @open holds. */
static TgForteRange body_of(const GArray *tokens, guint32 open)
{
    guint32 i = open + 1;

    for (guint depth = 1; i < tokens->len; i++) {
        depth =
            depth + tg_forte_begins(tg_forte_at(tokens, i)) - tg_forte_ends(tg_forte_at(tokens, i));
        if (depth == 0)
            break;
    }
    return (TgForteRange){ open + 1, i };
}

static gboolean read_scripts(const GArray *tokens, guint32 sub, Parts *parts)
{
    const TgForteRange body = body_of(tokens, sub);

    if (body.end + 1 >= tokens->len || tg_forte_at(tokens, body.end + 1)->name != TG_FORTE_SUP)
        return FALSE;
    parts->n = 2;
    parts->at[0] = body;
    parts->at[1] = body_of(tokens, body.end + 1);
    return TRUE;
}

static void check_scripts(TgForteGroups *groups, guint32 i, guint32 j)
{
    static const guint32 both[] = { 0, 1 };
    Parts ref, hyp;
    const Pair pair = { groups, &ref, &hyp };

    if (read_scripts(groups->ref, i, &ref) && read_scripts(groups->hyp, j, &hyp) &&
        !same_part(&pair, 0, 0) && !same_part(&pair, 1, 1))
        try_exchange(&pair, both, 2, TG_FORTE_SLIP_SCRIPTS);
}

/* ---- Constructs ------------------------------------------------------------------------------ */

/* The construct whose mark is at @i and @j. */
static void check_construct(TgForteGroups *self, guint32 i, guint32 j)
{
    const TgForteToken *token = tg_forte_at(self->ref, i);

    if (token->name == TG_FORTE_FRAC)
        check_list(self, i + 1, j + 1, BY_BAR, TG_FORTE_SLIP_FRACTION);
    if (token->name == TG_FORTE_SUB)
        check_scripts(self, i, j);
    if (token->kind == TG_FORTE_GRID || token->kind == TG_FORTE_SCRIPT)
        check_list(self, i + 1, j + 1, BY_ROW, TG_FORTE_SLIP_ROWS);
    if (token->kind == TG_FORTE_GRID)
        check_columns(self, i + 1, j + 1);
}

void tg_forte_find_parts(TgForteGroups *self)
{
    guint32 i = 0, j = 0;

    check_list(self, 0, 0, BY_ROW, TG_FORTE_SLIP_ROWS);
    for (guint e = 0; e < self->edits->len && e <= 64; e++) { /* more errors have no names */
        const TgForteEdit edit = *tg_forte_edit_at(self, e);

        for (; i < edit.ref && j < edit.hyp; i++, j++) {
            if (tg_forte_begins(tg_forte_at(self->ref, i)))
                check_construct(self, i, j);
        }
        i = edit.ref + edit.lost;
        j = edit.hyp + edit.added;
    }
}
