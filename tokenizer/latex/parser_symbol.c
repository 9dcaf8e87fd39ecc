/* Symbols of mathematics, accents and named operators. */
#include "tokenizer/latex/handlers.h"
#include "tokenizer/symbols/symbols.h"

const TgSymbol *tg_parser_accent_of_mark(gunichar mark)
{
    static const struct {
        guint16 mark;
        const char *name;
    } accents[] = {
        { 0x0300, "grave" }, { 0x0301, "acute" },    { 0x0302, "hat" },   { 0x0303, "tilde" },
        { 0x0304, "bar" },   { 0x0305, "bar" },      { 0x0306, "breve" }, { 0x0307, "dot" },
        { 0x0308, "ddot" },  { 0x030A, "mathring" }, { 0x030C, "check" }, { 0x20D7, "vec" },
        { 0x20DB, "dddot" }, { 0x20DC, "ddddot" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(accents); i++) {
        if (accents[i].mark == mark)
            return tg_symbol_find(accents[i].name, strlen(accents[i].name));
    }
    return NULL;
}

guint tg_parser_is_prime(const TgTexToken *token)
{
    char source[TG_UNICODE_SOURCE_MAX];

    if (token->kind != TG_TOK_CHAR)
        return 0;
    if (token->code == '\'' || token->code == 0x2019)
        return 1;
    if (token->code < 0x2032 || token->code > 0x2057 || !tg_unicode_source(token->code, source))
        return 0;
    return (guint) strspn(source, "'");
}

TgNode *tg_parser_symbol_node(TgParser *self, const TgTexToken *token, const TgSymbol *symbol,
                              gunichar code)
{
    TgNode *node = tg_parser_node(self, TG_NODE_SYMBOL, token);

    node->u.symbol.symbol = symbol;
    node->u.symbol.code = code;
    node->math_class = symbol != NULL ? symbol->math_class : TG_CLASS_ORD;
    node->alphabet = self->font.alphabet;
    node->bold = self->font.bold;
    node->token = tg_parser_ink(self, token, 0);
    return node;
}

/* \sin, \lim: upright letters that the symbol table gives as LaTeX. */
static void append_operator(TgParser *self, const TgTexToken *token, const TgSymbol *symbol)
{
    TgNode *node = tg_parser_node(self, TG_NODE_OPERATOR, token);
    const guint8 alphabet = self->font.alphabet;

    self->font.alphabet = TG_ALPHABET_RM;
    node->u.op.body = tg_parser_sublist(
        self, tg_expander_lex(&self->in, symbol->latex, strlen(symbol->latex), token), FALSE,
        token);
    self->font.alphabet = alphabet;
    node->u.op.limits =
        (symbol->flags & TG_SYMBOL_NO_LIMITS) != 0 ? TG_LIMITS_OFF : TG_LIMITS_DISPLAY;
    node->math_class = TG_CLASS_OP;
    tg_parser_append(self, node);
}

static void append_accent(TgParser *self, const TgTexToken *token, const TgSymbol *symbol)
{
    TgNode *node = tg_parser_node(self, TG_NODE_ACCENT, token);

    node->u.accent.symbol = symbol;
    node->u.accent.code = symbol->codepoint;
    node->u.accent.wide = (symbol->flags & TG_SYMBOL_WIDE) != 0;
    node->alphabet = self->font.alphabet;
    node->token = tg_parser_ink(self, token, 0);
    node->u.accent.base = tg_parser_argument(self, token, "a base");
    tg_parser_append(self, node);
}

void tg_parser_symbol(TgParser *self, const TgTexToken *token, const TgSymbol *symbol)
{
    if (symbol->kind == TG_SYMBOL_ACCENT)
        append_accent(self, token, symbol);
    else if (symbol->kind == TG_SYMBOL_OPERATOR)
        append_operator(self, token, symbol);
    else
        tg_parser_append(self, tg_parser_symbol_node(self, token, symbol, symbol->codepoint));
}
