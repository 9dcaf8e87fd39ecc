/* A page on which people rate pairs of formulas: which pairs, and how they are asked. */
#pragma once

#include "eval/results/table.h"
#include "eval/run/run.h"

/** Options of a page. Zero it, set what differs; strings are borrowed for the call. */
typedef struct {
    TgEvalOptions eval;   /**< of inputs that are no results: how they are read, and metrics */
    TgTableOptions table; /**< of results */
    const char *title;    /**< NULL: "Rate formulas" */
    guint sample;         /**< so many pairs; 0: all */
    const char *by;       /**< how they are drawn: random (also for NULL), subset, strata:COLUMN,
                               disagreement or disagreement:A,B */
    gboolean same_references; /**< several pairs may have one reference */
    guint repeat;             /**< so many pairs come twice */
    const char *scale;        /**< "1-5", or words from best to worst with commas; NULL: "1-5" */
    const char *const *ends;  /**< meanings of the lowest and the highest number, NULL last */
    const char *question;     /**< NULL: one that suits */
    const char *anchors;      /**< file of pairs with ratings, which are shown first; NULL: none */
    gboolean source;          /**< LaTeX is shown from the start */
    gboolean with_images;     /**< the pictures that `image_path` names stand in the page */
    const char *images;       /**< folder of these; NULL: the current one */
    const char *const *preference; /**< two columns: which score is right?; NULL last */
    const char *const *models;     /**< two or more: whose prediction is better?; NULL last */
    guint64 seed;
    GPtrArray *remarks;  /**< (out) gets char *: what was left out, and of results that were changed
                              after the run; NULL: nobody asks */
    TgListener listener; /**< told how far the work is */
} TgRateOptions;

/**
 * Make the page.
 *
 * @paths: results files, or inputs as eval reads them, NULL last
 * @n_pairs: (out) how many pairs the page has
 *
 * Pairs without a reference or a prediction are left out. By strata, subset and pairs of models the
 * groups have the same number of pairs as far as they go; strata are five equal ranges of a score.
 * Disagreement is that of tg_select_disputes(), of all metrics or of the two named.
 *
 * Returns: (transfer full) HTML that needs nothing else, or NULL with @error set to
 *   TG_ERROR_INPUT   an input cannot be read, or has no pair to rate
 *   TG_ERROR_USAGE   options out of range, a column or model that is not there
 *   TG_ERROR_FONT    the fonts of drawings are not installed
 *
 * Threads: any, one per call. The same inputs, options and seed give the same page.
 */
char *tg_rate_page(const char *const *paths, const TgRateOptions *options, guint *n_pairs,
                   GError **error);
