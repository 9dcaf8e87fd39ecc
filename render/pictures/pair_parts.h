/* What a pair's picture is made of, with positions: drawings, texts, lines, legend. */
#pragma once

#include "render/pictures/pair_picture.h"
#include "render/pictures/plain_text.h"

G_BEGIN_DECLS

/** A line of text; (x, y) is the start of its baseline. */
typedef struct {
    TgDrawing *drawing;
    char *text; /**< the same, for formats with text */
    TgPlainFont font;
    double size_px;
    guint32 rgb;
    double x, y;
} TgPairText;

/** A straight line. */
typedef struct {
    double x0, y0, x1, y1;
} TgPairSegment;

/** A line from a label to the box of its mark. */
typedef struct {
    TgPairSegment segment;
    TgRect box;
} TgPairLeader;

/** A line between partners. */
typedef struct {
    guint truth, prediction; /**< marks */
    TgTone tone;
    TgPairSegment segment;
} TgPairLine;

/** What is seen of a line between partners, or of a leader. */
typedef struct {
    TgPairSegment segment;
    gboolean is_leader;
    TgTone tone; /**< of lines between partners */
} TgPairStroke;

/** An entry of the legend. */
typedef struct {
    TgRect box;
    TgTone tone;
} TgPairSample;

/** The part of a drawing that is shown, where its pixel (0, 0) is in the picture, and how large. */
typedef struct {
    TgRect area;
    double x, y, zoom;
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
    GArray *strokes; /**< of TgPairStroke: what is seen of lines and leaders */
    GArray *lines;   /**< of TgPairLine */
    GArray *samples; /**< of TgPairSample */
} TgPairLayout;

/** The colour of a tone, 0xRRGGBB. */
guint32 tg_pair_tone_color(TgTone tone);

/** Where a box of a drawing is in the picture. */
TgRect tg_pair_place_box(const TgPairPlace *place, TgRect box);

/** Whether a mark has a box: what matched only on request. */
gboolean tg_pair_mark_is_shown(const TgPairMark *mark, const TgPairPictureOptions *options);

G_END_DECLS
