/* The storage of a formula tree. */
#include "tokenizer/tree/tree.h"

#include <string.h>

#include "tokenizer/tree/tree_private.h"

TgTree *tg_tree_new(const char *tex, gsize len)
{
    TgTree *tree = g_new0(TgTree, 1);
    char *copy = tg_arena_alloc(&tree->arena, len + 1);

    if (len > 0)
        memcpy(copy, tex, len);
    copy[len] = '\0';
    tree->source = copy;
    tree->len = len;
    return tree;
}

void tg_tree_free(TgTree *tree)
{
    if (tree == NULL)
        return;
    tg_arena_clear(&tree->arena);
    g_free(tree);
}

const TgNode *tg_tree_root(const TgTree *tree)
{
    return tree->root;
}

const char *tg_tree_source(const TgTree *tree, gsize *len)
{
    if (len != NULL)
        *len = tree->len;
    return tree->source;
}

const TgInkToken *tg_tree_tokens(const TgTree *tree, guint *n)
{
    *n = tree->n_tokens;
    return tree->tokens;
}

const TgParseError *tg_tree_errors(const TgTree *tree, guint *n)
{
    *n = tree->n_errors;
    return tree->errors;
}

guint tg_tree_n_nodes(const TgTree *tree)
{
    return tree->n_nodes;
}
