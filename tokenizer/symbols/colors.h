/* Colours as xcolor names and mixes them. */
#pragma once

#include <glib.h>

/**
 * Read a colour.
 *
 * @model: "rgb", "RGB", "HTML", "gray", "cmyk", "cmy"; NULL for a name or a mixture (`red!30!blue`)
 * @rgb: (out) 0xRRGGBB; black on failure
 *
 * Returns: whether it is a colour that xcolor knows without further options
 */
gboolean tg_color_parse(const char *model, const char *spec, guint32 *rgb);
