/* From LaTeX to a formula as CDM-strict sees it. */
#pragma once

#include <texgauge/render.h>

#include "metrics/cdm_strict/formula.h"

/**
 * Read a formula tolerantly, draw it, and list its elements, whose boxes are in the picture that
 * tg_renderer_draw() makes without options.
 *
 * @max_elements: more are not taken
 *
 * Returns: (transfer full) the formula, which may be without elements, or NULL with @error set to
 *   TG_ERROR_DATA  it has more than @max_elements elements, or more than TG_TEXT_MAX bytes
 *   TG_ERROR_FONT  a font is missing or broken
 */
TgStrictFormula *tg_strict_formula_new(TgRenderer *renderer, const char *latex, guint max_elements,
                                       GError **error);
