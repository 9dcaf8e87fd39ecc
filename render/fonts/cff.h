/* Fonts of chosen glyphs, in the Compact Font Format. */
#pragma once

#include "render/fonts/face.h"

G_BEGIN_DECLS

/** The most glyphs of a font. */
#define TG_CFF_MAX_GLYPHS 60000

typedef struct {
    const TgOutline *outline;
    gunichar character; /**< what it means as text; 0: unknown */
} TgCffGlyph;

/**
 * A font of @glyphs, which have the numbers from 1 on, with 1000 units per em and without hints.
 *
 * Source: Adobe Technical Notes 5176 (CFF) and 5177 (Type 2 charstrings)
 *
 * @name: its PostScript name
 * @glyphs: [@n], with @n at most TG_CFF_MAX_GLYPHS
 *
 * Returns: (transfer full) a bare CFF font file
 */
GBytes *tg_cff_font(const char *name, const TgCffGlyph *glyphs, guint n);

G_END_DECLS
