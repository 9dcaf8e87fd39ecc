/* Reads what stands alone in FORTE's tokens: symbols, characters, accents over something. */
#include <string.h>

#include "metrics/forte/reader.h"

/* ---- Symbols ------------------------------------------------------------------------------- */

TgForteLook tg_forte_look_of(const TgNode *node)
{
    return (TgForteLook){ .start = node->start, .end = node->end };
}

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
    default:
        return node->bold ? TG_FORTE_BOLD : TG_FORTE_PLAIN;
    }
}

/* Whether \mathrm makes the symbol upright: it is typed as a character. */
static gboolean is_upright(const TgNode *node)
{
    const TgSymbol *symbol = node->u.symbol.symbol;

    return node->alphabet == TG_ALPHABET_RM &&
           (symbol == NULL || (symbol->name[0] != '\0' && symbol->name[1] == '\0'));
}

void tg_forte_read_symbol(TgForteReader *self, const TgNode *node, gboolean fence)
{
    const TgSymbol *symbol = node->u.symbol.symbol;
    const gunichar code = node->u.symbol.code;
    TgForteLook look = tg_forte_look_of(node);

    if (!fence) {
        look.font = (guint8) font_of(self, node);
        look.upright = is_upright(node) != FALSE;
    }
    if (symbol != NULL && code == symbol->codepoint)
        tg_forte_put_spelling(self, tg_forte_tables_symbol(self->tables, symbol), look);
    else if (code != 0) /* not in the table, or an angle typed as \left< */
        tg_forte_put_character(self, code, look);
}

void tg_forte_read_fence(TgForteReader *self, const TgNode *node)
{
    if (node != NULL)
        tg_forte_read_symbol(self, node, TRUE);
}

void tg_forte_read_char(TgForteReader *self, const TgNode *node)
{
    TgForteLook look = tg_forte_look_of(node);

    if (g_unichar_isspace(node->u.character.code))
        return;
    look.upright = 1;
    look.font = node->u.character.font.bold ? TG_FORTE_BOLD : TG_FORTE_PLAIN;
    tg_forte_put_character(self, node->u.character.code, look);
}

/* Something that the parser could not read shows its source. */
void tg_forte_read_error(TgForteReader *self, const TgNode *node)
{
    const char *text = node->u.error.text;
    const TgForteLook look = tg_forte_look_of(node);

    if (text[0] == '\\' && text[1] != '\0') {
        tg_forte_put_command(self, text + 1, strlen(text + 1), look);
        return;
    }
    for (const char *at = text; *at != '\0'; at = g_utf8_next_char(at))
        tg_forte_put_character(self, g_utf8_get_char(at), look);
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

/* \\d E in mathematics: a one-letter accent of text, which there is a macro of the writer's. */
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

gboolean tg_forte_read_boxed_accent(TgForteReader *self, const TgNode *text)
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
            tg_forte_read_node(self, item);
    }
    return TRUE;
}

void tg_forte_read_accent(TgForteReader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len;
    const TgForteName mark = tg_forte_tables_mark(self->tables, node->u.accent.code);

    if (is_stray_accent(self, node)) {
        tg_forte_put_command(self, self->source + node->start + 1, 1, tg_forte_look_of(node));
        tg_forte_read_node(self, node->u.accent.base);
        return;
    }
    if (node->u.accent.base != NULL)
        tg_forte_read_node(self, node->u.accent.base);
    if (mark != 0)
        tg_forte_accent(self, begin, mark, tg_forte_look_of(node));
    else if (node->u.accent.symbol != NULL)
        put_accent(self, begin, node->u.accent.symbol->name, node);
}

void tg_forte_read_stretch(TgForteReader *self, const TgNode *node)
{
    static const char *const commands[] = {
        [TG_STRETCH_OVERLINE] = "overline",
        [TG_STRETCH_UNDERLINE] = "underline",
        [TG_STRETCH_OVERBRACE] = "overbrace",
        [TG_STRETCH_UNDERBRACE] = "underbrace",
        [TG_STRETCH_OVERBRACKET] = "overbracket",
        [TG_STRETCH_UNDERBRACKET] = "underbracket",
        [TG_STRETCH_OVERPAREN] = "overparen",
        [TG_STRETCH_UNDERPAREN] = "underparen",
        [TG_STRETCH_OVERRIGHTARROW] = "overrightarrow",
        [TG_STRETCH_OVERLEFTARROW] = "overleftarrow",
        [TG_STRETCH_OVERLEFTRIGHTARROW] = "overleftrightarrow",
        [TG_STRETCH_UNDERRIGHTARROW] = "underrightarrow",
        [TG_STRETCH_UNDERLEFTARROW] = "underleftarrow",
        [TG_STRETCH_UNDERLEFTRIGHTARROW] = "underleftrightarrow",
    };
    const guint32 begin = self->tokens->len;

    tg_forte_read_node(self, node->u.stretch.body);
    put_accent(self, begin, commands[node->u.stretch.form], node);
}

void tg_forte_read_enclosure(TgForteReader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len;

    tg_forte_read_node(self, node->u.enclose.body);
    if (node->u.enclose.form >= TG_ENCLOSE_CANCEL && node->u.enclose.form <= TG_ENCLOSE_STRIKE)
        put_accent(self, begin, "cancel", node);
}

/* What \not made of the tokens since @begin. */
void tg_forte_negate(TgForteReader *self, guint32 begin, const TgNode *node)
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
