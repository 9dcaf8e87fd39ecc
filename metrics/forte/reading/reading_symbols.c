/* Reads symbols, characters and what is over them as FORTE's tokens. */
#include "metrics/forte/reading/reading_symbols.h"

#include <string.h>

#include "core/utf8.h"
#include "tokenizer/tree/reading.h"

/* ---- Symbols ------------------------------------------------------------------------------- */

static TgForteFont font_of(const TgForteReader *self, const TgNode *node)
{
    if (self->function)
        return TG_FORTE_PLAIN;
    switch ((TgAlphabet) node->alphabet) {
    case TG_ALPHABET_BB:
        return TG_FORTE_BLACKBOARD;
    case TG_ALPHABET_CAL:
    case TG_ALPHABET_SCR:
        return TG_FORTE_CALLIGRAPHIC;
    case TG_ALPHABET_FRAK:
        return TG_FORTE_FRAKTUR;
    case TG_ALPHABET_BF:
        return TG_FORTE_BOLD;
    case TG_ALPHABET_SF:
    case TG_ALPHABET_TT:
        if (!node->bold && !self->bold && g_unichar_isalnum(node->u.symbol.code))
            return node->alphabet == TG_ALPHABET_SF ? TG_FORTE_SANS : TG_FORTE_TYPEWRITER;
        break;
    default:
        break;
    }
    return node->bold || self->bold ? TG_FORTE_BOLD : TG_FORTE_PLAIN;
}

/* Whether \mathrm makes the symbol upright: it is typed as a character. */
static gboolean is_upright(const TgNode *node)
{
    const TgSymbol *symbol = node->u.symbol.symbol;

    return node->alphabet == TG_ALPHABET_RM &&
           (symbol == NULL || (symbol->name[0] != '\0' && symbol->name[1] == '\0'));
}

static void read_with_look(TgForteReader *self, const TgNode *node, TgForteLook look)
{
    const TgSymbol *symbol = node->u.symbol.symbol;
    const gunichar code = node->u.symbol.code;

    if (symbol != NULL && code == symbol->codepoint)
        tg_forte_put_spelling(self, tg_forte_tables_symbol(self->tables, symbol), look);
    else if (code != 0) /* not in the table, or an angle typed as \left< */
        tg_forte_put_character(self, code, look);
}

void tg_forte_read_symbol(TgForteReader *self, const TgNode *node)
{
    TgForteLook look = tg_forte_look_of(node);

    look.font = (guint8) font_of(self, node);
    look.upright = is_upright(node) != FALSE;
    read_with_look(self, node, look);
}

void tg_forte_read_delimiter(TgForteReader *self, const TgNode *node)
{
    read_with_look(self, node, tg_forte_look_of(node));
}

/* The blank between two words of text, before the character @node. */
static void put_blank(TgForteReader *self, const TgNode *node)
{
    const TgForteLook look = { .start = node->start, .end = node->start };

    if (self->blank && self->text_end == self->tokens->len &&
        g_unichar_isalnum(node->u.character.code))
        tg_forte_put(self, TG_FORTE_BLANK, TG_FORTE_PUNCTUATION, look);
    self->blank = FALSE;
}

void tg_forte_read_char(TgForteReader *self, const TgNode *node)
{
    TgForteLook look = tg_forte_look_of(node);

    if (g_unichar_isspace(node->u.character.code)) {
        self->blank = self->text_end == self->tokens->len;
        return;
    }
    look.upright = 1;
    look.font = node->u.character.font.bold ? TG_FORTE_BOLD : TG_FORTE_PLAIN;
    put_blank(self, node);
    tg_forte_put_character(self, node->u.character.code, look);
    self->reading->has_text = TRUE;
    self->text_end = g_unichar_isalnum(node->u.character.code) ? self->tokens->len : G_MAXUINT32;
}

void tg_forte_read_space(TgForteReader *self, const TgNode *node)
{
    const TgLength amount = node->u.space.amount;

    if (!node->u.space.vertical && (amount.value > 0 || amount.fil > 0) &&
        self->text_end == self->tokens->len)
        self->blank = TRUE;
}

void tg_forte_read_operator(TgForteReader *self, const TgNode *node)
{
    const gboolean before = self->function;

    self->function = TRUE;
    self->read_node(self, node->u.op.body);
    self->function = before;
}

void tg_forte_read_error(TgForteReader *self, const TgNode *node)
{
    const char *text = node->u.error.text;
    const gsize len = strlen(text);
    const TgForteLook look = tg_forte_look_of(node);

    if (text[0] == '\\' && text[1] != '\0') {
        tg_forte_put_command(self, text + 1, len - 1, look);
        return;
    }
    for (gsize at = 0; at < len;) {
        gunichar code;

        at += tg_utf8_decode(text + at, len - at, &code); /* it may not be valid UTF-8 */
        tg_forte_put_character(self, code, look);
    }
}

/* ---- Accents ------------------------------------------------------------------------------- */

static void put_accent(TgForteReader *self, guint32 begin, const char *command, const TgNode *node)
{
    const TgForteName name = tg_forte_tables_accent(self->tables, command);

    if (name != 0)
        tg_forte_accent(self, begin, name, tg_forte_look_of(node));
    else
        tg_forte_put_command(self, command, strlen(command), tg_forte_look_of(node));
}

/* \d E in mathematics: a one-letter accent of text, there rather a macro of the author's. */
static gboolean is_stray_accent(const TgForteReader *self, const TgNode *node)
{
    const TgNode *base = node->u.accent.base;

    if (self->source[node->start] != '\\' || !g_ascii_isalpha(self->source[node->start + 1]) ||
        g_ascii_isalpha(self->source[node->start + 2]))
        return FALSE;
    return base != NULL && base->kind == TG_NODE_LIST && base->u.list.first != NULL &&
           base->u.list.first->kind == TG_NODE_SYMBOL;
}

/* The letter of the three of them that LaTeX takes in mathematics, where they make a box of text; 0
 * of other text. */
static char boxed_accent(const TgNode *text)
{
    const TgNode *first = text->u.text.body->u.list.first;

    if (first == NULL || first->kind != TG_NODE_ACCENT || first->start != text->start)
        return 0;
    switch (first->u.accent.code) {
    case 0x323:
        return 'd';
    case 0x327:
        return 'c';
    case 0x331:
        return 'b';
    default:
        return 0;
    }
}

/* \d E in mathematics, where \d is rather a macro of the author's: \d and E. FALSE: @text is other
 * text.
 */
static gboolean read_boxed_accent(TgForteReader *self, const TgNode *text)
{
    const char command = boxed_accent(text);
    const TgForteLook look = tg_forte_look_of(text);

    if (command == 0)
        return FALSE;
    tg_forte_put_command(self, &command, 1, look);
    const TgNode *base = text->u.text.body->u.list.first->u.accent.base;
    for (const TgNode *item = base->u.list.first; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_CHAR)
            tg_forte_put_character(self, item->u.character.code, look);
        else
            self->read_node(self, item);
    }
    return TRUE;
}

void tg_forte_read_text(TgForteReader *self, const TgNode *node)
{
    if (!read_boxed_accent(self, node))
        self->read_node(self, node->u.text.body);
}

void tg_forte_read_accent(TgForteReader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len;
    const TgForteName mark = tg_forte_tables_mark(self->tables, node->u.accent.code);

    if (is_stray_accent(self, node)) {
        tg_forte_put_command(self, self->source + node->start + 1, 1, tg_forte_look_of(node));
        self->read_node(self, node->u.accent.base);
        return;
    }
    if (node->u.accent.base != NULL)
        self->read_node(self, node->u.accent.base);
    if (mark != 0)
        tg_forte_accent(self, begin, mark, tg_forte_look_of(node));
    else if (node->u.accent.symbol != NULL)
        put_accent(self, begin, node->u.accent.symbol->name, node);
}

void tg_forte_read_stretch(TgForteReader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len;

    self->read_node(self, node->u.stretch.body);
    put_accent(self, begin, tg_stretch_names[node->u.stretch.form], node);
}

void tg_forte_read_enclosure(TgForteReader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len;

    self->read_node(self, node->u.enclose.body);
    if (node->u.enclose.form >= TG_ENCLOSE_CANCEL && node->u.enclose.form <= TG_ENCLOSE_STRIKE)
        put_accent(self, begin, "cancel", node);
    else if (node->u.enclose.form == TG_ENCLOSE_CIRCLE)
        put_accent(self, begin, "textcircled", node);
}

/* ---- Negation ------------------------------------------------------------------------------ */

/* Put the stroke of \not through the tokens since @begin. */
static void negate(TgForteReader *self, guint32 begin, const TgNode *node)
{
    TgForteToken *token = &g_array_index(self->tokens, TgForteToken, begin);
    const guint32 n = self->tokens->len - begin;
    const TgForteName negation = n == 1 ? tg_forte_tables_negation(self->tables, token->name) : 0;

    if (negation != 0) {
        token->name = negation;
        token->kind = (guint8) tg_forte_tables_kind(self->tables, negation);
    } else if (n > 0) {
        tg_forte_accent(self, begin, tg_forte_tables_mark(self->tables, 0x0338),
                        tg_forte_look_of(node));
    }
}

void tg_forte_read_item(TgForteReader *self, const TgNode *node)
{
    const gboolean negated = self->negate;
    const guint32 begin = self->tokens->len;

    if (tg_node_is_symbol(node, "not")) {
        self->negate = TRUE;
        return;
    }
    if (node->kind == TG_NODE_SCRIPTS) { /* the stroke goes through the nucleus */
        self->read_node(self, node);
        return;
    }
    self->negate = FALSE;
    self->read_node(self, node);
    if (negated)
        negate(self, begin, node);
}
