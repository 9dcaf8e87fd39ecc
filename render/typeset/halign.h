/* Rows and columns as boxes (TeX's \halign): widths of columns, then rows, then the vertical list.
 */
#pragma once

#include "render/typeset/item.h"

G_BEGIN_DECLS

/** A part of a column template, before or after the content of a cell. */
typedef struct {
    TgScaled width; /**< of space */
    TgItem *item;   /**< material in place of space, or NULL */
    guint8 line;    /**< a vertical rule, centred on its place, without width */
    guint32 token;  /**< of the rule */
} TgHalignPiece;

/** A cell that is set: its content and its surroundings. */
typedef struct {
    TgItem *box;            /**< natural size; NULL: no cell here */
    GArray *before, *after; /**< TgHalignPiece, borrowed from the column; may be NULL */
    TgItem *leaders; /**< a KERN of the box whose stretch copies of its @list fill, or NULL */
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

/** One line of the vertical list. */
typedef struct {
    TgHalignLineKind kind;
    TgHalignCell *cells; /**< ROW: by column, @n_cells of them */
    guint n_cells;
    TgScaled height, depth; /**< ROW: at least these (its strut) */
    TgScaled skip;          /**< SKIP */
    guint first, last;      /**< CLINE: columns from 0 */
    TgItem *box;            /**< BOX: a line of its own */
    guint32 token;          /**< of a rule */
    TgScaled rule;          /**< RULE, CLINE: its thickness; 0: that of all */
    TgScaled before, after; /**< CLINE: what is cut off at its ends */
} TgHalignLine;

/** Interline glue, as TeX's parameters. */
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
