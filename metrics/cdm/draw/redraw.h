/* The drawing that CDM compared, to be shown. */
#pragma once

#include <texgauge/picture.h>

#include "metrics/cdm/draw/formula.h"

/**
 * Draw a formula once more as CDM did, page, squeezed spaces, lost arguments and all. The drawing's
 * tokens are the formula's elements with their boxes; its picture is the cropped one.
 *
 * @formula: of tg_cdm_formula_new() for @latex, with ink
 * @paper: (out) the edges of the page, in pixels of the picture
 *
 * Returns: (transfer full) the drawing, or NULL with @error set as tg_cdm_localise() does
 */
TgDrawing *tg_cdm_redraw(TgCdmSetter *setter, const char *latex, const TgCdmDialect *dialect,
                         TgCdmPage page, const TgCdmFormula *formula, TgRect *paper,
                         GError **error);
