/* Tables that are made from the .tsv files, and installed fonts; used only in this folder. */
#pragma once

#include "render/fonts/font.h"

/** One character; lengths are fix_words: multiples of 2^-20 of the size. */
typedef struct {
    guint8 code;
    guint8 larger; /**< the next larger character; 0: none */
    gint32 width, height, depth, italic;
    gint32 skew; /**< kern with the skew character, for accents */
} TgTableChar;

/** Metrics of a font, or of a font at one size. */
typedef struct {
    const char *name;     /**< AMS: name of the metrics */
    TgFontId font;        /**< Computer Modern */
    gint size_pt;         /**< the same */
    const gint32 *params; /**< fix_words, from parameter 1 on */
    guint n_params;
    const TgTableChar *chars;
    guint n_chars;
} TgTableFont;

/**
 * AMS, Fraktur, script, Euler and St Mary's Road fonts, in the order of ams_metrics.tsv. No Debian
 * package without TeX carries these TFM files; fonts-lyx has outlines of the 10 pt designs.
 */
extern const TgTableFont tg_ams_fonts[];
extern const guint tg_ams_n_fonts;

/** Computer Modern: the metrics that differ from Latin Modern, and the pixels. */
extern const TgTableFont tg_computer_modern_fonts[];
extern const guint tg_computer_modern_n_fonts;
extern const TgGlyphPixels *const tg_computer_modern_pixels[TG_N_FONTS];

/** The font called @name, "msbm10"; static, or NULL. */
const TgTableFont *tg_ams_find(const char *name);

/** Its metrics at a size. (transfer full) */
TgMetrics *tg_ams_metrics(const TgTableFont *font, TgScaled size);

/** Replace the boxes and parameters of @metrics by those of @font. */
void tg_metrics_replace(TgMetrics *metrics, const TgTableFont *font);

/** The design that LaTeX uses for a font below a size; the last row of a font is for all larger
 * sizes. */
typedef struct {
    TgFontId font;
    TgScaled below;
    const char *name;
} TgFontDesign;

extern const TgFontDesign tg_font_designs[];
extern const guint tg_font_n_designs;

extern const TgTextSlot tg_text_slots[];

/** fontconfig's configuration and the faces opened so far; not thread-safe. */
typedef struct TgFallback TgFallback;

TgFallback *tg_fallback_new(void);
void tg_fallback_free(TgFallback *fallback);

/** A face that has @code, or NULL when no installed font has it. */
TgFace *tg_fallback_find(TgFallback *fallback, gunichar code);
