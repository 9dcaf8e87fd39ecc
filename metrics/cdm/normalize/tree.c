/* Nodes and who owns them. */
#include "metrics/cdm/normalize/tree.h"

static void node_free(gpointer data)
{
    TgCdmNode *node = data;

    g_free(node->text);
    g_free(node->right);
    g_clear_pointer(&node->children, g_ptr_array_unref);
    g_free(node);
}

TgCdmSyntax *tg_cdm_syntax_new(void)
{
    TgCdmSyntax *syntax = g_new0(TgCdmSyntax, 1);

    syntax->nodes = g_ptr_array_new_with_free_func(node_free);
    syntax->tokens_read = g_string_new(NULL);
    return syntax;
}

void tg_cdm_syntax_free(TgCdmSyntax *syntax)
{
    if (syntax == NULL)
        return;
    g_clear_pointer(&syntax->children, g_ptr_array_unref);
    g_clear_pointer(&syntax->nodes, g_ptr_array_unref);
    g_string_free(syntax->tokens_read, TRUE);
    g_free(syntax);
}

TgCdmNode *tg_cdm_node_new(TgCdmSyntax *syntax, TgCdmNodeKind kind)
{
    TgCdmNode *node = g_new0(TgCdmNode, 1);

    node->kind = kind;
    g_ptr_array_add(syntax->nodes, node);
    return node;
}

TgCdmNode *tg_cdm_node_new_group(TgCdmSyntax *syntax, GPtrArray *children)
{
    TgCdmNode *group = tg_cdm_node_new(syntax, TG_CDM_NODE_GROUP);

    group->children = children;
    return group;
}

TgCdmNode *tg_cdm_node_new_function(TgCdmSyntax *syntax, const TgCdmFunction *function,
                                    const char *name, TgCdmRange at)
{
    TgCdmNode *node = tg_cdm_node_new(syntax, TG_CDM_NODE_FUNCTION);

    node->function = function;
    node->text = g_strdup(name);
    node->limits = function->limits;
    node->at = at;
    return node;
}

gboolean tg_cdm_node_is_function(const TgCdmNode *node, TgCdmFunctionKind kind)
{
    return node != NULL && node->kind == TG_CDM_NODE_FUNCTION && node->function->kind == kind;
}
