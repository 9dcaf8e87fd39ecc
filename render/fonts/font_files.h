/* Where the files of fonts are. */
#pragma once

#include <texgauge/types.h>

G_BEGIN_DECLS

/**
 * The path of a font file, or NULL with @error set to TG_ERROR_FONT, naming the package.
 *
 * @name: file name without folder, "lmr12.pfb"
 */
char *tg_font_find_file(const char *name, GError **error);

G_END_DECLS
