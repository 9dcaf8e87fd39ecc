/* Pictures of a comparison: reference and prediction, one above the other, with marks and partners.
 */
#pragma once

#include <texgauge/render.h>
#include <texgauge/types.h>

G_BEGIN_DECLS

/**
 * Two drawings with marks: boxes around the elements that a metric compared, in the tone of its
 * verdict, and lines between partners. Matched elements have a box and a line only on request, or a
 * line if they changed places. Metrics fill it, tg_pair_picture_encode() paints it.
 * Belongs to one thread while it is filled; then any thread may read it.
 */
typedef struct TgPairPicture TgPairPicture;

typedef enum { TG_SIDE_REF, TG_SIDE_HYP, TG_N_SIDES } TgPairSide;

/** The verdict of a mark. Tones differ in color, in the line around the box, and in its filling.
 */
typedef enum {
    TG_TONE_GOOD,      /**< matched: green, a solid line, on request */
    TG_TONE_BAD,       /**< wrong: red, a solid line, filled */
    TG_TONE_MINOR,     /**< a small difference: amber, dotted */
    TG_TONE_STRUCTURE, /**< a difference of structure: violet, dashed and dotted */
    TG_TONE_FAINT,     /**< does not count: gray, a thin line */
    TG_N_TONES
} TgTone;

/** No mark. */
#define TG_NO_MARK G_MAXUINT

/** An empty picture, to be filled by a metric. */
TG_API TgPairPicture *tg_pair_picture_new(void);
TG_API void tg_pair_picture_free(TgPairPicture *picture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgPairPicture, tg_pair_picture_free)

/**
 * The drawing of a side, before any of its marks. Both sides want the same resolution. A side
 * without one is shown as its heading alone.
 */
TG_API void tg_pair_picture_set_drawing(TgPairPicture *picture, TgPairSide side,
                                        TgDrawing *drawing);

/** The line on top, in bold: the metric and its score, plain text. */
TG_API void tg_pair_picture_set_title(TgPairPicture *picture, const char *text);

/** The text after the title, which names the pair, such as "id 7, model B"; plain text. */
TG_API void tg_pair_picture_set_name(TgPairPicture *picture, const char *text);

/**
 * Add a line to the list below the drawings.
 *
 * @label: as of the marks that it explains, NULL for none
 * @text: plain
 */
TG_API void tg_pair_picture_add_note(TgPairPicture *picture, TgTone tone, const char *label,
                                     const char *text);

/** The text after "reference" or "prediction": plain, one line. */
TG_API void tg_pair_picture_set_heading(TgPairPicture *picture, TgPairSide side, const char *text);

/** The page of a side: a line marks its edge, and ink beyond it is gray. */
TG_API void tg_pair_picture_set_page(TgPairPicture *picture, TgPairSide side, TgRect page);

/** The name of a tone in the legend; tones without a name are not in it. */
TG_API void tg_pair_picture_name_tone(TgPairPicture *picture, TgTone tone, const char *text);

/**
 * Add a mark around @box, in pixels of the drawing.
 *
 * @label: plain text, shown on request; NULL for none
 *
 * Returns: its number among the marks of the side
 */
TG_API guint tg_pair_picture_add_box(TgPairPicture *picture, TgPairSide side, TgRect box,
                                     TgTone tone, const char *label);

/**
 * Add a mark around the ink of all tokens of the side's drawing that lie in bytes @start to @end of
 * its source.
 *
 * Returns: its number, or TG_NO_MARK when there is no ink
 */
TG_API guint tg_pair_picture_add_span(TgPairPicture *picture, TgPairSide side, guint32 start,
                                      guint32 end, TgTone tone, const char *label);

/**
 * Let the ink of a token belong to a mark, for tinting.
 *
 * @token: its index in tg_drawing_tokens(); others than those of the drawing are ignored
 */
TG_API void tg_pair_picture_own_token(TgPairPicture *picture, TgPairSide side, guint token,
                                      guint mark);

/** Make a mark of the reference and one of the prediction partners: a line joins them. */
TG_API void tg_pair_picture_join(TgPairPicture *picture, guint ref_mark, guint hyp_mark);

/** The number of marks of @tone on a side. */
TG_API guint tg_pair_picture_count(const TgPairPicture *picture, TgPairSide side, TgTone tone);

/** The marks whose labels are shown. */
typedef enum {
    TG_LABELS_NONE,
    TG_LABELS_WRONG, /**< those of every tone but TG_TONE_GOOD and TG_TONE_FAINT */
    TG_LABELS_ALL,
} TgLabels;

/** How to paint; start from TG_PAIR_PICTURE_OPTIONS_INIT. */
typedef struct {
    gsize size;   /**< of this struct, so that it can grow */
    double scale; /**< times the drawings' resolution, in [0.05, 20] */
    TgLabels labels;
    gboolean hide_lines; /**< no lines between partners */
    gboolean tint;       /**< ink in the tone of its mark; else black */
    gboolean bare;       /**< drawings and marks alone: for a page that has its own text */
    gboolean everything; /**< boxes and lines of what matched, too; else only lines that cross */
} TgPairPictureOptions;

#define TG_PAIR_PICTURE_OPTIONS_INIT                                                               \
    {                                                                                              \
        .size = sizeof(TgPairPictureOptions), .scale = 1                                           \
    }

/**
 * Paint and write it. The same picture gives the same bytes. One that would be larger than a format
 * allows is made smaller.
 *
 * @renderer: sets headings and labels
 * @options: NULL for TG_PAIR_PICTURE_OPTIONS_INIT
 *
 * Returns: (transfer full) the file's bytes, or NULL with @error set to
 *   TG_ERROR_USAGE   an option is out of range
 *   TG_ERROR_FONT    a font is missing or broken
 *   TG_ERROR_OUTPUT  it cannot be encoded
 */
TG_API GBytes *tg_pair_picture_encode(const TgPairPicture *picture, TgRenderer *renderer,
                                      TgPictureFormat format, const TgPairPictureOptions *options,
                                      GError **error);

G_END_DECLS
