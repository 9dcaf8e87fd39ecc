/* Fuzz target: parsing of any bytes ends, and what it gives is a sound tree. */
#include "tests/fuzz/fuzz.h"

#include <glib.h>

#include "tokenizer/latex/parse.h"
#include "tokenizer/tree/tree.h"

#define MAX_DEPTH (8 * 60)

/* Every node has a span inside the source and a token that exists; counts the nodes seen. */
static void check_node(const TgTree *tree, const TgNode *node, guint depth, guint *n_seen)
{
    TgChildIter iter = tg_child_iter(node);
    const TgNode *child;

    g_assert_cmpuint(depth, <, MAX_DEPTH);
    g_assert_cmpuint(node->kind, <, TG_N_NODE_KINDS);
    g_assert_cmpuint(node->start, <=, node->end);
    g_assert_cmpuint(node->end, <=, tree->len);
    g_assert_true(node->token == TG_NO_TOKEN || node->token < tree->n_tokens);
    ++*n_seen;

    while ((child = tg_child_iter_next(&iter)) != NULL)
        check_node(tree, child, depth + 1, n_seen);
}

static void check_tree(const TgTree *tree)
{
    guint n_seen = 0;

    check_node(tree, tree->root, 0, &n_seen);
    g_assert_cmpuint(n_seen, <=, tree->n_nodes);

    const TgInkToken *tokens = tree->tokens;
    guint n = tree->n_tokens;
    for (guint i = 0; i < n; i++) {
        g_assert_cmpuint(tokens[i].start, <, tokens[i].end);
        g_assert_cmpuint(tokens[i].end, <=, tree->len);
        g_assert_true(i == 0 || tokens[i - 1].start < tokens[i].start);
    }

    const TgParseError *errors = tree->errors;
    n = tree->n_errors;
    for (guint i = 0; i < n; i++) {
        g_assert_cmpuint(errors[i].start, <=, errors[i].end);
        g_assert_cmpuint(errors[i].end, <=, tree->len);
        g_assert_cmpuint(errors[i].column, >=, 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    TgParseOptions options = { .max_depth = 60, .max_expansions = 200, .max_columns = 50 };
    g_autoptr(GError) error = NULL;
    g_autoptr(TgTree) tolerant = tg_tree_parse((const char *) data, size, &options, NULL);

    if (tolerant != NULL)
        check_tree(tolerant);

    options.strict = TRUE;
    options.source = TG_SOURCE_MATH;
    g_autoptr(TgTree) strict = tg_tree_parse((const char *) data, size, &options, &error);
    if (strict != NULL)
        check_tree(strict);
    else
        g_assert_error(error, TG_ERROR, TG_ERROR_PARSE);
    return 0;
}
