/* The walk over a formula's tree that lists its elements and rows: what its files share. */
#pragma once

#include "metrics/cdm_strict/formula.h"

typedef struct {
    TgStrictFormula *out;
    const gboolean *has_ink; /**< by token */
    guint32 n_tokens;
    guint32 *n_parts;  /**< elements so far, by token */
    GArray *pending;   /**< of guint32: children of the rows that are open */
    guint32 row_start; /**< where those of the innermost row begin */
    guint8 style;      /**< TgStyle in force */
    guint32 token;     /**< of the construct around, for what has none of its own */
    TgStrictCell cell; /**< in force */
    guint32 n_grids, n_cells;
    guint32 line;         /**< in force */
    const TgNode *fenced; /**< what alone stands between the \left and \right around */
    const TgNode *stroke; /**< \not that waits for its sign */
    guint n_error_elements;
} TgStrictReader;

/** A row that is open. */
typedef struct {
    guint32 row_start, pending, n_elements;
} TgStrictMark;

/**
 * List the elements of a tree.
 *
 * @has_ink: whether each token has ink in the drawing
 * @as_lines: put the lines of a formula that is broken (see below) into one row
 * @out: elements, groups, children are filled; boxes are not
 */
void tg_strict_read(const TgTree *tree, const gboolean *has_ink, gboolean as_lines,
                    TgStrictFormula *out);

/** Whether the formula is broken into lines by an array around all of it. */
gboolean tg_strict_is_broken(const TgTree *tree);

/** Begin a row in the one that is open, and end it; a row without elements vanishes. */
TgStrictMark tg_strict_open(TgStrictReader *self);
void tg_strict_close(TgStrictReader *self, TgStrictMark mark, TgStrictRole role);

/**
 * Add an element whose ink is that of @token; nothing when that has none.
 *
 * Returns: its index, or TG_NO_TOKEN
 */
guint32 tg_strict_add(TgStrictReader *self, TgStrictGlyph glyph, guint32 token);

/** Read a list, or any node. */
void tg_strict_read_node(TgStrictReader *self, const TgNode *node);

/** A list as a row of its own; NULL is none. */
void tg_strict_read_row(TgStrictReader *self, const TgNode *list, TgStrictRole role, TgStyle style);

/** An array with its fences; @splice puts its rows one behind the other into the open row. */
void tg_strict_read_array(TgStrictReader *self, const TgNode *node, gboolean splice);

/** Whether the array @node is lines of a text, as against entries that stand for themselves. */
gboolean tg_strict_is_lines(const TgNode *node);

/** The first or last thing in a list that makes ink, or NULL. */
const TgNode *tg_strict_first(const TgNode *list);
const TgNode *tg_strict_last(const TgNode *list);
