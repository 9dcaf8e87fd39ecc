/*
 * From edits to events: one mistake is one event, with a type, marks of its context and a size; and
 * what events cost (datasets/forte-prices.tsv).
 */
#include "metrics/forte/forte.h"

#include <math.h>
#include <string.h>

#define NONE         TG_FORTE_NONE
#define FEW          3   /* symbols that make a stretch of text */
#define MAX_NAMED    256 /* events whose names are counted in both lists */
#define MAX_BRACKETS 512 /* tokens between two brackets that are a pair */
#define WORD         16  /* longest word that is looked at, with its end */

static const TgForteTables *const tables = &tg_forte_tables;

/* ---- Tokens --------------------------------------------------------------------------------- */

/* Token @i, or NULL beyond either end. */
static const TgForteToken *token_at(const TgForteView *side, guint32 i)
{
    return i < side->n ? tg_forte_at(side->tokens, i) : NULL;
}

static gboolean is_kind(const TgForteToken *token, TgForteKind kind)
{
    return token != NULL && token->kind == kind;
}

static gboolean is_symbol(const TgForteToken *token)
{
    return token->kind < TG_FORTE_ACCENT;
}

static gboolean is_bar(const TgForteToken *token)
{
    return token->name == '|' || token->name == TG_FORTE_PARALLEL;
}

static gboolean is_operand(const TgForteToken *token)
{
    return tg_forte_is_letter(token) || token->kind == TG_FORTE_DIGIT;
}

static gboolean is_operator(const TgForteToken *token)
{
    return token->kind == TG_FORTE_OPERATOR || token->kind == TG_FORTE_RELATION ||
           token->kind == TG_FORTE_BIG;
}

static gboolean opens(const TgForteToken *token)
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
static void spell(const TgForteView *side, guint32 first, guint32 last, char out[WORD])
{
    guint n = 0;

    for (guint32 i = first; i <= last && i < side->n && n < WORD - 1; i++)
        out[n++] = (char) (tg_forte_at(side->tokens, i)->name & 0x7F);
    out[n] = '\0';
}

static gboolean is_function(const char *word)
{
    const TgForteSpelling *spelling = tg_forte_command(word, strlen(word));

    return spelling != NULL && spelling->function;
}

static void read_side(TgForteView *side, const GArray *tokens)
{
    guint32 open = NONE;

    side->tokens = tokens;
    side->n = tokens->len;
    side->spots = g_new(TgForteSpot, (gsize) side->n + 1);
    for (guint32 i = 0, word = 0; i < side->n; i++) {
        const TgForteToken *token = tg_forte_at(tokens, i);
        TgForteSpot *spot = &side->spots[i];
        const gboolean upright = tg_forte_is_upright_letter(tokens, i);

        *spot = (TgForteSpot){ NONE, open, NONE, NONE, NONE };
        if (tg_forte_ends(token) && open != NONE) {
            spot->match = open;
            side->spots[open].match = i;
            spot->parent = side->spots[open].parent;
            open = spot->parent;
        } else if (tg_forte_begins(token)) {
            open = i;
        }
        if (!upright)
            word = i + 1;
        else if (i > word || tg_forte_is_upright_letter(tokens, i + 1))
            spot->word = word;
    }
    for (guint32 i = side->n; i-- > 0;) {
        TgForteSpot *spot = &side->spots[i];

        if (spot->word != NONE)
            spot->word_end = i + 1 < side->n && spot[1].word == spot->word ? spot[1].word_end : i;
    }
}

/* The bracket that @i is a pair with; NONE. */
static guint32 partner_of(const TgForteView *side, guint32 i)
{
    gint depth = 0;

    for (guint32 k = i; k < side->n && k < i + MAX_BRACKETS; k++) {
        const TgForteToken *token = tg_forte_at(side->tokens, k);

        if (token->kind == TG_FORTE_DELIMITER)
            depth += opens(token) ? 1 : -1;
        if (depth <= 0)
            return depth == 0 && k > i ? k : NONE;
    }
    return NONE;
}

static guint count_name(const TgForteView *side, TgForteName name)
{
    guint n = 0;

    for (guint32 i = 0; i < side->n; i++)
        n += tg_forte_at(side->tokens, i)->name == name;
    return n;
}

/* ---- Events --------------------------------------------------------------------------------- */

/* The side of a loss (0) or an addition (1); a substitution counts as a loss. */
static guint side_of(const TgForteEdit *edit)
{
    return edit->lost ? 0 : 1;
}

static guint32 position(const TgForteEdit *edit, guint s)
{
    return s == 0 ? edit->ref : edit->hyp;
}

/* The token of an edit; of a substitution that of the reference. */
static const TgForteToken *token_of(const TgForteEvents *self, const TgForteEdit *edit)
{
    const guint s = side_of(edit);

    return tg_forte_at(self->views[s].tokens, position(edit, s));
}

/* Whether an edit loses or adds, and is part of no event. */
static gboolean is_free(const TgForteEdit *edit)
{
    return edit->event == 0 && edit->lost != edit->added;
}

/* The free loss or addition of token @i; NULL. */
TgForteEdit *tg_forte_free_edit(const TgForteEvents *self, guint s, guint32 i)
{
    const guint32 e = i < self->views[s].n ? self->views[s].spots[i].edit : NONE;
    TgForteEdit *edit = e != NONE ? tg_forte_edit(self->edits, e) : NULL;

    return edit != NULL && is_free(edit) ? edit : NULL;
}

static void add_context(TgForteEvent *event, TgForteContext context, gboolean applies)
{
    event->contexts |= applies ? 1u << context : 0;
}

static gboolean has_context(const TgForteEvent *event, TgForteContext context)
{
    return (event->contexts >> context & 1) != 0;
}

/* A new event, valid until the next one. */
static TgForteEvent *begin_event(TgForteEvents *self, TgForteType type)
{
    const TgForteEvent event = { .type = (guint8) type, .n = 1, .named = tables->n_named };

    g_array_append_val(self->events, event);
    return tg_forte_event(self->events, self->events->len - 1);
}

/* Make an edit part of the newest event. */
static void take(const TgForteEvents *self, TgForteEdit *edit)
{
    edit->event = self->events->len;
}

static guint count_symbols(const TgForteEvents *self, TgForteStretch at)
{
    guint n = 0;

    for (guint32 i = at.from; i < at.end; i++)
        n += is_symbol(tg_forte_at(self->views[at.s].tokens, i));
    return n;
}

static gboolean any_kind(const TgForteEvents *self, TgForteStretch at, TgForteKind kind)
{
    for (guint32 i = at.from; i < at.end; i++) {
        if (tg_forte_at(self->views[at.s].tokens, i)->kind == kind)
            return TRUE;
    }
    return FALSE;
}

/* Whether all symbols of a stretch are of a sort. */
static gboolean all_symbols(const TgForteEvents *self, TgForteStretch at,
                            gboolean (*is)(const TgForteToken *))
{
    for (guint32 i = at.from; i < at.end; i++) {
        const TgForteToken *token = tg_forte_at(self->views[at.s].tokens, i);

        if (is_symbol(token) && !is(token))
            return FALSE;
    }
    return TRUE;
}

static gboolean is_number(const TgForteToken *token)
{
    return token->kind == TG_FORTE_DIGIT || token->name == '.' || token->name == ',';
}

static gboolean is_upright(const TgForteToken *token)
{
    return token->kind == TG_FORTE_LATIN && token->upright;
}

static gboolean is_factor(const TgForteToken *token)
{
    return is_operand(token) || token->kind == TG_FORTE_PRIME || token->kind == TG_FORTE_SYMBOL;
}

static gboolean is_prime(const TgForteToken *token)
{
    return token->kind == TG_FORTE_PRIME;
}

/* Whether half of the truth or more is lost. */
static void add_share(const TgForteEvents *self, TgForteEvent *event, TgForteStretch at)
{
    const TgForteStretch all = { 0, 0, self->views[0].n };

    add_context(event, TG_FORTE_CONTEXT_MOST,
                at.s == 0 && 2 * event->n >= count_symbols(self, all));
}

/* ---- Stretches of text ---------------------------------------------------------------------- */

/* Whether a stretch is more than scripts and letters of words. */
static gboolean is_text(const TgForteEvents *self, TgForteStretch at)
{
    const TgForteView *side = &self->views[at.s];
    guint symbols = 0, outside = 0, depth = 0, in_words = 0;

    for (guint32 i = at.from; i < at.end; i++) {
        const TgForteToken *token = tg_forte_at(side->tokens, i);

        symbols += is_symbol(token);
        in_words += side->spots[i].word != NONE;
        outside += is_symbol(token) && depth == 0;
        if (token->kind == TG_FORTE_SCRIPT)
            depth++;
        else if (token->name == TG_FORTE_CLOSE && depth > 0)
            depth--;
    }
    return symbols >= FEW && outside > 0 && in_words < symbols;
}

static void take_stretch(const TgForteEvents *self, TgForteStretch at)
{
    for (guint32 i = at.from; i < at.end; i++)
        take(self, tg_forte_edit(self->edits, self->views[at.s].spots[i].edit));
}

static void find_texts(TgForteEvents *self)
{
    for (guint s = 0; s < 2; s++) {
        for (guint32 i = 0, end; i < self->views[s].n; i = end + 1) {
            for (end = i; tg_forte_free_edit(self, s, end) != NULL;)
                end++;
            const TgForteStretch at = { s, i, end };
            if (end == i || !is_text(self, at))
                continue;
            TgForteEvent *event =
                begin_event(self, s == 0 ? TG_FORTE_EVENT_TEXT_LOST : TG_FORTE_EVENT_TEXT_ADDED);

            event->n = count_symbols(self, at);
            add_share(self, event, at);
            take_stretch(self, at);
        }
    }
}

/* ---- Slashes and words ---------------------------------------------------------------------- */

/* A slash for a fraction's bar, with the marks of the fraction. */
static void find_slashes(TgForteEvents *self)
{
    for (guint e = 0; e < self->edits->len; e++) {
        TgForteEdit *edit = tg_forte_edit(self->edits, e);

        if (edit->event != 0 || !edit->lost || !edit->added)
            continue;
        const guint s = tg_forte_at(self->views[0].tokens, edit->ref)->name == TG_FORTE_DEN ? 0 : 1;
        const guint32 bar = position(edit, s);
        if (tg_forte_at(self->views[s].tokens, bar)->name != TG_FORTE_DEN ||
            tg_forte_at(self->views[1 - s].tokens, position(edit, 1 - s))->name != '/')
            continue;
        const guint32 open = self->views[s].spots[bar].parent;
        TgForteEdit *begin = tg_forte_free_edit(self, s, open);
        TgForteEdit *end =
            open != NONE ? tg_forte_free_edit(self, s, self->views[s].spots[open].match) : NULL;
        begin_event(self, TG_FORTE_EVENT_SLASH);
        take(self, edit);
        if (begin != NULL)
            take(self, begin);
        if (end != NULL)
            take(self, end);
    }
}

/* The first letter of the reference's word that an edit falls in; NONE. */
static guint32 word_of(const TgForteEvents *self, const TgForteEdit *edit)
{
    const TgForteView *ref = &self->views[0], *hyp = &self->views[1];

    if (edit->lost && edit->added &&
        tg_forte_at(ref->tokens, edit->ref)->name == tg_forte_at(hyp->tokens, edit->hyp)->name)
        return NONE; /* a style */
    if (edit->lost)
        return ref->spots[edit->ref].word;
    if (hyp->spots[edit->hyp].word == NONE)
        return NONE;
    if (edit->ref < ref->n && ref->spots[edit->ref].word != NONE)
        return ref->spots[edit->ref].word;
    return edit->ref > 0 ? ref->spots[edit->ref - 1].word : NONE;
}

/* The letters around token @i of the hypothesis. */
static void spell_around(const TgForteView *side, guint32 i, char out[WORD])
{
    guint32 first, last;

    *out = '\0';
    if (!is_kind(token_at(side, i), TG_FORTE_LATIN))
        return;
    if (side->spots[i].word != NONE) {
        spell(side, side->spots[i].word, side->spots[i].word_end, out);
        return;
    }
    for (first = i; first > 0 && is_kind(token_at(side, first - 1), TG_FORTE_LATIN);)
        first--;
    for (last = i; is_kind(token_at(side, last + 1), TG_FORTE_LATIN);)
        last++;
    spell(side, first, last, out);
}

static TgForteType type_of_word(const TgForteEvents *self, guint32 word, guint n_lost,
                                const TgForteEdit *edit)
{
    const TgForteView *ref = &self->views[0], *hyp = &self->views[1];
    const guint32 end = ref->spots[word].word_end;
    char truth[WORD], read[WORD];

    spell(ref, word, end, truth);
    spell_around(hyp, MIN(edit->hyp, hyp->n - 1), read);
    if (*read == '\0' && edit->hyp > 0)
        spell_around(hyp, edit->hyp - 1, read);
    if (is_function(truth) && !edit->added && n_lost == end + 1 - word)
        return TG_FORTE_EVENT_FUNCTION_LOST;
    if (!is_function(truth) || !is_function(read) || strcmp(truth, read) == 0)
        return TG_FORTE_EVENT_WORD;
    return *truth == 'l' && *read == 'l' && strlen(truth) <= 3 && strlen(read) <= 3
               ? TG_FORTE_EVENT_LOGARITHM
               : TG_FORTE_EVENT_FUNCTION_OTHER;
}

static void find_words(TgForteEvents *self)
{
    for (guint e = 0; e < self->edits->len; e++) {
        TgForteEdit *first = tg_forte_edit(self->edits, e);
        const guint32 word = first->event == 0 ? word_of(self, first) : NONE;
        guint n_lost = 0, n_added = 0;

        if (word == NONE)
            continue;
        TgForteEvent *event = begin_event(self, TG_FORTE_EVENT_WORD);
        const guint32 length = self->views[0].spots[word].word_end + 1 - word;
        const TgForteEdit *sample = first;
        for (guint k = e; k < self->edits->len; k++) {
            TgForteEdit *edit = tg_forte_edit(self->edits, k);

            if (edit->ref > word + length)
                break;
            if (edit->event != 0 || word_of(self, edit) != word)
                continue;
            take(self, edit);
            n_lost += edit->lost;
            if (edit->added && n_added++ == 0)
                sample = edit;
        }
        event->type = (guint8) type_of_word(self, word, n_lost, sample);
        event->n = MAX(n_lost, n_added);
    }
}

/* ---- Scripts and other constructs ------------------------------------------------------------ */

/* A script that is lost or added with all that it holds. */
static void add_script(TgForteEvents *self, TgForteStretch at)
{
    const TgForteView *side = &self->views[at.s];
    const TgForteToken *base = token_at(side, at.from - 1);
    const gboolean up = tg_forte_at(side->tokens, at.from)->name == TG_FORTE_SUP;
    const TgForteStretch body = { at.s, at.from + 1, at.end - 1 };
    TgForteEvent *event =
        begin_event(self, up ? TG_FORTE_EVENT_SUPERSCRIPT : TG_FORTE_EVENT_SUBSCRIPT);
    const guint n = count_symbols(self, body);

    event->n = MAX(n, 1);
    add_context(event, TG_FORTE_CONTEXT_ON_BRACKET, is_kind(base, TG_FORTE_DELIMITER));
    take_stretch(self, at);
}

/* A script whose marks alone are lost or added: what it held stands on the line. */
static void add_line(TgForteEvents *self, guint s, guint32 open, guint32 end)
{
    const TgForteView *side = &self->views[s];
    const TgForteToken *base = token_at(side, open - 1), *next = token_at(side, open + 1);
    const gboolean up = tg_forte_at(side->tokens, open)->name == TG_FORTE_SUP;
    const TgForteStretch body = { s, open + 1, end };
    const guint n = count_symbols(self, body);
    TgForteEvent *event =
        begin_event(self, up ? TG_FORTE_EVENT_SUPERSCRIPT_LINE : TG_FORTE_EVENT_SUBSCRIPT_LINE);

    if (is_kind(base, TG_FORTE_SCRIPT) || is_kind(next, TG_FORTE_SCRIPT))
        event->type = TG_FORTE_EVENT_SCRIPT_LEVEL;
    event->n = MAX(n, 1);
    take(self, tg_forte_free_edit(self, s, open));
    take(self, tg_forte_free_edit(self, s, end));
}

/* Whether token @i marks the construct that begins at @open, and not one inside. */
static gboolean is_mark_of(const TgForteView *side, guint32 open, guint32 i)
{
    const TgForteToken *token = tg_forte_at(side->tokens, i);

    return i == open || i == side->spots[open].match ||
           (side->spots[i].parent == open &&
            (token->kind == TG_FORTE_ROW || token->kind == TG_FORTE_CELL ||
             token->name == TG_FORTE_DEN || token->name == TG_FORTE_IDX));
}

/* A construct whose marks are lost or added around what stays. */
static void add_marks(TgForteEvents *self, guint s, guint32 open, guint32 end)
{
    const TgForteView *side = &self->views[s];
    const TgForteToken *token = tg_forte_at(side->tokens, open);
    const TgForteStretch body = { s, open + 1, end };
    TgForteEvent *event =
        begin_event(self, token->name == TG_FORTE_FRAC   ? TG_FORTE_EVENT_FRACTION_MARKS
                          : token->name == TG_FORTE_SQRT ? TG_FORTE_EVENT_ROOT_MARKS
                          : token->kind == TG_FORTE_GRID ? TG_FORTE_EVENT_GRID_MARKS
                                                         : TG_FORTE_EVENT_SCRIPT_MARKS);

    if (token->kind == TG_FORTE_SCRIPT && is_kind(token_at(side, open - 1), TG_FORTE_SCRIPT))
        event->type = TG_FORTE_EVENT_SCRIPT_LEVEL;
    event->n = MAX(count_symbols(self, body), 1);
    for (guint32 i = open; i <= end; i++) {
        TgForteEdit *edit = tg_forte_free_edit(self, s, i);

        if (edit == NULL || !is_mark_of(side, open, i))
            continue;
        take(self, edit);
        if (tg_forte_at(side->tokens, i)->kind == TG_FORTE_ROW)
            event->type = TG_FORTE_EVENT_GRID_ROWS;
    }
}

/* Of several ends in a row that are all alike, say that the free one ends the construct at @open.
 */
static void claim_end(TgForteEvents *self, guint s, guint32 open)
{
    const TgForteView *side = &self->views[s];
    const guint32 end = side->spots[open].match;
    guint32 i = end;

    while (i < side->n && side->spots[i].edit == NONE &&
           tg_forte_at(side->tokens, i)->name == tg_forte_at(side->tokens, end)->name)
        i++;
    TgForteEdit *edit = tg_forte_free_edit(self, s, i);
    if (edit == NULL || i == end ||
        tg_forte_at(side->tokens, i)->name != tg_forte_at(side->tokens, end)->name)
        return;
    const guint32 e = side->spots[i].edit, ref = edit->ref - (i - end), hyp = edit->hyp - (i - end);
    if (e > 0 && (edit[-1].ref > ref || edit[-1].hyp > hyp))
        return;
    edit->ref = ref;
    edit->hyp = hyp;
    side->spots[end].edit = e;
    side->spots[i].edit = NONE;
}

static void find_constructs(TgForteEvents *self)
{
    for (guint scripts = 2; scripts-- > 0;) { /* whole scripts and their marks first */
        for (guint e = 0; e < self->edits->len; e++) {
            const TgForteEdit *edit = tg_forte_edit(self->edits, e);

            if (!is_free(edit) || !tg_forte_begins(token_of(self, edit)))
                continue;
            const guint s = side_of(edit);
            const guint32 open = position(edit, s), end = self->views[s].spots[open].match;
            guint32 i = open;
            if (end == NONE)
                continue;
            claim_end(self, s, open);
            while (i <= end && tg_forte_free_edit(self, s, i) != NULL)
                i++;
            if (scripts == 0 && i <= end)
                add_marks(self, s, open, end);
            else if (scripts == 1 && token_of(self, edit)->kind == TG_FORTE_SCRIPT) {
                if (i > end)
                    add_script(self, (TgForteStretch){ s, open, end + 1 });
                else if (tg_forte_free_edit(self, s, end) != NULL)
                    add_line(self, s, open, end);
            }
        }
    }
}

/* ---- Changes -------------------------------------------------------------------------------- */

static TgForteType type_of_style(const TgForteToken *a, const TgForteToken *b)
{
    const guint other = MAX(a->font, b->font);

    if (a->font == b->font)
        return TG_FORTE_EVENT_STYLE_UPRIGHT;
    return (MIN(a->font, b->font) == TG_FORTE_PLAIN &&
            (other == TG_FORTE_BOLD || other == TG_FORTE_SANS || other == TG_FORTE_TYPEWRITER)) ||
                   !(is_operand(a) || a->kind == TG_FORTE_SYMBOL)
               ? TG_FORTE_EVENT_STYLE_BOLD
               : TG_FORTE_EVENT_STYLE_OTHER;
}

static gboolean are(const TgForteToken *a, const TgForteToken *b, TgForteKind one,
                    TgForteKind other)
{
    return (a->kind == one && b->kind == other) || (a->kind == other && b->kind == one);
}

static TgForteType type_of_marks(const TgForteToken *a, const TgForteToken *b)
{
    if (a->kind == TG_FORTE_SCRIPT)
        return TG_FORTE_EVENT_SUB_SUPER;
    if (a->kind == TG_FORTE_OPEN)
        return TG_FORTE_EVENT_ROOT_MARKS;
    return a->kind == TG_FORTE_END && b->kind == TG_FORTE_END ? TG_FORTE_EVENT_MARK
                                                              : TG_FORTE_EVENT_ROW_MARK;
}

/* Letters that differ in case alone; TG_N_FORTE_TYPES: they do not. */
static TgForteType type_of_case(const TgForteToken *a, const TgForteToken *b)
{
    if (!tg_forte_differ_in_case(a, b))
        return TG_N_FORTE_TYPES;
    return a->name < 128 && strchr("cosuvwxzpky", g_ascii_tolower((char) a->name)) != NULL
               ? TG_FORTE_EVENT_SAME_SHAPE
               : TG_FORTE_EVENT_CASE;
}

static TgForteType type_of_other_change(const TgForteToken *a, const TgForteToken *b)
{
    const gboolean look_alike = tg_forte_pair(a->name, b->name) == TG_FORTE_LOOK_ALIKE;
    const gboolean letters = tg_forte_is_letter(a) && tg_forte_is_letter(b);

    if (look_alike)
        return letters ? TG_FORTE_EVENT_LOOK_LETTER
               : a->kind == TG_FORTE_DIGIT || b->kind == TG_FORTE_DIGIT
                   ? TG_FORTE_EVENT_LOOK_DIGIT
                   : TG_FORTE_EVENT_LOOK_SYMBOL;
    if (letters)
        return a->name == TG_FORTE_PI || b->name == TG_FORTE_PI ? TG_FORTE_EVENT_PI
               : a->kind == b->kind                             ? TG_FORTE_EVENT_LETTER
                                                                : TG_FORTE_EVENT_CROSS_ALPHABET;
    if (a->kind == TG_FORTE_DIGIT && b->kind == TG_FORTE_DIGIT)
        return TG_FORTE_EVENT_DIGIT;
    if (a->kind == TG_FORTE_DELIMITER && b->kind == TG_FORTE_DELIMITER)
        return TG_FORTE_EVENT_DELIMITER;
    if (are(a, b, TG_FORTE_DELIMITER, TG_FORTE_RELATION))
        return TG_FORTE_EVENT_DELIMITER_BAR;
    if (a->kind == TG_FORTE_PUNCTUATION || b->kind == TG_FORTE_PUNCTUATION)
        return TG_FORTE_EVENT_PUNCTUATION;
    if (is_operator(a) && is_operator(b))
        return are(a, b, TG_FORTE_RELATION, TG_FORTE_RELATION) ? TG_FORTE_EVENT_RELATION
                                                               : TG_FORTE_EVENT_OPERATOR;
    if ((is_operand(a) && is_operator(b)) || (is_operator(a) && is_operand(b)))
        return TG_FORTE_EVENT_OPERAND_OPERATOR;
    if (a->kind == TG_FORTE_DIGIT || b->kind == TG_FORTE_DIGIT)
        return TG_FORTE_EVENT_DIGIT_LETTER;
    return tg_forte_is_letter(a) || tg_forte_is_letter(b) ? TG_FORTE_EVENT_LETTER_SYMBOL
                                                          : TG_FORTE_EVENT_SYMBOL;
}

static TgForteType type_of_change(const TgForteToken *a, const TgForteToken *b)
{
    TgForteType type;

    if (a->name == b->name && a->kind == b->kind)
        return type_of_style(a, b);
    if (a->kind == TG_FORTE_ACCENT)
        return TG_FORTE_EVENT_ACCENT_OTHER;
    if (a->kind > TG_FORTE_ACCENT)
        return type_of_marks(a, b);
    if ((type = tg_forte_change(a->name, b->name)) != TG_N_FORTE_TYPES ||
        (type = type_of_case(a, b)) != TG_N_FORTE_TYPES)
        return type;
    if (tg_forte_pair(a->name, b->name) == TG_FORTE_VARIANT ||
        are(a, b, TG_FORTE_DOTS, TG_FORTE_DOTS))
        return TG_FORTE_EVENT_VARIANT;
    return type_of_other_change(a, b);
}

/* Whether the reference has @a in two fonts of which the hypothesis knows one. */
static gboolean merges_fonts(const TgForteEvents *self, const TgForteToken *a)
{
    guint fonts[2] = { 0, 0 };

    for (guint s = 0; s < 2; s++) {
        for (guint32 i = 0; i < self->views[s].n; i++) {
            const TgForteToken *token = tg_forte_at(self->views[s].tokens, i);

            if (token->name == a->name)
                fonts[s] |= 1u << (2 * token->font + token->upright);
        }
    }
    return (fonts[0] & (fonts[0] - 1)) != 0 && (fonts[1] & (fonts[1] - 1)) == 0;
}

static void name_pair(TgForteEvent *event, TgForteName a, TgForteName b)
{
    for (guint p = 0; p < tables->n_named; p++) {
        const TgForteName *names = tables->named[p].names;

        if ((names[0] == a && names[1] == b) || (names[0] == b && names[1] == a))
            event->named = p;
    }
}

static void add_change(TgForteEvents *self, TgForteEdit *edit)
{
    const TgForteView *ref = &self->views[0], *hyp = &self->views[1];
    const guint32 i = edit->ref;
    const TgForteToken *a = tg_forte_at(ref->tokens, i), *b = tg_forte_at(hyp->tokens, edit->hyp);
    TgForteEvent *event = begin_event(self, type_of_change(a, b));

    take(self, edit);
    name_pair(event, a->name, b->name);
    if (self->events->len > MAX_NAMED)
        return;
    if (a->name == b->name) {
        add_context(event, TG_FORTE_CONTEXT_MERGED, merges_fonts(self, a));
    } else if (is_operand(a) && is_operand(b)) {
        const guint n = count_name(ref, a->name), left = count_name(hyp, a->name);
        const gboolean known = count_name(ref, b->name) > 0;

        add_context(event, TG_FORTE_CONTEXT_RENAMED,
                    n > 1 && left == 0 && !known && count_name(hyp, b->name) == n);
        add_context(event, TG_FORTE_CONTEXT_CLASH, known);
    }
}

/* ---- Losses and additions ------------------------------------------------------------------- */

static TgForteType type_of_loss(const TgForteView *side, guint32 i)
{
    static const guint8 types[TG_N_FORTE_KINDS] = {
        [TG_FORTE_DIGIT] = TG_FORTE_EVENT_DIGIT_LOST,
        [TG_FORTE_LATIN] = TG_FORTE_EVENT_LETTER_LOST,
        [TG_FORTE_GREEK] = TG_FORTE_EVENT_LETTER_LOST,
        [TG_FORTE_DELIMITER] = TG_FORTE_EVENT_BAR,
        [TG_FORTE_OPERATOR] = TG_FORTE_EVENT_OPERATOR_LOST,
        [TG_FORTE_RELATION] = TG_FORTE_EVENT_OPERATOR_LOST,
        [TG_FORTE_BIG] = TG_FORTE_EVENT_OPERATOR_LOST,
        [TG_FORTE_PUNCTUATION] = TG_FORTE_EVENT_POINT,
        [TG_FORTE_PRIME] = TG_FORTE_EVENT_PRIME,
        [TG_FORTE_DOTS] = TG_FORTE_EVENT_DOTS_LOST,
        [TG_FORTE_SYMBOL] = TG_FORTE_EVENT_SYMBOL_LOST,
    };
    const TgForteToken *token = tg_forte_at(side->tokens, i);
    const TgForteToken *before = i > 0 ? token_at(side, i - 1) : NULL;
    const TgForteToken *after = token_at(side, i + 1);

    if (token->name == '-' || token->name == '+')
        return before == NULL ||
                       !(is_factor(before) || before->kind == TG_FORTE_DOTS ||
                         before->kind == TG_FORTE_ACCENT || before->name == TG_FORTE_CLOSE ||
                         before->name == TG_FORTE_FINISH ||
                         (before->kind == TG_FORTE_DELIMITER && !opens(before)) || is_bar(before))
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
            tg_forte_at(side->tokens, side->spots[i].parent)->kind == TG_FORTE_SCRIPT)
            return TG_FORTE_EVENT_POINT_SCRIPT;
    }
    return (TgForteType) types[token->kind];
}

/* Marks without a symbol. */
static TgForteType type_of_lone_marks(const TgForteEvents *self, TgForteStretch at)
{
    if (any_kind(self, at, TG_FORTE_ROW))
        return TG_FORTE_EVENT_ROW_MARK;
    if (any_kind(self, at, TG_FORTE_GRID) || any_kind(self, at, TG_FORTE_CELL))
        return TG_FORTE_EVENT_CELL_MARK;
    return tg_forte_at(self->views[at.s].tokens, at.from)->name == TG_FORTE_ACC
               ? TG_FORTE_EVENT_ACCENT_EXTENT
               : TG_FORTE_EVENT_MARK;
}

/* An accent that is lost or added: the last token of the stretch that is one. */
static void classify_accent(const TgForteEvents *self, TgForteEvent *event, TgForteStretch at)
{
    const TgForteView *side = &self->views[at.s];
    guint32 i = at.end - 1;

    while (tg_forte_at(side->tokens, i)->kind != TG_FORTE_ACCENT)
        i--;
    event->type = TG_FORTE_EVENT_ACCENT;
    const TgForteToken *base = i > 0 ? token_at(side, i - 1) : NULL;
    for (guint32 k = 0; base != NULL && is_symbol(base) && k < side->n; k++)
        add_context(event, TG_FORTE_CONTEXT_TELLS,
                    k != i - 1 && tg_forte_at(side->tokens, k)->name == base->name &&
                        !is_kind(token_at(side, k + 1), TG_FORTE_ACCENT));
}

/* Neighbouring tokens that are lost or added, and no text. */
static void add_run(TgForteEvents *self, TgForteStretch at)
{
    const TgForteView *side = &self->views[at.s];
    const guint n = count_symbols(self, at);
    TgForteEvent *event = begin_event(self, TG_FORTE_EVENT_TERM);
    guint32 i = at.from;

    take_stretch(self, at);
    event->n = MAX(n, 1);
    while (n > 0 && !is_symbol(tg_forte_at(side->tokens, i)))
        i++;
    if (n == 0 && any_kind(self, at, TG_FORTE_ACCENT)) {
        classify_accent(self, event, at);
    } else if (n == 0) {
        event->type = (guint8) type_of_lone_marks(self, at);
    } else if (n == 1) {
        const TgForteToken *token = tg_forte_at(side->tokens, i);

        event->type = (guint8) type_of_loss(side, i);
        add_context(event, TG_FORTE_CONTEXT_WITH_MARKS, at.end > at.from + 1);
        if (event->type != TG_FORTE_EVENT_UNARY_MINUS && is_operator(token) &&
            (at.from == 0 || at.end == side->n))
            event->type = TG_FORTE_EVENT_DANGLING;
    } else {
        event->type = all_symbols(self, at, is_number)    ? TG_FORTE_EVENT_DIGIT_LOST
                      : all_symbols(self, at, is_upright) ? TG_FORTE_EVENT_WORD
                      : all_symbols(self, at, is_prime)   ? TG_FORTE_EVENT_PRIME
                      : all_symbols(self, at, is_factor)  ? TG_FORTE_EVENT_FACTORS
                                                          : TG_FORTE_EVENT_TERM;
        add_share(self, event, at);
    }
}

static void find_changes_and_runs(TgForteEvents *self)
{
    for (guint e = 0; e < self->edits->len; e++) {
        TgForteEdit *edit = tg_forte_edit(self->edits, e);

        if (edit->event != 0)
            continue;
        if (edit->lost && edit->added) {
            add_change(self, edit);
            continue;
        }
        const guint s = side_of(edit);
        TgForteStretch at = { s, position(edit, s), position(edit, s) + 1 };
        for (guint k = e + 1; k < self->edits->len; k++, at.end++) { /* no other edit between */
            const TgForteEdit *next = tg_forte_edit(self->edits, k);

            if (!is_free(next) || side_of(next) != s || position(next, s) != at.end ||
                position(next, 1 - s) != position(edit, 1 - s))
                break;
        }
        add_run(self, at);
    }
}

/* ---- What moved ----------------------------------------------------------------------------- */

/* The end of a script or accent, a bracket or a bar that is lost here and added there. */
static void classify_bracket(const TgForteEvents *self, TgForteEvent *event,
                             const TgForteEdit *lost, const TgForteEdit *added)
{
    const TgForteView *ref = &self->views[0], *hyp = &self->views[1];
    const TgForteToken *token = tg_forte_at(ref->tokens, lost->ref);
    const guint32 open = ref->spots[lost->ref].match, to = hyp->spots[added->hyp].match;

    event->n = MAX(1, ABS((gint) added->hyp - (gint) lost->ref));
    if (token->name == TG_FORTE_CLOSE && open != NONE) {
        const guint32 was = lost->ref - open - 1;
        const guint32 is = to != NONE ? added->hyp - to - 1 : was;
        const gboolean up = tg_forte_at(ref->tokens, open)->name == TG_FORTE_SUP, out = is < was;

        event->type = up ? TG_FORTE_EVENT_SUPERSCRIPT_END : TG_FORTE_EVENT_SUBSCRIPT_END;
        event->n = MAX(1, out ? was - is : is - was);
    } else if (tg_forte_begins(token) || tg_forte_ends(token) || token->name == TG_FORTE_DEN) {
        event->type = TG_FORTE_EVENT_FRACTION_END;
    }
}

static void classify_moves(TgForteEvents *self)
{
    for (guint e = 0; e < self->events->len; e++) {
        TgForteEvent *event = tg_forte_event(self->events, e);
        const TgForteEdit *lost = NULL, *added = NULL;
        guint n = 0;

        event->named = tables->n_named;
        for (guint k = 0; k < self->edits->len; k++) {
            const TgForteEdit *edit = tg_forte_edit(self->edits, k);

            if (edit->event != e + 1)
                continue;
            n += is_symbol(token_of(self, edit));
            lost = lost == NULL && edit->lost ? edit : lost;
            added = added == NULL && edit->added ? edit : added;
        }
        event->n = MAX(1, event->type == TG_FORTE_EVENT_MOVED ? n / 2 : n);
        if (event->type == TG_FORTE_EVENT_BRACKET && lost != NULL && added != NULL)
            classify_bracket(self, event, lost, added);
    }
}

/* ---- Pairs of events ------------------------------------------------------------------------ */

/* Give the edits of event @from to event @to; @from is nothing then. */
static void merge_events(TgForteEvents *self, guint to, guint from)
{
    for (guint e = 0; e < self->edits->len; e++) {
        TgForteEdit *edit = tg_forte_edit(self->edits, e);

        if (edit->event == from + 1)
            edit->event = to + 1;
    }
    tg_forte_event(self->events, from)->type = TG_N_FORTE_TYPES;
}

/* Two brackets of a pair, both lost or both added, are one event. */
static void join_parentheses(TgForteEvents *self)
{
    for (guint e = 0; e < self->edits->len; e++) {
        const TgForteEdit *edit = tg_forte_edit(self->edits, e), *other;
        const TgForteToken *token = token_of(self, edit);
        const guint s = side_of(edit);
        const TgForteView *side = &self->views[s];

        if (edit->lost == edit->added || !is_bracket(token) || !opens(token) ||
            tg_forte_event(self->events, edit->event - 1)->type != TG_FORTE_EVENT_PARENTHESIS)
            continue;
        const guint32 open = position(edit, s), end = partner_of(side, open);
        if (end == NONE || side->spots[end].edit == NONE)
            continue;
        other = tg_forte_edit(self->edits, side->spots[end].edit);
        if (other->lost != edit->lost || other->added != edit->added ||
            other->event == edit->event ||
            tg_forte_event(self->events, other->event - 1)->type != TG_FORTE_EVENT_PARENTHESIS)
            continue;
        merge_events(self, edit->event - 1, other->event - 1);
        TgForteEvent *event = tg_forte_event(self->events, edit->event - 1);
        event->type = TG_FORTE_EVENT_PARENTHESES;
        event->contexts = 0;
    }
}

/* Whether two neighbouring events are a prime and another raised sign: the script's marks and the
 * sign that was taken for a prime, or a prime for a script. */
static gboolean are_raised_signs(const TgForteEvents *self, const TgForteEvent *a,
                                 const TgForteEvent *b)
{
    const TgForteEdit *edit = tg_forte_edit(self->edits, b->first);

    if (a->type == TG_FORTE_EVENT_PRIME)
        return b->type == TG_FORTE_EVENT_SUPERSCRIPT && b->n == 1;
    return a->type == TG_FORTE_EVENT_SUPERSCRIPT_LINE && a->n == 1 && edit->lost && edit->added &&
           (tg_forte_at(self->views[0].tokens, edit->ref)->kind == TG_FORTE_PRIME ||
            tg_forte_at(self->views[1].tokens, edit->hyp)->kind == TG_FORTE_PRIME);
}

/* Number the events from left to right, without those that are nothing. */
static void sort_events(TgForteEvents *self)
{
    const guint n = self->events->len;
    g_autofree guint *numbers = g_new0(guint, (gsize) n + 1);
    g_autoptr(GArray) old = g_array_copy(self->events);

    g_array_set_size(self->events, 0);
    for (guint e = 0; e < self->edits->len; e++) {
        TgForteEdit *edit = tg_forte_edit(self->edits, e);

        if (numbers[edit->event] == 0) {
            TgForteEvent *event = tg_forte_event(old, edit->event - 1);

            event->first = e;
            g_array_append_vals(self->events, event, 1);
            numbers[edit->event] = self->events->len;
        }
        edit->event = numbers[edit->event];
        tg_forte_event(self->events, edit->event - 1)->n_edits++;
    }
}

static void join_raised_signs(TgForteEvents *self)
{
    gboolean joined = FALSE;

    for (guint e = 0; e + 1 < self->events->len; e++) {
        TgForteEvent *a = tg_forte_event(self->events, e), *b = a + 1;

        if (!are_raised_signs(self, a, b) && !are_raised_signs(self, b, a))
            continue;
        a->type = TG_FORTE_EVENT_RAISED_SIGN;
        a->n = 1;
        merge_events(self, e, e + 1);
        joined = TRUE;
        e++;
    }
    if (!joined)
        return;
    for (guint e = 0; e < self->events->len; e++)
        tg_forte_event(self->events, e)->n_edits = 0;
    sort_events(self);
}

/* The same error twice. */
static void find_repeats(TgForteEvents *self)
{
    g_autoptr(GHashTable) seen = NULL;

    if (self->events->len < 2)
        return;
    seen = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (guint e = 0; e < self->events->len; e++) {
        TgForteEvent *event = tg_forte_event(self->events, e);
        const TgForteEdit *edit = tg_forte_edit(self->edits, event->first);
        const guint64 key =
            (guint64) event->type << 46 ^
            (guint64) (edit->lost ? tg_forte_at(self->views[0].tokens, edit->ref)->name : 0) << 23 ^
            (edit->added ? tg_forte_at(self->views[1].tokens, edit->hyp)->name : 0) ^
            (guint64) event->n << 56; /* of numbers beyond 255 the low bits */

        add_context(event, TG_FORTE_CONTEXT_AGAIN,
                    !g_hash_table_add(seen, g_memdup2(&key, sizeof key)));
    }
}

void tg_forte_find_events(const GArray *ref, const GArray *hyp, GArray *edits, GArray *events,
                          const TgForteFindings *findings)
{
    TgForteEvents self = { .edits = edits, .events = events };

    g_array_set_size(events, 0);
    if (hyp->len == 0 && edits->len > 0) {
        begin_event(&self, TG_FORTE_EVENT_NOTHING_READ)->n_edits = edits->len;
        for (guint e = 0; e < edits->len; e++)
            take(&self, tg_forte_edit(edits, e));
    } else if (edits->len > 0) {
        read_side(&self.views[0], ref);
        read_side(&self.views[1], hyp);
        for (guint32 e = 0; e < edits->len; e++) {
            const TgForteEdit *edit = tg_forte_edit(edits, e);

            if (edit->lost)
                self.views[0].spots[edit->ref].edit = e;
            if (edit->added)
                self.views[1].spots[edit->hyp].edit = e;
        }
        tg_forte_find_moves(&self);
        classify_moves(&self);
        find_texts(&self);
        find_slashes(&self);
        find_words(&self);
        find_constructs(&self);
        find_changes_and_runs(&self);
        join_parentheses(&self);
        sort_events(&self);
        join_raised_signs(&self);
        find_repeats(&self);
        g_free(self.views[0].spots);
        g_free(self.views[1].spots);
    }
    if (findings->has_number)
        begin_event(&self, TG_FORTE_EVENT_EQUATION_NUMBER);
    if (findings->has_fault)
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
    for (guint c = 0; c < TG_N_FORTE_CONTEXTS; c++) {
        if (has_context(event, (TgForteContext) c))
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

double tg_forte_score(double severity, double size)
{
    const double s = severity * pow(25 / (size + 10), tables->size);

    return pow(1 + s / tables->steepness, -tables->steepness);
}
