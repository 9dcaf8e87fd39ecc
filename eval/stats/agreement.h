/* Agreement between raters: how good are the human scores themselves? */
#pragma once

#include <texgauge/types.h>

#include "eval/stats/correlation.h"

/** What differences between ratings mean. */
typedef enum {
    TG_NOMINAL,  /**< equal or not */
    TG_ORDINAL,  /**< how many ratings lie between the two */
    TG_INTERVAL, /**< the square of the difference */
} TgRatingLevel;

/**
 * Krippendorff's alpha = 1 - observed / expected disagreement. O(N log N) for N ratings.
 *
 * @ratings: [n_units][n_raters], NaN where a rater gave none; order within a unit is irrelevant
 * @alpha: (out) 1 for perfect agreement, 0 for chance, below 0 for worse; NaN on error
 *
 * Returns: FALSE with TG_ERROR_DATA: no unit has two ratings, or all those ratings are equal
 *
 * Source: Krippendorff (2011), Computing Krippendorff's Alpha-Reliability. Its ordinal distance is
 * the difference of mid-ranks, so alpha for ordinal data is alpha for intervals of mid-ranks.
 */
gboolean tg_stats_krippendorff(const double *ratings, guint n_units, guint n_raters,
                               TgRatingLevel level, double *alpha, GError **error);

/** Intraclass correlations of Shrout and Fleiss; each is NaN where its divisor is 0. */
typedef struct {
    double ms_rows;    /**< mean square between items, MSR */
    double ms_within;  /**< within items, MSW */
    double ms_columns; /**< between raters, MSC */
    double ms_error;   /**< residual, MSE */
    double icc_1_1;    /**< each item has raters of its own; one rating */
    double icc_1_k;    /**< ... the mean of k ratings */
    double icc_2_1;    /**< the raters are a sample, all rate all items; one rating */
    double icc_2_k;    /**< ... the mean of k ratings */
    double icc_3_1;    /**< these raters only; one rating */
    double icc_3_k;    /**< ... the mean of k ratings */
    double f_1;        /**< MSR/MSW, the test that ICC(1,1) is 0 */
    double f_1_p;      /**< its p-value */
} TgIcc;

/**
 * All six intraclass correlations.
 *
 * @ratings: [n_items][n_raters] complete
 *
 * Returns: FALSE with TG_ERROR_DATA: fewer than two items or raters, a rating is missing, or all
 * ratings are equal
 *
 * Source: Shrout, Fleiss (1979), Intraclass Correlations, Psychological Bulletin 86.
 */
gboolean tg_stats_icc(const double *ratings, guint n_items, guint n_raters, TgIcc *out,
                      GError **error);

/**
 * Each rater against the mean of the others: what a metric as good as a rater would reach.
 *
 * @ratings: as tg_stats_krippendorff(); items count where this rater and another one rated
 * @out: [n_raters] coefficients, NaN where undefined
 */
void tg_stats_rater_against_rest(TgCorrelationKind kind, const double *ratings, guint n_items,
                                 guint n_raters, double *out);
