/* Walking over the children of a node. */
#include "tokenizer/tree/children.h"

#include "tokenizer/tree/array.h"

void tg_child_iter_init(TgChildIter *iter, const TgNode *parent)
{
    *iter = (TgChildIter){ .parent = parent, .field = tg_node_fields((TgNodeKind) parent->kind) };
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

    for (const TgNodeField *field = iter->field; field->type != TG_NODE_FIELD_END; field++) {
        const TgNode *child =
            field->type == TG_NODE_FIELD_CHILD ? tg_node_child(iter->parent, field) : NULL;

        if (child == NULL)
            continue;
        iter->field = field + 1;
        iter->role = (TgRole) field->role;
        iter->content = (TgContent) field->content;
        return child;
    }
    return NULL;
}
