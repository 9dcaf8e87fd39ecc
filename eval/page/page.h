/* Pages of one file that load nothing: their parts put together, and formulas drawn small. */
#pragma once

#include <jansson.h>
#include <texgauge/types.h>

/* ---- drawings.c: formulas drawn small. The outlines of glyphs are kept once, a formula is the
 * list of their places in a few hundred characters; the script of the page makes the picture when
 * it is looked at. ---- */

/** Different formulas, each drawn once. */
typedef struct TgPageDrawings TgPageDrawings;

/**
 * @draw: FALSE keeps the sources alone
 *
 * Returns: (transfer full), or NULL with TG_ERROR_FONT
 */
TgPageDrawings *tg_page_drawings_new(gboolean draw, GError **error);
void tg_page_drawings_free(TgPageDrawings *drawings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgPageDrawings, tg_page_drawings_free)

/**
 * The number of a formula, drawn now if it is new. One that cannot be drawn is kept with the
 * reason.
 *
 * Returns: FALSE with @error set to TG_ERROR_FONT
 */
gboolean tg_page_drawings_add(TgPageDrawings *drawings, const char *tex, guint *number,
                              GError **error);

/** A byte of @tex as a place in a JavaScript string, which counts units of UTF-16. */
guint tg_page_utf16_offset(const char *tex, guint byte);

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
json_t *tg_page_drawings_json(const TgPageDrawings *drawings);

/* ---- page.c ---- */

/**
 * The script element of data: small ones as they are, of type "application/json"; large ones
 * compressed, of type "text/plain" for base 64 of zlib's format, which browsers unpack.
 * (transfer full)
 */
char *tg_page_data(const char *id, const json_t *data);

/** Pictures from the disk or from where the page comes from. */
#define TG_PAGE_PICTURES " 'self' file:"

/** A place of a template and what stands there. */
typedef struct {
    const char *name; /**< "@NAME@" */
    const char *text; /**< HTML */
} TgPagePart;

/**
 * A page: @html with its parts, and with @css and @js where it has @STYLE@ and @SCRIPT@. The policy
 * at @POLICY@ allows these two and nothing else: nothing that a part holds runs, and nothing is
 * loaded but pictures from @pictures, which is "" or TG_PAGE_PICTURES. (transfer full)
 */
char *tg_page_fill(const char *html, const char *css, const char *js, const char *pictures,
                   const TgPagePart *parts, guint n_parts);
