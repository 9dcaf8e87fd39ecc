/* From TeX's character codes to the glyphs of a font file. */
#pragma once

#include <ft2build.h>
#include <texgauge/types.h>

#include FT_FREETYPE_H

G_BEGIN_DECLS

typedef struct {
    char *names[256];        /**< glyph names of a Type 1 font, from a .enc file */
    gunichar (*code)(guint); /**< for other fonts: TeX's code to that of their character map */
} TgEncoding;

/**
 * How the font with metrics @metrics_name is encoded.
 *
 * @file: (out) (transfer full) the name of its outline file
 *
 * Returns: FALSE with @error set to TG_ERROR_FONT when its .enc file is missing or broken.
 */
gboolean tg_encoding_init(TgEncoding *encoding, const char *metrics_name, char **file,
                          GError **error);
void tg_encoding_clear(TgEncoding *encoding);

/** The glyph for a code, 0 when there is none. */
FT_UInt tg_encoding_glyph(const TgEncoding *encoding, FT_Face face, guint32 slot);

G_END_DECLS
