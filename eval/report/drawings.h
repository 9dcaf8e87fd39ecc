/*
 * Formulas drawn small: the outlines of glyphs are kept once, a formula is the list of their places
 * in a few hundred characters. The script of the page makes the picture when it is looked at.
 */
#pragma once

#include <jansson.h>
#include <texgauge/types.h>

/** Different formulas, each drawn once. */
typedef struct TgReportDrawings TgReportDrawings;

/**
 * @draw: FALSE keeps the sources alone
 *
 * Returns: (transfer full), or NULL with TG_ERROR_FONT
 */
TgReportDrawings *tg_report_drawings_new(gboolean draw, GError **error);
void tg_report_drawings_free(TgReportDrawings *drawings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgReportDrawings, tg_report_drawings_free)

/**
 * The number of a formula, drawn now if it is new. One that cannot be drawn is kept with the
 * reason.
 *
 * Returns: FALSE with @error set to TG_ERROR_FONT
 */
gboolean tg_report_drawings_add(TgReportDrawings *drawings, const char *tex, guint *number,
                                GError **error);

/** A byte of @tex as a place in a JavaScript string, which counts units of UTF-16. */
guint tg_report_utf16_offset(const char *tex, guint byte);

/**
 * {glyphs: [path, x0, y0, x1, y1, ...] in 1000ths of the font size, y downwards; sizes: in units;
 * tex: [], ink: [], fault: []} with one entry for each formula. A unit is 1/20 pt.
 *
 * Ink is a string of numbers in base-64 variable-length code, as in source maps: left, top, width
 * and height of the picture; the number of tokens and of each the distance from the end of the one
 * before, and its length; then marks to the end: glyph + 3, or 0 for a rule, 1 a stroke, 2 a
 * character; x and y and token as differences from the mark before; of a glyph the size; of others
 * width and height, then of a stroke its kind, of a character its code. (transfer full)
 */
json_t *tg_report_drawings_json(const TgReportDrawings *drawings);
