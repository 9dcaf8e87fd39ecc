/* The tree's storage, the names of its parts and walking over it. */
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

/* ---- Names --------------------------------------------------------------------------------- */

const char *tg_node_kind_name(TgNodeKind kind)
{
    static const char *const names[] = {
        "list",   "symbol",  "operator", "scripts", "sideset",   "fraction", "radical",
        "accent", "stretch", "stack",    "arrow",   "delimited", "middle",   "big",
        "class",  "bold",    "choice",   "array",   "text",      "char",     "math",
        "style",  "size",    "color",    "space",   "break",     "tag",      "phantom",
        "lap",    "raise",   "vcenter",  "enclose", "rule",      "error",
    };

    G_STATIC_ASSERT(G_N_ELEMENTS(names) == TG_N_NODE_KINDS);
    return names[kind];
}

const char *tg_role_name(TgRole role)
{
    static const char *const names[] = {
        "item", "nucleus", "sub",          "sup",    "pre-sub", "pre-sup", "num",       "den",
        "left", "right",   "body",         "index",  "over",    "under",   "delimiter", "display",
        "text", "script",  "scriptscript", "column", "cell",    "between",
    };

    G_STATIC_ASSERT(G_N_ELEMENTS(names) == TG_ROLE_BETWEEN + 1);
    return names[role];
}

const char *tg_parse_error_kind_name(TgParseErrorKind kind)
{
    static const char *const names[] = {
        "unknown-command",
        "unknown-environment",
        "missing-argument",
        "brace",
        "delimiter",
        "environment",
        "alignment",
        "script",
        "fraction",
        "limits",
        "length",
        "columns",
        "mode",
        "character",
        "macro",
        "color",
        "chemistry",
        "limit",
    };

    G_STATIC_ASSERT(G_N_ELEMENTS(names) == TG_PARSE_LIMIT + 1);
    return names[kind];
}

/* ---- Walking ------------------------------------------------------------------------------- */

#define MAX_FIELDS 6

typedef struct {
    const TgNode *node[MAX_FIELDS];
    TgRole role[MAX_FIELDS];
    guint n;
} Fields;

static void add_field(Fields *fields, TgRole role, const TgNode *node)
{
    if (node == NULL)
        return;
    fields->node[fields->n] = node;
    fields->role[fields->n++] = role;
}

/* The children of every kind but lists and arrays. */
static Fields fields_of(const TgNode *node)
{
    Fields f = { .n = 0 };

    switch ((TgNodeKind) node->kind) {
    case TG_NODE_OPERATOR:
        add_field(&f, TG_ROLE_BODY, node->u.op.body);
        break;
    case TG_NODE_SCRIPTS:
        add_field(&f, TG_ROLE_NUCLEUS, node->u.scripts.nucleus);
        add_field(&f, TG_ROLE_SUB, node->u.scripts.sub);
        add_field(&f, TG_ROLE_SUP, node->u.scripts.sup);
        break;
    case TG_NODE_SIDESET:
        add_field(&f, TG_ROLE_PRE_SUB, node->u.sideset.pre_sub);
        add_field(&f, TG_ROLE_PRE_SUP, node->u.sideset.pre_sup);
        add_field(&f, TG_ROLE_BODY, node->u.sideset.base);
        add_field(&f, TG_ROLE_SUB, node->u.sideset.post_sub);
        add_field(&f, TG_ROLE_SUP, node->u.sideset.post_sup);
        break;
    case TG_NODE_FRACTION:
        add_field(&f, TG_ROLE_LEFT, node->u.fraction.left);
        add_field(&f, TG_ROLE_NUM, node->u.fraction.num);
        add_field(&f, TG_ROLE_DEN, node->u.fraction.den);
        add_field(&f, TG_ROLE_RIGHT, node->u.fraction.right);
        break;
    case TG_NODE_RADICAL:
        add_field(&f, TG_ROLE_INDEX, node->u.radical.index);
        add_field(&f, TG_ROLE_BODY, node->u.radical.body);
        break;
    case TG_NODE_ACCENT:
        add_field(&f, TG_ROLE_BODY, node->u.accent.base);
        break;
    case TG_NODE_STRETCH:
        add_field(&f, TG_ROLE_BODY, node->u.stretch.body);
        break;
    case TG_NODE_STACK:
        add_field(&f, TG_ROLE_BODY, node->u.stack.base);
        add_field(&f, TG_ROLE_OVER, node->u.stack.over);
        add_field(&f, TG_ROLE_UNDER, node->u.stack.under);
        break;
    case TG_NODE_ARROW:
        add_field(&f, TG_ROLE_OVER, node->u.arrow.above);
        add_field(&f, TG_ROLE_UNDER, node->u.arrow.below);
        break;
    case TG_NODE_DELIMITED:
        add_field(&f, TG_ROLE_LEFT, node->u.delimited.left);
        add_field(&f, TG_ROLE_BODY, node->u.delimited.body);
        add_field(&f, TG_ROLE_RIGHT, node->u.delimited.right);
        break;
    case TG_NODE_MIDDLE:
    case TG_NODE_BIG:
        add_field(&f, TG_ROLE_DELIMITER, node->u.big.delimiter);
        break;
    case TG_NODE_CLASS:
    case TG_NODE_BOLD:
    case TG_NODE_MATH:
    case TG_NODE_VCENTER:
    case TG_NODE_TAG:
        add_field(&f, TG_ROLE_BODY, node->u.body.body);
        break;
    case TG_NODE_CHOICE:
        for (guint i = 0; i < 4; i++)
            add_field(&f, (TgRole) (TG_ROLE_DISPLAY + i), node->u.choice.style[i]);
        break;
    case TG_NODE_TEXT:
        add_field(&f, TG_ROLE_BODY, node->u.text.body);
        break;
    case TG_NODE_COLOR:
        add_field(&f, TG_ROLE_BODY, node->u.color.body);
        break;
    case TG_NODE_PHANTOM:
        add_field(&f, TG_ROLE_BODY, node->u.phantom.body);
        break;
    case TG_NODE_LAP:
        add_field(&f, TG_ROLE_BODY, node->u.lap.body);
        break;
    case TG_NODE_RAISE:
        add_field(&f, TG_ROLE_BODY, node->u.raise.body);
        break;
    case TG_NODE_ENCLOSE:
        add_field(&f, TG_ROLE_BODY, node->u.enclose.body);
        break;
    default:
        break;
    }
    return f;
}

void tg_child_iter_init(TgChildIter *iter, const TgNode *parent)
{
    *iter = (TgChildIter){ .parent = parent };
    if (parent->kind == TG_NODE_LIST)
        iter->item = parent->u.list.first;
}

static const TgNode *next_item(TgChildIter *iter)
{
    const TgNode *item = iter->item;

    if (item != NULL)
        iter->item = item->next;
    iter->role = TG_ROLE_ITEM;
    return item;
}

/* The next material of a column specification from @i on. */
static const TgNode *next_material(const TgColumnItem *items, guint32 n, guint32 *i)
{
    while (*i < n) {
        const TgNode *material = items[(*i)++].material;
        if (material != NULL)
            return material;
    }
    return NULL;
}

static const TgNode *next_between(const TgArray *array, guint32 *i)
{
    while (*i < array->n_between) {
        const TgNode *text = array->between[(*i)++].text;
        if (text != NULL)
            return text;
    }
    return NULL;
}

/* Cells row by row, each with the material of its own specification before it. */
static const TgNode *next_cell(TgChildIter *iter, const TgArray *array)
{
    for (; iter->i < array->n_rows; iter->i++, iter->j = 0, iter->k = 0) {
        const TgRow *row = &array->rows[iter->i];

        for (; iter->j < row->n_cells; iter->j++, iter->k = 0) {
            const TgCell *cell = &row->cells[iter->j];
            const TgNode *material = next_material(cell->columns, cell->n_columns, &iter->k);

            iter->row = iter->i;
            iter->column = iter->j;
            if (material != NULL) {
                iter->role = TG_ROLE_COLUMN;
                return material;
            }
            if (iter->k == cell->n_columns) {
                iter->k++; /* the content is given */
                iter->role = TG_ROLE_CELL;
                return cell->content;
            }
        }
    }
    return NULL;
}

static const TgNode *next_of_array(TgChildIter *iter)
{
    const TgArray *array = iter->parent->u.array;

    for (; iter->step < 5; iter->step++, iter->i = iter->j = iter->k = 0) {
        const TgNode *child = NULL;

        switch (iter->step) {
        case 0:
            iter->role = TG_ROLE_LEFT;
            child = iter->i++ == 0 ? array->left : NULL;
            break;
        case 1:
            iter->role = TG_ROLE_COLUMN;
            child = next_material(array->columns, array->n_column_items, &iter->i);
            break;
        case 2:
            child = next_cell(iter, array);
            break;
        case 3:
            iter->role = TG_ROLE_BETWEEN;
            child = next_between(array, &iter->i);
            break;
        default:
            iter->role = TG_ROLE_RIGHT;
            child = iter->i++ == 0 ? array->right : NULL;
            break;
        }
        if (child != NULL)
            return child;
    }
    return NULL;
}

const TgNode *tg_child_iter_next(TgChildIter *iter)
{
    if (iter->parent->kind == TG_NODE_LIST)
        return next_item(iter);
    if (iter->parent->kind == TG_NODE_ARRAY)
        return next_of_array(iter);

    const Fields fields = fields_of(iter->parent);
    if (iter->i >= fields.n)
        return NULL;
    iter->role = fields.role[iter->i];
    return fields.node[iter->i++];
}
