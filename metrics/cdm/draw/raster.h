/* Ink boxes from pixels: the elements painted in colours of their own, found by Leptonica. */
#pragma once

#include "metrics/cdm/draw/localise.h"

/** The most pixels of a picture that is painted to be located in. */
#define TG_CDM_RASTER_MAX_PIXELS (1u << 24)

/**
 * Paint the marks of a formula, each in the 24-bit colour of its element and without smooth edges,
 * and find where each colour is. Elements whose ink overlaps or touches are painted on different
 * layers, so that none covers another: a negation's stroke, an accent, a radical lose nothing.
 *
 * @marks: of TgMark, as tg_cdm_localise() lists them
 * @inks, @all: (inout) what the typesetter says, which decides on layers and on the picture's size;
 *   replaced by what the pixels say
 *
 * Returns: FALSE with TG_ERROR_PARSE when the picture would be beyond the bound
 */
gboolean tg_cdm_raster_inks(const GArray *marks, double px_per_sp, guint n_elements,
                            TgPixelRect *inks, TgPixelRect *all, GError **error);
