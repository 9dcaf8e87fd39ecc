/* clang-format off */
/*
 * From edits to events: one mistake is one event, with a type, marks of its context and a size; and
 * the prices of events (datasets/forte-prices.tsv).
 *
 * The passes, in their order. Each pass makes events of edits that are still free. An edit is part
 * of one event, so later passes do not see the edits that a pass has taken.
 *
 * find_orders            order, commuted, fraction-turned
 *     takes all edits between constructs whose parts have another order; comes first because an
 *     exchange looks like losses and additions of anything
 * find_moved_runs        moved, bracket, accent-extent, fraction-end, superscript-end, ..
 *     takes a run that is lost in one place and added in another, and tells by the bracket that
 *     moved which end it is; comes before a later pass takes one half for a loss
 * find_texts             text-lost, text-added
 *     takes runs of three symbols or more that are more than scripts and letters of words, with the
 *     constructs in them
 * find_slashes           slash
 *     takes a slash for a bar with the marks of the fraction, which find_constructs would take
 * find_words             word, function-lost, ..
 *     takes the edits in one upright word of the reference before they are single letters
 * find_constructs        superscript, subscript, .. -line, .. -marks
 *     takes a script with all that it holds; then the marks of a script, fraction, root or grid
 *     around contents that stay
 * find_changes_and_runs  all other types
 *     takes the rest: changes one by one, neighbors that are lost or added as one
 * join_parentheses       parentheses: joins two parenthesis events that are a pair
 * join_raised_signs      raised-sign: joins two neighboring events, a prime and a raised sign
 * find_repeats           marks the same error as before, which costs less (context again)
 * join_losses            text-lost, term, ..
 *     joins losses with little between them, and additions that touch, where one event is cheaper;
 *     comes last because it compares prices
 * count_unread           counts the symbols that each event leaves unread
 */
/* clang-format on */
#include "metrics/forte/forte.h"

#include <math.h>
#include <string.h>

#define NONE         G_MAXUINT32
#define FEW          3   /* the minimum number of symbols of a stretch of text */
#define MAX_NAMED    256 /* the maximum number of events whose names are counted in both lists */
#define MAX_BRACKETS 512 /* the maximum number of tokens between two paired brackets */
#define WORD         16  /* bytes for the longest word that is compared, with its end */
#define MAX_PARTS    256
#define MAX_DIFFER   12  /* the maximum number of parts that are tried in another order */
#define MAX_RUNS     256 /* the maximum number of runs that are compared to find moved ones */
#define MAX_JOINED   64  /* the maximum number of losses that are joined to one */
/* the maximum number of edits before a construct that is tried; with more errors parts have no
 * names */
#define MAX_ORDERED 64

/* The price of a stretch grows with this power of its length if the price comes from the dearest
 * thing in it. */
#define GROWTH 0.02

static const TgForteTables *const tables = &tg_forte_tables;

/* A token and its surroundings. */
typedef struct {
    guint32 match;     /* the other end of the construct that the token begins or ends; NONE */
    guint32 parent;    /* the mark that begins the construct around the token; NONE */
    TgForteEdit *edit; /* the edit that loses, adds or changes the token; NULL */
    /* the first letter of the upright word, of two letters or more, around the token; NONE */
    guint32 word;
    guint32 word_end; /* the last letter of that word */
} Spot;

/* One of the two token lists. */
typedef struct {
    guint s; /* 0: the reference, 1: the hypothesis */
    const TgForteToken *tokens;
    Spot *spots;
    guint32 n;
} View;

/* The two lists and the edits that become events. */
typedef struct {
    View views[2];
    TgForteEdit *edits, *end; /* the first, and behind the last */
    GArray *events;
} Events;

/* The tokens from @from to before @end of one list. */
typedef struct {
    const View *side;
    guint32 from, end;
} Stretch;

/* ---- Tokens --------------------------------------------------------------------------------- */

/* Token @i, or NULL beyond either end. */
static const TgForteToken *token_at(const View *side, guint32 i)
{
    return i < side->n ? &side->tokens[i] : NULL;
}

static gboolean is_kind(const TgForteToken *token, TgForteKind kind)
{
    return token != NULL && token->kind == kind;
}

static gboolean is_bar(const TgForteToken *token)
{
    return token->name == '|' || token->name == TG_FORTE_PARALLEL;
}

/* A letter of \mathrm or text. */
static gboolean is_upright(const TgForteToken *token)
{
    return is_kind(token, TG_FORTE_LATIN) && token->upright;
}

static gboolean is_opening(const TgForteToken *token)
{
    return token->name == '(' || token->name == '[' || token->name == '{' ||
           token->name == TG_FORTE_LEFT_ANGLE || token->name == TG_FORTE_LEFT_FLOOR ||
           token->name == TG_FORTE_LEFT_CEILING;
}

static gboolean is_bracket(const TgForteToken *token)
{
    return token->kind == TG_FORTE_DELIMITER && token->name < 128;
}

/* Letters @first to @last as text, cut to WORD - 1 letters. */
static void spell_word(const View *side, guint32 first, guint32 last, char out[WORD])
{
    guint n = 0;

    for (guint32 i = first; i <= last && i < side->n && n < WORD - 1; i++)
        out[n++] = (char) (side->tokens[i].name & 0x7F);
    out[n] = '\0';
}

static gboolean is_function(const char *word)
{
    const TgForteSpelling *spelling = tg_forte_command(word, strlen(word));

    return spelling != NULL && spelling->function;
}

static void read_side(View *side, guint s, const GArray *tokens)
{
    guint32 open = NONE;

    side->s = s;
    side->tokens = (gconstpointer) tokens->data;
    side->n = tokens->len;
    side->spots = g_new(Spot, (gsize) side->n + 1);
    for (guint32 i = 0, word = 0; i < side->n; i++) {
        const TgForteToken *token = &side->tokens[i];
        Spot *spot = &side->spots[i];
        const gboolean in_word = /* includes accents, because words such as f, u, \", r have them */
            is_upright(token) || (token->kind == TG_FORTE_ACCENT && i > word &&
                                  (i > word + 1 || is_upright(token_at(side, i + 1))));

        *spot = (Spot){ NONE, open, NULL, NONE, NONE };
        if (tg_forte_ends(token) && open != NONE) {
            spot->match = open;
            side->spots[open].match = i;
            spot->parent = side->spots[open].parent;
            open = spot->parent;
        } else if (tg_forte_begins(token)) {
            open = i;
        }
        if (!in_word)
            word = i + 1;
        else if (i > word)
            spot->word = side->spots[word].word = word;
    }
    for (guint32 i = side->n; i-- > 0;) {
        Spot *spot = &side->spots[i];

        if (spot->word != NONE)
            spot->word_end = i + 1 < side->n && spot[1].word == spot->word ? spot[1].word_end : i;
    }
}

/* The bracket that is paired with @i; NONE. */
static guint32 partner_of(const View *side, guint32 i)
{
    gint depth = 0;

    for (guint32 k = i; k < side->n && k < i + MAX_BRACKETS; k++) {
        const TgForteToken *token = &side->tokens[k];

        if (token->kind == TG_FORTE_DELIMITER)
            depth += is_opening(token) ? 1 : -1;
        if (depth <= 0)
            return depth == 0 && k > i ? k : NONE;
    }
    return NONE;
}

static guint count_name(const View *side, TgForteName name)
{
    guint n = 0;

    for (guint32 i = 0; i < side->n; i++)
        n += side->tokens[i].name == name;
    return n;
}

/* ---- Events --------------------------------------------------------------------------------- */

/* The side of a loss (0) or an addition (1); a substitution counts as a loss. */
static guint side_of(const TgForteEdit *edit)
{
    return edit->lost ? 0 : 1;
}

static guint32 position_of(const TgForteEdit *edit, guint s)
{
    return s == 0 ? edit->ref : edit->hyp;
}

/* The token of an edit; for a substitution, the token of the reference. */
static const TgForteToken *token_of(const Events *self, const TgForteEdit *edit)
{
    const guint s = side_of(edit);

    return &self->views[s].tokens[position_of(edit, s)];
}

/* Whether an edit is a loss or an addition that is part of no event. */
static gboolean is_free(const TgForteEdit *edit)
{
    return edit->event == 0 && edit->lost != edit->added;
}

/* The edit that loses or adds token @i, if it is free; NULL. */
static TgForteEdit *free_edit(const View *side, guint32 i)
{
    TgForteEdit *edit = i < side->n ? side->spots[i].edit : NULL;

    return edit != NULL && is_free(edit) ? edit : NULL;
}

static TgForteEvent *event_of(const Events *self, const TgForteEdit *edit)
{
    return tg_forte_event(self->events, edit->event - 1);
}

static void add_context(TgForteEvent *event, TgForteContext context, gboolean applies)
{
    event->contexts |= applies ? 1u << context : 0;
}

/* An event of one symbol without edits. */
static TgForteEvent new_event(TgForteType type)
{
    return (TgForteEvent){ .type = (guint8) type, .n = 1, .raise = 1, .named = tables->n_named };
}

/* Append a new event. The pointer is valid until the next event is appended. */
static TgForteEvent *begin_event(Events *self, TgForteType type)
{
    const TgForteEvent event = new_event(type);

    g_array_append_val(self->events, event);
    return tg_forte_event(self->events, self->events->len - 1);
}

/* Make an edit, which may be NULL, part of the newest event. */
static void take_edit(const Events *self, TgForteEdit *edit)
{
    if (edit != NULL)
        edit->event = self->events->len;
}

static guint count_symbols(Stretch at)
{
    guint n = 0;

    for (guint32 i = at.from; i < at.end; i++)
        n += tg_forte_is_symbol(&at.side->tokens[i]);
    return n;
}

static gboolean any_kind(Stretch at, TgForteKind kind)
{
    for (guint32 i = at.from; i < at.end; i++) {
        if (at.side->tokens[i].kind == kind)
            return TRUE;
    }
    return FALSE;
}

static gboolean all_symbols(Stretch at, gboolean (*is)(const TgForteToken *))
{
    for (guint32 i = at.from; i < at.end; i++) {
        const TgForteToken *token = &at.side->tokens[i];

        if (tg_forte_is_symbol(token) && !is(token))
            return FALSE;
    }
    return TRUE;
}

static gboolean is_number(const TgForteToken *token)
{
    return token->kind == TG_FORTE_DIGIT || token->name == '.' || token->name == ',';
}

static gboolean is_factor(const TgForteToken *token)
{
    return tg_forte_is_operand(token) || token->kind == TG_FORTE_PRIME ||
           token->kind == TG_FORTE_SYMBOL;
}

static gboolean is_prime(const TgForteToken *token)
{
    return token->kind == TG_FORTE_PRIME;
}

static void take_stretch(const Events *self, Stretch at)
{
    for (guint32 i = at.from; i < at.end; i++)
        take_edit(self, at.side->spots[i].edit);
}

/* ---- Parts in another order ------------------------------------------------------------------
 * An alignment of tokens cannot express that two rows are exchanged: it loses and adds their
 * contents. */

/* The parts of a fraction, of a list of rows, or of the cells of a grid. */
typedef struct {
    Stretch at[MAX_PARTS];
    guint n;
} Parts;

/* The parts of the construct at @open, or of the whole list, between the tokens @mark or @other; n
 * is 0 where there are too many. */
static void read_parts(const View *view, guint32 open, TgForteName mark, TgForteName other,
                       Parts *parts)
{
    const guint32 end = open != NONE ? view->spots[open].match : view->n;
    guint32 begin = open != NONE ? open + 1 : 0;

    parts->n = 0;
    for (guint32 i = begin; end != NONE && i <= end; i++) {
        if (i < end && (view->spots[i].parent != open ||
                        (view->tokens[i].name != mark && view->tokens[i].name != other)))
            continue;
        if (parts->n == MAX_PARTS) {
            parts->n = 0;
            return;
        }
        parts->at[parts->n++] = (Stretch){ view, begin, i };
        begin = i + 1;
    }
}

static gboolean same_stretch(Stretch a, Stretch b)
{
    if (a.end - a.from != b.end - b.from)
        return FALSE;
    for (guint32 i = 0; i < a.end - a.from; i++) {
        if (!tg_forte_same_token(&a.side->tokens[a.from + i], &b.side->tokens[b.from + i]))
            return FALSE;
    }
    return TRUE;
}

/* Add an event if the parts that differ have the contents of the other side's parts in another
 * order. */
static void compare_parts(Events *self, const Parts *ref, const Parts *hyp, TgForteType type)
{
    guint differ[MAX_DIFFER], n = 0;
    gboolean used[MAX_DIFFER] = { FALSE };

    if (ref->n < 2 || ref->n != hyp->n)
        return;
    for (guint k = 0; k < ref->n; k++) {
        if (same_stretch(ref->at[k], hyp->at[k]))
            continue;
        if (n == MAX_DIFFER)
            return;
        differ[n++] = k;
    }
    for (guint k = 0; k < n; k++) {
        guint l = 0;

        while (l < n && (used[l] || !same_stretch(ref->at[differ[k]], hyp->at[differ[l]])))
            l++;
        if (l == n)
            return;
        used[l] = TRUE;
    }
    /* the free edits between the parts, and those of the marks around the parts, are one event */
    const Stretch a = { ref->at[0].side, ref->at[0].from, ref->at[ref->n - 1].end + 1 };
    const Stretch b = { hyp->at[0].side, hyp->at[0].from, hyp->at[hyp->n - 1].end + 1 };
    TgForteEvent *event = NULL;
    guint n_symbols = 0;
    for (TgForteEdit *edit = self->edits; n > 0 && edit < self->end; edit++) {
        if (edit->event != 0 || edit->ref + 1 < a.from || edit->ref + edit->lost > a.end ||
            edit->hyp + 1 < b.from || edit->hyp + edit->added > b.end)
            continue;
        if (event == NULL)
            event = begin_event(self, type);
        n_symbols += tg_forte_is_symbol(token_of(self, edit));
        event->n = MAX(1, n_symbols);
        event->parts[0] = differ[0] + 1;
        event->parts[1] = differ[n - 1] + 1;
        take_edit(self, edit);
    }
}

static void check_order(Events *self, guint32 i, guint32 j, TgForteName mark, TgForteName other,
                        TgForteType type)
{
    Parts ref, hyp;

    read_parts(&self->views[0], i, mark, other, &ref);
    read_parts(&self->views[1], j, mark, other, &hyp);
    compare_parts(self, &ref, &hyp, type);
}

/* Compare two constructs that are aligned with each other. */
static void check_construct(Events *self, guint32 i, guint32 j)
{
    const TgForteToken *token = &self->views[0].tokens[i];

    if (token->name == TG_FORTE_FRAC)
        check_order(self, i, j, TG_FORTE_DEN, TG_FORTE_DEN, TG_FORTE_EVENT_FRACTION_TURNED);
    if (token->kind == TG_FORTE_GRID || token->kind == TG_FORTE_SCRIPT)
        check_order(self, i, j, TG_FORTE_NEXT_ROW, TG_FORTE_NEXT_ROW, TG_FORTE_EVENT_ORDER);
    if (token->kind == TG_FORTE_GRID)
        check_order(self, i, j, TG_FORTE_NEXT_ROW, TG_FORTE_NEXT_CELL, TG_FORTE_EVENT_ORDER);
}

static void find_orders(Events *self)
{
    guint32 i = 0, j = 0;

    check_order(self, NONE, NONE, TG_FORTE_NEXT_ROW, TG_FORTE_NEXT_ROW, TG_FORTE_EVENT_ORDER);
    check_order(self, NONE, NONE, '=', '=', TG_FORTE_EVENT_COMMUTED);
    check_order(self, NONE, NONE, '+', '+', TG_FORTE_EVENT_COMMUTED);
    for (const TgForteEdit *edit = self->edits;
         edit < self->end && edit < self->edits + MAX_ORDERED; edit++) {
        for (; i < edit->ref && j < edit->hyp; i++, j++)
            check_construct(self, i, j);
        i = edit->ref + edit->lost;
        j = edit->hyp + edit->added;
    }
}

/* ---- Tokens that moved ----------------------------------------------------------------------- */

/* Move @run to the next run of free losses, or of free additions, behind it. */
static gboolean next_run(Stretch *run)
{
    run->from = run->end;
    while (run->from < run->side->n && free_edit(run->side, run->from) == NULL)
        run->from++;
    run->end = run->from;
    while (free_edit(run->side, run->end) != NULL)
        run->end++;
    return run->end > run->from;
}

static guint collect_runs(const View *side, Stretch *out)
{
    Stretch run = { side, 0, 0 };
    guint n = 0;

    while (n < MAX_RUNS && next_run(&run))
        out[n++] = run;
    return n;
}

/* The type of the event for a run that was lost in one place and added in another. */
static TgForteType type_of_move(Stretch run)
{
    const TgForteToken *token = &run.side->tokens[run.from];

    if (run.end > run.from + 1) {
        for (guint32 i = run.from; i < run.end; i++) {
            token = &run.side->tokens[i];
            if ((tg_forte_is_symbol(token) && token->kind != TG_FORTE_PUNCTUATION) ||
                token->kind == TG_FORTE_ACCENT)
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

/* Take the mark before the body of an accent whose extent changed. */
static void take_mark_before(Events *self, Stretch accent)
{
    for (guint32 i = accent.from; i-- > 0;) {
        TgForteEdit *edit = free_edit(accent.side, i);

        if (edit != NULL && accent.side->tokens[i].name == TG_FORTE_ACC) {
            take_edit(self, edit);
            return;
        }
    }
}

/* Where the lost run stands in an added one: a mark or bracket also at either end of it, beside
 * other text that was added. Returns: an empty stretch if it does not. */
static Stretch find_in_run(Stretch lost, Stretch added, TgForteType type)
{
    const guint32 n = lost.end - lost.from;
    const Stretch ends[] = { added,
                             { added.side, added.from, added.from + n },
                             { added.side, added.end - n, added.end } };

    for (guint i = 0; i < (type == TG_FORTE_EVENT_BRACKET ? G_N_ELEMENTS(ends) : 1); i++) {
        if (added.end - added.from >= n && free_edit(added.side, ends[i].from) != NULL &&
            same_stretch(lost, ends[i]))
            return ends[i];
    }
    return (Stretch){ added.side, 0, 0 };
}

/* Classify the end of a script or accent, a bracket or a bar that is lost in one place and added in
 * another. */
static void classify_bracket(const Events *self, TgForteEvent *event, const TgForteEdit *lost,
                             const TgForteEdit *added)
{
    const View *ref = &self->views[0], *hyp = &self->views[1];
    const TgForteToken *token = &ref->tokens[lost->ref];
    const guint32 open = ref->spots[lost->ref].match, to = hyp->spots[added->hyp].match;

    event->n = MAX(1, ABS((gint) added->hyp - (gint) lost->ref));
    if (token->name == TG_FORTE_CLOSE && open != NONE) {
        const guint32 was = lost->ref - open - 1, is = to != NONE ? added->hyp - to - 1 : was;
        const gboolean up = ref->tokens[open].name == TG_FORTE_SUP;

        event->type = up ? TG_FORTE_EVENT_SUPERSCRIPT_END : TG_FORTE_EVENT_SUBSCRIPT_END;
        event->n = MAX(1, MAX(was, is) - MIN(was, is));
    } else if (tg_forte_begins(token) || tg_forte_ends(token) || token->name == TG_FORTE_DEN) {
        event->type = TG_FORTE_EVENT_FRACTION_END;
    }
}

/* Count and classify the events from @first by the edits that they keep: a later run may have taken
 * edits of an earlier one. */
static void classify_moves(const Events *self, guint first)
{
    for (guint e = first; e < self->events->len; e++) {
        TgForteEvent *event = tg_forte_event(self->events, e);
        const TgForteEdit *lost = NULL, *added = NULL;
        guint n = 0;

        for (const TgForteEdit *edit = self->edits; edit < self->end; edit++) {
            if (edit->event != e + 1)
                continue;
            n += tg_forte_is_symbol(token_of(self, edit));
            lost = lost == NULL && edit->lost ? edit : lost;
            added = added == NULL && edit->added ? edit : added;
        }
        event->n = MAX(1, event->type == TG_FORTE_EVENT_MOVED ? n / 2 : n);
        if (event->type == TG_FORTE_EVENT_BRACKET && lost != NULL && added != NULL)
            classify_bracket(self, event, lost, added);
    }
}

static void find_moved_runs(Events *self)
{
    const guint first = self->events->len;
    Stretch lost[MAX_RUNS], added[MAX_RUNS];
    const guint n_lost = collect_runs(&self->views[0], lost);
    const guint n_added = n_lost > 0 ? collect_runs(&self->views[1], added) : 0;

    for (guint l = 0; l < n_lost; l++) {
        const TgForteType type = type_of_move(lost[l]);

        for (guint a = 0; type != TG_N_FORTE_TYPES && a < n_added; a++) {
            const Stretch same = find_in_run(lost[l], added[a], type);

            if (same.end == same.from)
                continue;
            begin_event(self, type);
            take_stretch(self, lost[l]);
            take_stretch(self, same);
            if (type == TG_FORTE_EVENT_ACCENT_EXTENT) {
                take_mark_before(self, lost[l]);
                take_mark_before(self, same);
            }
            break;
        }
    }
    classify_moves(self, first);
}

/* ---- The type of a loss of one token --------------------------------------------------------- */

static TgForteType type_of_loss(const View *side, guint32 i)
{
    const TgForteToken *token = &side->tokens[i];
    const TgForteToken *before = token_at(side, i - 1);
    const TgForteToken *after = token_at(side, i + 1);

    if (token->name == '-' || token->name == '+')
        return before == NULL ||
                       !(is_factor(before) || before->kind == TG_FORTE_DOTS ||
                         before->kind == TG_FORTE_ACCENT || before->name == TG_FORTE_CLOSE ||
                         before->name == TG_FORTE_FINISH ||
                         (before->kind == TG_FORTE_DELIMITER && !is_opening(before)) ||
                         is_bar(before))
                   ? TG_FORTE_EVENT_UNARY_MINUS
                   : TG_FORTE_EVENT_MINUS;
    if (token->name == TG_FORTE_CDOT || token->name == '*')
        return TG_FORTE_EVENT_PRODUCT_LOST;
    if (token->name == ':')
        return TG_FORTE_EVENT_POINT;
    if (is_bar(token))
        return TG_FORTE_EVENT_BAR;
    if (is_upright(token))
        return TG_FORTE_EVENT_WORD;
    if (is_bracket(token))
        return TG_FORTE_EVENT_PARENTHESIS;
    if (token->kind == TG_FORTE_DIGIT &&
        (is_kind(before, TG_FORTE_DIGIT) || is_kind(after, TG_FORTE_DIGIT)))
        return TG_FORTE_EVENT_DIGIT_OF_NUMBER;
    if (token->kind == TG_FORTE_PUNCTUATION) {
        guint digits = 0;
        while (is_kind(token_at(side, i + 1 + digits), TG_FORTE_DIGIT))
            digits++;
        if (is_kind(before, TG_FORTE_DIGIT) && digits > 0 && (token->name == '.' || digits != 3))
            return TG_FORTE_EVENT_DECIMAL_POINT;
        if (side->spots[i].parent != NONE &&
            side->tokens[side->spots[i].parent].kind == TG_FORTE_SCRIPT)
            return TG_FORTE_EVENT_POINT_SCRIPT;
    }
    return (TgForteType) tables->lost[token->kind];
}

/* The type of the event in which the marks of a construct are lost and its contents stay. */
static TgForteType type_of_lost_marks(const TgForteToken *open)
{
    return open->kind == TG_FORTE_SCRIPT ? TG_FORTE_EVENT_SCRIPT_MARKS
           : open->name == TG_FORTE_FRAC ? TG_FORTE_EVENT_FRACTION_MARKS
           : open->name == TG_FORTE_SQRT ? TG_FORTE_EVENT_ROOT_MARKS
                                         : TG_FORTE_EVENT_GRID_MARKS;
}

static double price_of(const TgForteEvent *event)
{
    return tg_forte_price(event, TG_FORTE_PEOPLE, NULL, NULL);
}

/* Whether an accent on symbol @i, or the marks of a fraction or root around @i alone, are part of a
 * stretch. */
static gboolean has_marks(Stretch at, guint32 i)
{
    const TgForteToken *before = i > at.from ? token_at(at.side, i - 1) : NULL;

    return i + 1 < at.end && (is_kind(token_at(at.side, i + 1), TG_FORTE_ACCENT) ||
                              ((is_kind(before, TG_FORTE_OPEN) || is_kind(before, TG_FORTE_GRID)) &&
                               at.side->spots[i - 1].match == i + 1));
}

/* The event in which token @i alone is lost; for a fraction, root or grid its marks are lost. */
static TgForteEvent lone_loss(Stretch at, guint32 i)
{
    const View *side = at.side;
    const TgForteToken *token = &side->tokens[i];
    const guint32 match = side->spots[i].match;
    TgForteEvent event = new_event(TG_N_FORTE_TYPES);

    if (tg_forte_is_symbol(token)) {
        event.type = (guint8) type_of_loss(side, i);
        add_context(&event, TG_FORTE_CONTEXT_WITH_MARKS, has_marks(at, i));
    } else if (tg_forte_begins(token) && token->kind != TG_FORTE_SCRIPT && match < at.end) {
        event.type = (guint8) type_of_lost_marks(token);
    }
    return event;
}

/* Raise the price of losing a stretch to the price of its dearest token alone, and a little above
 * that the longer the stretch is, so that leaving out more is never cheaper. */
static void raise_to_dearest(TgForteEvent *event, Stretch at)
{
    const double own = price_of(event), growth = pow(MAX(1, count_symbols(at)), GROWTH);

    for (guint32 i = at.from; i < at.end; i++) {
        const TgForteEvent lone = lone_loss(at, i);

        if (lone.type != TG_N_FORTE_TYPES)
            event->raise = MAX(event->raise, price_of(&lone) * growth / own);
    }
    add_context(event, TG_FORTE_CONTEXT_STRETCH, event->raise > 1);
}

/* Whether a reader of the prediction still finds the reference's part of the event: it stands
 * elsewhere, or a similar sign stands there. */
static gboolean is_still_read(const TgForteEvent *event, gboolean changed)
{
    enum {
        ALWAYS = 1 << TG_FORTE_CLASS_STRUCTURE | 1 << TG_FORTE_CLASS_MARK |
                 1 << TG_FORTE_CLASS_PUNCTUATION,
        WHEN_CHANGED = 1 << TG_FORTE_CLASS_LOOK_ALIKE | 1 << TG_FORTE_CLASS_VARIANT |
                       1 << TG_FORTE_CLASS_STYLE | 1 << TG_FORTE_CLASS_DELIMITER |
                       1 << TG_FORTE_CLASS_ACCENT
    };
    const guint class = tables->types[event->type].class;

    return (ALWAYS >> class & 1) != 0 || (changed && ((WHEN_CHANGED >> class & 1) != 0 ||
                                                      event->type == TG_FORTE_EVENT_LOOK_DIGIT));
}

/* ---- Stretches of text ---------------------------------------------------------------------- */

/* Whether a stretch contains more than scripts and letters of words. */
static gboolean is_text(Stretch at)
{
    const View *side = at.side;
    guint symbols = 0, outside = 0, depth = 0, in_words = 0;

    for (guint32 i = at.from; i < at.end; i++) {
        const TgForteToken *token = &side->tokens[i];

        symbols += tg_forte_is_symbol(token);
        in_words += tg_forte_is_symbol(token) && side->spots[i].word != NONE;
        outside += tg_forte_is_symbol(token) && depth == 0;
        if (token->kind == TG_FORTE_SCRIPT)
            depth++;
        else if (token->name == TG_FORTE_CLOSE && depth > 0)
            depth--;
    }
    /* it is a side of an equation */
    symbols += is_kind(token_at(side, at.from), TG_FORTE_RELATION);
    return symbols >= FEW && outside > 0 && in_words < symbols;
}

static void find_texts(Events *self)
{
    for (guint s = 0; s < 2; s++) {
        Stretch run = { &self->views[s], 0, 0 };

        while (next_run(&run)) {
            if (!is_text(run))
                continue;
            TgForteEvent *event =
                begin_event(self, s == 0 ? TG_FORTE_EVENT_TEXT_LOST : TG_FORTE_EVENT_TEXT_ADDED);

            event->n = count_symbols(run);
            raise_to_dearest(event, run);
            take_stretch(self, run);
        }
    }
}

/* ---- Slashes and words ---------------------------------------------------------------------- */

/* Find slashes for a fraction's bar, with the marks of the fraction. */
static void find_slashes(Events *self)
{
    for (TgForteEdit *edit = self->edits; edit < self->end; edit++) {
        if (edit->event != 0 || !edit->lost || !edit->added)
            continue;
        const guint s = self->views[0].tokens[edit->ref].name == TG_FORTE_DEN ? 0 : 1;
        const View *side = &self->views[s];
        const guint32 bar = position_of(edit, s);
        if (side->tokens[bar].name != TG_FORTE_DEN ||
            self->views[1 - s].tokens[position_of(edit, 1 - s)].name != '/')
            continue;
        const guint32 open = side->spots[bar].parent;
        begin_event(self, TG_FORTE_EVENT_SLASH);
        take_edit(self, edit);
        take_edit(self, free_edit(side, open));
        take_edit(self, free_edit(side, open != NONE ? side->spots[open].match : NONE));
    }
}

/* The first letter of the reference's word that contains an edit; NONE. */
static guint32 word_of(const Events *self, const TgForteEdit *edit)
{
    const View *ref = &self->views[0], *hyp = &self->views[1];

    if (edit->lost && edit->added && ref->tokens[edit->ref].name == hyp->tokens[edit->hyp].name)
        return NONE; /* the word changed only its style */
    if (edit->lost)
        return ref->spots[edit->ref].word;
    if (hyp->spots[edit->hyp].word == NONE)
        return NONE;
    if (edit->ref < ref->n && ref->spots[edit->ref].word != NONE)
        return ref->spots[edit->ref].word;
    return edit->ref > 0 ? ref->spots[edit->ref - 1].word : NONE;
}

static TgForteType type_of_word(const Events *self, guint32 word, guint n_lost,
                                const TgForteEdit *edit)
{
    const View *ref = &self->views[0], *hyp = &self->views[1];
    const guint32 end = ref->spots[word].word_end;
    guint32 at = MIN(edit->hyp, hyp->n - 1);
    char wanted[WORD], read[WORD];

    spell_word(ref, word, end, wanted);
    if (at > 0 && hyp->spots[at].word == NONE)
        at--;
    spell_word(hyp, hyp->spots[at].word, hyp->spots[at].word_end, read);
    if ((!edit->added || hyp->spots[edit->hyp].word == NONE) && n_lost == end + 1 - word &&
        (is_function(wanted) || (end + 1 < ref->n && is_opening(&ref->tokens[end + 1]))))
        return TG_FORTE_EVENT_FUNCTION_LOST;
    if (!is_function(wanted) || !is_function(read) || strcmp(wanted, read) == 0)
        return TG_FORTE_EVENT_WORD;
    return *wanted == 'l' && *read == 'l' && strlen(wanted) <= 3 && strlen(read) <= 3
               ? TG_FORTE_EVENT_LOGARITHM
               : TG_FORTE_EVENT_FUNCTION_OTHER;
}

static void find_words(Events *self)
{
    for (TgForteEdit *first = self->edits; first < self->end; first++) {
        const guint32 word = first->event == 0 ? word_of(self, first) : NONE;
        guint n_lost = 0, n_added = 0;

        if (word == NONE)
            continue;
        TgForteEvent *event = begin_event(self, TG_FORTE_EVENT_WORD);
        const guint32 length = self->views[0].spots[word].word_end + 1 - word;
        const TgForteEdit *sample = first;
        for (TgForteEdit *edit = first; edit < self->end && edit->ref <= word + length; edit++) {
            if (edit->event != 0 || word_of(self, edit) != word)
                continue;
            take_edit(self, edit);
            n_lost += edit->lost;
            if (edit->added && n_added++ == 0)
                sample = edit;
        }
        event->type = (guint8) type_of_word(self, word, n_lost, sample);
        event->n = MAX(n_lost, n_added);
    }
}

/* ---- Scripts and other constructs ------------------------------------------------------------ */

/* Whether token @i is a mark of the construct that begins at @open, not of one inside it. */
static gboolean is_mark_of(const View *side, guint32 open, guint32 i)
{
    const TgForteToken *token = &side->tokens[i];

    return i == open || i == side->spots[open].match ||
           (side->spots[i].parent == open &&
            (token->kind == TG_FORTE_ROW || token->kind == TG_FORTE_CELL ||
             token->name == TG_FORTE_DEN || token->name == TG_FORTE_IDX));
}

/* A construct that is lost or added: a script with all that it holds (@whole), or the marks around
 * what stays. */
static void add_construct(Events *self, Stretch at, gboolean whole)
{
    const View *side = at.side;
    const TgForteToken *token = &side->tokens[at.from];
    const TgForteToken *base = token_at(side, at.from - 1);
    const gboolean up = token->name == TG_FORTE_SUP;
    const gboolean on_line = free_edit(side, at.end - 1) != NULL;
    const guint n = count_symbols(at);
    const TgForteEdit first = *free_edit(side, at.from);
    TgForteEvent *event = begin_event(self, TG_FORTE_EVENT_SCRIPT_MARKS);

    event->n = MAX(n, 1);
    event->type = (guint8) type_of_lost_marks(token);
    if (token->kind == TG_FORTE_SCRIPT && whole)
        event->type = up ? TG_FORTE_EVENT_SUPERSCRIPT : TG_FORTE_EVENT_SUBSCRIPT;
    else if (token->kind == TG_FORTE_SCRIPT &&
             (is_kind(base, TG_FORTE_SCRIPT) ||
              (on_line && is_kind(token_at(side, at.from + 1), TG_FORTE_SCRIPT))))
        event->type = TG_FORTE_EVENT_SCRIPT_LEVEL;
    else if (token->kind == TG_FORTE_SCRIPT && on_line)
        event->type = up ? TG_FORTE_EVENT_SUPERSCRIPT_LINE : TG_FORTE_EVENT_SUBSCRIPT_LINE;
    /* a misspelled command that was read as a symbol */
    for (guint32 k = side->s == 0 ? first.hyp + 1 : 0; k > 0 && k + 1 > first.hyp; k--)
        if (k <= self->views[1].n && self->views[1].tokens[k - 1].name >= TG_FORTE_UNKNOWN)
            take_edit(self, free_edit(&self->views[1], k - 1));
    add_context(event, TG_FORTE_CONTEXT_ON_BRACKET, whole && is_kind(base, TG_FORTE_DELIMITER));
    for (guint32 i = at.from; i < at.end; i++) {
        TgForteEdit *edit = free_edit(side, i);

        if (edit == NULL || !(whole || is_mark_of(side, at.from, i)))
            continue;
        take_edit(self, edit);
        if (!whole && side->tokens[i].kind == TG_FORTE_ROW)
            event->type = TG_FORTE_EVENT_GRID_ROWS;
    }
    if (whole && n > 1)
        raise_to_dearest(event, (Stretch){ side, at.from + 1, at.end - 1 });
}

/* If several identical end marks follow each other, move the edit to the mark that closes the
 * construct at @open. */
static void claim_end(const Events *self, const View *side, guint32 open)
{
    const guint32 end = side->spots[open].match;
    guint32 i = end;

    while (i < side->n && side->spots[i].edit == NULL &&
           side->tokens[i].name == side->tokens[end].name)
        i++;
    TgForteEdit *edit = free_edit(side, i);
    if (edit == NULL || i == end || side->tokens[i].name != side->tokens[end].name)
        return;
    const guint32 ref = edit->ref - (i - end), hyp = edit->hyp - (i - end);
    if (edit > self->edits && (edit[-1].ref > ref || edit[-1].hyp > hyp))
        return;
    edit->ref = ref;
    edit->hyp = hyp;
    side->spots[end].edit = edit;
    side->spots[i].edit = NULL;
}

static void find_constructs(Events *self)
{
    for (guint scripts = 2; scripts-- > 0;) { /* first whole scripts, then their marks */
        for (const TgForteEdit *edit = self->edits; edit < self->end; edit++) {
            if (!is_free(edit) || !tg_forte_begins(token_of(self, edit)))
                continue;
            const View *side = &self->views[side_of(edit)];
            const guint32 open = position_of(edit, side->s), end = side->spots[open].match;
            guint32 i = open;
            if (end == NONE)
                continue;
            claim_end(self, side, open);
            while (i <= end && free_edit(side, i) != NULL)
                i++;
            const gboolean is_script = side->tokens[open].kind == TG_FORTE_SCRIPT;
            if (scripts == 0 ? i <= end : is_script && (i > end || free_edit(side, end) != NULL))
                add_construct(self, (Stretch){ side, open, end + 1 }, i > end);
        }
    }
}

/* ---- Changes -------------------------------------------------------------------------------- */

/* The fonts in which a list has a name, a bit for each. */
static guint fonts_of(const View *side, TgForteName name)
{
    guint fonts = 0;

    for (guint32 i = 0; i < side->n; i++)
        if (side->tokens[i].name == name)
            fonts |= 1u << (2 * side->tokens[i].font + side->tokens[i].upright);
    return fonts;
}

static void name_pair(TgForteEvent *event, TgForteName a, TgForteName b)
{
    for (guint p = 0; p < tables->n_named; p++) {
        const TgForteName *names = tables->named[p].names;

        if ((names[0] == a && names[1] == b) || (names[0] == b && names[1] == a))
            event->named = p;
    }
}

static void add_change(Events *self, TgForteEdit *edit)
{
    /* changes between two signs that have nothing in common */
    static const gboolean unlike[TG_N_FORTE_TYPES] = {
        [TG_FORTE_EVENT_LETTER] = TRUE,
        [TG_FORTE_EVENT_CROSS_ALPHABET] = TRUE,
        [TG_FORTE_EVENT_SYMBOL] = TRUE,
        [TG_FORTE_EVENT_LETTER_SYMBOL] = TRUE,
        [TG_FORTE_EVENT_DIGIT] = TRUE,
        [TG_FORTE_EVENT_DIGIT_LETTER] = TRUE,
        [TG_FORTE_EVENT_OPERATOR] = TRUE,
        [TG_FORTE_EVENT_RELATION] = TRUE,
        [TG_FORTE_EVENT_OPERAND_OPERATOR] = TRUE,
    };
    const View *ref = &self->views[0], *hyp = &self->views[1];
    const guint32 i = edit->ref;
    const TgForteToken *a = &ref->tokens[i], *b = &hyp->tokens[edit->hyp];
    TgForteEvent *event = begin_event(self, tg_forte_type_of_change(a, b));

    take_edit(self, edit);
    name_pair(event, a->name, b->name);
    if (unlike[event->type] && event->named == tables->n_named) {
        /* no less than the price of losing the token, so that writing any sign there is no gain */
        const guint loss = a->kind == TG_FORTE_DIGIT ? type_of_loss(ref, i) : tables->lost[a->kind];
        event->raise = MAX(1, tables->types[loss].price / tables->types[event->type].price);
    }
    if (self->events->len > MAX_NAMED)
        return;
    if (a->name == b->name) {
        const guint fonts = fonts_of(ref, a->name), read = fonts_of(hyp, a->name);

        add_context(event, TG_FORTE_CONTEXT_MERGED,
                    (fonts & (fonts - 1)) != 0 && (read & (read - 1)) == 0);
    } else if (tg_forte_is_operand(a) && tg_forte_is_operand(b)) {
        const guint n = count_name(ref, a->name), left = count_name(hyp, a->name);
        const gboolean known = count_name(ref, b->name) > 0;

        add_context(event, TG_FORTE_CONTEXT_RENAMED,
                    n > 1 && left == 0 && !known && count_name(hyp, b->name) == n);
        add_context(event, TG_FORTE_CONTEXT_CLASH, known && left == 0);
    }
}

/* ---- Losses and additions ------------------------------------------------------------------- */

/* Classify an accent that is lost or added: the last accent of the stretch. */
static void classify_accent(TgForteEvent *event, Stretch at)
{
    const View *side = at.side;
    guint32 i = at.end - 1;

    while (side->tokens[i].kind != TG_FORTE_ACCENT)
        i--;
    event->type =
        side->tokens[i].name >= TG_FORTE_UNKNOWN ? TG_FORTE_EVENT_INK : TG_FORTE_EVENT_ACCENT;
    const TgForteToken *base = token_at(side, i - 1);
    for (guint32 k = 0; base != NULL && tg_forte_is_symbol(base) && k < side->n; k++)
        add_context(event, TG_FORTE_CONTEXT_TELLS,
                    k != i - 1 && side->tokens[k].name == base->name &&
                        !is_kind(token_at(side, k + 1), TG_FORTE_ACCENT));
}

/* Add an event for neighboring tokens that are lost or added and are no text. */
static void add_run(Events *self, Stretch at)
{
    const View *side = at.side;
    const guint n = count_symbols(at);
    TgForteEvent *event = begin_event(self, TG_FORTE_EVENT_TERM);
    guint32 i = at.from;

    take_stretch(self, at);
    event->n = MAX(n, 1);
    while (n > 0 && !tg_forte_is_symbol(&side->tokens[i]))
        i++;
    if (n == 0 && any_kind(at, TG_FORTE_ACCENT)) {
        classify_accent(event, at);
    } else if (n == 0) {
        event->type = any_kind(at, TG_FORTE_ROW) ? TG_FORTE_EVENT_ROW_MARK
                      : any_kind(at, TG_FORTE_GRID) || any_kind(at, TG_FORTE_CELL)
                          ? TG_FORTE_EVENT_CELL_MARK
                      : side->tokens[at.from].name == TG_FORTE_ACC ? TG_FORTE_EVENT_ACCENT_EXTENT
                                                                   : TG_FORTE_EVENT_MARK;
    } else if (n == 1) {
        const TgForteToken *token = &side->tokens[i];

        event->type = (guint8) type_of_loss(side, i);
        add_context(event, TG_FORTE_CONTEXT_WITH_MARKS, at.end > at.from + 1);
        raise_to_dearest(event, at);
        if (event->type != TG_FORTE_EVENT_UNARY_MINUS && tg_forte_is_sign(token) &&
            (at.from == 0 || at.end == side->n))
            event->type = TG_FORTE_EVENT_DANGLING;
    } else {
        event->type = all_symbols(at, is_number)    ? TG_FORTE_EVENT_DIGIT_LOST
                      : all_symbols(at, is_upright) ? TG_FORTE_EVENT_WORD
                      : all_symbols(at, is_prime)   ? TG_FORTE_EVENT_PRIME
                      : all_symbols(at, is_factor)  ? TG_FORTE_EVENT_FACTORS
                                                    : TG_FORTE_EVENT_TERM;
        raise_to_dearest(event, at);
    }
}

static void find_changes_and_runs(Events *self)
{
    for (TgForteEdit *edit = self->edits; edit < self->end; edit++) {
        if (edit->event != 0)
            continue;
        if (edit->lost && edit->added) {
            add_change(self, edit);
            continue;
        }
        const guint s = side_of(edit);
        Stretch at = { &self->views[s], position_of(edit, s), position_of(edit, s) + 1 };
        /* without another edit between */
        for (const TgForteEdit *next = edit + 1;
             next < self->end && is_free(next) && side_of(next) == s &&
             position_of(next, s) == at.end && position_of(next, 1 - s) == position_of(edit, 1 - s);
             next++)
            at.end++;
        add_run(self, at);
    }
}

/* ---- Pairs of events ------------------------------------------------------------------------ */

/* Give the edits of event @from to event @to; @from then has no edits. */
static void merge_events(Events *self, guint to, guint from)
{
    for (TgForteEdit *edit = self->edits; edit < self->end; edit++) {
        if (edit->event == from + 1)
            edit->event = to + 1;
    }
    tg_forte_event(self->events, from)->type = TG_N_FORTE_TYPES;
}

/* Make one event of the two brackets of a pair that are both lost or both added. */
static void join_parentheses(Events *self)
{
    for (const TgForteEdit *edit = self->edits; edit < self->end; edit++) {
        const TgForteToken *token = token_of(self, edit);
        const guint s = side_of(edit);
        const View *side = &self->views[s];

        if (edit->lost == edit->added || !is_bracket(token) || !is_opening(token) ||
            event_of(self, edit)->type != TG_FORTE_EVENT_PARENTHESIS)
            continue;
        const guint32 open = position_of(edit, s), end = partner_of(side, open);
        const TgForteEdit *other = end != NONE ? side->spots[end].edit : NULL;
        if (other == NULL || other->lost != edit->lost || other->added != edit->added ||
            other->event == edit->event ||
            event_of(self, other)->type != TG_FORTE_EVENT_PARENTHESIS)
            continue;
        merge_events(self, edit->event - 1, other->event - 1);
        TgForteEvent *event = event_of(self, edit);
        event->type = TG_FORTE_EVENT_PARENTHESES;
        event->contexts = 0;
    }
}

/* Whether two neighboring events are a prime and another raised sign: the script's marks and the
 * sign that was taken for a prime, or a prime for a script. */
static gboolean are_raised_signs(const Events *self, const TgForteEvent *a, const TgForteEvent *b)
{
    const TgForteEdit *edit = &self->edits[b->first];

    if (a->type == TG_FORTE_EVENT_PRIME)
        return b->type == TG_FORTE_EVENT_SUPERSCRIPT && b->n == 1;
    return a->type == TG_FORTE_EVENT_SUPERSCRIPT_LINE && a->n == 1 && edit->lost && edit->added &&
           (self->views[0].tokens[edit->ref].kind == TG_FORTE_PRIME ||
            self->views[1].tokens[edit->hyp].kind == TG_FORTE_PRIME);
}

/* Number the events from left to right, and drop events without edits. */
static void sort_events(Events *self)
{
    const guint n = self->events->len;
    g_autofree guint *numbers = g_new0(guint, (gsize) n + 1);
    g_autoptr(GArray) old = g_array_copy(self->events);

    g_array_set_size(self->events, 0);
    for (TgForteEdit *edit = self->edits; edit < self->end; edit++) {
        if (numbers[edit->event] == 0) {
            TgForteEvent *event = tg_forte_event(old, edit->event - 1);

            event->first = (guint32) (edit - self->edits);
            event->n_edits = 0;
            g_array_append_vals(self->events, event, 1);
            numbers[edit->event] = self->events->len;
        }
        edit->event = numbers[edit->event];
        event_of(self, edit)->n_edits++;
    }
}

static void join_raised_signs(Events *self)
{
    for (guint e = 0; e + 1 < self->events->len; e++) {
        TgForteEvent *a = tg_forte_event(self->events, e), *b = a + 1;

        if (!are_raised_signs(self, a, b) && !are_raised_signs(self, b, a))
            continue;
        a->type = TG_FORTE_EVENT_RAISED_SIGN;
        a->n = 1;
        merge_events(self, e, e + 1);
        e++;
    }
    sort_events(self);
}

/* Mark events that repeat the same error. */
static void find_repeats(Events *self)
{
    g_autoptr(TgVocab) seen = tg_vocab_new();

    for (guint e = 0; e < self->events->len; e++) {
        TgForteEvent *event = tg_forte_event(self->events, e);
        const TgForteEdit *edit = &self->edits[event->first];
        const guint64 key = (guint64) event->type << 46 ^
                            (guint64) (edit->lost ? self->views[0].tokens[edit->ref].name : 0)
                                << 23 ^
                            (edit->added ? self->views[1].tokens[edit->hyp].name : 0) ^
                            (guint64) event->n << 56; /* only the low bits of numbers beyond 255 */

        add_context(event, TG_FORTE_CONTEXT_AGAIN, (*tg_vocab_pair_at(seen, key))++ > 0);
    }
}

/* ---- Losses with little between them ----------------------------------------------------------
 */

/* An event that only loses tokens, or only adds tokens; and the cheapest description of the losses
 * up to it. */
typedef struct {
    guint event;
    Stretch at;          /* from the first to the last token of the event */
    guint n, n_tokens;   /* its number of symbols, and of tokens */
    double best;         /* price of the losses up to this one */
    guint first;         /* the losses from there to this one are joined to one event, ... */
    TgForteEvent joined; /* ... which is this one, if they are several */
} Loss;

static Loss *loss_at(const GArray *losses, guint i)
{
    return &g_array_index(losses, Loss, i);
}

static GArray *collect_losses(const Events *self, const View *side)
{
    GArray *out = g_array_new(FALSE, FALSE, sizeof(Loss));

    for (guint v = 0; v < self->events->len; v++) {
        const TgForteEvent *event = tg_forte_event(self->events, v);
        Loss loss = { .event = v, .at = { side, NONE, 0 } };

        for (const TgForteEdit *edit = self->edits + event->first;
             edit < self->end && loss.n_tokens < event->n_edits; edit++) {
            const guint32 i = position_of(edit, side->s);

            if (edit->event != v + 1)
                continue;
            if (edit->lost == edit->added || side_of(edit) != side->s)
                break;
            loss.n_tokens++;
            loss.at.from = MIN(loss.at.from, i);
            loss.at.end = i + 1;
            loss.n += tg_forte_is_symbol(&side->tokens[i]);
        }
        if (loss.n_tokens > 0 && loss.n_tokens == event->n_edits)
            g_array_append_val(out, loss);
    }
    return out;
}

/* The event in which all tokens of a stretch are lost, although only @n_lost symbols are. */
static TgForteEvent loss_of_all(Stretch at, guint n_lost)
{
    const guint n = count_symbols(at);
    TgForteEvent event = new_event(n < FEW           ? TG_FORTE_EVENT_TERM
                                   : at.side->s == 0 ? TG_FORTE_EVENT_TEXT_LOST
                                                     : TG_FORTE_EVENT_TEXT_ADDED);

    /* symbols that were read count a little less */
    event.n = n > 1 ? n - 0.1 * (n - n_lost) : 1;
    raise_to_dearest(&event, at);
    return event;
}

/* Try to join loss @k with each range of losses before it. Returns whether any was cheaper. */
static gboolean try_joining(const Events *self, const GArray *losses, guint k)
{
    Loss *last = loss_at(losses, k);
    Stretch span = last->at;
    guint n_lost = last->n, n_tokens = last->n_tokens;

    last->best = price_of(tg_forte_event(self->events, last->event)) +
                 (k > 0 ? loss_at(losses, k - 1)->best : 0);
    last->first = k;
    for (guint i = k; i-- > 0 && k - i < MAX_JOINED;) {
        const Loss *loss = loss_at(losses, i);

        span.from = MIN(span.from, loss->at.from);
        span.end = MAX(span.end, loss->at.end);
        n_lost += loss->n;
        n_tokens += loss->n_tokens;
        if (span.end - span.from > MAX_BRACKETS)
            break;
        if (span.side->s == 1 && n_tokens < span.end - span.from)
            continue; /* the tokens between two additions are correct */
        const TgForteEvent all = loss_of_all(span, n_lost);
        const double price = price_of(&all) + (i > 0 ? loss_at(losses, i - 1)->best : 0);
        if (price >= last->best - 1e-9)
            continue;
        last->best = price;
        last->first = i;
        last->joined = all;
    }
    return last->first < k;
}

/* Describe the losses in the cheapest way: as several losses, or as one loss of all tokens from the
 * first to the last, even if some between were read. Without joining, losing the tokens between as
 * well would raise the score. Additions are joined only if they touch, because else adding tokens
 * between them would raise the score. */
static void join_losses(Events *self, const View *side)
{
    g_autoptr(GArray) losses = collect_losses(self, side);
    gboolean any = FALSE;

    for (guint k = 0; k < losses->len; k++)
        any |= try_joining(self, losses, k);
    for (guint k = losses->len, first; any && k > 0; k = first) {
        const Loss *last = loss_at(losses, k - 1);

        first = last->first;
        for (guint i = first + 1; i < k; i++)
            merge_events(self, loss_at(losses, first)->event, loss_at(losses, i)->event);
        if (first + 1 < k)
            *tg_forte_event(self->events, loss_at(losses, first)->event) = last->joined;
    }
    if (any)
        sort_events(self);
}

/* ---- Symbols that were not read, and foreign ones ------------------------------------------- */

static void count_unread(Events *self)
{
    for (const TgForteEdit *edit = self->edits; edit < self->end; edit++) {
        TgForteEvent *event = event_of(self, edit);
        const TgForteToken *lost = edit->lost ? &self->views[0].tokens[edit->ref] : NULL;
        const gboolean is_read = lost != NULL && is_still_read(event, edit->added);

        event->unread += lost != NULL && tg_forte_is_symbol(lost) && !is_read;
        if (edit->added && !is_read)
            event->foreign += tg_forte_weight(&self->views[1].tokens[edit->hyp]);
        if (!edit->added && is_read) /* it stands elsewhere, added by the same event */
            event->foreign -= tg_forte_weight(lost);
    }
    for (guint e = 0; e < self->events->len; e++) /* a lost comma is no room for foreign symbols */
        tg_forte_event(self->events, e)->foreign = MAX(tg_forte_event(self->events, e)->foreign, 0);
}

void tg_forte_find_events(const TgForteComparison *comparison)
{
    const GArray *edits = comparison->edits;
    Events self = { .events = comparison->events, .edits = (gpointer) edits->data };

    if (edits->len > 0) /* else the data may be NULL */
        self.end = self.edits + edits->len;
    g_array_set_size(self.events, 0);
    if (comparison->hyp->len == 0 && edits->len > 0) {
        TgForteEvent *event = begin_event(&self, TG_FORTE_EVENT_NOTHING_READ);

        event->n_edits = edits->len;
        event->unread = tg_forte_measure(comparison->ref).n_symbols;
        for (TgForteEdit *edit = self.edits; edit < self.end; edit++)
            take_edit(&self, edit);
    } else if (edits->len > 0) {
        read_side(&self.views[0], 0, comparison->ref);
        read_side(&self.views[1], 1, comparison->hyp);
        for (TgForteEdit *edit = self.edits; edit < self.end; edit++) {
            if (edit->lost)
                self.views[0].spots[edit->ref].edit = edit;
            if (edit->added)
                self.views[1].spots[edit->hyp].edit = edit;
        }
        find_orders(&self);
        find_moved_runs(&self);
        find_texts(&self);
        find_slashes(&self);
        find_words(&self);
        find_constructs(&self);
        find_changes_and_runs(&self);
        join_parentheses(&self);
        sort_events(&self);
        join_raised_signs(&self);
        find_repeats(&self);
        join_losses(&self, &self.views[0]);
        join_losses(&self, &self.views[1]);
        count_unread(&self);
        g_free(self.views[0].spots);
        g_free(self.views[1].spots);
    }
    if (comparison->other_number)
        begin_event(&self, TG_FORTE_EVENT_EQUATION_NUMBER);
    if (comparison->hyp_repairs > comparison->ref_repairs)
        begin_event(&self, TG_FORTE_EVENT_REPAIR);
}

/* ---- Prices --------------------------------------------------------------------------------- */

double tg_forte_price(const TgForteEvent *event, TgForteProfile profile, TgForteFactor *factors,
                      guint *n_factors)
{
    const TgForteTypeRow *type = &tables->types[event->type];
    const TgForteClassRow *class = &tables->classes[type->class];
    TgForteFactor all[TG_FORTE_MAX_FACTORS];
    double price = 1;
    guint n = 0;

    all[n++] = (TgForteFactor){ type->text, type->price };
    if (event->n > 1)
        all[n++] = (TgForteFactor){ "of more than one symbol", pow(event->n, class->power) };
    if (event->raise > 1)
        all[n++] = (TgForteFactor){ "no less than to lose it, or part of it", event->raise };
    for (guint c = 0; c < TG_N_FORTE_CONTEXTS; c++) {
        if ((event->contexts >> c & 1) != 0)
            all[n++] = (TgForteFactor){ tables->contexts[c].text, tables->contexts[c].factor };
    }
    if (event->named < tables->n_named)
        all[n++] = (TgForteFactor){ "these two names", tables->named[event->named].factor };
    if (profile != TG_FORTE_PEOPLE)
        all[n++] = (TgForteFactor){ "the profile", class->profiles[profile] };
    for (guint f = 0, kept = 0; f < n; f++) {
        price *= all[f].factor;
        if (factors == NULL || (f > 0 && all[f].factor == 1))
            continue;
        factors[kept++] = all[f];
        *n_factors = kept;
    }
    return price;
}

double tg_forte_score(const TgForteSums *sums)
{
    const double s = sums->price * pow(25 / (sums->size + 10), tables->size);
    const double priced = pow(1 + s / tables->steepness, -tables->steepness);
    const double n = sums->n_symbols, n_read = n - MIN(sums->n_unread, sums->n_symbols);

    if (n == 0 || n_read == 0)
        return n_read == n ? priced : 0;
    const double guess = n > 1 ? 0.5 / (n - 0.5) : 1;
    const double of_ref =
        n_read < 2 ? MIN(priced, guess) : CLAMP(priced, guess, (n_read - 0.5) / (n - 0.5));
    return MIN(of_ref, n_read / (n_read + sums->foreign * n / sums->weight));
}

TgForteSums tg_forte_without(const TgForteSums *sums, const TgForteEvent *event, double price)
{
    TgForteSums out = *sums;

    out.price = MAX(sums->price - price, 0);
    out.n_unread -= MIN(event->unread, sums->n_unread);
    out.foreign = MAX(sums->foreign - event->foreign, 0);
    return out;
}
