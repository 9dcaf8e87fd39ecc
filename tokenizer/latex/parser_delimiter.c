/* Delimiters: \left, \middle, \right and the \big family. */
#include "tokenizer/latex/handlers.h"
#include "tokenizer/symbols/symbols.h"

/* The symbol that @token is as a delimiter, or NULL. */
static const TgSymbol *delimiter_of(const TgTexToken *token)
{
    const TgSymbol *symbol = NULL;

    if (token->kind == TG_TOK_CHAR)
        symbol = tg_symbol_find_char(token->code);
    else if (token->kind == TG_TOK_COMMAND && token->command == NULL)
        symbol = token->symbol;
    return symbol != NULL && (symbol->flags & TG_SYMBOL_DELIMITER) != 0 ? symbol : NULL;
}

static TgNode *delimiter_node(TgParser *self, const TgTexToken *token, const TgSymbol *symbol)
{
    gunichar code = symbol->codepoint;

    if (code == '<' || code == '>') /* these are angles here */
        code = code == '<' ? 0x27E8 : 0x27E9;
    return tg_parser_symbol_node(self, token, symbol, code);
}

TgNode *tg_parser_delimiter(TgParser *self, const TgTexToken *owner)
{
    const TgTexToken token = tg_expander_next_nonspace(&self->in);
    const TgSymbol *symbol = delimiter_of(&token);

    if (symbol != NULL)
        return delimiter_node(self, &token, symbol);
    if (tg_token_is_char(&token, '.'))
        return NULL;

    tg_parser_error(self, owner, TG_PARSE_DELIMITER, "%.*s needs a delimiter",
                    TG_TOKEN_TEXT(owner));
    /* A bare brace is read as a delimiter, unless it closes a group. */
    if (token.kind == TG_TOK_OPEN ||
        (token.kind == TG_TOK_CLOSE && self->open[TG_SCOPE_BRACE] == 0))
        return delimiter_node(self, &token, tg_symbol_find(token.text, 1));
    tg_expander_unread(&self->in, &token);
    return NULL;
}

TgNode *tg_parser_fence(TgParser *self, const TgTexToken *token, const char *name)
{
    const TgSymbol *symbol = tg_symbol_find(name, strlen(name));
    TgNode *node;

    if (symbol == NULL)
        symbol = tg_symbol_find_char((guchar) name[0]);
    node = delimiter_node(self, token, symbol);
    tg_parser_ink(self, token, TG_INK_FENCE);
    return node;
}

void tg_parser_left(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_DELIMITED, token);

    node->u.delimited.left = tg_parser_delimiter(self, token);
    node->u.delimited.body = tg_parser_list(self, TG_SCOPE_LEFT, FALSE, token);
    if (self->stop.kind == TG_TOK_COMMAND)
        node->u.delimited.right = tg_parser_delimiter(self, &self->stop);
    tg_parser_append(self, node);
}

void tg_parser_right(TgParser *self, const TgTexToken *token)
{
    if (tg_parser_close(self, token, TG_SCOPE_LEFT))
        return;
    tg_parser_error(self, token, TG_PARSE_DELIMITER, "\\right without \\left");

    TgNode *delimiter = tg_parser_delimiter(self, token);
    if (delimiter != NULL)
        tg_parser_append(self, delimiter);
}

void tg_parser_middle(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_MIDDLE, token);

    if (self->scope->kind != TG_SCOPE_LEFT)
        tg_parser_error(self, token, TG_PARSE_DELIMITER, "\\middle outside \\left...\\right");
    node->u.big.delimiter = tg_parser_delimiter(self, token);
    tg_parser_append(self, node);
}

/* \big and related commands: value is the size, detail the class. */
void tg_parser_big(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_BIG, token);
    const TgTexToken next = tg_expander_raw_nonspace(&self->in);
    TgTexTokens list;

    tg_expander_unread(&self->in, &next);
    if (next.kind == TG_TOK_OPEN && tg_expander_argument(&self->in, &list)) /* \big{(} */
        tg_expander_insert(&self->in, list, 1);
    node->u.big.delimiter = tg_parser_delimiter(self, token);
    node->u.big.size = (guint8) token->command->value;
    node->math_class = token->command->detail;
    tg_parser_append(self, node);
}
