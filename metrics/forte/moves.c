/*
 * Sub-expressions that moved. Where one stands elsewhere, the cheapest alignment of tokens need not
 * show it: `ab + c` for `c + ab` becomes two losses and two wrong letters. So each stretch of edits
 * is read once more as `P M Q` for `Q M P`, where one of P and Q may be missing.
 */
#include "metrics/forte/moves.h"

#include <math.h>

#include "metrics/forte/runs.h"

#define MAX_RUNS    256 /* that are compared for what moved */
#define MAX_EDITS   24  /* from which stretches are made */
#define MAX_STRETCH 64  /* tokens */
#define FEW_SYMBOLS 3   /* fewer are alike by chance: all else must be as it was */
#define NEAR        4   /* tokens; that far they may stand from each other */

/* ---- Stretches ------------------------------------------------------------------------------- */

/* A way to read a stretch. */
typedef struct {
    TgForteRange edits;
    TgForteGroup group;
    double saved; /* by it */
} Reading;

/* Whether a range lies in one list: it cuts no construct, and no accent off. */
static gboolean is_whole(const GArray *tokens, TgForteRange range)
{
    gint depth = 0;

    if (range.start < range.end && tg_forte_at(tokens, range.start)->kind == TG_FORTE_ACCENT)
        return FALSE;
    for (guint32 i = range.start; i < range.end; i++) {
        const TgForteToken *token = tg_forte_at(tokens, i);

        if (depth == 0 && (token->name == TG_FORTE_DEN || token->name == TG_FORTE_IDX ||
                           token->kind == TG_FORTE_ROW || token->kind == TG_FORTE_CELL))
            return FALSE;
        depth += (gint) tg_forte_begins(token) - (gint) tg_forte_ends(token);
        if (depth < 0)
            return FALSE;
    }
    return depth == 0;
}

static guint count_symbols(const GArray *tokens, TgForteRange range)
{
    guint n = 0;

    for (guint32 i = range.start; i < range.end; i++) {
        const guint8 kind = tg_forte_at(tokens, i)->kind;

        n += kind < TG_FORTE_OPEN && kind != TG_FORTE_PUNCTUATION && kind != TG_FORTE_DELIMITER;
    }
    return n;
}

/* How many tokens, at most @max, begin one stretch and end the other. */
static guint32 find_common(const GArray *a, TgForteRange begins, const GArray *b, TgForteRange ends,
                           guint32 max)
{
    for (guint32 n = max; n > 0; n--) {
        const TgForteRange part = { begins.start, begins.start + n };

        if (tg_forte_at(a, part.start)->name == tg_forte_at(b, ends.end - n)->name &&
            tg_forte_same_tokens(a, begins.start, b, ends.end - n, n) && is_whole(a, part) &&
            count_symbols(a, part) > 0)
            return n;
    }
    return 0;
}

/* Which of the two parts moved: of neighbours a script, else the shorter one. */
static TgForteGroup name_move(const TgForteGroups *self, TgForteRange ref, guint32 n_first,
                              guint32 n_last)
{
    TgForteGroup group = { TG_FORTE_SLIP_EXCHANGE, { n_first, n_last }, 0 };

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
static void read_stretch(TgForteGroups *self, TgForteRange ref, TgForteRange hyp,
                         TgForteRange edits, double cost, Reading *best)
{
    const guint32 shorter = MIN(ref.end - ref.start, hyp.end - hyp.start);
    const guint32 n_first = find_common(self->ref, ref, self->hyp, hyp, shorter);
    const guint32 n_last = find_common(self->hyp, hyp, self->ref, ref, shorter - n_first);
    const TgForteRange first = { ref.start, ref.start + n_first },
                       last = { ref.end - n_last, ref.end };
    const TgForteRange between[] = { { first.end, last.start },
                                     { hyp.start + n_last, hyp.end - n_first } };
    const guint n_symbols = count_symbols(self->ref, first) + count_symbols(self->ref, last);
    const gboolean few = n_symbols < FEW_SYMBOLS;
    TgForteGroup group = name_move(self, ref, n_first, n_last);

    if (n_symbols == 0 || !is_whole(self->ref, ref) || !is_whole(self->hyp, hyp) ||
        (few && MAX(between[0].end - between[0].start, between[1].end - between[1].start) > NEAR))
        return;
    group.rest = tg_forte_cost_of_ranges(self, between[0], between[1]);
    if (2 * group.rest > (few ? 0 : tg_forte_cost_of_range(self->ref, between[0])))
        return;
    const double saved = cost - tg_forte_price_of_group(&group, cost);
    if (saved > best->saved + 1e-9)
        *best = (Reading){ edits, group, saved };
}

/* The best move among the stretches that begin with edit @first. */
static void read_stretches(TgForteGroups *self, guint first, Reading *best)
{
    const TgForteEdit *begin = tg_forte_edit_at(self, first);
    double cost = 0;

    for (guint e = first; e < self->edits->len && e < first + MAX_EDITS; e++) {
        const TgForteEdit *edit = tg_forte_edit_at(self, e);
        const TgForteRange ref = { begin->ref, edit->ref + edit->lost };
        const TgForteRange hyp = { begin->hyp, edit->hyp + edit->added };

        if (edit->group != 0 || ref.end - ref.start > MAX_STRETCH ||
            hyp.end - hyp.start > MAX_STRETCH)
            return;
        cost += edit->cost;
        if (cost > tg_forte_price_of_group(&(TgForteGroup){ .slip = TG_FORTE_SLIP_MOVE }, cost))
            read_stretch(self, ref, hyp, (TgForteRange){ first, e + 1 }, cost, best);
    }
}

static void find_moved_stretches(TgForteGroups *self)
{
    for (guint first = 0; first < MIN(self->edits->len, MAX_EDITS); first++) {
        Reading best = { .saved = 0 };

        read_stretches(self, first, &best);
        if (best.saved > 0)
            tg_forte_make_group(self, &best.edits, 1, &best.group);
    }
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* The token of a loss or an addition. */
static const TgForteToken *token_of(const TgForteGroups *self, guint e)
{
    const TgForteEdit *edit = tg_forte_edit_at(self, e);

    return edit->lost ? tg_forte_at(self->ref, edit->ref) : tg_forte_at(self->hyp, edit->hyp);
}

static guint collect_runs(const TgForteGroups *self, gboolean lost, TgForteRange *out)
{
    g_autofree guint *runs = tg_forte_runs(self->edits);
    guint n = 0;

    for (guint e = 0, end; e < self->edits->len && n < MAX_RUNS; e = end) {
        const TgForteEdit *edit = tg_forte_edit_at(self, e);

        for (end = e + 1; end < self->edits->len && runs[end] == runs[e];)
            end++;
        if (edit->group == 0 && edit->lost != edit->added && edit->lost == lost)
            out[n++] = (TgForteRange){ e, end };
    }
    return n;
}

/* What a run that is lost here and added there is: more than marks, or one bracket or accent. */
static TgForteSlip movable(const TgForteGroups *self, TgForteRange run)
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
static void group_runs(TgForteGroups *self, TgForteRange lost, TgForteRange added, TgForteSlip slip)
{
    TgForteRange ranges[] = { lost, added, { 0, 0 } };
    TgForteGroup group = { .slip = slip };
    const TgForteEdit *from = tg_forte_edit_at(self, lost.start);
    const TgForteEdit *to = tg_forte_edit_at(self, added.start);

    if (token_of(self, lost.start)->kind == TG_FORTE_ACCENT && lost.end == lost.start + 1) {
        const guint32 in_ref = begin_of_accent(self->ref, from->ref);
        const guint32 in_hyp = begin_of_accent(self->hyp, to->hyp);

        if (in_ref != from->ref || in_hyp != to->hyp)
            group.slip = TG_FORTE_SLIP_BRACKET;
        for (guint e = 0; e < self->edits->len; e++) {
            const TgForteEdit *edit = tg_forte_edit_at(self, e);

            if (edit->group == 0 && token_of(self, e)->name == TG_FORTE_ACC &&
                (edit->lost ? edit->ref == in_ref : edit->hyp == in_hyp))
                ranges[2] = (TgForteRange){ e, e + 1 };
        }
    }
    tg_forte_make_group(self, ranges, G_N_ELEMENTS(ranges), &group);
}

static void find_moved_runs(TgForteGroups *self)
{
    TgForteRange lost[MAX_RUNS], added[MAX_RUNS];
    const guint n_lost = collect_runs(self, TRUE, lost);
    const guint n_added = n_lost > 0 ? collect_runs(self, FALSE, added) : 0;

    for (guint l = 0; l < n_lost; l++) {
        const TgForteSlip slip = movable(self, lost[l]);
        const guint32 n = lost[l].end - lost[l].start;

        for (guint a = 0; slip != TG_FORTE_SLIP_NONE && a < n_added; a++) {
            const TgForteEdit *to = tg_forte_edit_at(self, added[a].start);

            if (added[a].end - added[a].start != n || to->group != 0 ||
                !tg_forte_same_tokens(self->ref, tg_forte_edit_at(self, lost[l].start)->ref,
                                      self->hyp, to->hyp, n))
                continue;
            group_runs(self, lost[l], added[a], slip);
            break;
        }
    }
}

void tg_forte_find_moves(TgForteGroups *self)
{
    find_moved_stretches(self);
    find_moved_runs(self);
}
