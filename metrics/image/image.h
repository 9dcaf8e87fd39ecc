/* Grey pictures as the plain image metrics see them. */
#pragma once

#include <glib.h>

/** 8-bit grey, 0 black to 255 white, top row first; borrowed. A width or height of 0 is allowed. */
typedef struct {
    const guint8 *pixels;
    guint width, height;
    gsize stride; /**< bytes from one row to the next */
} TgGrey;

/** The pixel at (@x, @y); white outside of the picture. */
static inline guint8 tg_grey_at(TgGrey image, guint x, guint y)
{
    return x < image.width && y < image.height ? image.pixels[y * image.stride + x] : 255;
}
