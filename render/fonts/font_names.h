/* The fonts that formulas need, and the designs that LaTeX takes for them. */
#pragma once

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

/** The design that LaTeX takes for @id at @size: name of its metrics, "msbm10"; static. */
const char *tg_font_name(TgFontId id, TgScaled size);

G_END_DECLS
