/* Lists of nodes that \ce writes. */
#include "tokenizer/latex/chemistry.h"

#include "tokenizer/symbols/symbols.h"

void tg_chem_add(TgChemList *self, TgNode *node)
{
    if (self->last != NULL)
        self->last->next = node;
    else
        self->first = node;
    self->last = node;
    self->n++;
}

void tg_chem_add_run(TgChemList *self, TgTexTokens tokens, TgAlphabet alphabet)
{
    TgParser *parser = self->parser;
    const TgFontState before = parser->font;

    if (tokens.n == 0)
        return;
    parser->font.alphabet = alphabet;
    const TgNode *list = tg_parser_sublist(parser, tokens, FALSE, &tokens.tokens[tokens.n - 1]);
    parser->font = before;
    if (list->u.list.first == NULL)
        return;
    if (self->last != NULL)
        self->last->next = list->u.list.first;
    else
        self->first = (TgNode *) list->u.list.first; /* the tree is still being built */
    self->last = parser->tail;
    self->n += list->u.list.n_items;
}

void tg_chem_add_latex(TgChemList *self, const char *latex, const TgTexToken *at)
{
    tg_chem_add_run(self, tg_expander_lex(&self->parser->in, latex, strlen(latex), at),
                    TG_ALPHABET_DEFAULT);
}

void tg_chem_add_sign(TgChemList *self, const char *name, const TgTexToken *at)
{
    const TgSymbol *symbol = name[1] == '\0' ? tg_symbol_find_char((guchar) name[0])
                                             : tg_symbol_find(name, strlen(name));
    const TgFontState before = self->parser->font;

    self->parser->font.alphabet = TG_ALPHABET_DEFAULT;
    TgNode *node = tg_parser_symbol_node(self->parser, at, symbol, symbol->codepoint);
    self->parser->font = before;
    node->u.symbol.chemistry = 1;
    tg_chem_add(self, node);
}

TgNode *tg_chem_take(TgChemList *self, const TgTexToken *from, const TgTexToken *to)
{
    TgNode *list = tg_parser_node(self->parser, TG_NODE_LIST, from);

    list->end = MAX(from->end, to->end);
    list->u.list.first = self->first;
    list->u.list.n_items = self->n;
    list->u.list.braced = 1;
    self->first = self->last = NULL;
    self->n = 0;
    return list;
}

guint32 tg_chem_end_of(TgTexTokens tokens, guint32 at)
{
    const TgTexToken *first = &tokens.tokens[at];
    guint depth = 0;

    if (first->kind != TG_TOK_OPEN && first->kind != TG_TOK_DOLLAR)
        return at + 1;
    for (at += first->kind == TG_TOK_DOLLAR; at < tokens.n; at++) {
        const TgTexToken *token = &tokens.tokens[at];

        if (token->kind == TG_TOK_DOLLAR && first->kind == TG_TOK_DOLLAR && depth == 0)
            return at + 1;
        depth += token->kind == TG_TOK_OPEN;
        if (token->kind == TG_TOK_CLOSE && depth > 0 && --depth == 0 && first->kind == TG_TOK_OPEN)
            return at + 1;
    }
    return tokens.n;
}
