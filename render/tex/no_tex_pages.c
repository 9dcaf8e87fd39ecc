/* Where the library was built without Leptonica. */
#include "render/tex/tex_pages.h"

GPtrArray *tg_tex_pages_list(const TgPageReader *reader, GError **error)
{
    (void) reader;
    g_set_error_literal(error, TG_ERROR, TG_ERROR_USAGE,
                        "TeX as renderer needs Leptonica, without which this texgauge was built");
    return NULL;
}

TgRaster *tg_tex_pages_read(const char *path)
{
    (void) path;
    return NULL;
}
