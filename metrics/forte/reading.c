/* Reads a formula as FORTE's tokens: parsing, and which function reads which kind of node. */
#include "metrics/forte/reading.h"

#include <string.h>

#include "metrics/forte/reader.h"
#include "metrics/forte/reading_structure.h"
#include "metrics/forte/reading_symbols.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/tree/reading.h"

/* ---- Nodes --------------------------------------------------------------------------------- */

static void forte_read_list(TgForteReader *self, const TgNode *list)
{
    const gboolean no_primes = list == self->no_primes;

    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        if (!no_primes || !tg_node_is_symbol(item, "prime"))
            tg_forte_read_item(self, item);
    }
}

static void read_node(TgForteReader *self, const TgNode *node)
{
    static void (*const by_kind[TG_N_NODE_KINDS])(TgForteReader *, const TgNode *) = {
        [TG_NODE_LIST] = forte_read_list,
        [TG_NODE_SYMBOL] = tg_forte_read_symbol,
        [TG_NODE_CHAR] = tg_forte_read_char,
        [TG_NODE_TEXT] = tg_forte_read_text,
        [TG_NODE_ERROR] = tg_forte_read_error,
        [TG_NODE_OPERATOR] = tg_forte_read_operator,
        [TG_NODE_ACCENT] = tg_forte_read_accent,
        [TG_NODE_STRETCH] = tg_forte_read_stretch,
        [TG_NODE_ENCLOSE] = tg_forte_read_enclosure,
        [TG_NODE_SCRIPTS] = tg_forte_read_scripts,
        [TG_NODE_STACK] = tg_forte_read_stack,
        [TG_NODE_ARROW] = tg_forte_read_arrow,
        [TG_NODE_FRACTION] = tg_forte_read_fraction,
        [TG_NODE_RADICAL] = tg_forte_read_radical,
        [TG_NODE_ARRAY] = tg_forte_read_array,
        [TG_NODE_BREAK] = tg_forte_read_break,
    };

    if (by_kind[node->kind] != NULL)
        by_kind[node->kind](self, node);
    else
        tg_forte_read_children(self, node);
}

/* ---- Sources ------------------------------------------------------------------------------- */

/* Add the tokens of @tex; FALSE with @error when it cannot be parsed. */
static gboolean read_source(TgForteReader *self, const char *tex, gsize len, guint *repairs,
                            GError **error)
{
    g_autoptr(TgTree) tree = tg_tree_parse(tex, len, NULL, error);

    if (tree == NULL)
        return FALSE;
    self->source = tg_tree_source(tree, NULL);
    read_node(self, tg_tree_root(tree));
    tg_tree_errors(tree, repairs);
    return TRUE;
}

/* @tex with spaces for the signs that begin comments, or NULL: there are none. */
static char *without_comment_signs(const char *tex)
{
    g_autofree char *text = g_strdup(tex);
    gboolean found = FALSE;

    for (char *at = text; *at != '\0'; at++) {
        if (at[0] == '\\' && at[1] != '\0') {
            at++;
        } else if (*at == '%') {
            *at = ' ';
            found = TRUE;
        }
    }
    return found ? g_steal_pointer(&text) : NULL;
}

gboolean tg_forte_read(TgForteNames *names, const char *tex, GArray *tokens, guint *repairs,
                       GError **error)
{
    TgForteReader reader = {
        .tables = tg_forte_names_tables(names),
        .names = names,
        .tokens = tokens,
        .read_node = read_node,
        .tail = { .end = G_MAXUINT32, .sub = TG_FORTE_NO_GROUP, .sup = TG_FORTE_NO_GROUP },
    };

    g_array_set_size(tokens, 0);
    *repairs = 0;
    if (!read_source(&reader, tex, strlen(tex), repairs, error))
        return FALSE;
    if (tokens->len == 0) { /* a line that begins with % is the formula, not a comment */
        g_autofree char *text = without_comment_signs(tex);
        if (text != NULL && !read_source(&reader, text, strlen(text), repairs, error))
            return FALSE;
    }
    tg_forte_finish(&reader);
    return TRUE;
}
