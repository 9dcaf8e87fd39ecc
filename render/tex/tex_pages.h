/* Pages of a PDF file as pixels, by Poppler's pdftocairo run as a program. */
#pragma once

#include <texgauge/render.h>

/** How to convert a page. */
typedef struct {
    const char *program; /**< path of pdftocairo */
    const char *const *env;
    const char *folder; /**< where page.pdf is, and where pictures are written */
    double seconds;     /**< time limit */
    guint width_px, height_px;
    double dpi;
} TgPageReader;

/**
 * Make a picture of every page of page.pdf.
 *
 * Returns: (transfer full) (element-type char *) the pictures' paths in order, none when it is no
 * PDF file; or NULL with TG_ERROR_USAGE: the program cannot be started
 */
GPtrArray *tg_tex_pages_list(const TgPageReader *reader, GError **error);

/** The pixels of a picture, on white, or NULL when it cannot be read. (transfer full) */
TgRaster *tg_tex_pages_read(const char *path);
