/* A pair whose drawn elements were matched: the columns, the detail and the picture that the
 * metrics of such pairs have in common. */
#pragma once

#include <texgauge/metric.h>

/** A share of pairs or elements. */
#define TG_MATCHED_COLUMN(name, help)                                                              \
    {                                                                                              \
        name, TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, help                                        \
    }

/** The columns of a metric called @name; @exact is the help of the last one. */
#define TG_MATCHED_COLUMNS(name, exact)                                                            \
    TG_MATCHED_COLUMN(name, "F1 of elements in place"),                                            \
        TG_MATCHED_COLUMN("precision", "share of the prediction's elements"),                      \
        TG_MATCHED_COLUMN("recall", "share of the reference's elements"),                          \
        TG_MATCHED_COLUMN("exact", exact)

/** Set these columns. */
void tg_matched_set_columns(TgResult *out, double f1, double precision, double recall,
                            gboolean exact);

#define TG_MATCHED_NO_PARTNER G_MAXUINT

/** How many terms the cost of a match may have. */
#define TG_MATCHED_MAX_COSTS 3

/* Verdicts; a metric may have others of its own. Only TG_MATCHED_ACCEPTED counts for a score. */
#define TG_MATCHED_ACCEPTED    "accepted"    /**< has a partner, which is the same in place */
#define TG_MATCHED_MISPLACED   "misplaced"   /**< has a partner, but in another place */
#define TG_MATCHED_OTHER_TOKEN "other-token" /**< has a partner in place, another symbol */
#define TG_MATCHED_UNMATCHED   "unmatched"   /**< the other side has none left for it */
#define TG_MATCHED_NO_INK      "no-ink"      /**< nothing of it is seen, so it does not count */

/** One element of one side. Borrows everything. */
typedef struct {
    const char *token;
    guint32 start, end; /**< bytes of the user's string; both 0 where they are not known */
    gboolean has_ink;
    TgRect box;                         /**< when it has ink, in the side's picture */
    guint32 first_token, last_token;    /**< of the side's drawing, which make its ink */
    guint partner;                      /**< index into the other side's elements, or none */
    double costs[TG_MATCHED_MAX_COSTS]; /**< of the match with the partner, by term */
    const char *verdict;
} TgMatchedElement;

/** One side. Borrows its texts. */
typedef struct {
    double width_px, height_px; /**< of its picture; 0 when nothing was drawn */
    const char *trouble;        /**< why nothing was drawn, or NULL */
    const char *note;           /**< a remark on its elements for the reader, or NULL */
    TgMatchedElement *elements;
    guint n_elements;
} TgMatchedSide;

/** A pair. Owns its lists. */
typedef struct {
    guint reference; /**< number of the reference that was used, from 0 */
    TgMatchedSide ref, hyp;
    double f1, precision, recall; /**< of a pair with a score: see @is_scored */
    gboolean is_scored;
    const char *const *cost_names; /**< the terms of a match's cost, NULL last */
    GStringChunk *names;           /**< texts made for the elements; NULL: none */
} TgMatchedPair;

void tg_matched_clear(TgMatchedPair *pair);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgMatchedPair, tg_matched_clear)

/** Make @i of @ref and @k of @hyp partners. */
void tg_matched_join(TgMatchedPair *pair, guint i, guint k, const double *costs,
                     const char *verdict);

/** docs/reference/results.md describes it. Returns: (transfer floating) an `a{sv}` */
GVariant *tg_matched_variant(const TgMatchedPair *pair);

/**
 * Put a pair on the drawings of a picture: a box around each element with ink, green when it was
 * accepted, amber when a match of cost "style" was, and else red; ink in the same tone; lines
 * between partners; title, headings and the legend.
 *
 * @metric: what the title calls it
 * @pair: its boxes are in pixels of the drawings
 */
void tg_matched_show(const TgMatchedPair *pair, const char *metric, TgPairPicture *picture);
