/* Finds the slips behind the edits: parts in another order, then what moved, then scripts. */
#include "metrics/forte/slips.h"

#include "metrics/forte/moves.h"
#include "metrics/forte/parts.h"
#include "metrics/forte/runs.h"

#define MAX_CELLS ((gsize) 1 << 16) /* of the alignments of parts */

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
static const TgForteToken *token_of(const TgForteGroups *self, const TgForteEdit *edit)
{
    return edit->lost ? tg_forte_at(self->ref, edit->ref) : tg_forte_at(self->hyp, edit->hyp);
}

/* ---- Where runs begin ------------------------------------------------------------------------ */

/* Whether the run of losses or additions @first to before @end may stand one token further: the
 * token behind it is the one that it begins with, and has no edit. */
static gboolean may_slide(const TgForteGroups *self, guint first, guint end)
{
    const TgForteEdit *begin = tg_forte_edit_at(self, first),
                      *last = tg_forte_edit_at(self, end - 1);
    const GArray *tokens = begin->lost ? self->ref : self->hyp;
    const guint32 behind = (begin->lost ? last->ref : last->hyp) + 1;

    if (behind >= tokens->len ||
        !tg_forte_same_tokens(tokens, begin->lost ? begin->ref : begin->hyp, tokens, behind, 1))
        return FALSE;
    if (end == self->edits->len)
        return TRUE;
    const TgForteEdit *next = tg_forte_edit_at(self, end);
    return (begin->lost ? next->ref : next->hyp) != behind && next->ref > last->ref &&
           next->hyp > last->hyp;
}

/* Move the run one token to the right. */
static void slide(TgForteGroups *self, guint first, guint end)
{
    const TgForteEdit begin = *tg_forte_edit_at(self, first);

    for (guint e = first; e < end; e++) {
        TgForteEdit *edit = tg_forte_edit_at(self, e);

        edit->cost = e + 1 < end ? tg_forte_edit_at(self, e + 1)->cost : begin.cost;
        edit->class = e + 1 < end ? tg_forte_edit_at(self, e + 1)->class : begin.class;
        edit->ref++;
        edit->hyp++;
    }
}

/* Of the alignments that cost the same, the one whose runs begin with a script: in `x_x` for `x`
 * the script was added, not `x_` before it. */
static void begin_with_scripts(TgForteGroups *self)
{
    g_autofree guint *runs = tg_forte_runs(self->edits);

    for (guint e = 0, end; e < self->edits->len; e = end) {
        const TgForteEdit *edit = tg_forte_edit_at(self, e);
        guint steps = 0;

        for (end = e + 1; end < self->edits->len && runs[end] == runs[e];)
            end++;
        while (edit->group == 0 && edit->lost != edit->added && steps < 8 && steps < end - e &&
               token_of(self, edit)->kind != TG_FORTE_SCRIPT && may_slide(self, e, end)) {
            slide(self, e, end);
            steps++;
        }
    }
}

/* ---- Exchanged symbols ----------------------------------------------------------------------- */

/* Two symbols that stand for each other, near each other. */
static void find_exchanged_symbols(TgForteGroups *self)
{
    static const TgForteGroup exchange = { TG_FORTE_SLIP_EXCHANGE, { 1, 1 }, 0 };

    for (guint e = 0; e + 1 < self->edits->len; e++) {
        TgForteEdit *a = tg_forte_edit_at(self, e), *b = tg_forte_edit_at(self, e + 1);

        if (a->group != 0 || b->group != 0 || !a->lost || !a->added || !b->lost || !b->added ||
            b->ref - a->ref > 4 || b->hyp - a->hyp > 4)
            continue;
        if (tg_forte_at(self->ref, a->ref)->name == tg_forte_at(self->hyp, b->hyp)->name &&
            tg_forte_at(self->hyp, a->hyp)->name == tg_forte_at(self->ref, b->ref)->name &&
            a->class != TG_FORTE_EDIT_STYLE) {
            if (a->class == TG_FORTE_EDIT_LOOK_ALIKE || a->class == TG_FORTE_EDIT_CASE)
                a->cost = b->cost = 1; /* as any letters: the formula has both */
            tg_forte_make_group(self, &(TgForteRange){ e, e + 2 }, 1, &exchange);
        }
    }
}

/* ---- Scripts -------------------------------------------------------------------------------- */

static gboolean is_script_edit(const TgForteGroups *self, guint e)
{
    const TgForteEdit *edit = tg_forte_edit_at(self, e);

    return edit->group == 0 && edit->lost != edit->added &&
           token_of(self, edit)->kind == TG_FORTE_SCRIPT;
}

/* The edit behind the script that begins with edit @first where all of it is lost or added, else
 * @first. */
static guint end_of_script(const TgForteGroups *self, const guint *runs, guint first)
{
    guint depth = 0;

    for (guint e = first; e < self->edits->len && runs[e] == runs[first]; e++) {
        const TgForteToken *token = token_of(self, tg_forte_edit_at(self, e));

        if (tg_forte_edit_at(self, e)->group != 0)
            break;
        if (token->kind == TG_FORTE_SCRIPT)
            depth++;
        else if (token->name == TG_FORTE_CLOSE && --depth == 0)
            return e + 1;
    }
    return first;
}

/* The edit of the end of the script whose mark alone is lost or added by edit @open; 0 for none. */
static guint find_lone_end(const TgForteGroups *self, guint open)
{
    const TgForteEdit *edit = tg_forte_edit_at(self, open);
    const GArray *tokens = edit->lost ? self->ref : self->hyp;
    guint32 end = edit->lost ? edit->ref : edit->hyp;
    guint depth = 0;

    do {
        const TgForteToken *token = tg_forte_at(tokens, end++);

        depth += token->kind == TG_FORTE_SCRIPT;
        depth -= token->name == TG_FORTE_CLOSE;
    } while (depth > 0 && end < tokens->len);
    for (guint e = open + 1; e < self->edits->len; e++) {
        const TgForteEdit *other = tg_forte_edit_at(self, e);
        const guint32 at = edit->lost ? other->ref : other->hyp;

        if (at >= end)
            break;
        if (at == end - 1 && other->lost == edit->lost && other->added == edit->added &&
            other->group == 0)
            return e;
    }
    return 0;
}

static void find_scripts(TgForteGroups *self)
{
    static const TgForteGroup script = { .slip = TG_FORTE_SLIP_SCRIPT };
    static const TgForteGroup line = { .slip = TG_FORTE_SLIP_LINE };
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
            tg_forte_make_group(self, &(TgForteRange){ e, end }, 1, &script);
            continue;
        }
        const guint lone = find_lone_end(self, e);
        if (lone != 0) {
            const TgForteRange marks[] = { { e, e + 1 }, { lone, lone + 1 } };
            tg_forte_make_group(self, marks, 2, &line);
        }
    }
}

void tg_forte_find_slips(const TgForteTables *tables, const GArray *ref, const GArray *hyp,
                         GArray *edits)
{
    TgForteGroups groups = {
        .tables = tables, .ref = ref, .hyp = hyp, .edits = edits, .cells = MAX_CELLS
    };

    if (edits->len < 2)
        return;
    tg_forte_find_parts(&groups);
    begin_with_scripts(&groups);
    find_exchanged_symbols(&groups);
    tg_forte_find_moves(&groups);
    find_scripts(&groups);
}
