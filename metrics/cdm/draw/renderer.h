/* Where the ink of a coloured formula is. */
#pragma once

#include "metrics/cdm/draw/localise.h"

/** A formula in the official program's colours to be drawn, and where its ink was found. */
typedef struct {
    const char *coloured; /**< with the elements, of tg_cdm_elements(); borrowed */
    const GPtrArray *elements;
    const TgCdmDialect *dialect;
    gboolean is_chinese, is_table;
    TgPixelRect *inks; /**< (out) one for each element, given as zeros; borrowed */
    TgPixelRect all;   /**< (out) all ink, also that of no element */
    char *trouble;     /**< (out) (transfer full) why it has no ink; NULL where it could be drawn */
} TgCdmDrawTask;

/** How our typesetter's ink is located. */
typedef enum {
    TG_CDM_LOCATE_LAYOUT, /**< the extents of glyphs and rules, from the typesetter */
    TG_CDM_LOCATE_RASTER, /**< from pixels: see tg_cdm_raster_inks() */
} TgCdmLocate;

/** Draw a formula and find each element's ink; one that cannot be drawn gets its trouble. FALSE
 * with
 * @error set says that a font is missing. */
gboolean tg_cdm_native_locate(TgCdmSetter *setter, TgCdmLocate how, TgCdmDrawTask *task,
                              TgCdmPage page, GError **error);
