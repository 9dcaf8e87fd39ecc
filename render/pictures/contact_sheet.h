/* Contact sheets: many drawings on one picture, each in a cell with its label. */
#pragma once

#include <texgauge/render.h>
#include <texgauge/types.h>

/** One cell of a sheet; borrows everything. */
typedef struct {
    const char *number; /**< in front of the label; NULL: none */
    const char *label;  /**< a line above the drawing, shortened where it is too long; or NULL */
    const TgDrawing *drawing; /**< NULL: none, and the note says why */
    const char *note;         /**< a line below, in red; NULL: none */
} TgContactCell;

/**
 * Paint a sheet: cells from left to right in rows of @n_columns columns of equal width. A wide
 * drawing takes several columns; one that is wider than the sheet is made smaller to fit.
 *
 * @cells: @n of them, at least one
 * @n_columns: in [1, 40]
 * @dpi: pixels per inch of labels and cells, in [10, 4800]; a column is 2.25 inches wide. Drawings
 *   keep their own pixels, so they should have the same
 * @renderer: sets the labels
 * @colors: TG_INK_NATURAL or TG_INK_TOKENS; token ids mean nothing on a sheet of several formulas
 *
 * Returns: (transfer full) the file's bytes, or NULL with @error set to
 *   TG_ERROR_USAGE   @n_columns, @dpi or @colors is out of range
 *   TG_ERROR_PARSE   the sheet is higher or wider than 32,767 pixels
 *   TG_ERROR_FONT    a font file is missing or broken
 *   TG_ERROR_OUTPUT  it cannot be encoded
 */
GBytes *tg_contact_sheet_encode(const TgContactCell *cells, guint n, guint n_columns, double dpi,
                                TgRenderer *renderer, TgPictureFormat format, TgInkColors colors,
                                GError **error);
