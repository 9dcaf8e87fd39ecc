/* The first events: parts of constructs in another order, and what stands elsewhere. */
#include "metrics/forte/forte.h"

#define NONE        TG_FORTE_NONE
#define MAX_PARTS   256
#define MAX_DIFFER  12  /* parts that are tried in another order */
#define MAX_RUNS    256 /* that are compared for what moved */
#define MAX_ORDERED 64  /* edits before a construct that is tried: more errors have no names */

/* ---- Parts in another order ------------------------------------------------------------------
 * An alignment of tokens cannot say that two rows are exchanged: it loses and adds what they hold.
 */

/* The parts of a fraction, of a list of rows, of the cells of a grid, or two scripts. */
typedef struct {
    TgForteStretch at[MAX_PARTS];
    guint n;
} Parts;

/* How parts are told apart. */
typedef enum { BY_ROW, BY_CELL, BY_BAR, BY_SIDE, BY_TERM } Division;

static gboolean parts_begin(Division division, const TgForteToken *token)
{
    if (division == BY_BAR)
        return token->name == TG_FORTE_DEN;
    if (division >= BY_SIDE)
        return token->name == (division == BY_SIDE ? '=' : '+');
    return token->name == TG_FORTE_NEXT_ROW ||
           (division == BY_CELL && token->name == TG_FORTE_NEXT_CELL);
}

/* The parts of the construct at @open, or of the whole list; n is 0 where there are too many. */
static void read_parts(const TgForteEvents *self, guint s, guint32 open, Division division,
                       Parts *parts)
{
    const TgForteView *view = &self->views[s];
    const guint32 end = open != NONE ? view->spots[open].match : view->n;
    guint32 begin = open != NONE ? open + 1 : 0;

    parts->n = 0;
    for (guint32 i = begin; end != NONE && i <= end; i++) {
        if (i < end &&
            (view->spots[i].parent != open || !parts_begin(division, tg_forte_at(view->tokens, i))))
            continue;
        if (parts->n == MAX_PARTS) {
            parts->n = 0;
            return;
        }
        parts->at[parts->n++] = (TgForteStretch){ s, begin, i };
        begin = i + 1;
    }
}

/* The subscript at @open and the superscript after it. */
static void read_scripts(const TgForteEvents *self, guint s, guint32 open, Parts *parts)
{
    const TgForteView *view = &self->views[s];
    const guint32 end = view->spots[open].match, next = end + 1;

    parts->n = 0;
    if (end == NONE || next >= view->n || tg_forte_at(view->tokens, next)->name != TG_FORTE_SUP ||
        view->spots[next].match == NONE)
        return;
    parts->at[0] = (TgForteStretch){ s, open + 1, end };
    parts->at[1] = (TgForteStretch){ s, next + 1, view->spots[next].match };
    parts->n = 2;
}

static gboolean same_stretch(const TgForteEvents *self, TgForteStretch a, TgForteStretch b)
{
    if (a.end - a.from != b.end - b.from)
        return FALSE;
    for (guint32 i = 0; i < a.end - a.from; i++) {
        if (!tg_forte_same_token(tg_forte_at(self->views[a.s].tokens, a.from + i),
                                 tg_forte_at(self->views[b.s].tokens, b.from + i)))
            return FALSE;
    }
    return TRUE;
}

/* Make the free edits between two stretches, with the marks around them, an event. */
static void take_between(TgForteEvents *self, TgForteType type, TgForteStretch ref,
                         TgForteStretch hyp, const guint32 parts[2])
{
    const TgForteEvent event = { .type = (guint8) type, .parts = { parts[0], parts[1] } };
    gboolean begun = FALSE;

    for (guint e = 0; e < self->edits->len; e++) {
        TgForteEdit *edit = tg_forte_edit(self->edits, e);

        if (edit->event != 0 || edit->ref + 1 < ref.from || edit->ref + edit->lost > ref.end ||
            edit->hyp + 1 < hyp.from || edit->hyp + edit->added > hyp.end)
            continue;
        if (!begun)
            g_array_append_val(self->events, event);
        begun = TRUE;
        edit->event = self->events->len;
    }
}

/* Whether the parts that differ are those of the other side in another order. */
static void compare_parts(TgForteEvents *self, const Parts *ref, const Parts *hyp, TgForteType type)
{
    guint differ[MAX_DIFFER], n = 0;
    gboolean used[MAX_DIFFER] = { FALSE };

    if (ref->n < 2 || ref->n != hyp->n)
        return;
    for (guint k = 0; k < ref->n; k++) {
        if (same_stretch(self, ref->at[k], hyp->at[k]))
            continue;
        if (n == MAX_DIFFER)
            return;
        differ[n++] = k;
    }
    for (guint k = 0; k < n; k++) {
        guint l = 0;

        while (l < n && (used[l] || !same_stretch(self, ref->at[differ[k]], hyp->at[differ[l]])))
            l++;
        if (l == n)
            return;
        used[l] = TRUE;
    }
    if (n == 0)
        return;
    take_between(self, type, (TgForteStretch){ 0, ref->at[0].from, ref->at[ref->n - 1].end + 1 },
                 (TgForteStretch){ 1, hyp->at[0].from, hyp->at[hyp->n - 1].end + 1 },
                 (const guint32[]){ differ[0] + 1, differ[n - 1] + 1 });
}

static void check_order(TgForteEvents *self, guint32 i, guint32 j, Division division,
                        TgForteType type)
{
    Parts ref, hyp;

    read_parts(self, 0, i, division, &ref);
    read_parts(self, 1, j, division, &hyp);
    compare_parts(self, &ref, &hyp, type);
}

/* Two constructs that are aligned with each other. */
static void check_construct(TgForteEvents *self, guint32 i, guint32 j)
{
    const TgForteToken *token = tg_forte_at(self->views[0].tokens, i);
    Parts ref, hyp;

    if (token->name == TG_FORTE_FRAC) {
        check_order(self, i, j, BY_BAR, TG_FORTE_EVENT_FRACTION_TURNED);
    } else if (token->kind == TG_FORTE_GRID || token->name == TG_FORTE_SUP) {
        check_order(self, i, j, BY_ROW, TG_FORTE_EVENT_ORDER);
        check_order(self, i, j, BY_CELL, TG_FORTE_EVENT_ORDER);
    } else if (token->name == TG_FORTE_SUB) {
        check_order(self, i, j, BY_ROW, TG_FORTE_EVENT_ORDER);
        read_scripts(self, 0, i, &ref);
        read_scripts(self, 1, j, &hyp);
        compare_parts(self, &ref, &hyp, TG_FORTE_EVENT_ORDER);
    }
}

static void find_orders(TgForteEvents *self)
{
    guint32 i = 0, j = 0;

    check_order(self, NONE, NONE, BY_ROW, TG_FORTE_EVENT_ORDER);
    check_order(self, NONE, NONE, BY_SIDE, TG_FORTE_EVENT_COMMUTED);
    check_order(self, NONE, NONE, BY_TERM, TG_FORTE_EVENT_COMMUTED);
    for (guint e = 0; e < MIN(self->edits->len, MAX_ORDERED); e++) {
        const TgForteEdit edit = *tg_forte_edit(self->edits, e);

        for (; i < edit.ref && j < edit.hyp; i++, j++)
            check_construct(self, i, j);
        i = edit.ref + edit.lost;
        j = edit.hyp + edit.added;
    }
}

/* ---- What stands elsewhere ------------------------------------------------------------------- */

/* The stretches of free losses, or additions. */
static guint collect_runs(const TgForteEvents *self, guint s, TgForteStretch *out)
{
    guint n = 0;

    for (guint32 i = 0, end; i < self->views[s].n && n < MAX_RUNS; i = end + 1) {
        for (end = i; tg_forte_free_edit(self, s, end) != NULL;)
            end++;
        if (end > i)
            out[n++] = (TgForteStretch){ s, i, end };
    }
    return n;
}

/* What a run that is lost here and added there is: more than marks, or one bracket or accent. */
static TgForteType type_of_move(const TgForteEvents *self, TgForteStretch run)
{
    const TgForteToken *token = tg_forte_at(self->views[run.s].tokens, run.from);

    if (run.end > run.from + 1) {
        for (guint32 i = run.from; i < run.end; i++) {
            const guint8 kind = tg_forte_at(self->views[run.s].tokens, i)->kind;

            if (kind < TG_FORTE_OPEN && kind != TG_FORTE_PUNCTUATION)
                return TG_FORTE_EVENT_MOVED;
        }
        return TG_N_FORTE_TYPES;
    }
    if (token->kind == TG_FORTE_ACCENT)
        return TG_FORTE_EVENT_ACCENT_EXTENT;
    return token->kind == TG_FORTE_DELIMITER || tg_forte_begins(token) || tg_forte_ends(token) ||
                   token->name == TG_FORTE_DEN
               ? TG_FORTE_EVENT_BRACKET
               : TG_N_FORTE_TYPES;
}

static void take_run(TgForteEvents *self, TgForteStretch run)
{
    for (guint32 i = run.from; i < run.end; i++)
        tg_forte_free_edit(self, run.s, i)->event = self->events->len;
}

/* The mark before the body of an accent that is over more or less than before, where it is free. */
static void take_begin_of_accent(TgForteEvents *self, guint s, guint32 accent)
{
    const TgForteView *view = &self->views[s];
    const TgForteToken *token = tg_forte_at(view->tokens, accent);

    for (guint32 k = accent; k-- > 0 && accent - k < 64;) {
        const TgForteToken *mark = tg_forte_at(view->tokens, k);
        TgForteEdit *edit = tg_forte_free_edit(self, s, k);

        if (mark->name == TG_FORTE_ACC && mark->start == token->start && mark->end == token->end) {
            if (edit != NULL)
                edit->event = self->events->len;
            return;
        }
    }
}

static void find_moved_runs(TgForteEvents *self)
{
    TgForteStretch lost[MAX_RUNS], added[MAX_RUNS];
    const guint n_lost = collect_runs(self, 0, lost);
    const guint n_added = n_lost > 0 ? collect_runs(self, 1, added) : 0;

    for (guint l = 0; l < n_lost; l++) {
        const TgForteType type = type_of_move(self, lost[l]);

        for (guint a = 0; type != TG_N_FORTE_TYPES && a < n_added; a++) {
            const TgForteEvent event = { .type = (guint8) type };

            if (tg_forte_free_edit(self, 1, added[a].from) == NULL ||
                !same_stretch(self, lost[l], added[a]))
                continue;
            g_array_append_val(self->events, event);
            take_run(self, lost[l]);
            take_run(self, added[a]);
            if (type == TG_FORTE_EVENT_ACCENT_EXTENT) {
                take_begin_of_accent(self, 0, lost[l].from);
                take_begin_of_accent(self, 1, added[a].from);
            }
            break;
        }
    }
}

void tg_forte_find_moves(TgForteEvents *self)
{
    if (self->edits->len < 2)
        return;
    find_orders(self);
    find_moved_runs(self);
}
