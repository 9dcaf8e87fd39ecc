/* Finds the slips behind the edits: first exchanged parts, then what moved, then scripts. */
#include "metrics/forte/slips.h"

#include <math.h>

#include "metrics/forte/runs.h"

#define MAX_RUNS  256 /* that are compared for what moved */
#define MAX_PARTS 256 /* of a list whose rows may be exchanged */

#define ONE_SCRIPT   1.9 /* what the edits of a script of one symbol cost */
#define SCRIPT_PRICE 1.2

typedef struct {
    const GArray *ref, *hyp;
    GArray *edits;
    guint32 n_groups;
} Slips;

const char *tg_forte_slip_name(TgForteSlip slip)
{
    static const char *const names[TG_N_FORTE_SLIPS] = {
        "",          "script",         "script and line", "bracket elsewhere",
        "exchanged", "rows exchanged", "moved",
    };

    return names[slip];
}

double tg_forte_price_of_slip(TgForteSlip slip, double sum)
{
    switch (slip) {
    case TG_FORTE_SLIP_SCRIPT: /* one error, however much it held; more of it is slowly worse */
        return MIN(sum, SCRIPT_PRICE * sqrt(sum / ONE_SCRIPT));
    case TG_FORTE_SLIP_BRACKET: /* as one bracket for another */
        return MIN(sum, 0.7);
    case TG_FORTE_SLIP_EXCHANGE: /* all is there, the value is another */
        return MIN(sum, 1.5);
    case TG_FORTE_SLIP_ROWS: /* all is there, in another order */
        return MIN(sum, 1);
    case TG_FORTE_SLIP_MOVE:
        return MIN(sum, 1.5);
    default:
        return sum;
    }
}

static const TgForteToken *token_at(const GArray *tokens, guint32 i)
{
    return &g_array_index(tokens, TgForteToken, i);
}

static TgForteEdit *edit_at(const Slips *self, guint e)
{
    return &g_array_index(self->edits, TgForteEdit, e);
}

/* The token of a loss or an addition. */
static const TgForteToken *token_of(const Slips *self, const TgForteEdit *edit)
{
    return edit->lost ? token_at(self->ref, edit->ref) : token_at(self->hyp, edit->hyp);
}

static gboolean same_tokens(const GArray *a, guint32 at_a, const GArray *b, guint32 at_b, guint32 n)
{
    for (guint32 i = 0; i < n; i++) {
        const TgForteToken *x = token_at(a, at_a + i), *y = token_at(b, at_b + i);

        if (x->name != y->name || x->kind != y->kind || x->font != y->font)
            return FALSE;
    }
    return TRUE;
}

/* Make the edits from @first to before @end a slip, where they are not part of one yet. */
static void make_group(Slips *self, guint first, guint end, TgForteSlip slip)
{
    self->n_groups++;
    for (guint e = first; e < end; e++) {
        TgForteEdit *edit = edit_at(self, e);

        if (edit->group != 0)
            continue;
        edit->group = self->n_groups;
        edit->slip = (guint8) slip;
    }
}

/* ---- Where runs begin ------------------------------------------------------------------------ */

/* Whether the run of losses or additions @first to before @end may stand one token further: the
 * token behind it is the one that it begins with, and has no edit. */
static gboolean may_slide(const Slips *self, guint first, guint end)
{
    const TgForteEdit *begin = edit_at(self, first), *last = edit_at(self, end - 1);
    const GArray *tokens = begin->lost ? self->ref : self->hyp;
    const guint32 behind = (begin->lost ? last->ref : last->hyp) + 1;

    if (behind >= tokens->len ||
        !same_tokens(tokens, begin->lost ? begin->ref : begin->hyp, tokens, behind, 1))
        return FALSE;
    if (end == self->edits->len)
        return TRUE;
    const TgForteEdit *next = edit_at(self, end);
    return (begin->lost ? next->ref : next->hyp) != behind && next->ref > last->ref &&
           next->hyp > last->hyp;
}

/* Move the run one token to the right. */
static void slide(Slips *self, guint first, guint end)
{
    const TgForteEdit begin = *edit_at(self, first);

    for (guint e = first; e < end; e++) {
        TgForteEdit *edit = edit_at(self, e);

        edit->cost = e + 1 < end ? edit_at(self, e + 1)->cost : begin.cost;
        edit->class = e + 1 < end ? edit_at(self, e + 1)->class : begin.class;
        edit->ref++;
        edit->hyp++;
    }
}

/* Of the alignments that cost the same, the one whose runs begin with a script: in `x_x` for `x`
 * the script was added, not `x_` before it. */
static void begin_with_scripts(Slips *self)
{
    g_autofree guint *runs = tg_forte_runs(self->edits);

    for (guint e = 0, end; e < self->edits->len; e = end) {
        const TgForteEdit *edit = edit_at(self, e);
        guint steps = 0;

        for (end = e + 1; end < self->edits->len && runs[end] == runs[e];)
            end++;
        while (edit->lost != edit->added && steps < 8 && steps < end - e &&
               token_of(self, edit)->kind != TG_FORTE_SCRIPT && may_slide(self, e, end)) {
            slide(self, e, end);
            steps++;
        }
    }
}

/* ---- Exchanged parts ------------------------------------------------------------------------ */

/* The parts of a list of rows, or of a fraction. */
typedef struct {
    guint32 start[MAX_PARTS + 1]; /* and where the last one ends, plus 1 */
    guint32 n;
} Parts;

/* The parts from @begin on, up to the end of the construct or list; n is 0 where there are too
 * many. */
static void find_parts(const GArray *tokens, guint32 begin, TgForteName separator, Parts *parts)
{
    guint depth = 0;
    guint32 i = begin;

    parts->n = 0;
    parts->start[0] = begin;
    for (; i < tokens->len; i++) {
        const TgForteToken *token = token_at(tokens, i);

        if (token->kind == TG_FORTE_OPEN || token->kind == TG_FORTE_GRID ||
            token->kind == TG_FORTE_SCRIPT) {
            depth++;
        } else if (token->name == TG_FORTE_FINISH || token->name == TG_FORTE_CLOSE) {
            if (depth-- == 0)
                break;
        } else if (depth == 0 && token->name == separator) {
            if (++parts->n == MAX_PARTS) {
                parts->n = 0;
                return;
            }
            parts->start[parts->n] = i + 1;
        }
    }
    parts->start[++parts->n] = i + 1;
}

static gboolean same_part(const GArray *a, const Parts *in_a, guint32 k, const GArray *b,
                          const Parts *in_b, guint32 l)
{
    const guint32 n = in_a->start[k + 1] - in_a->start[k];

    return n == in_b->start[l + 1] - in_b->start[l] &&
           same_tokens(a, in_a->start[k], b, in_b->start[l], n - 1);
}

/* The only two parts that differ, exchanged. */
static gboolean find_exchange(const Slips *self, const Parts *ref, const Parts *hyp,
                              guint32 differ[2])
{
    guint n = 0;

    if (ref->n != hyp->n || ref->n < 2)
        return FALSE;
    for (guint32 k = 0; k < ref->n; k++) {
        if (same_part(self->ref, ref, k, self->hyp, hyp, k))
            continue;
        if (n == 2)
            return FALSE;
        differ[n++] = k;
    }
    return n == 2 && same_part(self->ref, ref, differ[0], self->hyp, hyp, differ[1]) &&
           same_part(self->ref, ref, differ[1], self->hyp, hyp, differ[0]);
}

/* One slip of the edits between two parts of the list that begins at @i and @j. */
static void check_parts(Slips *self, guint32 i, guint32 j, TgForteName separator, TgForteSlip slip)
{
    Parts ref, hyp;
    guint32 differ[2];
    guint first = 0, end = 0;

    find_parts(self->ref, i, separator, &ref);
    if (ref.n < 2)
        return;
    find_parts(self->hyp, j, separator, &hyp);
    if (!find_exchange(self, &ref, &hyp, differ))
        return;
    for (guint e = 0; e < self->edits->len; e++) {
        const TgForteEdit *edit = edit_at(self, e);
        const gboolean in_ref =
            edit->ref >= ref.start[differ[0]] && edit->ref < ref.start[differ[1] + 1];
        const gboolean in_hyp =
            edit->hyp >= hyp.start[differ[0]] && edit->hyp < hyp.start[differ[1] + 1];

        if (in_ref != in_hyp || (in_ref && edit->group != 0))
            return;
        if (!in_ref)
            continue;
        if (end == 0)
            first = e;
        end = e + 1;
    }
    if (end > first)
        make_group(self, first, end, slip);
}

/* Fractions and grids that are aligned with one, if something inside differs. */
static void find_exchanged_parts(Slips *self)
{
    guint32 i = 0, j = 0;

    check_parts(self, 0, 0, TG_FORTE_NEXT_ROW, TG_FORTE_SLIP_ROWS);
    for (guint e = 0; e < self->edits->len; e++) {
        const TgForteEdit *edit = edit_at(self, e);

        for (; i < edit->ref && j < edit->hyp; i++, j++) {
            const TgForteToken *token = token_at(self->ref, i);

            if (e > 64) /* a formula with so many errors has no time for names */
                continue;
            if (token->name == TG_FORTE_FRAC)
                check_parts(self, i + 1, j + 1, TG_FORTE_DEN, TG_FORTE_SLIP_EXCHANGE);
            else if (token->kind == TG_FORTE_GRID)
                check_parts(self, i + 1, j + 1, TG_FORTE_NEXT_ROW, TG_FORTE_SLIP_ROWS);
        }
        i = edit->ref + edit->lost;
        j = edit->hyp + edit->added;
    }
}

/* Two symbols that stand for each other, near each other. */
static void find_exchanged_symbols(Slips *self)
{
    for (guint e = 0; e + 1 < self->edits->len; e++) {
        const TgForteEdit *a = edit_at(self, e), *b = edit_at(self, e + 1);

        if (a->group != 0 || b->group != 0 || !a->lost || !a->added || !b->lost || !b->added ||
            b->ref - a->ref > 4 || b->hyp - a->hyp > 4)
            continue;
        if (token_at(self->ref, a->ref)->name == token_at(self->hyp, b->hyp)->name &&
            token_at(self->hyp, a->hyp)->name == token_at(self->ref, b->ref)->name &&
            a->class != TG_FORTE_EDIT_STYLE)
            make_group(self, e, e + 2, TG_FORTE_SLIP_EXCHANGE);
    }
}

/* ---- What moved ----------------------------------------------------------------------------- */

/* A run of losses or additions. */
typedef struct {
    guint first, n;
} Run;

static guint collect_runs(const Slips *self, gboolean lost, Run *out)
{
    g_autofree guint *runs = tg_forte_runs(self->edits);
    guint n = 0;

    for (guint e = 0, end; e < self->edits->len && n < MAX_RUNS; e = end) {
        const TgForteEdit *edit = edit_at(self, e);

        for (end = e + 1; end < self->edits->len && runs[end] == runs[e];)
            end++;
        if (edit->group == 0 && edit->lost != edit->added && edit->lost == lost)
            out[n++] = (Run){ e, end - e };
    }
    return n;
}

/* Whether a run is more than marks, or one bracket that may have moved. */
static TgForteSlip movable(const Slips *self, const Run *run)
{
    guint n_symbols = 0;

    for (guint k = 0; k < run->n; k++) {
        const guint8 kind = token_of(self, edit_at(self, run->first + k))->kind;
        n_symbols += kind < TG_FORTE_OPEN && kind != TG_FORTE_PUNCTUATION;
    }
    if (run->n == 1) {
        const TgForteToken *token = token_of(self, edit_at(self, run->first));

        return token->kind == TG_FORTE_DELIMITER || token->name == TG_FORTE_CLOSE ||
                       token->name == TG_FORTE_FINISH || token->name == TG_FORTE_DEN
                   ? TG_FORTE_SLIP_BRACKET
                   : TG_FORTE_SLIP_NONE;
    }
    return n_symbols > 0 ? TG_FORTE_SLIP_MOVE : TG_FORTE_SLIP_NONE;
}

static void find_moves(Slips *self)
{
    Run lost[MAX_RUNS], added[MAX_RUNS];
    const guint n_lost = collect_runs(self, TRUE, lost);
    const guint n_added = n_lost > 0 ? collect_runs(self, FALSE, added) : 0;

    for (guint l = 0; l < n_lost; l++) {
        const TgForteSlip slip = movable(self, &lost[l]);

        for (guint a = 0; slip != TG_FORTE_SLIP_NONE && a < n_added; a++) {
            if (added[a].n != lost[l].n || edit_at(self, added[a].first)->group != 0 ||
                !same_tokens(self->ref, edit_at(self, lost[l].first)->ref, self->hyp,
                             edit_at(self, added[a].first)->hyp, lost[l].n))
                continue;
            make_group(self, lost[l].first, lost[l].first + lost[l].n, slip);
            self->n_groups--; /* both are one */
            make_group(self, added[a].first, added[a].first + added[a].n, slip);
            break;
        }
    }
}

/* ---- Scripts -------------------------------------------------------------------------------- */

static gboolean is_script_edit(const Slips *self, guint e)
{
    const TgForteEdit *edit = edit_at(self, e);

    return edit->group == 0 && edit->lost != edit->added &&
           token_of(self, edit)->kind == TG_FORTE_SCRIPT;
}

/* The edit behind the script that begins with edit @first where all of it is lost or added, else
 * @first. */
static guint end_of_script(const Slips *self, const guint *runs, guint first)
{
    guint depth = 0;

    for (guint e = first; e < self->edits->len && runs[e] == runs[first]; e++) {
        const TgForteToken *token = token_of(self, edit_at(self, e));

        if (edit_at(self, e)->group != 0)
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
    const TgForteEdit *edit = edit_at(self, open);
    const GArray *tokens = edit->lost ? self->ref : self->hyp;
    guint32 end = edit->lost ? edit->ref : edit->hyp;
    guint depth = 0;

    do {
        const TgForteToken *token = token_at(tokens, end++);

        depth += token->kind == TG_FORTE_SCRIPT;
        depth -= token->name == TG_FORTE_CLOSE;
    } while (depth > 0 && end < tokens->len);
    for (guint e = open + 1; e < self->edits->len; e++) {
        const TgForteEdit *other = edit_at(self, e);
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
            make_group(self, e, end, TG_FORTE_SLIP_SCRIPT);
            continue;
        }
        const guint lone = find_lone_end(self, e);
        if (lone != 0) {
            make_group(self, e, e + 1, TG_FORTE_SLIP_LINE);
            self->n_groups--;
            make_group(self, lone, lone + 1, TG_FORTE_SLIP_LINE);
        }
    }
}

void tg_forte_find_slips(const GArray *ref, const GArray *hyp, GArray *edits)
{
    Slips self = { .ref = ref, .hyp = hyp, .edits = edits };

    if (edits->len < 2)
        return;
    begin_with_scripts(&self);
    find_exchanged_parts(&self);
    find_exchanged_symbols(&self);
    find_moves(&self);
    find_scripts(&self);
}
