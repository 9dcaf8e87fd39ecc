/* Metrics of the AMS, Fraktur, script, Euler and St Mary's Road fonts, kept as a table. */
#pragma once

#include "render/fonts/font_metrics.h"

G_BEGIN_DECLS

/** One character; lengths are fix_words: multiples of 2^-20 of the size. */
typedef struct {
    guint8 code;
    guint8 larger; /**< the next larger character; 0: none */
    gint32 width, height, depth, italic;
    gint32 skew; /**< kern with the skew character, for accents */
} TgAmsChar;

/**
 * One font. No Debian package without TeX carries these TFM files; fonts-lyx has outlines of the
 * 10 pt designs.
 */
typedef struct {
    const char *name;
    const gint32 *params; /**< fix_words, from parameter 1 on */
    guint n_params;
    const TgAmsChar *chars;
    guint n_chars;
} TgAmsFont;

/** The fonts of ams_metrics.tsv, in its order. */
extern const TgAmsFont tg_ams_fonts[];
extern const guint tg_ams_n_fonts;

/** The font called @name, "msbm10"; static, or NULL. */
const TgAmsFont *tg_ams_find(const char *name);

/**
 * Its metrics at a size. What TFM files say by kerns with the skew character becomes a lig/kern
 * program of one step a character, so that all metrics look alike.
 *
 * Returns: (transfer full)
 */
TgMetrics *tg_ams_metrics(const TgAmsFont *font, TgScaled size);

/** The code that stands for the skew character in these fonts. */
#define TG_AMS_SKEWCHAR 127

G_END_DECLS
