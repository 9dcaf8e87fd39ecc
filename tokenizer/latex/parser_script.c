/* Scripts, primes and \limits, which belong to the atom before. */
#include "tokenizer/latex/handlers.h"
#include "tokenizer/symbols/symbols.h"
#include "tokenizer/tree/tree.h"

gboolean tg_parser_takes_scripts(const TgNode *node)
{
    switch ((TgNodeKind) node->kind) {
    case TG_NODE_MIDDLE:
    case TG_NODE_CHOICE:
    case TG_NODE_CHAR:
    case TG_NODE_MATH:
    case TG_NODE_STYLE:
    case TG_NODE_SIZE:
    case TG_NODE_SPACE:
    case TG_NODE_BREAK:
    case TG_NODE_TAG:
    case TG_NODE_PHANTOM:
        return FALSE;
    case TG_NODE_COLOR:
        return node->u.color.body != NULL;
    default:
        return TRUE;
    }
}

/* A SCRIPTS without an atom, as TeX makes one where there is none. */
static TgNode *append_scripts(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_SCRIPTS, token);

    tg_parser_append(self, node);
    return node;
}

/* The SCRIPTS that a script met now belongs to: around the last atom, which keeps its place. */
static TgNode *scripts_here(TgParser *self, const TgTexToken *token)
{
    TgNode *last = self->scope->last;

    if (last == NULL || !tg_parser_takes_scripts(last))
        return append_scripts(self, token);
    if (last->kind == TG_NODE_SCRIPTS)
        return last;

    const TgNode *nucleus = tg_parser_wrap_last(self, TG_NODE_SCRIPTS);
    last->u.scripts.nucleus = nucleus;
    return last;
}

static void set_script(TgParser *self, TgNode *node, const TgNode *list, gboolean sup)
{
    if (sup)
        node->u.scripts.sup = list;
    else
        node->u.scripts.sub = list;
    node->end = MAX(node->end, MAX(list->end, self->in.end));
}

/* As scripts_here(), but never one that has such a script already. */
static TgNode *scripts_with_room(TgParser *self, const TgTexToken *token, gboolean sup)
{
    TgNode *node = scripts_here(self, token);

    if ((sup ? node->u.scripts.sup : node->u.scripts.sub) == NULL)
        return node;
    tg_parser_error(self, token, TG_PARSE_SCRIPT, "double %s", sup ? "superscript" : "subscript");
    return append_scripts(self, token);
}

void tg_parser_script(TgParser *self, const TgTexToken *token)
{
    const gboolean sup = token->kind == TG_TOK_SUP;
    TgNode *node = scripts_with_room(self, token, sup);

    set_script(self, node, tg_parser_script_argument(self, token), sup);
}

/* Whether the next token, behind white space or not, is a prime or ^; it is taken then. */
static gboolean next_of_primes(TgParser *self, TgTexToken *token)
{
    TgTexToken next = tg_expander_raw(&self->in);
    const gboolean spaced = next.kind == TG_TOK_SPACE;

    if (spaced)
        next = tg_expander_raw(&self->in);
    if (next.kind != TG_TOK_SUP && !tg_parser_is_prime(&next)) {
        tg_expander_unread(&self->in, &next);
        return FALSE;
    }
    if (spaced) /* TeX looks at the very next token only */
        tg_parser_error(self, &next, TG_PARSE_SCRIPT, "double superscript: space before %.*s",
                        TG_TOKEN_TEXT(&next));
    *token = next;
    return TRUE;
}

/* Put the items of @more behind those of the list @list. */
static void join_lists(TgNode *list, TgNode *last, const TgNode *more)
{
    if (last != NULL)
        last->next = more->u.list.first;
    else
        list->u.list.first = more->u.list.first;
    list->u.list.n_items += more->u.list.n_items;
    list->end = MAX(list->end, more->end);
}

void tg_parser_primes(TgParser *self, const TgTexToken *first)
{
    TgNode *node = scripts_with_room(self, first, TRUE);
    TgNode *list = tg_parser_node(self, TG_NODE_LIST, first);
    const TgSymbol *prime = tg_symbol_find("prime", strlen("prime"));
    TgNode *last = NULL;
    TgTexToken token = *first;

    list->u.list.braced = 1;
    for (;;) {
        if (token.kind == TG_TOK_SUP) {
            join_lists(list, last, tg_parser_script_argument(self, &token));
            break;
        }
        for (guint n = tg_parser_is_prime(&token); n > 0; n--) {
            TgNode *item = tg_parser_symbol_node(self, &token, prime, prime->codepoint);

            if (last != NULL)
                last->next = item;
            else
                list->u.list.first = item;
            last = item;
            list->u.list.n_items++;
            node->u.scripts.n_primes++;
        }
        list->end = MAX(list->end, token.end);
        if (!next_of_primes(self, &token))
            break;
    }
    set_script(self, node, list, TRUE);
}

/* \limits, \nolimits and \displaylimits follow an Op. */
void tg_parser_limits(TgParser *self, const TgTexToken *token)
{
    const TgNode *last = self->scope->last;

    if (last == NULL || tg_node_class(last) != TG_CLASS_OP) {
        tg_parser_error(self, token, TG_PARSE_LIMITS, "%.*s must follow an operator",
                        TG_TOKEN_TEXT(token));
        return;
    }
    scripts_here(self, token)->u.scripts.limits = (guint8) token->command->value;
}
