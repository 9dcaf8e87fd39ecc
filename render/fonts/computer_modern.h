/* Sizes and pixels of Computer Modern on Latin Modern's fonts. */
#pragma once

#include "render/fonts/font.h"

/** A character's box, in multiples of 2^-20 of the font's size. */
typedef struct {
    guint8 code;
    gint32 width, height, depth, italic;
} TgComputerModernBox;

/** What differs from Latin Modern in the metrics of one font at one size. */
typedef struct {
    TgFontId font;
    gint size_pt;
    const TgComputerModernBox *boxes;
    guint n_boxes;
    const gint32 *params; /**< from 1 on */
    guint n_params;
} TgComputerModernMetrics;

/* Written by computer_modern_tables.py. */
extern const TgComputerModernMetrics tg_computer_modern_metrics[];
extern const guint tg_computer_modern_n_metrics;
extern const TgGlyphPixels *const tg_computer_modern_pixels[TG_N_FONTS];

/**
 * Make layout with @set choose sizes and places as it would with Computer Modern: letters have the
 * same widths, but other heights, which now and then decides the size of a parenthesis or
 * root, and big operators in scripts have designs of their own. Outlines stay as they are, but
 * know the pixels that ghostscript touches where those do not follow from them.
 *
 * @set: fresh, not yet shared
 *
 * Returns: FALSE with @error set to TG_ERROR_FONT
 */
gboolean tg_font_set_imitate_computer_modern(TgFontSet *set, GError **error);
