/* Rows and columns as boxes (TeX's \halign): widths first, then rows, then their pile. */
#pragma once

#include "render/typeset/item.h"

G_BEGIN_DECLS

/** What stands before or after the content of a cell, and between columns. */
typedef struct {
    TgScaled width; /**< blank */
    TgItem *item;   /**< material in place of blank, or NULL */
    guint8 line;    /**< a vertical rule in the middle of no width at all */
    guint32 token;  /**< of the rule */
} TgTablePiece;

/** A cell that is set: its content and its surroundings. */
typedef struct {
    TgItem *box;            /**< natural size; NULL: no cell here */
    GArray *before, *after; /**< TgTablePiece, borrowed from the column; may be NULL */
    guint span;
    guint8 align; /**< l c r */
} TgTableCell;

typedef enum {
    TG_TABLE_ROW,
    TG_TABLE_LINE,
    TG_TABLE_CLINE,
    TG_TABLE_SKIP,
    TG_TABLE_BOX
} TgTableLineKind;

/** One thing in the pile. */
typedef struct {
    TgTableLineKind kind;
    TgTableCell *cells; /**< ROW: by column, @n_cells of them */
    guint n_cells;
    TgScaled height, depth; /**< ROW: at least these (its strut) */
    TgScaled skip;          /**< SKIP */
    guint first, last;      /**< CLINE: columns from 0 */
    TgItem *box;            /**< BOX: a line of its own */
    guint32 token;          /**< of a rule */
} TgTableLine;

/** How rows follow each other (TeX's interline glue). */
typedef struct {
    TgScaled baselineskip, lineskip, lineskiplimit;
} TgLeading;

typedef struct {
    TgArena *arena;
    GArray *lines;    /**< TgTableLine */
    GArray *tabskips; /**< TgScaled, after each column */
    guint n_columns;
    TgLeading leading;
    TgScaled rule; /**< thickness of lines */
    guint32 color;
} TgTable;

void tg_table_init(TgTable *table, TgArena *arena, guint n_columns);
void tg_table_clear(TgTable *table);

/** Add a row; its cells are all absent. Returns it for the caller to fill, until the next call. */
TgTableLine *tg_table_add_row(TgTable *table, guint n_cells);
TgTableLine *tg_table_add(TgTable *table, TgTableLineKind kind);

/** Everything in one vertical box, whose reference point is that of the last line. */
TgItem *tg_table_pack(TgTable *table);

G_END_DECLS
