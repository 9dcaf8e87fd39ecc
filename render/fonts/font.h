/* The fonts of the typesetter and how their files are found. */
#pragma once

#include "render/fonts/face.h"
#include "render/fonts/font_metrics.h"

G_BEGIN_DECLS

/** A font family and shape; together with a size it names one font, as in LaTeX's NFSS. */
typedef enum {
    TG_FONT_ROMAN,
    TG_FONT_ROMAN_ITALIC,
    TG_FONT_ROMAN_SLANTED,
    TG_FONT_ROMAN_CAPS,
    TG_FONT_BOLD,
    TG_FONT_BOLD_ITALIC,
    TG_FONT_BOLD_SLANTED,
    TG_FONT_SANS,
    TG_FONT_SANS_SLANTED,
    TG_FONT_SANS_BOLD,
    TG_FONT_SANS_BOLD_SLANTED,
    TG_FONT_MONO,
    TG_FONT_MONO_ITALIC,
    TG_FONT_MONO_SLANTED,
    TG_FONT_MONO_BOLD,
    TG_FONT_LETTERS, /**< math italic */
    TG_FONT_LETTERS_BOLD,
    TG_FONT_SYMBOLS,
    TG_FONT_SYMBOLS_BOLD,
    TG_FONT_LARGE, /**< the extension font */
    TG_FONT_AMS_A,
    TG_FONT_AMS_B,
    TG_FONT_FRAKTUR,
    TG_FONT_FRAKTUR_BOLD,
    TG_FONT_SCRIPT,
    TG_FONT_EULER, /**< upright Greek */
    TG_FONT_EULER_BOLD,
    TG_FONT_STMARY,
    TG_FONT_COMPANION, /**< symbols of text: copyright, degree */
    TG_N_FONTS
} TgFontId;

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
 * Open the fonts. The metrics of the usual sizes are read now, everything else when asked for.
 *
 * They come from the folders in the environment variable TEXGAUGE_FONTS (separated by colons), or
 * without it from where Debian's packages lmodern and fonts-lyx put them.
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

/**
 * A face for characters that no TeX font has (Chinese, Cyrillic, emoji), found by fontconfig.
 *
 * Returns: (transfer none) a face that has @code, or NULL when the machine has none.
 */
TgFace *tg_font_set_fallback(TgFontSet *set, gunichar code);

/**
 * The path of a font file, or NULL with @error set to TG_ERROR_FONT, naming the package.
 *
 * @name: file name without folder, "lmr12.pfb"
 */
char *tg_font_find_file(const char *name, GError **error);

/** The design that LaTeX takes for @id at @size: name of its metrics, "msbm10"; static. */
const char *tg_font_name(TgFontId id, TgScaled size);

G_END_DECLS
