/* Outlines of glyphs, in units of the font size. */
#pragma once

#include <texgauge/types.h>

G_BEGIN_DECLS

typedef enum { TG_PATH_MOVE, TG_PATH_LINE, TG_PATH_CURVE, TG_PATH_CLOSE } TgPathOp;

/**
 * The pixels that a glyph touches at one size and resolution, measured where they do not follow
 * from the outline: columns and rows from its reference point, y downwards, both ends included.
 */
typedef struct {
    guint8 slot, size_pt; /**< size 0 ends a table */
    guint16 dpi;
    gint16 x0, x1, y0, y1;
} TgGlyphPixels;

/** A font file; outlines are read once, when first needed. */
typedef struct TgFace TgFace;
typedef struct TgOutline TgOutline;

/** A glyph's outline in units of its font size, y upwards; immutable. */
struct TgOutline {
    guint n_ops;
    guint8 *ops;    /**< TgPathOp; MOVE and LINE take one point, CURVE (a cubic) three */
    double *points; /**< x, y in turn */
    double x_min, y_min, x_max, y_max; /**< of the ink, exactly; all 0 when it has none */
    double advance;
    const TgGlyphPixels *measured; /**< the first of its slot in a table; NULL: none */
    TgFace *face;                  /**< where it comes from; owns it */
    guint32 glyph;                 /**< its number in the font file */
};

/**
 * A face of a TeX font. The file is opened with the first outline.
 *
 * @metrics_name: name of the TeX font, "rm-lmr12", "msbm10": decides file and encoding
 */
TgFace *tg_face_new(const char *metrics_name);

/** A face of any font file, whose slots are Unicode code points. */
TgFace *tg_face_new_from_file(const char *path, gint index);

void tg_face_free(TgFace *face);

/** Let outlines that are not read yet know their pixels. @table: ordered by slot; static */
void tg_face_set_measured(TgFace *face, const TgGlyphPixels *table);

/** The pixels of a glyph at a size and resolution, or NULL where they follow from its outline. */
const TgGlyphPixels *tg_outline_measured(const TgOutline *outline, double size_pt, guint dpi);

/**
 * The outline of a slot: a TeX character code, or a code point for a face made from a file.
 *
 * Returns: (transfer none) valid as long as the face; empty when the font lacks the glyph; NULL
 * with @error set to TG_ERROR_FONT when the file is missing or broken.
 *
 * Threads: any at once.
 */
const TgOutline *tg_face_outline(TgFace *face, guint32 slot, GError **error);

G_END_DECLS
