/* Plain text set with the fonts of formulas: headings and labels look the same on any machine. */
#pragma once

#include <texgauge/render.h>

G_BEGIN_DECLS

typedef enum { TG_PLAIN_ROMAN, TG_PLAIN_BOLD, TG_PLAIN_MONO } TgPlainFont;

/** The first @n characters, with dots behind them where more follow. (transfer full) */
char *tg_plain_text_shorten(const char *text, glong n);

/**
 * Set one line of text.
 *
 * Returns: (transfer full) the drawing, without margin, or NULL with @error as tg_renderer_draw()
 */
TgDrawing *tg_plain_text_draw(TgRenderer *renderer, const char *text, TgPlainFont font,
                              double size_pt, double dpi, GError **error);

G_END_DECLS
