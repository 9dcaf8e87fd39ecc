/* From Unicode to the character codes of the text fonts (OT1, as Latin Modern extends it). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The stroke of the Polish letters L and l, overlaid by kerns. */
#define TG_TEXT_STROKE_SLOT 0x20

/** The slot of @code in a text font, or -1. @mono: in a typewriter font, which has all of ASCII. */
gint tg_text_slot(gunichar code, gboolean mono);

/** The slot of @code in the symbol font, where LaTeX takes some characters of text from, or -1. */
gint tg_text_symbol_slot(gunichar code);

/** The slot of @code in the companion font (TS1), which has copyright, degree and so on, or -1. */
gint tg_text_companion_slot(gunichar code);

/** The slot of a combining mark as an accent of text fonts, or -1. */
gint tg_text_accent_slot(gunichar mark);

G_END_DECLS
