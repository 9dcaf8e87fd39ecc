/* How tables are written. */
#pragma once

#include <glib.h>

/** A table: columns, rows, and how many columns at its left are names. */
typedef struct TgGrid TgGrid;

/** How a table is written. */
typedef enum {
    TG_GRID_TABLE, /**< aligned text for people */
    TG_GRID_JSON,
    TG_GRID_CSV,
    TG_GRID_MARKDOWN,
    TG_GRID_LATEX, /**< booktabs */
} TgGridStyle;

/** How a table and its numbers are written; all zero: as text, every number with its own decimals.
 */
typedef struct {
    TgGridStyle style;
    gboolean percent; /**< shares (tg_grid_share()) from 0 to 100, with a % in their headings */
    gboolean fixed;   /**< every number but counts and p-values has @digits decimals */
    gint digits;      /**< 0 to 15 */
    guint width;      /**< of a terminal, which aligned text keeps to; 0: no limit */
} TgGridForm;
