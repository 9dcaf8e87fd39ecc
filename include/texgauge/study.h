/* Metrics against human scores: correlations, comparisons of metrics, agreement of raters. */
#pragma once

#include <texgauge/summary.h>
#include <texgauge/types.h>

G_BEGIN_DECLS

/** What to study and how. Zero it, set what differs; strings are borrowed for the call. */
typedef struct {
    const char *const *stored; /**< stored columns to study beside the metrics, NULL last; NULL: all
                                    that are numbers */
    const char *const *lower;  /**< stored columns where lower is better, NULL last */
    gboolean by_subset;        /**< besides all pairs also every subset by itself */
    gboolean by_model;         /**< ... or every model */
    gboolean all_columns; /**< all columns in tables and comparisons, not each metric's first */
    const char *const
        *preferences;             /**< `FIELD=A,B`: the stored field that says which of two columns
                                       a person prefers for a pair (A, B, both, neither); NULL last */
    const char *const *spellings; /**< stored fields that name a group of spellings of one formula;
                                       NULL last */
    guint resamples;              /**< of every bootstrap; 0: 1000 */
    guint64 seed;                 /**< of every bootstrap */
    double level;                 /**< of every interval; 0: 0.95 */
    guint threads;                /**< 0: one per processor; the numbers do not depend on it */
} TgStudyOptions;

/** The outcome of a study. */
typedef struct TgStudy TgStudy;

/**
 * Study results files.
 *
 * @paths: results files, NULL last
 *
 * Returns: (transfer full) the study, or NULL with @error set to
 *   TG_ERROR_INPUT  a file cannot be read as results
 *   TG_ERROR_USAGE  a column or field that is not in the results, or options out of range
 * Coefficients that the data do not define (too few pairs, a constant side) are no error: the study
 * says why they are missing.
 *
 * Threads: any, one per call. The same files, options and seed give the same numbers anywhere.
 */
TG_API TgStudy *tg_study_run(const char *const *paths, const TgStudyOptions *options,
                             GError **error);
TG_API void tg_study_free(TgStudy *study);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgStudy, tg_study_free)

/** The parts of a study, to be joined by |. */
typedef enum {
    TG_STUDY_CORRELATIONS = 1 << 0, /**< every column with every group of raters */
    TG_STUDY_COMPARISONS =
        1 << 1,               /**< does one metric agree with the raters better than another? */
    TG_STUDY_RATERS = 1 << 2, /**< agreement of the raters themselves */
    TG_STUDY_PREFERENCES = 1 << 3, /**< which of two metrics people prefer */
    TG_STUDY_SPELLINGS = 1 << 4,   /**< spread of metrics over spellings of one formula */
    TG_STUDY_ALL = (1 << 5) - 1,
} TgStudyParts;

/**
 * The study as UTF-8 text that ends in a newline; parts without content are left out. JSON holds
 * every number; the other styles are tables, CSV with 10 significant digits. (transfer full)
 */
TG_API char *tg_study_format(const TgStudy *study, TgStudyParts parts, TgSummaryStyle style);

G_END_DECLS
