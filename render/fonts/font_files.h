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

/** One file of each family that formulas are drawn with, NULL last; static. */
const char *const *tg_font_families(void);

/**
 * What tells one set of fonts from another: the first 12 hexadecimal digits of the sha256 over the
 * files of all families. Read once. Static.
 */
const char *tg_fonts_hash(void);

G_END_DECLS
