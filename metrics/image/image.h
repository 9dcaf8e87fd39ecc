/* Metrics on pictures inside: gray pictures, how formulas become them, how they are compared. */
#pragma once

#include <texgauge/env.h>
#include <texgauge/render.h>

#include "core/arena.h"

/** 8-bit gray, 0 black to 255 white, top row first; borrowed. A width or height of 0 is allowed. */
typedef struct {
    const guint8 *pixels;
    guint width, height;
    gsize stride; /**< bytes from one row to the next */
} TgGray;

/** The pixel at (@x, @y); white outside of the picture. */
static inline guint8 tg_gray_at(TgGray image, guint x, guint y)
{
    return x < image.width && y < image.height ? image.pixels[y * image.stride + x] : 255;
}

/* ---- Comparing (compare.c) ------------------------------------------------------------------ */

/**
 * im2markup's Levenshtein distance where every column of pixels is one symbol; a pixel is ink from
 * 128 down. The lower picture is extended by white rows at its bottom. Divide by the larger width
 * for a value in [0, 1].
 */
guint32 tg_image_edit_distance(TgArena *arena, TgGray ref, TgGray hyp);

/** Columns by columns that are aligned at most: a few seconds. */
#define TG_IMAGE_EDIT_MAX_CELLS ((guint64) 1 << 33)

/** How tg_image_match() looks at the pictures. */
typedef enum {
    TG_IMAGE_MATCH_SKIP_BLANK = 1 << 0, /**< columns without ink do not count */
    TG_IMAGE_MATCH_COMPAT = 1 << 1,     /**< any number of inserted columns, as in im2markup */
} TgImageMatchFlags;

/**
 * Whether the pictures are equal up to a few columns: columns that differ in fewer than 5 pixels
 * are one symbol, and in the best alignment no 5 columns in a row may be replaced, lost or, unless
 * TG_IMAGE_MATCH_COMPAT, added. Two pictures without ink match; one without ink matches no other.
 *
 * Source: Deng, Kanervisto, Ling and Rush (2017), arXiv:1609.04938, and its evaluation script; of
 * several best alignments that of tg_align() counts.
 */
gboolean tg_image_match(TgArena *arena, TgGray ref, TgGray hyp, TgImageMatchFlags flags);

/**
 * The mean of squared differences in 0 (black) to 1 (white), over the common size: both pictures
 * lie at the top left and are white beyond their edges. 0 for two empty pictures.
 */
double tg_image_mse(TgGray a, TgGray b);

/**
 * The mean structural similarity index, in [-1, 1]; 1 for equal pictures.
 *
 * The window is the paper's: 11 x 11 pixels with Gaussian weights of standard deviation 1.5, at
 * every place where it lies wholly in the picture; K1 = 0.01, K2 = 0.03, L = 255, no downsampling.
 * Pictures of different size are put at the top left of a common white ground, which is at least
 * 11 x 11.
 *
 * Source: Wang, Bovik, Sheikh and Simoncelli (2004), IEEE Trans. Image Process. 13(4), eq. 13-17.
 */
double tg_ssim(TgGray a, TgGray b);

/* ---- Pictures of formulas (picture.c) ------------------------------------------------------- */

/** The most pixels that a picture may have. */
#define TG_FORMULA_PICTURE_MAX_PIXELS (1u << 24)

/** Immutable and counted by references (g_atomic_rc_box), so any thread may read. */
typedef struct {
    TgGray gray;   /**< its pixels belong to the picture; 0 x 0 and NULL without ink */
    char *trouble; /**< why there is no ink; NULL where there is, and for an empty formula */
} TgFormulaPicture;

/** The env's renderer for these fonts. */
TgRenderer *tg_formula_renderer(TgEnv *env, TgFonts *fonts);

/** How to draw. */
typedef struct {
    TgFonts *fonts;
    double dpi;
    gint margin_px; /**< white on every side of the ink, at least 0 */
} TgFormulaPictureStyle;

/**
 * Draw a formula in black on white, as a display at 12 pt, faults and all; or find the picture that
 * the run has already. Coverage of pixels is computed exactly, so the same bytes come out on every
 * machine.
 *
 * Returns: (transfer full) the picture, or NULL with @error set to
 *   TG_ERROR_DATA  too-large: it would have more than TG_FORMULA_PICTURE_MAX_PIXELS
 *   TG_ERROR_FONT  a font is missing or broken
 */
TgFormulaPicture *tg_formula_picture(TgEnv *env, const TgFormulaPictureStyle *style,
                                     const char *latex, GError **error);
void tg_formula_picture_unref(gpointer picture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgFormulaPicture, tg_formula_picture_unref)
