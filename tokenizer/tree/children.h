/* Walking over the children of a node. */
#pragma once

#include "tokenizer/tree/fields.h"

G_BEGIN_DECLS

/** Walks over the children of one node, in the order of the tree's fields; arrays row by row. */
typedef struct {
    TgRole role;         /**< (out) of the child just given */
    TgContent content;   /**< (out) what it consists of; MATH for parts of lists and arrays */
    guint32 row, column; /**< (out) of a CELL, from 0 */
    /*< private >*/
    const TgNode *parent, *item;
    const TgNodeField *field;
    guint32 step, i, j, k;
} TgChildIter;

void tg_child_iter_init(TgChildIter *iter, const TgNode *parent);

/** The next child, or NULL at the end; absent children are left out. */
const TgNode *tg_child_iter_next(TgChildIter *iter);

G_END_DECLS
