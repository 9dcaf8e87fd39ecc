/* The rows of elements that reading a formula opens and fills. */
#pragma once

#include "metrics/cdm_strict/formula.h"
#include "tokenizer/tree/tree.h"

typedef struct TgStrictReader TgStrictReader;
struct TgStrictReader {
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

    /** Reads a list or any node; what a node holds is read through it. */
    void (*read_node)(TgStrictReader *self, const TgNode *node);
};

/** A row that is open. */
typedef struct {
    guint32 row_start, pending, n_elements;
} TgStrictMark;

/** Begin a row in the one that is open, and end it; a row without elements vanishes. */
TgStrictMark tg_strict_open(TgStrictReader *self);
void tg_strict_close(TgStrictReader *self, TgStrictMark mark, TgStrictRole role);

/**
 * Add an element whose ink is that of @token; nothing when that has none.
 *
 * Returns: its index, or TG_NO_TOKEN
 */
guint32 tg_strict_add(TgStrictReader *self, TgStrictGlyph glyph, guint32 token);

/** A \not that waits for its sign becomes a sign by itself. */
void tg_strict_end_stroke(TgStrictReader *self);

/** The elements up to here lie under @cover, an element or TG_NO_TOKEN. */
void tg_strict_end_cover(TgStrictReader *self, guint32 cover);

/** A list or node in another style. */
void tg_strict_read_in_style(TgStrictReader *self, const TgNode *node, guint8 style);

/** A list as a row of its own; NULL is none. */
void tg_strict_read_row(TgStrictReader *self, const TgNode *list, TgStrictRole role, TgStyle style);

/** A delimiter or fence; NULL is none. */
void tg_strict_read_delimiter(TgStrictReader *self, const TgNode *delimiter);
