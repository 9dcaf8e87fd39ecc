/* Heights of Computer Modern on Latin Modern's fonts. */
#pragma once

#include "render/fonts/font.h"

/**
 * Make layout with @set choose sizes as it would with Computer Modern: the two families have the
 * same widths, but the metrics declare other heights for some letters and accents, which now and
 * then decides the size of a parenthesis or root. Outlines stay as they are.
 *
 * @set: fresh, not yet shared
 *
 * Returns: FALSE with @error set to TG_ERROR_FONT
 *
 * Source: differences of TeX's sizes of 17,900 formulas in both families, each attributed to
 * the highest letter.
 */
gboolean tg_font_set_imitate_computer_modern(TgFontSet *set, GError **error);
