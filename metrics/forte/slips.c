/*
 * Finds the slips behind the edits, several edits that one mistake leaves: parts in another order,
 * then what moved, then scripts. Each slip is a group of edits with a price of its own.
 */
#include "metrics/forte/forte.h"

#include <math.h>
#include <string.h>

#define MAX_CELLS    ((gsize) 1 << 16) /* of the alignments of parts */
#define ONE_SCRIPT   1.9               /* what the edits of a script of one symbol cost */
#define SCRIPT_PRICE 1.2
#define MAX_PARTS    256
#define MAX_DIFFER   12  /* rows that are tried in pairs */
#define MAX_RUNS     256 /* that are compared for what moved */
#define MAX_EDITS    24  /* from which stretches are made */
#define MAX_STRETCH  64  /* tokens */
#define FEW_SYMBOLS  3   /* fewer are alike by chance: all else must be as it was */
#define NEAR         4   /* tokens; that far they may stand from each other */

/* The lists, their edits, and how much more may be aligned to explain them. */
typedef struct {
    const GArray *ref, *hyp;
    GArray *edits;
    guint32 n_groups;
    gsize cells; /* products of lengths */
} Slips;

/* Tokens or edits from @start to before @end. */
typedef struct {
    guint32 start, end;
} Range;

/* A slip that is not a group of edits yet. */
typedef struct {
    TgForteSlip slip;
    guint32 parts[2];
    double rest;
} Group;

const char *tg_forte_slip_name(TgForteSlip slip)
{
    static const char *const names[TG_N_FORTE_SLIPS] = {
        "",
        "script",
        "script and line",
        "bracket elsewhere",
        "exchanged",
        "numerator and denominator exchanged",
        "sub- and superscript exchanged",
        "rows exchanged",
        "row moved",
        "columns exchanged",
        "moved",
    };

    return names[slip];
}

/* The token of a loss or an addition. */
static const TgForteToken *token_of(const Slips *self, guint e)
{
    const TgForteEdit *edit = tg_forte_edit(self->edits, e);

    return edit->lost ? tg_forte_at(self->ref, edit->ref) : tg_forte_at(self->hyp, edit->hyp);
}

/* Whether an edit is a loss or an addition that is no part of a slip. */
static gboolean is_one_sided(const TgForteEdit *edit)
{
    return edit->group == 0 && edit->lost != edit->added;
}

/* How the depth of constructs changes behind a token. */
static gint depth_change(const TgForteToken *token)
{
    return (gint) tg_forte_begins(token) - (gint) tg_forte_ends(token);
}

/* Whether @n tokens are the same in both lists. */
static gboolean same_tokens(const GArray *a, guint32 at_a, const GArray *b, guint32 at_b, guint32 n)
{
    for (guint32 i = 0; i < n; i++) {
        if (!tg_forte_same_token(tg_forte_at(a, at_a + i), tg_forte_at(b, at_b + i)))
            return FALSE;
    }
    return TRUE;
}

/* What losing all tokens of a range costs. */
static double cost_of_range(const GArray *tokens, Range range)
{
    double sum = 0;

    for (guint32 i = range.start; i < range.end; i++)
        sum += tg_forte_cost_of_loss(tg_forte_at(tokens, i));
    return sum;
}

/* What aligning a range of the reference with one of the hypothesis costs; INFINITY where that is
 * more than may still be aligned. */
static double cost_of_ranges(Slips *self, Range ref, Range hyp)
{
    const guint32 n_ref = ref.end - ref.start, n_hyp = hyp.end - hyp.start;
    const gsize cells = (gsize) n_ref * n_hyp;

    if (n_ref == n_hyp && same_tokens(self->ref, ref.start, self->hyp, hyp.start, n_ref))
        return 0;
    if (cells > self->cells)
        return INFINITY;
    self->cells -= cells;
    if (cells == 0)
        return cost_of_range(self->ref, ref) + cost_of_range(self->hyp, hyp);
    return tg_forte_distance(tg_forte_at(self->ref, ref.start), n_ref,
                             tg_forte_at(self->hyp, hyp.start), n_hyp);
}

/* ---- Groups --------------------------------------------------------------------------------- */

/* What @group costs for edits whose costs are @sum together; more than @sum: it explains nothing.
 */
static double price_of_group(const Group *group, double sum)
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

/* Make the edits of @n ranges one slip, where they are not part of one. */
static void make_group(Slips *self, const Range *ranges, guint n, const Group *group)
{
    double sum = 0;

    for (guint r = 0; r < n; r++) {
        for (guint32 e = ranges[r].start; e < ranges[r].end; e++) {
            const TgForteEdit *edit = tg_forte_edit(self->edits, e);
            sum += edit->group == 0 ? edit->cost : 0;
        }
    }
    const double price = price_of_group(group, sum);
    self->n_groups++;
    for (guint r = 0; r < n; r++) {
        for (guint32 e = ranges[r].start; e < ranges[r].end; e++) {
            TgForteEdit *edit = tg_forte_edit(self->edits, e);

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
static gboolean may_be_inside(Range range, guint32 at, gboolean taken)
{
    return at >= range.start && (taken ? at < range.end : at <= range.end);
}

static gboolean may_be_outside(Range range, guint32 at, gboolean taken)
{
    return at >= range.end || (taken ? at < range.start : at <= range.start);
}

/* The edits between two ranges of tokens, and the sum of their costs: none of them is part of a
 * slip or of what is outside. FALSE where there are none. */
static gboolean edits_between(const Slips *self, Range ref, Range hyp, Range *edits, double *cost)
{
    *edits = (Range){ 0, 0 };
    *cost = 0;
    for (guint e = 0; e < self->edits->len; e++) {
        const TgForteEdit *edit = tg_forte_edit(self->edits, e);
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

/* ---- Runs ----------------------------------------------------------------------------------- */

/* Whether an edit is of the slip of the one before it, or continues its loss or addition. */
static gboolean goes_on(const TgForteEdit *before, const TgForteEdit *edit)
{
    if (edit->group != 0 || before->group != 0)
        return edit->group == before->group;
    return edit->lost != edit->added && before->lost == edit->lost &&
           before->added == edit->added && edit->ref == before->ref + edit->lost &&
           edit->hyp == before->hyp + edit->added;
}

guint *tg_forte_runs(const GArray *edits)
{
    guint *runs = g_new(guint, (gsize) edits->len + 1);

    for (guint e = 0; e < edits->len; e++)
        runs[e] =
            e == 0 ? 0
                   : runs[e - 1] + !goes_on(tg_forte_edit(edits, e - 1), tg_forte_edit(edits, e));
    return runs;
}

/* The edit after the run that begins with edit @first. */
static guint end_of_run(const Slips *self, guint first)
{
    guint end = first + 1;

    while (end < self->edits->len &&
           goes_on(tg_forte_edit(self->edits, end - 1), tg_forte_edit(self->edits, end)))
        end++;
    return end;
}

/* ---- Parts in another order ------------------------------------------------------------------
 * An alignment of tokens cannot say that two rows are exchanged; here each part of a construct is
 * aligned with the part of the other that it would be, and what then still differs is priced beside
 * the exchange. */

/* The parts of a list of rows, of the cells of a grid, or of a fraction. */
typedef struct {
    Range at[MAX_PARTS];
    guint32 n;
    guint32 n_columns; /* of every row; 0: they differ */
} Parts;

/* Which part of the hypothesis each part of the reference is. */
typedef guint32 Order[MAX_PARTS];

/* The parts of two constructs. */
typedef struct {
    Slips *slips;
    const Parts *ref, *hyp;
} Pair;

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
            depth += (guint) depth_change(token);
        } else if (parts->n == MAX_PARTS) {
            parts->n = 0;
            return;
        } else {
            parts->at[parts->n++] = (Range){ begin, i };
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

static gboolean same_part(const Pair *self, guint32 k, guint32 l)
{
    const Range a = self->ref->at[k], b = self->hyp->at[l];

    return a.end - a.start == b.end - b.start &&
           same_tokens(self->slips->ref, a.start, self->slips->hyp, b.start, a.end - a.start);
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
        const double cost = cost_of_ranges(self->slips, self->ref->at[k], self->hyp->at[order[k]]);

        rest += cost;
        if (order[k] == k)
            continue;
        moved += cost;
        size += cost_of_range(self->slips->ref, self->ref->at[k]);
    }
    return 2 * moved <= size ? rest : INFINITY;
}

/* Make the edits of the parts @first to @last a slip if that explains them at less cost. */
static void try_order(const Pair *self, guint32 first, guint32 last, const Order order,
                      Group *group)
{
    const Range ref = { self->ref->at[first].start, self->ref->at[last].end };
    const Range hyp = { self->hyp->at[first].start, self->hyp->at[last].end };
    Range edits;
    double cost;

    if (!edits_between(self->slips, ref, hyp, &edits, &cost))
        return;
    group->rest = rest_of(self, first, last, order);
    if (price_of_group(group, cost) <= cost)
        make_group(self->slips, &edits, 1, group);
}

/* Two of the @n parts that differ exchanged: one at least as it was. */
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
    Group group = { .slip = slip, .parts = { a + 1, b + 1 } };
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
        Group group = { .slip = TG_FORTE_SLIP_ROW,
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

/* Two parts of the lists that begin at @i and @j, or a row of them. */
static void check_list(Slips *slips, guint32 i, guint32 j, Division division, TgForteSlip slip)
{
    guint32 differ[MAX_DIFFER];
    Parts ref, hyp;
    const Pair pair = { slips, &ref, &hyp };
    guint n = 0;

    read_parts(slips->ref, i, division, &ref);
    if (ref.n < 2)
        return;
    read_parts(slips->hyp, j, division, &hyp);
    if (ref.n != hyp.n)
        return;
    for (guint32 k = 0; k < ref.n; k++) {
        if (same_part(&pair, k, k))
            continue;
        if (n == MAX_DIFFER)
            return;
        differ[n++] = k;
    }
    if (n >= 2 && (n == 2 || division != BY_ROW || !try_moved_row(&pair, differ[0], differ[n - 1])))
        try_exchange(&pair, differ, n, slip);
}

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

static void check_columns(Slips *slips, guint32 i, guint32 j)
{
    Parts ref, hyp;
    const Pair pair = { slips, &ref, &hyp };
    Order order;

    read_parts(slips->ref, i, BY_CELL, &ref);
    read_parts(slips->hyp, j, BY_CELL, &hyp);
    if (ref.n == 0 || ref.n != hyp.n || ref.n_columns < 2 || ref.n_columns != hyp.n_columns ||
        ref.n_columns > MAX_DIFFER || ref.n == ref.n_columns)
        return;
    for (guint32 k = 0; k < ref.n_columns; k++) {
        for (guint32 l = k + 1; l < ref.n_columns; l++) {
            Group group = { .slip = TG_FORTE_SLIP_COLUMNS, .parts = { k + 1, l + 1 } };

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

/* What the script at @open holds. */
static Range body_of(const GArray *tokens, guint32 open)
{
    guint32 i = open + 1;

    for (gint depth = 1; i < tokens->len; i++) {
        depth += depth_change(tg_forte_at(tokens, i));
        if (depth == 0)
            break;
    }
    return (Range){ open + 1, i };
}

/* The subscript at @sub and the superscript after it. */
static gboolean read_script_pair(const GArray *tokens, guint32 sub, Parts *parts)
{
    const Range body = body_of(tokens, sub);

    if (body.end + 1 >= tokens->len || tg_forte_at(tokens, body.end + 1)->name != TG_FORTE_SUP)
        return FALSE;
    parts->n = 2;
    parts->at[0] = body;
    parts->at[1] = body_of(tokens, body.end + 1);
    return TRUE;
}

static void check_scripts(Slips *slips, guint32 i, guint32 j)
{
    static const guint32 both[] = { 0, 1 };
    Parts ref, hyp;
    const Pair pair = { slips, &ref, &hyp };

    if (read_script_pair(slips->ref, i, &ref) && read_script_pair(slips->hyp, j, &hyp) &&
        !same_part(&pair, 0, 0) && !same_part(&pair, 1, 1))
        try_exchange(&pair, both, 2, TG_FORTE_SLIP_SCRIPTS);
}

/* Constructs that are aligned with each other and whose parts are in another order. */
static void find_orders(Slips *self)
{
    guint32 i = 0, j = 0;

    check_list(self, 0, 0, BY_ROW, TG_FORTE_SLIP_ROWS);
    for (guint e = 0; e < self->edits->len && e <= 64; e++) { /* more errors have no names */
        const TgForteEdit edit = *tg_forte_edit(self->edits, e);

        for (; i < edit.ref && j < edit.hyp; i++, j++) {
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
        i = edit.ref + edit.lost;
        j = edit.hyp + edit.added;
    }
}

/* ---- Stretches that moved --------------------------------------------------------------------
 * Where a sub-expression stands elsewhere, the cheapest alignment of tokens need not show it:
 * `ab + c` for `c + ab` becomes two losses and two wrong letters. So each stretch of edits is read
 * once more as `P M Q` for `Q M P`, where one of P and Q may be missing. */

/* A way to read a stretch. */
typedef struct {
    Range edits;
    Group group;
    double saved; /* by it */
} Reading;

/* Whether a range lies in one list: it cuts no construct, and no accent off. */
static gboolean is_whole(const GArray *tokens, Range range)
{
    gint depth = 0;

    if (range.start < range.end && tg_forte_at(tokens, range.start)->kind == TG_FORTE_ACCENT)
        return FALSE;
    for (guint32 i = range.start; i < range.end; i++) {
        const TgForteToken *token = tg_forte_at(tokens, i);

        if (depth == 0 && (token->name == TG_FORTE_DEN || token->name == TG_FORTE_IDX ||
                           token->kind == TG_FORTE_ROW || token->kind == TG_FORTE_CELL))
            return FALSE;
        depth += depth_change(token);
        if (depth < 0)
            return FALSE;
    }
    return depth == 0;
}

static guint count_symbols(const GArray *tokens, Range range)
{
    guint n = 0;

    for (guint32 i = range.start; i < range.end; i++) {
        const guint8 kind = tg_forte_at(tokens, i)->kind;

        n += kind < TG_FORTE_OPEN && kind != TG_FORTE_PUNCTUATION && kind != TG_FORTE_DELIMITER;
    }
    return n;
}

/* How many tokens, at most @max, begin one stretch and end the other. */
static guint32 find_common(const GArray *a, Range begins, const GArray *b, Range ends, guint32 max)
{
    for (guint32 n = max; n > 0; n--) {
        const Range part = { begins.start, begins.start + n };

        if (same_tokens(a, begins.start, b, ends.end - n, n) && is_whole(a, part) &&
            count_symbols(a, part) > 0)
            return n;
    }
    return 0;
}

/* Which of the two parts moved: of neighbours a script, else the shorter one. */
static Group name_move(const Slips *self, Range ref, guint32 n_first, guint32 n_last)
{
    Group group = { TG_FORTE_SLIP_EXCHANGE, { n_first, n_last }, 0 };

    if (n_first + n_last == ref.end - ref.start && n_first > 0 && n_last > 0) {
        const gboolean first = tg_forte_at(self->ref, ref.start)->kind == TG_FORTE_SCRIPT;
        const gboolean last = tg_forte_at(self->ref, ref.end - n_last)->kind == TG_FORTE_SCRIPT;

        if (last || (!first && n_last < n_first))
            group.parts[0] = 0;
        else if (first || n_first < n_last)
            group.parts[1] = 0;
    }
    if (group.parts[0] == 0 || group.parts[1] == 0)
        group.slip = TG_FORTE_SLIP_MOVE;
    return group;
}

/* Read the stretches @ref and @hyp, whose edits are @edits and cost @cost, as a move. */
static void read_stretch(Slips *self, Range ref, Range hyp, Range edits, double cost, Reading *best)
{
    const guint32 shorter = MIN(ref.end - ref.start, hyp.end - hyp.start);
    const guint32 n_first = find_common(self->ref, ref, self->hyp, hyp, shorter);
    const guint32 n_last = find_common(self->hyp, hyp, self->ref, ref, shorter - n_first);
    const Range first = { ref.start, ref.start + n_first }, last = { ref.end - n_last, ref.end };
    const Range between[] = { { first.end, last.start },
                              { hyp.start + n_last, hyp.end - n_first } };
    const guint n_symbols = count_symbols(self->ref, first) + count_symbols(self->ref, last);
    const gboolean few = n_symbols < FEW_SYMBOLS;
    Group group = name_move(self, ref, n_first, n_last);

    if (n_symbols == 0 || !is_whole(self->ref, ref) || !is_whole(self->hyp, hyp) ||
        (few && MAX(between[0].end - between[0].start, between[1].end - between[1].start) > NEAR))
        return;
    group.rest = cost_of_ranges(self, between[0], between[1]);
    if (2 * group.rest > (few ? 0 : cost_of_range(self->ref, between[0])))
        return;
    const double saved = cost - price_of_group(&group, cost);
    if (saved > best->saved + 1e-9)
        *best = (Reading){ edits, group, saved };
}

/* The best move among the stretches that begin with edit @first. */
static void read_stretches(Slips *self, guint first, Reading *best)
{
    const TgForteEdit *begin = tg_forte_edit(self->edits, first);
    double cost = 0;

    for (guint e = first; e < self->edits->len && e < first + MAX_EDITS; e++) {
        const TgForteEdit *edit = tg_forte_edit(self->edits, e);
        const Range ref = { begin->ref, edit->ref + edit->lost };
        const Range hyp = { begin->hyp, edit->hyp + edit->added };

        if (edit->group != 0 || ref.end - ref.start > MAX_STRETCH ||
            hyp.end - hyp.start > MAX_STRETCH)
            return;
        cost += edit->cost;
        if (cost > price_of_group(&(Group){ .slip = TG_FORTE_SLIP_MOVE }, cost))
            read_stretch(self, ref, hyp, (Range){ first, e + 1 }, cost, best);
    }
}

static void find_moved_stretches(Slips *self)
{
    for (guint first = 0; first < MIN(self->edits->len, MAX_EDITS); first++) {
        Reading best = { .saved = 0 };

        read_stretches(self, first, &best);
        if (best.saved > 0)
            make_group(self, &best.edits, 1, &best.group);
    }
}

/* ---- Runs that moved ------------------------------------------------------------------------ */

/* Whole runs that are lost, or added. */
static guint collect_runs(const Slips *self, gboolean lost, Range *out)
{
    guint n = 0;

    for (guint e = 0, end; e < self->edits->len && n < MAX_RUNS; e = end) {
        const TgForteEdit *edit = tg_forte_edit(self->edits, e);

        end = end_of_run(self, e);
        if (is_one_sided(edit) && (edit->lost != 0) == lost)
            out[n++] = (Range){ e, end };
    }
    return n;
}

/* What a run that is lost here and added there is: more than marks, or one bracket or accent. */
static TgForteSlip movable(const Slips *self, Range run)
{
    const TgForteToken *token = token_of(self, run.start);
    guint n_symbols = 0;

    if (run.end == run.start + 1) {
        if (token->kind == TG_FORTE_ACCENT)
            return TG_FORTE_SLIP_MOVE;
        return token->kind == TG_FORTE_DELIMITER || tg_forte_begins(token) ||
                       tg_forte_ends(token) || token->name == TG_FORTE_DEN
                   ? TG_FORTE_SLIP_BRACKET
                   : TG_FORTE_SLIP_NONE;
    }
    for (guint32 e = run.start; e < run.end; e++) {
        const guint8 kind = token_of(self, e)->kind;
        n_symbols += kind < TG_FORTE_OPEN && kind != TG_FORTE_PUNCTUATION;
    }
    return n_symbols > 0 ? TG_FORTE_SLIP_MOVE : TG_FORTE_SLIP_NONE;
}

/* The mark where the body of the accent at @i begins; @i where it is one symbol. */
static guint32 begin_of_accent(const GArray *tokens, guint32 i)
{
    const TgForteToken *accent = tg_forte_at(tokens, i);

    for (guint32 k = i; k-- > 0 && i - k < MAX_STRETCH;) {
        const TgForteToken *token = tg_forte_at(tokens, k);

        if (token->name == TG_FORTE_ACC && token->start == accent->start &&
            token->end == accent->end)
            return k;
    }
    return i;
}

/* Make a run that is lost here and added there one slip. A bar that is over more or less than
 * before is a bracket that closes elsewhere; where it begins may be an edit of its own. */
static void group_runs(Slips *self, Range lost, Range added, TgForteSlip slip)
{
    Range ranges[] = { lost, added, { 0, 0 } };
    Group group = { .slip = slip };
    const guint32 from = tg_forte_edit(self->edits, lost.start)->ref;
    const guint32 to = tg_forte_edit(self->edits, added.start)->hyp;

    if (token_of(self, lost.start)->kind == TG_FORTE_ACCENT && lost.end == lost.start + 1) {
        const guint32 in_ref = begin_of_accent(self->ref, from);
        const guint32 in_hyp = begin_of_accent(self->hyp, to);

        if (in_ref != from || in_hyp != to)
            group.slip = TG_FORTE_SLIP_BRACKET;
        for (guint e = 0; e < self->edits->len; e++) {
            const TgForteEdit *edit = tg_forte_edit(self->edits, e);

            if (edit->group == 0 && token_of(self, e)->name == TG_FORTE_ACC &&
                (edit->lost ? edit->ref == in_ref : edit->hyp == in_hyp))
                ranges[2] = (Range){ e, e + 1 };
        }
    }
    make_group(self, ranges, G_N_ELEMENTS(ranges), &group);
}

static void find_moved_runs(Slips *self)
{
    Range lost[MAX_RUNS], added[MAX_RUNS];
    const guint n_lost = collect_runs(self, TRUE, lost);
    const guint n_added = n_lost > 0 ? collect_runs(self, FALSE, added) : 0;

    for (guint l = 0; l < n_lost; l++) {
        const TgForteSlip slip = movable(self, lost[l]);
        const guint32 n = lost[l].end - lost[l].start;

        for (guint a = 0; slip != TG_FORTE_SLIP_NONE && a < n_added; a++) {
            const TgForteEdit *to = tg_forte_edit(self->edits, added[a].start);

            if (added[a].end - added[a].start != n || to->group != 0 ||
                !same_tokens(self->ref, tg_forte_edit(self->edits, lost[l].start)->ref, self->hyp,
                             to->hyp, n))
                continue;
            group_runs(self, lost[l], added[a], slip);
            break;
        }
    }
}

/* ---- Where runs begin ----------------------------------------------------------------------- */

/* Whether the run of losses or additions @first to before @end may stand one token further: the
 * token after it is the one that it begins with, and has no edit. */
static gboolean may_slide(const Slips *self, guint first, guint end)
{
    const TgForteEdit *begin = tg_forte_edit(self->edits, first),
                      *last = tg_forte_edit(self->edits, end - 1);
    const GArray *tokens = begin->lost ? self->ref : self->hyp;
    const guint32 after = (begin->lost ? last->ref : last->hyp) + 1;

    if (after >= tokens->len ||
        !same_tokens(tokens, begin->lost ? begin->ref : begin->hyp, tokens, after, 1))
        return FALSE;
    if (end == self->edits->len)
        return TRUE;
    const TgForteEdit *next = tg_forte_edit(self->edits, end);
    return (begin->lost ? next->ref : next->hyp) != after && next->ref > last->ref &&
           next->hyp > last->hyp;
}

/* Move the run one token to the right. */
static void slide(Slips *self, guint first, guint end)
{
    const TgForteEdit begin = *tg_forte_edit(self->edits, first);

    for (guint e = first; e < end; e++) {
        TgForteEdit *edit = tg_forte_edit(self->edits, e);
        const TgForteEdit *from = e + 1 < end ? edit + 1 : &begin;

        edit->cost = from->cost;
        edit->class = from->class;
        edit->ref++;
        edit->hyp++;
    }
}

/* Of the alignments that cost the same, the one whose runs begin with a script: in `x_x` for `x`
 * the script was added, not `x_` before it. */
static void begin_with_scripts(Slips *self)
{
    for (guint e = 0, end; e < self->edits->len; e = end) {
        const TgForteEdit *edit = tg_forte_edit(self->edits, e);

        end = end_of_run(self, e);
        for (guint steps = 0; is_one_sided(edit) && steps < 8 && steps < end - e &&
                              token_of(self, e)->kind != TG_FORTE_SCRIPT && may_slide(self, e, end);
             steps++)
            slide(self, e, end);
    }
}

/* ---- Exchanged symbols ---------------------------------------------------------------------- */

/* Two symbols that stand for each other, near each other. */
static void find_exchanged_symbols(Slips *self)
{
    static const Group exchange = { TG_FORTE_SLIP_EXCHANGE, { 1, 1 }, 0 };

    for (guint e = 0; e + 1 < self->edits->len; e++) {
        TgForteEdit *a = tg_forte_edit(self->edits, e), *b = a + 1;

        if (a->group != 0 || b->group != 0 || !a->lost || !a->added || !b->lost || !b->added ||
            b->ref - a->ref > 4 || b->hyp - a->hyp > 4)
            continue;
        if (tg_forte_at(self->ref, a->ref)->name == tg_forte_at(self->hyp, b->hyp)->name &&
            tg_forte_at(self->hyp, a->hyp)->name == tg_forte_at(self->ref, b->ref)->name &&
            a->class != TG_FORTE_EDIT_STYLE) {
            if (a->class == TG_FORTE_EDIT_LOOK_ALIKE || a->class == TG_FORTE_EDIT_CASE)
                a->cost = b->cost = 1; /* as any letters: the formula has both */
            make_group(self, &(Range){ e, e + 2 }, 1, &exchange);
        }
    }
}

/* ---- Scripts -------------------------------------------------------------------------------- */

static gboolean is_script_edit(const Slips *self, guint e)
{
    return is_one_sided(tg_forte_edit(self->edits, e)) &&
           token_of(self, e)->kind == TG_FORTE_SCRIPT;
}

/* The edit after the script that begins with edit @first where all of it is lost or added, else
 * @first. */
static guint end_of_script(const Slips *self, const guint *runs, guint first)
{
    guint depth = 0;

    for (guint e = first; e < self->edits->len && runs[e] == runs[first]; e++) {
        const TgForteToken *token = token_of(self, e);

        if (tg_forte_edit(self->edits, e)->group != 0)
            break;
        if (token->kind == TG_FORTE_SCRIPT)
            depth++;
        else if (token->name == TG_FORTE_CLOSE && --depth == 0)
            return e + 1;
    }
    return first;
}

/* The edit of the end of the script whose mark alone is lost or added by edit @open; 0 for none. */
static guint find_lone_end(const Slips *self, guint open)
{
    const TgForteEdit *edit = tg_forte_edit(self->edits, open);
    const GArray *tokens = edit->lost ? self->ref : self->hyp;
    guint32 end = edit->lost ? edit->ref : edit->hyp;
    guint depth = 0;

    do {
        const TgForteToken *token = tg_forte_at(tokens, end++);

        depth += token->kind == TG_FORTE_SCRIPT;
        depth -= token->name == TG_FORTE_CLOSE;
    } while (depth > 0 && end < tokens->len);
    for (guint e = open + 1; e < self->edits->len; e++) {
        const TgForteEdit *other = tg_forte_edit(self->edits, e);
        const guint32 at = edit->lost ? other->ref : other->hyp;

        if (at >= end)
            break;
        if (at == end - 1 && other->lost == edit->lost && other->added == edit->added &&
            other->group == 0)
            return e;
    }
    return 0;
}

static void find_scripts(Slips *self)
{
    static const Group script = { .slip = TG_FORTE_SLIP_SCRIPT };
    static const Group line = { .slip = TG_FORTE_SLIP_LINE };
    g_autofree guint *runs = tg_forte_runs(self->edits);

    for (guint e = 0; e < self->edits->len; e++) {
        guint end, next;

        if (!is_script_edit(self, e))
            continue;
        for (end = e; end < self->edits->len && is_script_edit(self, end); end = next) {
            next = end_of_script(self, runs, end);
            if (next == end || runs[end] != runs[e])
                break;
        }
        if (end > e) {
            make_group(self, &(Range){ e, end }, 1, &script);
            continue;
        }
        const guint lone = find_lone_end(self, e);
        if (lone != 0) {
            const Range marks[] = { { e, e + 1 }, { lone, lone + 1 } };
            make_group(self, marks, 2, &line);
        }
    }
}

void tg_forte_find_slips(const GArray *ref, const GArray *hyp, GArray *edits)
{
    Slips self = { .ref = ref, .hyp = hyp, .edits = edits, .cells = MAX_CELLS };

    if (edits->len < 2)
        return;
    find_orders(&self);
    begin_with_scripts(&self);
    find_exchanged_symbols(&self);
    find_moved_stretches(&self);
    find_moved_runs(&self);
    find_scripts(&self);
}
