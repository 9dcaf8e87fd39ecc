/* Where the library was built without Leptonica. */
#include "core/fail.h"
#include "metrics/cdm/draw/draw.h"

gboolean tg_cdm_raster_inks(const GArray *marks, guint n_elements, TgCdmInk *ink, GError **error)
{
    (void) marks, (void) n_elements, (void) ink;
    return tg_fail(error, TG_ERROR_USAGE,
                   "locate=raster needs Leptonica, without which this texgauge was built");
}
