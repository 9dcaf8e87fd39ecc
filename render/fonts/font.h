/* The fonts of the typesetter: metrics and outlines at a size, loaded once and shared. */
#pragma once

#include "render/fonts/face.h"
#include "render/fonts/font_metrics.h"
#include "render/fonts/font_names.h"

G_BEGIN_DECLS

/** A font at a size. Belongs to its font set; immutable. */
typedef struct {
    TgFontId id;
    const char *name; /**< of its metrics, "rm-lmr12" */
    TgScaled size;
    const TgMetrics *metrics;
    TgFace *face;  /**< its outlines */
    gint skewchar; /**< the character whose kerns tell how far accents lean; -1: none */
} TgFont;

/** All font data of the process, read once and shared by every thread that draws. */
typedef struct TgFontSet TgFontSet;

/**
 * Open the fonts. The metrics of the usual sizes are read now, all others when first needed.
 *
 * They come from the folders in the environment variable TEXGAUGE_FONTS (separated by colons), or
 * without it from `fonts` in the data folder, if that is there (tg_datadir_find()), and from where
 * Debian's packages lmodern and fonts-lyx put them.
 *
 * Returns: (transfer full) the set, or NULL with @error set to TG_ERROR_FONT: a file is missing
 * (the message names the package) or broken.
 *
 * Threads: the set may be used by any number of threads.
 */
TgFontSet *tg_font_set_new(GError **error);
TgFontSet *tg_font_set_ref(TgFontSet *set);
void tg_font_set_unref(TgFontSet *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgFontSet, tg_font_set_unref)

/**
 * The font @id at @size, which chooses among design sizes as LaTeX does.
 *
 * Returns: (transfer none) valid as long as the set, or NULL with @error set to TG_ERROR_FONT.
 */
const TgFont *tg_font_set_get(TgFontSet *set, TgFontId id, TgScaled size, GError **error);

/** Let the glyphs of fonts know their measured pixels. @tables: by font; for a fresh @set */
void tg_font_set_measured(TgFontSet *set, const TgGlyphPixels *const tables[TG_N_FONTS]);

/**
 * A face for characters that no TeX font has (Chinese, Cyrillic, emoji), found by fontconfig.
 *
 * Returns: (transfer none) a face that has @code, or NULL when no installed font has it.
 */
TgFace *tg_font_set_fallback(TgFontSet *set, gunichar code);

G_END_DECLS
