/* Where the library was built without Leptonica. */
#include "metrics/cdm/draw/raster.h"

gboolean tg_cdm_raster_inks(const GArray *marks, double px_per_sp, guint n_elements,
                            TgPixelRect *inks, TgPixelRect *all, GError **error)
{
    (void) marks, (void) px_per_sp, (void) n_elements, (void) inks, (void) all;
    g_set_error_literal(error, TG_ERROR, TG_ERROR_USAGE,
                        "locate=raster needs Leptonica, without which this texgauge was built");
    return FALSE;
}
