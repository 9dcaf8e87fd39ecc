/* The detail of a metric that matches elements, in the form that users read. */
#pragma once

#include <texgauge/picture.h>
#include <texgauge/types.h>

#define TG_CDM_NO_PARTNER G_MAXUINT

/** How many terms the cost of a match may have. */
#define TG_CDM_MAX_COSTS 3

/* Verdicts; a metric may have others of its own. Only TG_CDM_VERDICT_ACCEPTED counts for a score.
 */
#define TG_CDM_VERDICT_ACCEPTED    "accepted"    /**< has a partner, which is the same in place */
#define TG_CDM_VERDICT_MISPLACED   "misplaced"   /**< has a partner, but in another place */
#define TG_CDM_VERDICT_OTHER_TOKEN "other-token" /**< has a partner in place, another symbol */
#define TG_CDM_VERDICT_UNMATCHED   "unmatched"   /**< the other side has none left for it */
#define TG_CDM_VERDICT_NO_INK      "no-ink"      /**< nothing of it is seen, so it does not count */

/** One element of one side. Borrows everything. */
typedef struct {
    const char *token;
    guint32 start, end; /**< bytes of the user's string; both 0 where they are not known */
    gboolean has_ink;
    TgRect box;                     /**< when it has ink, in the side's picture */
    guint partner;                  /**< index into the other side's elements, or none */
    double costs[TG_CDM_MAX_COSTS]; /**< of the match with the partner, by term */
    const char *verdict;
} TgCdmElementDetail;

/** One side. Borrows its texts. */
typedef struct {
    double width_px, height_px; /**< of its picture; 0 when nothing was drawn */
    const char *trouble;        /**< why nothing was drawn, or NULL */
    const char *note;           /**< what a reader should know of its elements, or NULL */
    TgCdmElementDetail *elements;
    guint n_elements;
} TgCdmSideDetail;

/** A pair. Owns its lists. */
typedef struct {
    guint reference; /**< which of the references was scored against, from 0 */
    TgCdmSideDetail ref, hyp;
    const char *const *cost_names; /**< the terms of a match's cost, NULL last */
    GStringChunk *names;           /**< texts made for the elements; NULL: none */
} TgCdmDetail;

void tg_cdm_detail_clear(TgCdmDetail *detail);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgCdmDetail, tg_cdm_detail_clear)

/** Make @i of @ref and @k of @hyp partners. */
void tg_cdm_detail_match(TgCdmDetail *detail, guint i, guint k, const double *costs,
                         const char *verdict);

/** docs/reference/results.md describes it. Returns: (transfer floating) an `a{sv}` */
GVariant *tg_cdm_detail_variant(const TgCdmDetail *detail);

/**
 * Put what a detail says on the drawings of a picture: a box around each element with ink, green
 * when it was accepted, amber when a match of cost "style" was, and else red; lines between
 * partners; headings and the legend. Marks are numbered as the elements with ink. Which tokens of
 * a drawing are an element's is the caller's to say (tg_pair_picture_own_token()).
 *
 * @metric: what the title calls it
 * @f1, @recall, @precision: NaN where the pair has no score
 * @detail: its boxes are in pixels of the drawings
 */
void tg_cdm_show(TgPairPicture *picture, const TgCdmDetail *detail, const char *metric, double f1,
                 double recall, double precision);
