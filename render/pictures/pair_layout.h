/* Positions in the picture of a pair: drawings, headings, labels, legend. */
#pragma once

#include "render/pictures/pair_picture.h"

G_BEGIN_DECLS

/** A line of text; (x, y) is the start of its baseline. */
typedef struct {
    TgDrawing *drawing;
    double x, y;
} TgPairText;

/** A label's line to its box. */
typedef struct {
    double x0, y0, x1, y1;
} TgPairLeader;

/** An entry of the legend. */
typedef struct {
    TgRect box;
    TgTone tone;
} TgPairSample;

/** The part of a drawing that is shown, and where its pixel (0, 0) is in the picture. */
typedef struct {
    TgRect area;
    double x, y;
    gboolean is_cut; /**< ink lies beyond the page */
} TgPairPlace;

/** A laid out picture; lengths are pixels of the drawings. */
typedef struct {
    const TgPairPicture *picture;
    const TgPairPictureOptions *options;
    double unit; /**< length of a pixel at 200 dpi */
    double dpi;
    double width, height;
    TgPairPlace sides[TG_N_SIDES];
    GArray *texts;   /**< of TgPairText */
    GArray *leaders; /**< of TgPairLeader */
    GArray *samples; /**< of TgPairSample */
} TgPairLayout;

/**
 * Lay a picture out; borrows @picture and @options.
 *
 * Returns: FALSE with @error set as tg_renderer_draw() does
 */
gboolean tg_pair_layout_init(TgPairLayout *layout, const TgPairPicture *picture,
                             TgRenderer *renderer, const TgPairPictureOptions *options,
                             GError **error);
void tg_pair_layout_clear(TgPairLayout *layout);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgPairLayout, tg_pair_layout_clear)

G_END_DECLS
