/* The inside of a pair's picture, for the files that lay it out and paint it. */
#pragma once

#include <texgauge/picture.h>

typedef struct {
    TgRect box; /**< in pixels of the drawing */
    TgTone tone;
    char *label;   /**< NULL: none */
    guint partner; /**< mark of the other side, or TG_NO_MARK */
} TgPairMark;

typedef struct {
    TgDrawing *drawing; /**< NULL: nothing was drawn */
    char *heading;      /**< NULL: none */
    gboolean has_page;
    TgRect page;
    GArray *marks; /**< of TgPairMark */
    guint *owner;  /**< of each token of the drawing: a mark, or TG_NO_MARK */
} TgPairPanel;

/** A line of the list below the drawings. */
typedef struct {
    TgTone tone;
    char *label; /**< NULL: none */
    char *text;
} TgPairNote;

struct TgPairPicture {
    char *title, *name; /**< NULL: none */
    TgPairPanel sides[TG_N_SIDES];
    GArray *notes;                /**< of TgPairNote */
    char *tone_names[TG_N_TONES]; /**< NULL: not in the legend */
};

/**
 * Draw a side, with its heading; a source without ink, or beyond the renderer's bounds, has the
 * reason as heading alone.
 *
 * Returns: FALSE with @error where the renderer has a fault
 */
gboolean tg_pair_picture_draw(TgPairPicture *picture, TgRenderer *renderer, TgPairSide side,
                              const char *source, const char *heading, GError **error);

/** Name tones for the legend, which shows the ones that occur; @names may have NULLs. */
void tg_pair_picture_name_tones(TgPairPicture *picture, const char *const names[TG_N_TONES]);
