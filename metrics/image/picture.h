/* A formula as a grey picture, cropped to its ink: what the image metrics compare. */
#pragma once

#include <texgauge/env.h>
#include <texgauge/render.h>

#include "metrics/image/image.h"

/** The most pixels that a picture may have. */
#define TG_FORMULA_PICTURE_MAX_PIXELS (1u << 24)

/** Immutable and counted by references, so any thread may read. */
typedef struct {
    gatomicrefcount refs;
    TgGrey grey;       /**< 0 x 0 without ink */
    guint8 *pixels;    /**< what @grey borrows */
    gboolean is_empty; /**< there is nothing to draw */
    char *trouble;     /**< where there is something but it has no ink: why; else NULL */
} TgFormulaPicture;

/** The env's renderer for these fonts. */
TgRenderer *tg_formula_renderer(TgEnv *env, TgFonts *fonts);

/** How to draw. */
typedef struct {
    TgFonts *fonts;
    double dpi;
    guint margin_px; /**< white on every side of the ink */
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
void tg_formula_picture_unref(TgFormulaPicture *picture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgFormulaPicture, tg_formula_picture_unref)
