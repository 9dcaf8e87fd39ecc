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
} TgHalignPiece;

/** A cell that is set: its content and its surroundings. */
typedef struct {
    TgItem *box;            /**< natural size; NULL: no cell here */
    GArray *before, *after; /**< TgHalignPiece, borrowed from the column; may be NULL */
    guint span;
    guint8 align; /**< l c r */
} TgHalignCell;

typedef enum {
    TG_HALIGN_ROW,
    TG_HALIGN_RULE,
    TG_HALIGN_CLINE,
    TG_HALIGN_SKIP,
    TG_HALIGN_BOX
} TgHalignLineKind;

/** One thing in the pile. */
typedef struct {
    TgHalignLineKind kind;
    TgHalignCell *cells; /**< ROW: by column, @n_cells of them */
    guint n_cells;
    TgScaled height, depth; /**< ROW: at least these (its strut) */
    TgScaled skip;          /**< SKIP */
    guint first, last;      /**< CLINE: columns from 0 */
    TgItem *box;            /**< BOX: a line of its own */
    guint32 token;          /**< of a rule */
} TgHalignLine;

/** How rows follow each other (TeX's interline glue). */
typedef struct {
    TgScaled baselineskip, lineskip, lineskiplimit;
} TgLeading;

typedef struct {
    TgArena *arena;
    GArray *lines;    /**< TgHalignLine */
    GArray *tabskips; /**< TgScaled, after each column */
    guint n_columns;
    TgLeading leading;
    TgScaled rule; /**< thickness of lines */
    guint32 color;
} TgHalign;

void tg_halign_init(TgHalign *halign, TgArena *arena, guint n_columns);
void tg_halign_clear(TgHalign *halign);

/** Add a row; its cells are all absent. Returns it for the caller to fill, until the next call. */
TgHalignLine *tg_halign_add_row(TgHalign *halign, guint n_cells);
TgHalignLine *tg_halign_add(TgHalign *halign, TgHalignLineKind kind);

/** Everything in one vertical box, whose reference point is that of the last line. */
TgItem *tg_halign_pack(TgHalign *halign);

G_END_DECLS
