/* Reads a formula as FORTE's tokens: parses it and writes the visible parts of each node in one
 * order. */
#include "metrics/forte/forte.h"

#include <string.h>

#include "core/fail.h"
#include "core/utf8.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/macros/commands.h"
#include "tokenizer/tree/tree.h"

#define NO_GROUP  G_MAXUINT32
#define EN_DASH   0x2013u
#define EM_DASH   0x2014u
#define DOTLESS_I 0x131u
#define WHITE     0xFFFFFFu

/* The longest content of brackets that is an equation number without \\tag, in tokens. */
#define MAX_NUMBER 12

/* The longest list, which columns with material make of few signs. */
#define MAX_TOKENS (4 * TG_TEXT_MAX)

/* The scripts at the end of the token list; a further script joins them. */
typedef struct {
    guint32 end; /* end of the scripts, or of the list if it ends in none */
    guint32 sub; /* place of the subscript's mark, or NO_GROUP */
    guint32 sup;
} Tail;

/* The settings that hold inside a node; a color holds to the end of its list. */
typedef struct {
    gboolean bold;       /* inside \pmb, about which its symbols hold no information */
    gboolean function;   /* inside a function's name, where fonts do not count */
    gboolean stretched;  /* in a box of a given width or in a column: leaders are seen */
    guint32 ink, ground; /* colors, 0xRRGGBB: ink of its ground's color is not seen */
    guint scripts;       /* number of scripts around */
    guint fractions;     /* number of fractions around; from the second on in text style */
} Settings;

typedef struct {
    TgVocab *names;
    TgPackages packages;
    const char *source;
    GArray *tokens; /* of TgForteToken */
    Tail tail;
    Settings now;
    const TgNode *root;      /* the whole formula */
    guint32 first_gap;       /* wide spaces at the root: the first, or G_MAXUINT32 */
    guint32 last_gap;        /* and the last, or 0 */
    const TgNode *no_primes; /* a superscript whose primes were written already */
    TgForteReading *reading;
    guint32 text_end; /* the list ends in a character of text if it has this length */
    gboolean blank;   /* a space follows that character */
    gboolean negate;  /* after \not */
    /* an atom without ink stands between, so that no relation is struck through */
    gboolean negate_apart;
    gboolean is_too_long; /* the list is longer than MAX_TOKENS: there is no score */
} Reader;

static void read_node(Reader *self, const TgNode *node);
static void read_children(Reader *self, const TgNode *node);
static void read_item(Reader *self, const TgNode *node);

/* ---- Writing tokens ------------------------------------------------------------------------- */

/* A plain token without name and kind, with the span of @node. */
static TgForteToken look_of(const TgNode *node)
{
    return (TgForteToken){ .start = node->start, .end = node->end };
}

/* Whether ink cannot be seen, because a twentieth of each color or less is between it and its
 * ground. */
static gboolean is_hidden(const Reader *self)
{
    enum { MOST = 255 / 20 };

    for (guint shift = 0; shift <= 16; shift += 8) {
        const gint ink = self->now.ink >> shift & 0xFF, ground = self->now.ground >> shift & 0xFF;
        if (ABS(ink - ground) > MOST)
            return FALSE;
    }
    return TRUE;
}

/* Write a token with the span and font of @look. */
static void put_token(Reader *self, TgForteName name, TgForteKind kind, TgForteToken look)
{
    look.name = name;
    look.kind = (guint8) kind;
    if (!is_hidden(self) || !tg_forte_is_symbol(&look))
        g_array_append_val(self->tokens, look);
}

/* Write a mark of structure of the construct @node. */
static void put_mark(Reader *self, TgForteMark mark, const TgNode *node)
{
    put_token(self, mark, tg_forte_kind(mark), look_of(node));
}

/* Write the names of a spelling. */
static void put_spelling(Reader *self, const TgForteSpelling *spelling, TgForteToken look)
{
    if (spelling->function) {
        look.font = TG_FORTE_PLAIN;
        look.upright = 1;
    }
    if (spelling->blackboard)
        look.font = TG_FORTE_BLACKBOARD;
    for (guint i = 0; i < spelling->n; i++) {
        const TgForteKind kind = tg_forte_kind(spelling->names[i]);
        TgForteToken own = look;

        if (kind == TG_FORTE_PRIME)
            own.font = TG_FORTE_PLAIN;
        put_token(self, spelling->names[i], kind, own);
    }
}

/* The compatibility form of @code if it is one character, else @code. */
static gunichar compatible_character(gunichar code)
{
    char text[TG_FORTE_NAME_BUFFER];
    const gint len = g_unichar_to_utf8(code, text);
    g_autofree char *plain = g_utf8_normalize(text, len, G_NORMALIZE_ALL_COMPOSE);

    return plain != NULL && g_utf8_strlen(plain, -1) == 1 ? g_utf8_get_char(plain) : code;
}

/* Whether a character is invisible: joiners, marks of direction, soft hyphens, selectors,
 * fillers. */
static gboolean is_invisible(gunichar code)
{
    return g_unichar_type(code) == G_UNICODE_FORMAT || code == 0x34F || code == 0x115F ||
           code == 0x1160 || code == 0x3164 || code == 0xFFA0 ||
           (code >= 0xFE00 && code <= 0xFE0F) || (code >= 0xE0100 && code <= 0xE01EF);
}

/* Write a character, by its spelling if it has one. */
static void put_character(Reader *self, gunichar code, TgForteToken look)
{
    const TgForteSpelling *spelling = tg_forte_character(code);

    if (is_invisible(code))
        return;
    if (spelling == NULL) {
        code = compatible_character(code);
        spelling = tg_forte_character(code);
    }
    if (spelling != NULL)
        put_spelling(self, spelling, look);
    else
        put_token(self, code, tg_forte_kind(code), look);
}

/* Write a command that is no symbol of the parser; @name has @len bytes and no backslash. */
static void put_command(Reader *self, const char *name, gsize len, TgForteToken look)
{
    const TgForteSpelling *spelling = tg_forte_command(name, len);
    TgForteName known;

    if (spelling != NULL) {
        put_spelling(self, spelling, look);
        return;
    }
    known = tg_forte_find(name, len);
    if (known == 0)
        known = tg_forte_unknown_name(self->names, name, len);
    put_token(self, known, tg_forte_kind(known), look);
}

/* Move the tokens from @from to the end of the list to the earlier place @to. */
static void move_to(Reader *self, guint32 from, guint32 to)
{
    const gsize n = self->tokens->len - from, between = from - to;

    if (n == 0 || between == 0)
        return;
    g_autofree TgForteToken *moved = g_memdup2(tg_forte_at(self->tokens, from), n * sizeof *moved);
    memmove(tg_forte_at(self->tokens, (guint32) (to + n)), tg_forte_at(self->tokens, to),
            between * sizeof *moved);
    memcpy(tg_forte_at(self->tokens, to), moved, n * sizeof *moved);
}

/* Put the accent @name after the tokens written since @begin; if these are several signs, also put
 * a mark before them. */
static void put_accent(Reader *self, guint32 begin, TgForteName name, const TgNode *node)
{
    guint n = 0;

    if (is_hidden(self))
        return;
    for (guint32 i = begin; i < self->tokens->len && n < 2; i++)
        n += tg_forte_at(self->tokens, i)->kind != TG_FORTE_ACCENT;
    if (n > 1) {
        put_mark(self, TG_FORTE_ACC, node);
        move_to(self, self->tokens->len - 1, begin);
    }
    put_token(self, name, TG_FORTE_ACCENT, look_of(node));
}

/* Write a token that no formula can spell. */
static void put_named(Reader *self, const char *name, TgForteKind kind, const TgNode *node)
{
    put_token(self, tg_forte_unknown_name(self->names, name, strlen(name)), kind, look_of(node));
}

/* Write that the tokens since @begin are hidden, shifted or much smaller than their place
 * requires. */
static void put_ink(Reader *self, guint32 begin, const char *what, const TgNode *node)
{
    if (self->tokens->len > begin)
        put_named(self, what, TG_FORTE_ACCENT, node);
}

/* Write the accent of a command; if the tables have no such accent, the command is a symbol. */
static void put_accent_command(Reader *self, guint32 begin, const char *command, const TgNode *node)
{
    const TgForteName name = tg_forte_accent(command);

    if (name != 0)
        put_accent(self, begin, name, node);
    else
        put_command(self, command, strlen(command), look_of(node));
}

/* ---- Symbols and text ----------------------------------------------------------------------- */

/* The font of a symbol. Alphabets have letters and digits only; other signs do not change, as
 * \alpha in \mathcal. */
static TgForteFont font_of(const Reader *self, const TgNode *node)
{
    static const TgForteFont fonts[] = {
        [TG_ALPHABET_BF] = TG_FORTE_BOLD,          [TG_ALPHABET_SF] = TG_FORTE_SANS,
        [TG_ALPHABET_TT] = TG_FORTE_TYPEWRITER,    [TG_ALPHABET_CAL] = TG_FORTE_CALLIGRAPHIC,
        [TG_ALPHABET_SCR] = TG_FORTE_CALLIGRAPHIC, [TG_ALPHABET_BB] = TG_FORTE_BLACKBOARD,
        [TG_ALPHABET_FRAK] = TG_FORTE_FRAKTUR,
    };
    const TgSymbol *symbol = node->u.symbol.symbol;
    TgForteFont font = fonts[node->alphabet];

    if (self->now.function)
        return TG_FORTE_PLAIN;
    if (!g_unichar_isalnum(node->u.symbol.code) ||
        (symbol != NULL && (symbol->flags & TG_SYMBOL_ALPHABETIC) == 0))
        font = TG_FORTE_PLAIN;
    if (font != TG_FORTE_PLAIN && font != TG_FORTE_SANS && font != TG_FORTE_TYPEWRITER)
        return font;
    /* 2: \boldmath in a formula, no effect */
    return node->bold == 1 || self->now.bold ? TG_FORTE_BOLD : font;
}

static void read_with_look(Reader *self, const TgNode *node, TgForteToken look)
{
    const TgSymbol *symbol = node->u.symbol.symbol;
    const gunichar code = node->u.symbol.code;

    if (symbol != NULL && code == symbol->codepoint)
        put_spelling(self, tg_forte_symbol(symbol), look);
    else if (code != 0) /* not in the table, or an angle that is typed as \left< */
        put_character(self, code, look);
}

static void read_symbol(Reader *self, const TgNode *node)
{
    const TgSymbol *symbol = node->u.symbol.symbol;
    TgForteToken look = look_of(node);

    look.font = (guint8) font_of(self, node);
    /* \mathrm makes typed characters upright */
    look.upright = node->alphabet == TG_ALPHABET_RM &&
                   (symbol == NULL || (symbol->name[0] != '\0' && symbol->name[1] == '\0'));
    read_with_look(self, node, look);
}

/* Read a delimiter, which has no font. */
static void read_delimiter(Reader *self, const TgNode *node)
{
    if (node != NULL)
        read_with_look(self, node, look_of(node));
}

static void close_script(Reader *self, guint32 begin, Tail tail, const TgNode *node);

/* Read a raised sign of text as the script that it looks like: m² is m$^2$. */
static void read_raised(Reader *self, gunichar code, const TgNode *node)
{
    const guint32 begin = self->tokens->len;
    const Tail tail = self->tail;

    put_mark(self, TG_FORTE_SUP, node);
    if (code == 0xB0)
        put_command(self, "circ", 4, look_of(node));
    else
        put_character(self, compatible_character(code), look_of(node));
    close_script(self, begin, tail, node);
}

/* Read a character of text as @code. Text distinguishes dashes. */
static void read_char_as(Reader *self, const TgNode *node, gunichar code)
{
    static const char raised[] = "⁰¹²³⁴⁵⁶⁷⁸⁹°";
    const gboolean is_word = g_unichar_isalnum(code);
    const gboolean goes_on = self->text_end == self->tokens->len;
    const TgTextFont font = node->u.character.font;
    TgForteToken look = look_of(node);

    if (g_unichar_isspace(code)) {
        self->blank = goes_on;
        return;
    }
    if (self->blank && goes_on && is_word) /* a space between two words */
        put_token(self, TG_FORTE_BLANK, TG_FORTE_PUNCTUATION,
                  (TgForteToken){ .start = node->start, .end = node->start });
    self->blank = FALSE;
    look.upright = 1;
    look.font = font.bold                     ? TG_FORTE_BOLD
                : font.family == TG_FAMILY_SF ? TG_FORTE_SANS
                : font.family == TG_FAMILY_TT ? TG_FORTE_TYPEWRITER
                                              : TG_FORTE_PLAIN;
    if (code != 0 && g_utf8_strchr(raised, -1, code) != NULL)
        read_raised(self, code, node);
    else if (code == '\\')
        put_command(self, "backslash", 9, look);
    else if (code == EN_DASH || code == EM_DASH)
        put_token(self, code, tg_forte_kind(code), look);
    else
        put_character(self, code, look);
    self->reading->has_text = TRUE;
    self->text_end = is_word ? self->tokens->len : G_MAXUINT32;
}

static void read_char(Reader *self, const TgNode *node)
{
    read_char_as(self, node, node->u.character.code);
}

/* Read a character of text with the following ones that TeX joins to one sign. Returns: the last
 * one. */
static const TgNode *read_ligature(Reader *self, const TgNode *node)
{
    static const struct {
        const char *typed;
        gunichar sign;
    } ligatures[] = { { "---", EM_DASH }, { "--", EN_DASH }, { "``", 0x201D }, { "''", 0x201D },
                      { "`", 0x2018 },    { "!`", 0xA1 },    { "?`", 0xBF } };

    for (guint l = 0; l < G_N_ELEMENTS(ligatures); l++) {
        const char *typed = ligatures[l].typed;
        const TgNode *last = node, *next = node;

        for (; *typed != '\0' && next != NULL && next->kind == TG_NODE_CHAR &&
               next->u.character.code == (guchar) *typed;
             typed++, next = next->next)
            last = next;
        if (*typed == '\0') {
            read_char_as(self, node, ligatures[l].sign);
            return last;
        }
    }
    read_char(self, node);
    return node;
}

/* A space counts between words of text; leaders are seen where there is something to fill. */
static void read_space(Reader *self, const TgNode *node)
{
    const TgLength amount = node->u.space.amount;

    if (!node->u.space.vertical && amount.unit != TG_UNIT_ITALIC &&
        (amount.value > 0 || amount.fil > 0) && self->text_end == self->tokens->len)
        self->blank = TRUE;
    if (!self->now.stretched)
        return;
    for (guint i = 0; node->u.space.leaders == TG_LEADERS_DOTS && i < 2; i++)
        put_token(self, TG_FORTE_ELLIPSIS, tg_forte_kind(TG_FORTE_ELLIPSIS), look_of(node));
    if (node->u.space.leaders == TG_LEADERS_RULE)
        put_command(self, "rule", 4, look_of(node));
}

/* Read an unknown command that consists of a known symbol, function or space and of letters without
 * a space between, `\cupN`: the longest such name, then the letters. More than three letters are
 * taken for the rest of an unknown name (`\integral`). Returns FALSE for any other command, and
 * writes nothing. */
static gboolean read_unspaced_command(Reader *self, const char *name, gsize len, TgForteToken look)
{
    static const gsize shortest = 2, most_letters = 3;

    if (tg_forte_command(name, len) != NULL || tg_forte_find(name, len) != 0)
        return FALSE;
    for (gsize n = len - 1; n >= shortest && len - n <= most_letters && n < len; n--) {
        const TgForteSpelling *spelling = tg_forte_command(name, n);
        const TgName *known = tg_name_find(name, n);
        const TgCommand *command = known != NULL ? known->command : NULL;
        const gboolean is_space = command != NULL && command->action == TG_ACTION_FIXED_SPACE;

        if (spelling == NULL && known != NULL && known->symbol != NULL)
            spelling = tg_forte_symbol(known->symbol);
        if (spelling == NULL && !is_space)
            continue;
        if (spelling != NULL)
            put_spelling(self, spelling, look);
        for (gsize i = n; i < len; i++)
            put_character(self, (guchar) name[i], look);
        return TRUE;
    }
    return FALSE;
}

/* Read the source of a node that could not be parsed. */
static void read_error(Reader *self, const TgNode *node)
{
    const char *text = node->u.error.text;
    const gsize len = strlen(text);

    if (text[0] == '\\' && text[1] != '\0') {
        if (!read_unspaced_command(self, text + 1, len - 1, look_of(node)))
            put_command(self, text + 1, len - 1, look_of(node));
        return;
    }
    for (gsize at = 0; at < len;) {
        gunichar code;

        at += tg_utf8_decode(text + at, len - at, &code); /* the source may not be valid UTF-8 */
        put_character(self, code, look_of(node));
    }
}

/* The letter of \d, \c and \b in mathematics, where LaTeX makes a box of text; they are probably
 * the author's macros. 0 for other text. */
static char boxed_accent(const TgNode *text)
{
    const TgNode *first = text->u.text.body->u.list.first;

    if (first == NULL || first->kind != TG_NODE_ACCENT || first->start != text->start)
        return 0;
    return first->u.accent.code == 0x323   ? 'd'
           : first->u.accent.code == 0x327 ? 'c'
           : first->u.accent.code == 0x331 ? 'b'
                                           : 0;
}

static void read_text(Reader *self, const TgNode *node)
{
    const TgNode *body = node->u.text.body;
    const char command = boxed_accent(node);

    if (command == 0) {
        const guint32 begin = self->tokens->len;

        self->now.stretched = node->u.text.has_width && node->u.text.width.value > 0;
        read_node(self, body);
        if (node->u.text.has_width && node->u.text.width.value == 0)
            put_ink(self, begin, "without width", node);
        if (node->u.text.shape != NULL)
            put_ink(self, begin, node->u.text.shape, node);
        return;
    }
    put_command(self, &command, 1, look_of(node));
    const TgNode *base = body->u.list.first->u.accent.base;
    for (const TgNode *item = base->u.list.first; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_CHAR)
            put_character(self, item->u.character.code, look_of(node));
        else
            read_node(self, item);
    }
}

/* ---- Accents -------------------------------------------------------------------------------- */

static void read_accent(Reader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len;
    const TgForteName mark = tg_forte_map(&tg_forte_tables.marks, node->u.accent.code);

    if (node->u.accent.base != NULL)
        read_node(self, node->u.accent.base);
    if (node->u.accent.symbol == NULL && self->tokens->len == begin + 1 &&
        (tg_forte_at(self->tokens, begin)->name == DOTLESS_I ||
         tg_forte_at(self->tokens, begin)->name == tg_forte_find("imath", 5)))
        tg_forte_at(self->tokens, begin)->name = 'i'; /* in text the accent replaces the dot */
    if (mark != 0)
        put_accent(self, begin, mark, node);
    else if (node->u.accent.symbol != NULL)
        put_accent_command(self, begin, node->u.accent.symbol->name, node);
}

/* ---- Ink that is hidden or shifted ------------------------------------------------------------
 */

/* White ink is invisible. */
static void read_color(Reader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len;
    const Tail tail = self->tail;

    if (node->u.color.body == NULL)
        return;
    self->now.ink = node->u.color.rgb;
    read_node(self, node->u.color.body);
    if (is_hidden(self)) { /* also the marks of its fractions and scripts */
        g_array_set_size(self->tokens, begin);
        self->tail = tail;
    }
}

static void put_shift(Reader *self, guint32 begin, TgLength up, const TgNode *node)
{
    if (up.value != 0)
        put_ink(self, begin, up.value > 0 ? "raised" : "lowered", node);
}

static void read_rule(Reader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len;

    if (node->u.rule.form == TG_RULE_VLINE ||
        (node->u.rule.form == TG_RULE_RULE && node->u.rule.width.value > 0 &&
         node->u.rule.height.value > 0))
        put_command(self, "rule", 4, look_of(node));
    put_shift(self, begin, node->u.rule.raise, node);
}

/* Read a node with one body, then the sign over or through the body, or its place. */
static void read_box(Reader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len;
    const gboolean encloses = node->kind == TG_NODE_ENCLOSE;
    const gint shape = encloses ? tg_enclosure_shapes[node->u.enclose.form] : -1;

    if (shape == TG_SHAPE_OF_GROUND)
        self->now.ground = node->u.enclose.rgb;
    read_children(self, node);
    if (node->kind == TG_NODE_STRETCH)
        put_accent_command(self, begin, tg_stretch_names[node->u.stretch.form], node);
    else if (shape == TG_SHAPE_OF_STROKE)
        put_accent_command(self, begin, "cancel", node);
    else if (shape == TG_SHAPE_OF_RING)
        put_accent_command(self, begin, "textcircled", node);
    else if (node->kind == TG_NODE_LAP) /* the next node is drawn over it */
        put_ink(self, begin, "without width", node);
    else if (node->kind == TG_NODE_RAISE)
        put_shift(self, begin, node->u.raise.amount, node);
}

/* ---- Scripts -------------------------------------------------------------------------------- */

/* Close the script whose mark stands at @begin; @tail is the tail before that mark. A subscript
 * goes before a superscript; two scripts of the same kind lose the `)` of the first and the mark of
 * the second, so that they are one. */
static void close_script(Reader *self, guint32 begin, Tail tail, const TgNode *node)
{
    const gboolean sup = tg_forte_at(self->tokens, begin)->name == TG_FORTE_SUP;
    guint32 *own = sup ? &tail.sup : &tail.sub, place = begin;

    if (self->tokens->len == begin + 1) { /* an empty script leaves no mark */
        g_array_set_size(self->tokens, begin);
        self->tail = tail;
        return;
    }
    put_mark(self, TG_FORTE_CLOSE, node);
    if (tail.end != begin)
        tail.sub = tail.sup = NO_GROUP;
    if (!sup && tail.sup != NO_GROUP) {
        place = tail.sup;
        tail.sup += self->tokens->len - begin;
        move_to(self, begin, place);
    }
    if (*own == NO_GROUP) {
        *own = place;
    } else {
        g_array_remove_range(self->tokens, place - 1, 2);
        if (!sup && tail.sup != NO_GROUP)
            tail.sup -= 2;
    }
    tail.end = self->tokens->len;
    self->tail = tail;
}

static void read_script(Reader *self, TgForteMark mark, const TgNode *list)
{
    const guint32 begin = self->tokens->len;
    const Tail tail = self->tail;

    if (list == NULL)
        return;
    put_mark(self, mark, list);
    self->now.scripts++;
    read_node(self, list);
    self->now.scripts--;
    close_script(self, begin, tail, list);
}

/* Whether @item of the superscript @sup is a prime, which may have braces of its own:
 * `^{{\prime}{\prime}}`. A single item may also be `^{'}`, primes without a nucleus. */
static gboolean is_prime(const TgNode *sup, const TgNode *item)
{
    const TgNode *inner = item->kind == TG_NODE_SCRIPTS && item->u.scripts.nucleus == NULL &&
                                  item->u.scripts.sub == NULL
                              ? item->u.scripts.sup
                          : item->kind == TG_NODE_LIST ? item
                                                       : NULL;

    if (inner == NULL || (inner != item && sup->u.list.n_items > 1))
        return tg_node_is_symbol(item, "prime");
    for (const TgNode *one = inner->u.list.first; one != NULL; one = one->next) {
        if (!is_prime(inner, one))
            return FALSE;
    }
    return inner->u.list.first != NULL;
}

/* Read the primes of a superscript, which stand before the subscript. */
static void read_primes(Reader *self, const TgNode *sup)
{
    for (const TgNode *item = sup->u.list.first; item != NULL; item = item->next) {
        if (!is_prime(sup, item))
            continue;
        if (item->kind == TG_NODE_SYMBOL)
            read_symbol(self, item);
        else
            read_primes(self, item->kind == TG_NODE_SCRIPTS ? item->u.scripts.sup : item);
    }
}

static void read_scripts(Reader *self, const TgNode *node)
{
    if (node->u.scripts.nucleus != NULL)
        read_item(self, node->u.scripts.nucleus);

    Tail tail = self->tail;
    const guint32 begin = self->tokens->len;
    if (node->u.scripts.sup != NULL)
        read_primes(self, node->u.scripts.sup);

    /* Primes go before a subscript that is already written, because the two stand one above the
     * other: `{x_i}'` is `x'_i`. */
    const guint32 n = self->tokens->len - begin;
    if (n > 0 && tail.end == begin && tail.sub != NO_GROUP && tail.sup == NO_GROUP) {
        move_to(self, begin, tail.sub);
        tail.sub += n;
        tail.end += n;
        self->tail = tail;
    }
    read_script(self, TG_FORTE_SUB, node->u.scripts.sub);
    self->no_primes = node->u.scripts.sup;
    read_script(self, TG_FORTE_SUP, node->u.scripts.sup);
}

/* Read a stack; one sign over another one is its accent. */
static void read_stack(Reader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len;

    read_node(self, node->u.stack.base);
    const guint32 over = self->tokens->len;
    const Tail tail = self->tail;
    read_script(self, TG_FORTE_SUP, node->u.stack.over);
    if (over == begin + 1 && self->tokens->len == over + 3) {
        const TgForteName accent =
            tg_forte_map(&tg_forte_tables.overs, tg_forte_at(self->tokens, over + 1)->name);

        if (accent != 0) {
            g_array_set_size(self->tokens, over);
            self->tail = tail;
            put_accent(self, begin, accent, node);
        }
    }
    read_script(self, TG_FORTE_SUB, node->u.stack.under);
}

/* ---- Fractions, roots, rows ----------------------------------------------------------------- */

/* Read the children that are drawn, in order: delimiters, scripts with their marks, bodies. */
static void read_children(Reader *self, const TgNode *node)
{
    /* the style around, without size commands */
    const guint depth = self->now.scripts > 0 ? 1 + self->now.scripts : MIN(self->now.fractions, 1);
    TgChildIter iter = tg_child_iter(node);

    for (const TgNode *child; (child = tg_child_iter_next(&iter)) != NULL;) {
        if (!tg_child_is_seen(node, iter.role, (guint8) MIN(depth, TG_STYLE_SCRIPTSCRIPT)))
            continue;
        switch (iter.role) {
        case TG_ROLE_LEFT:
        case TG_ROLE_RIGHT:
            read_delimiter(self, child);
            break;
        case TG_ROLE_SUB:
        case TG_ROLE_UNDER:
            read_script(self, TG_FORTE_SUB, child);
            break;
        case TG_ROLE_SUP:
        case TG_ROLE_OVER:
            read_script(self, TG_FORTE_SUP, child);
            break;
        default:
            read_node(self, child);
            break;
        }
    }
}

static void read_arrow(Reader *self, const TgNode *node)
{
    const char *name = tg_arrow_names[node->u.arrow.form];

    put_command(self, name, strlen(name), look_of(node));
    read_children(self, node);
}

static void read_fraction(Reader *self, const TgNode *node)
{
    const gboolean bar = node->u.fraction.has_bar != 0;

    read_delimiter(self, node->u.fraction.left);
    put_mark(self, bar ? TG_FORTE_FRAC : TG_FORTE_MAT, node);
    self->now.fractions++;
    read_node(self, node->u.fraction.num);
    put_mark(self, bar ? TG_FORTE_DEN : TG_FORTE_NEXT_ROW, node);
    read_node(self, node->u.fraction.den);
    put_mark(self, TG_FORTE_FINISH, node);
    read_delimiter(self, node->u.fraction.right);
}

static void read_radical(Reader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len + 1;

    put_mark(self, TG_FORTE_SQRT, node);
    if (node->u.radical.index != NULL)
        read_node(self, node->u.radical.index);
    if (self->tokens->len > begin)
        put_mark(self, TG_FORTE_IDX, node);
    read_node(self, node->u.radical.body);
    put_mark(self, TG_FORTE_FINISH, node);
}

/* Read a break between lines outside of arrays. */
static void read_break(Reader *self, const TgNode *node)
{
    tg_forte_end_row(self->tokens, 0);
    put_mark(self, TG_FORTE_NEXT_ROW, node);
}

/* Read the lines before the row @row, which separate rows as & does columns. A line below some
 * columns is named by them; lines that follow each other without a gap are one. */
static void read_between(Reader *self, const TgNode *node, guint32 row)
{
    const TgArray *array = node->u.array;

    for (guint32 i = 0; i < array->n_between; i++) {
        const TgBetween *line = &array->between[i], *end = array->between + array->n_between;
        const guint32 first = line->first;
        g_autofree char *name = NULL;

        if (line->row != row || line->kind == TG_BETWEEN_SPACE)
            continue;
        if (line->kind == TG_BETWEEN_CLINE) {
            for (; line + 1 < end && line[1].row == row && line[1].kind == TG_BETWEEN_CLINE &&
                   line[1].first == line->last + 1;
                 i++)
                line++;
            if (first > 1 || line->last < array->n_columns)
                name = g_strdup_printf("cline %u-%u", first, line->last);
        }
        put_named(self, name != NULL ? name : "hline", TG_FORTE_CELL, node);
    }
}

/* Count the lines of a column specification that stand after @n to @most cells. */
static guint32 count_lines(const TgColumnItem *items, guint32 n_items, guint32 n, guint32 most)
{
    guint32 lines = 0;

    for (guint32 i = 0, before = 0; i < n_items; i++) {
        before += items[i].kind == TG_COLUMN_CELL;
        lines += items[i].kind == TG_COLUMN_LINE && before >= n && before <= most;
    }
    return lines;
}

static void put_lines(Reader *self, const char *name, guint32 n, const TgNode *node)
{
    self->is_too_long |= n > MAX_TOKENS - MIN(self->tokens->len, MAX_TOKENS);
    for (guint32 i = 0; i < n && !self->is_too_long; i++)
        put_named(self, name, TG_FORTE_CELL, node);
}

/* The tokens of @{..} and !{..}, which every row repeats. */
typedef struct {
    GArray *tokens; /* of all of them */
    GArray *ends;   /* of guint32: where those end that stand after so many cells */
} Material;

/* Read the material of @array. (transfer full) */
static Material read_material(Reader *self, const TgArray *array)
{
    const guint32 begin = self->tokens->len;
    const Tail tail = self->tail;
    Material out = { g_array_new(FALSE, FALSE, sizeof(TgForteToken)),
                     g_array_new(FALSE, FALSE, sizeof(guint32)) };

    for (guint32 i = 0, n; i <= array->n_column_items; i++) {
        n = self->tokens->len - begin;
        if (i == array->n_column_items || array->columns[i].kind == TG_COLUMN_CELL)
            g_array_append_val(out.ends, n);
        else if (array->columns[i].kind == TG_COLUMN_AT)
            read_node(self, array->columns[i].material);
    }
    g_array_append_vals(out.tokens, tg_forte_at(self->tokens, begin), self->tokens->len - begin);
    g_array_set_size(self->tokens, begin);
    self->tail = tail;
    return out;
}

/* Put what stands after @n cells. */
static void put_material(Reader *self, const Material *material, guint32 n)
{
    if (n >= material->ends->len)
        return;
    const guint32 begin = n > 0 ? g_array_index(material->ends, guint32, n - 1) : 0;
    const guint32 length = g_array_index(material->ends, guint32, n) - begin;

    self->is_too_long |= length > MAX_TOKENS - MIN(self->tokens->len, MAX_TOKENS);
    if (length > 0 && !self->is_too_long)
        g_array_append_vals(self->tokens, tg_forte_at(material->tokens, begin), length);
}

/* Read the items of \multicolumn's own specification before the cell (@side 0) or after the cell
 * (@side 1); they take the place of the @n_lines lines that the array has there. */
static void read_own_columns(Reader *self, const TgNode *node, const TgCell *cell, guint32 side,
                             guint32 n_lines)
{
    const guint32 n = count_lines(cell->columns, cell->n_columns, side, side);

    for (guint32 i = 0, before = 0; i < cell->n_columns; i++) {
        before += cell->columns[i].kind == TG_COLUMN_CELL;
        if (cell->columns[i].kind == TG_COLUMN_AT && before == side)
            read_node(self, cell->columns[i].material);
    }
    put_lines(self, n > n_lines ? "vline" : "no vline", n > n_lines ? n - n_lines : n_lines - n,
              node);
}

/* Read a cell and the material of the specification beside it; @column: its number, from 0. */
static void read_cell(Reader *self, const TgNode *node, const TgCell *cell, guint32 column,
                      const Material *material)
{
    const TgArray *array = node->u.array;
    const guint32 next = column + cell->span;

    if (cell->columns == NULL) {
        if (column == 0)
            put_material(self, material, 0);
        read_node(self, cell->content);
        put_material(self, material, next);
        return;
    }
    const TgColumnItem *items = array->columns;
    const guint32 n = array->n_column_items,
                  own = count_lines(cell->columns, cell->n_columns, 0, 0);
    const guint32 before = count_lines(items, n, column, column);
    /* the lines before a cell that is not the first one are of the column before it */
    read_own_columns(self, node, cell, 0, column == 0 ? before : MIN(before, own));
    read_node(self, cell->content);
    if (cell->span > 1)
        put_lines(self, "no vline", count_lines(items, n, column + 1, next - 1), node);
    read_own_columns(self, node, cell, 1, count_lines(items, n, next, next));
}

/* Read an array; lines between columns are written once, in the first row. */
static void read_array(Reader *self, const TgNode *node)
{
    const TgArray *array = node->u.array;
    const TgColumnItem *items = array->columns;
    const guint32 n_items = array->n_column_items, start = self->tokens->len;
    /* & only aligns, so that empty cells are invisible */
    const gboolean aligned =
        array->environment != TG_ENV_ARRAY && array->environment != TG_ENV_MATRIX &&
        array->environment != TG_ENV_SMALLMATRIX && array->environment != TG_ENV_CASES &&
        array->environment != TG_ENV_PLAIN_MATRIX;

    read_delimiter(self, array->left);
    put_mark(self, TG_FORTE_MAT, node);
    guint32 filled = self->tokens->len;
    const Material material = read_material(self, array);
    self->now.stretched = array->n_rows > 1;
    for (guint32 r = 0; r < array->n_rows; r++) {
        const TgRow *row = &array->rows[r];
        guint32 begin = self->tokens->len, column = 0;

        read_between(self, node, r);
        if (self->tokens->len > begin)
            filled = self->tokens->len;
        if (r > 0)
            put_mark(self, TG_FORTE_NEXT_ROW, node);
        begin = self->tokens->len;
        for (guint32 c = 0; c < row->n_cells; c++) {
            const guint32 cell = self->tokens->len;

            if (r == 0)
                put_lines(self, "vline", count_lines(items, n_items, c, c), node);
            if (c > 0 && (!aligned || cell > begin)) {
                begin += self->tokens->len == begin; /* empty cells do not fill a row */
                put_mark(self, TG_FORTE_NEXT_CELL, node);
            }
            const guint32 content = self->tokens->len;
            read_cell(self, node, &row->cells[c], column, &material);
            column += row->cells[c].span;
            if (aligned && self->tokens->len == content)
                g_array_set_size(self->tokens, cell);
        }
        /* Empty cells at the end of a row are invisible. */
        while (self->tokens->len > begin &&
               tg_forte_at(self->tokens, self->tokens->len - 1)->name == TG_FORTE_NEXT_CELL)
            g_array_set_size(self->tokens, self->tokens->len - 1);
        tg_forte_end_row(self->tokens, begin);
        if (r == 0)
            put_lines(self, "vline", count_lines(items, n_items, row->n_cells, G_MAXUINT32), node);
        if (self->tokens->len > begin)
            filled = self->tokens->len;
    }
    g_array_unref(material.tokens);
    g_array_unref(material.ends);
    g_array_set_size(self->tokens, filled); /* drop empty rows at the end */
    read_between(self, node, array->n_rows);
    put_mark(self, TG_FORTE_FINISH, node);
    read_delimiter(self, array->right);
    if (array->align != 'c' && self->root->u.list.n_items > 1)
        put_ink(self, start, array->align == 't' ? "at its first row" : "at its last row", node);
}

/* Whether the tokens from @begin to before @end stand in brackets, (..) or [..]. */
static gboolean is_bracketed(const GArray *tokens, guint32 begin, guint32 end)
{
    if (end < begin + 2)
        return FALSE;
    const TgForteName open = tg_forte_at(tokens, begin)->name;
    const TgForteName close = tg_forte_at(tokens, end - 1)->name;
    return (open == '(' && close == ')') || (open == '[' && close == ']');
}

/* Keep the tokens from @begin to @end apart as the equation number, without brackets or a circle
 * around them, because it counts only against another equation number. */
static void keep_number(Reader *self, guint32 begin, guint32 end)
{
    if (end == begin)
        return;
    const guint32 brackets = is_bracketed(self->tokens, begin, end) ? 1 : 0;
    const guint32 circle = tg_forte_at(self->tokens, end - 1)->kind == TG_FORTE_ACCENT ? 1 : 0;
    const guint32 n = end - begin - 2 * brackets - circle;
    TgForteReading *reading = self->reading;

    if (n > 0) {
        g_autoptr(GString) text = g_string_new(NULL);
        g_string_printf(text, "number %u", reading->number); /* one of several, in their order */
        for (guint32 i = 0; i < n; i++)
            g_string_append_printf(text, " %u",
                                   tg_forte_at(self->tokens, begin + brackets + i)->name);
        reading->number = tg_forte_unknown_name(self->names, text->str, text->len);
    }
    g_array_remove_range(self->tokens, begin, end - begin);
}

static void read_tag(Reader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len;

    read_node(self, node->u.body.body);
    keep_number(self, begin, self->tokens->len);
}

/* Whether a token is a letter of a Roman number, (ii). */
static gboolean is_roman(const TgForteToken *token)
{
    return token->name < 128 && strchr("ivxl", (int) token->name) != NULL;
}

/* Whether the tokens from @begin to @end look like an equation number: in brackets (3), [2.17],
 * (A.6), (4b), (ii), (*), or in a circle. */
static gboolean is_number(const Reader *self, guint32 begin, guint32 end)
{
    const GArray *tokens = self->tokens;
    guint digits = 0, romans = 0, stars = 0;

    if (begin < end && tg_forte_at(tokens, begin)->kind == TG_FORTE_DIGIT) {
        const gunichar code = g_utf8_get_char(self->source + tg_forte_at(tokens, begin)->start);

        return end == begin + 1 ? code >= 0x2460 && code <= 0x2473
                                : end == begin + 2 && tg_forte_at(tokens, end - 1)->name ==
                                                          tg_forte_accent("textcircled");
    }
    if (end < begin + 3 || end - begin > MAX_NUMBER + 2 || !is_bracketed(tokens, begin, end))
        return FALSE;
    for (guint32 i = begin + 1; i < end - 1; i++) {
        const TgForteToken *token = tg_forte_at(tokens, i);
        const gboolean may_be_letter = i == begin + 1 || i == end - 2;

        digits += token->kind == TG_FORTE_DIGIT;
        romans += is_roman(token);
        stars += token->name == '*';
        if (token->kind != TG_FORTE_DIGIT && token->name != '.' && token->name != '-' &&
            token->name != '*' && !is_roman(token) &&
            (token->kind != TG_FORTE_LATIN || !may_be_letter))
            return FALSE;
    }
    return digits > 0 || romans == end - begin - 2 || stars == end - begin - 2;
}

/* The beginning of leaders of dots that end before the token @end: `\cdots\cdots (1)`, six full
 * stops or more, or one sign of dots after a gap, because a single ellipsis may be a factor. @end
 * if there are none. */
static guint32 leaders_before(const Reader *self, guint32 end)
{
    guint32 begin = end, n_stops = 0;

    for (; begin > 0; begin--) {
        const TgForteName name = tg_forte_at(self->tokens, begin - 1)->name;

        if (name != '.' && name != TG_FORTE_ELLIPSIS)
            break;
        n_stops += name == '.' ? 1 : 3;
    }
    return begin > 0 && (n_stops >= 6 || (n_stops >= 3 && self->last_gap == begin)) ? begin : end;
}

/* Set aside an equation number that is separated from the formula: at its end by the last gap,
 * `\quad (3.1)`, or by leaders, at its beginning by the first gap. */
static void set_number_aside(Reader *self)
{
    const guint32 first = self->first_gap, last = self->last_gap;
    guint32 end = self->tokens->len;

    while (end > 0 && tg_forte_at(self->tokens, end - 1)->kind == TG_FORTE_PUNCTUATION)
        end--;
    guint32 number = end; /* where the last brackets open, or the place of a circle there */
    for (guint32 n = 1; number == end && n <= MIN(end, MAX_NUMBER + 2); n++)
        number -= is_number(self, end - n, end) ? n : 0;
    const guint32 leaders = leaders_before(self, number);
    if (leaders < number && number < end) {
        g_array_set_size(self->tokens, end);
        keep_number(self, number, end);
        g_array_set_size(self->tokens, leaders);
    } else if (last > 0 && last < end && is_number(self, last, end)) {
        g_array_set_size(self->tokens, end);
        keep_number(self, last, end);
    } else if (first < end && is_number(self, 0, first)) {
        keep_number(self, 0, first);
    }
}

/* ---- Lists ---------------------------------------------------------------------------------- */

static gboolean is_digit(const TgNode *item)
{
    return item != NULL && item->kind == TG_NODE_SYMBOL && g_unichar_isdigit(item->u.symbol.code);
}

/* Read the sign of a root that is typed before a number or another item, `√2`, as a root. Returns:
 * the last item read. */
static const TgNode *read_surd(Reader *self, const TgNode *surd)
{
    const TgNode *item = surd->next;

    while (item != NULL && item->kind == TG_NODE_SPACE)
        item = item->next;
    if (item == NULL || item->kind == TG_NODE_BREAK) {
        read_symbol(self, surd);
        return surd;
    }
    put_mark(self, TG_FORTE_SQRT, surd);
    read_item(self, item);
    for (; is_digit(item) && is_digit(item->next); item = item->next)
        read_item(self, item->next);
    put_mark(self, TG_FORTE_FINISH, surd);
    return item;
}

/* End a \not that strikes nothing through. */
static void end_stroke(Reader *self, const TgNode *node)
{
    if (self->negate)
        put_command(self, "not", 3, look_of(node));
    self->negate = self->negate_apart = FALSE;
}

/* Read an item of a list; \not is a stroke through the item after it. */
static void read_item(Reader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len;

    if (tg_node_is_symbol(node, "not")) {
        self->negate = TRUE;
        return;
    }
    if (node->kind == TG_NODE_LIST && node->u.list.first == NULL) {
        self->negate_apart = self->negate;
        return;
    }
    if (node->kind == TG_NODE_SPACE || node->kind == TG_NODE_SCRIPTS ||
        node->kind == TG_NODE_LIST || node->kind == TG_NODE_STYLE || node->kind == TG_NODE_SIZE ||
        (node->kind == TG_NODE_COLOR && node->u.color.body == NULL)) {
        read_node(self, node); /* the stroke goes through a later item: \not\! p */
        return;
    }
    if (self->negate_apart && tg_node_class(node) == TG_CLASS_REL)
        end_stroke(self, node);
    const gboolean negated = self->negate;
    self->negate = self->negate_apart = FALSE;
    read_node(self, node);
    const guint32 n = self->tokens->len - begin;
    if (!negated)
        return;
    if (n == 0) { /* over a gap */
        put_command(self, "not", 3, look_of(node));
        return;
    }
    TgForteToken *token = tg_forte_at(self->tokens, begin);
    const TgForteName negation = n == 1 ? tg_forte_map(&tg_forte_tables.negations, token->name) : 0;
    if (negation != 0) {
        token->name = negation;
        token->kind = (guint8) tg_forte_kind(negation);
    } else {
        put_accent(self, begin, tg_forte_map(&tg_forte_tables.marks, 0x0338), node);
    }
}

/* The width of a space in em; at least 1 for a space that fills the line. */
static double width_of(TgLength amount)
{
    static const double units[] = {
        [TG_UNIT_PT] = 0.1,  [TG_UNIT_PC] = 1.2,      [TG_UNIT_IN] = 7.2, [TG_UNIT_BP] = 0.1,
        [TG_UNIT_CM] = 2.8,  [TG_UNIT_MM] = 0.28,     [TG_UNIT_DD] = 0.1, [TG_UNIT_CC] = 1.3,
        [TG_UNIT_ND] = 0.1,  [TG_UNIT_NC] = 1.3,      [TG_UNIT_PX] = 0.1, [TG_UNIT_EM] = 1,
        [TG_UNIT_EX] = 0.43, [TG_UNIT_MU] = 1.0 / 18,
    };
    const double unit = amount.unit < G_N_ELEMENTS(units) ? units[amount.unit] : 0;

    return amount.fil > 0 ? 1 : amount.value / 65536.0 * unit;
}

/* Note a space of the whole formula that may separate it from its number: a quad, or two smaller
 * spaces. */
static void note_gap(Reader *self, guint *spaces, TgLength amount)
{
    static const double wide = 0.45;

    *spaces += width_of(amount) > wide ? 2 : 1;
    if (*spaces < 2)
        return;
    self->last_gap = self->tokens->len;
    self->first_gap = MIN(self->first_gap, self->last_gap);
}

static void read_list(Reader *self, const TgNode *list)
{
    /* em; up to five of \! are not meant as an overlap, as in p\!\!\!/ */
    static const double overlap = -0.3;
    const gboolean no_primes = list == self->no_primes;
    guint32 small = G_MAXUINT32; /* place where script-script style begins */
    guint spaces = 0;
    double gap = 0;

    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        const guint32 begin = self->tokens->len;

        if (item->kind == TG_NODE_SPACE) {
            if (list == self->root)
                note_gap(self, &spaces, item->u.space.amount);
            gap += item->u.space.vertical ? 0
                                          : width_of(item->u.space.amount) *
                                                (item->u.space.amount.unit == TG_UNIT_MU ? 0.3 : 1);
        } else {
            spaces = 0;
        }
        if (item->kind == TG_NODE_STYLE && self->now.scripts == 0)
            small = item->u.change.style == TG_STYLE_SCRIPTSCRIPT ? begin : G_MAXUINT32;
        if (tg_node_is_symbol(item, "surd"))
            item = read_surd(self, item);
        else if (item->kind == TG_NODE_CHAR)
            item = read_ligature(self, item);
        else if (!no_primes || !is_prime(list, item))
            read_item(self, item);
        if (self->tokens->len > begin) {
            if (gap <= overlap && begin > 0 &&
                tg_forte_at(self->tokens, begin - 1)->kind != TG_FORTE_BIG) /* \int\!\!\int */
                put_ink(self, begin, "drawn over", item);
            gap = 0;
        }
    }
    end_stroke(self, list);
    if (small < self->tokens->len)
        put_ink(self, small, "much smaller", list);
}

static void read_node(Reader *self, const TgNode *node)
{
    static void (*const by_kind[TG_N_NODE_KINDS])(Reader *, const TgNode *) = {
        [TG_NODE_LIST] = read_list,       [TG_NODE_SYMBOL] = read_symbol,
        [TG_NODE_CHAR] = read_char,       [TG_NODE_TEXT] = read_text,
        [TG_NODE_ERROR] = read_error,     [TG_NODE_ACCENT] = read_accent,
        [TG_NODE_STRETCH] = read_box,     [TG_NODE_ENCLOSE] = read_box,
        [TG_NODE_LAP] = read_box,         [TG_NODE_RAISE] = read_box,
        [TG_NODE_SCRIPTS] = read_scripts, [TG_NODE_STACK] = read_stack,
        [TG_NODE_ARROW] = read_arrow,     [TG_NODE_FRACTION] = read_fraction,
        [TG_NODE_RADICAL] = read_radical, [TG_NODE_ARRAY] = read_array,
        [TG_NODE_BREAK] = read_break,     [TG_NODE_TAG] = read_tag,
        [TG_NODE_SPACE] = read_space,     [TG_NODE_COLOR] = read_color,
        [TG_NODE_RULE] = read_rule,
    };
    const Settings around = self->now;

    self->now.bold |= node->kind == TG_NODE_BOLD;
    self->now.function |= node->kind == TG_NODE_OPERATOR;
    if (by_kind[node->kind] != NULL)
        by_kind[node->kind](self, node);
    else
        read_children(self, node);
    self->now = around;
    if (node->kind == TG_NODE_COLOR && node->u.color.body == NULL)
        self->now.ink = node->u.color.rgb;
}

/* ---- Sources -------------------------------------------------------------------------------- */

/* Count faults that stop LaTeX, without lost outer dollar signs, which the document has, and
 * without primes that are typed apart, as in tokenized data. */
static guint count_repairs(const TgTree *tree)
{
    guint repairs = 0;
    const TgParseError *errors = tree->errors;
    const char *source = tree->source;
    if (tree->n_errors == 0)
        return 0;

    gsize body = strspn(source, " \t\n$"), body_end = strlen(source);
    while (body_end > body && strchr(" \t\n", source[body_end - 1]) != NULL)
        body_end--;
    while (body_end > body && source[body_end - 1] == '$')
        body_end--;
    for (guint i = 0; i < tree->n_errors; i++) {
        const guint32 at = errors[i].start;
        const gboolean is_outer_dollar = source[at] == '$' && (at < body || at >= body_end);

        repairs += !is_outer_dollar && (errors[i].kind != TG_PARSE_SCRIPT || source[at] != '\'');
    }
    return repairs;
}

/* @tex with a space for each @sign that has no backslash before it. */
static char *without_sign(const char *tex, char sign)
{
    char *text = g_strdup(tex);

    for (char *at = text; *at != '\0'; at++) {
        if (at[0] == '\\' && at[1] != '\0')
            at++;
        else if (*at == sign)
            *at = ' ';
    }
    return text;
}

/* Parse @tex, whose dollars may be stray, in the way with the fewest repairs: as text with
 * formulas; as a formula with dollars around its text, `x_1$ for $y_1`; or without the dollars,
 * which counts as a repair. */
static TgTree *parse_dollars(const char *tex, TgPackages packages, TgForteReading *out,
                             GError **error)
{
    guint *repairs = &out->repairs;

    static const TgParseOptions as_math = { .source = TG_SOURCE_MATH };
    g_autoptr(TgTree) tree = tg_tree_parse(tex, strlen(tex), NULL, error);

    *repairs = tree != NULL ? count_repairs(tree) : 0;
    out->refused = tree == NULL || tg_tree_refusal(tree, packages) != NULL;
    if (*repairs == 0 || strchr(tex, '$') == NULL)
        return g_steal_pointer(&tree);
    g_autofree char *bare = without_sign(tex, '$');
    for (guint i = 0; i < 2 && *repairs > 0; i++) {
        const char *source = i == 0 ? tex : bare;
        g_autoptr(TgTree) other = tg_tree_parse(source, strlen(source), &as_math, NULL);
        const guint n = other != NULL ? count_repairs(other) + i : G_MAXUINT;

        if (n < *repairs + i) {
            *repairs = n;
            tg_tree_free(tree);
            tree = g_steal_pointer(&other);
        }
    }
    return g_steal_pointer(&tree);
}

/* Add the tokens of @tex; FALSE with @error when @tex cannot be parsed. */
static gboolean read_source(Reader *self, const char *tex, GError **error)
{
    g_autoptr(TgTree) tree = parse_dollars(tex, self->packages, self->reading, error);

    if (tree == NULL)
        return FALSE;
    self->source = tree->source;
    self->root = tree->root;
    self->first_gap = G_MAXUINT32;
    self->last_gap = 0;
    self->reading->number = 0;
    read_node(self, self->root);
    if (self->is_too_long)
        return tg_fail(error, TG_ERROR_PARSE, "the rows of an array repeat more than %u signs",
                       MAX_TOKENS);
    set_number_aside(self);
    return TRUE;
}

/* @tex with the content of a code fence at its beginning in the same place; NULL: there is no
 * fence. */
static char *inside_fence(const char *tex)
{
    static const char fence[] = "```";
    const gsize begin = strspn(tex, " \t\r\n");

    if (!g_str_has_prefix(tex + begin, fence))
        return NULL;
    char *text = g_strdup(tex);
    gsize start = begin + strlen(fence);
    const gsize word_end = start + strspn(text + start, G_CSET_a_2_z);
    if (g_ascii_isspace(text[word_end])) /* skip the name of the language */
        start = word_end;
    memset(text + begin, ' ', start - begin);
    char *close = strstr(text, fence);
    if (close != NULL)
        *close = '\0';
    return text;
}

gboolean tg_forte_read(TgVocab *names, const char *tex, TgPackages packages, GArray *tokens,
                       TgForteReading *out, GError **error)
{
    Reader reader = {
        .names = names,
        .packages = packages,
        .tokens = tokens,
        .reading = out,
        .text_end = G_MAXUINT32,
        .now.ground = WHITE,
        .tail = { .end = G_MAXUINT32, .sub = NO_GROUP, .sup = NO_GROUP },
    };

    g_autofree char *inside = inside_fence(tex);

    g_array_set_size(tokens, 0);
    *out = (TgForteReading){ 0 };
    if (!read_source(&reader, inside != NULL ? inside : tex, error))
        return FALSE;
    if (tokens->len == 0 && strchr(tex, '%') != NULL) { /* a % at the beginning is no comment */
        g_autofree char *text = without_sign(tex, '%');
        if (!read_source(&reader, text, error))
            return FALSE;
    }
    out->repairs += inside != NULL;
    out->refused |= inside != NULL;
    tg_forte_tidy(tokens);
    return TRUE;
}
