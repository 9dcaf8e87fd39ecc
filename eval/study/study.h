/* Metrics against human scores: correlations, comparisons of metrics, agreement of raters. */
#pragma once

#include <texgauge/types.h>

#include "eval/grid/grid.h"
#include "eval/results/table.h"
#include "eval/stats/stats.h"

/** Options of a study. Zero it, set what differs; strings are borrowed for the call. */
typedef struct {
    TgTableOptions table;  /**< values to read from the files */
    const char *const *by; /**< besides all pairs also those of every value by itself of
                                "subset", "model" or a stored field; NULL last */
    gboolean all_columns;  /**< all columns in tables and comparisons, not each metric's first */
    const char *const
        *preferences;             /**< `FIELD=A,B`: the stored field that says which of two columns
                                       a person prefers for a pair (A, B, both, neither); NULL last */
    const char *const *spellings; /**< stored fields that name a group of spellings of one formula;
                                       NULL last */
    guint resamples;              /**< of every bootstrap; 0: 1000, or more for comparisons of many
                                       columns */
    guint64 seed;                 /**< of every bootstrap */
    double level;                 /**< of every interval; 0: 0.95 */
    guint threads;                /**< 0: one per processor; the numbers do not depend on it */
} TgStudyOptions;

/** Below which p-values count as findings in tables. */
#define TG_STUDY_ALPHA 0.05

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
TgStudy *tg_study_run(const char *const *paths, const TgStudyOptions *options, GError **error);

/**
 * The same study of a table that was read before, such as that of a report.
 *
 * @table: borrowed, must outlive the study; names of slices are added to its texts
 * @options: those of the table are not read
 */
TgStudy *tg_study_of_table(TgTable *table, const TgStudyOptions *options, GError **error);

void tg_study_free(TgStudy *study);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgStudy, tg_study_free)

/**
 * Check names of parts, NULL last: correlations (every column with every group of raters), systems
 * (the same with a point per model), comparisons (does one metric agree with the raters better than
 * another?), raters (their agreement), preferences (of people between two metrics), spellings
 * (spread of metrics over spellings of one formula). FALSE with TG_ERROR_USAGE
 */
gboolean tg_study_check_parts(const char *const *parts, GError **error);

/**
 * The study as UTF-8 text that ends in a newline; parts without content are left out. JSON holds
 * every number; the other styles are tables, CSV with 10 significant digits. @parts: NULL: all.
 * (transfer full)
 */
char *tg_study_format(const TgStudy *study, const char *const *parts, const TgGridForm *form);

/** The coefficients of a study: those of TgCorrelationKind, and the pairwise accuracy. */
enum { TG_ACC_EQ = TG_N_CORRELATIONS, TG_N_STUDY_COEFFICIENTS };

/** A coefficient with its p-value and intervals. */
typedef struct {
    double value;          /**< NaN where undefined; higher always means better agreement */
    double p;              /**< two-sided; NaN where undefined and of the accuracy; of ranks exact
                                for n < 10 */
    double closed[2];      /**< closed-form interval; NaN of the accuracy */
    TgBootstrap bootstrap; /**< percentile and BCa intervals */
} TgStudyCoefficient;

/** One column against the mean rating of one group, over one slice of the pairs. */
typedef struct {
    guint slice, group, column;          /* indices */
    const char *pairs, *raters, *metric; /* their names; borrowed */
    guint n;                             /* pairs where both are defined */
    guint n_unscored;                    /* rated pairs where the column is undefined */
    char *undefined;                     /* why there are no coefficients; NULL when there are */
    TgStudyCoefficient coefficient[TG_N_STUDY_COEFFICIENTS];
    double epsilon;   /* calibrated tie threshold of the accuracy, which the bootstrap keeps */
    double tau23;     /* at that threshold */
    double *pearsons; /* [comparison_resamples] replicates, for comparisons */
    guint n_models;   /* with a point each for the same over models: 3 or more; else 0 */
    guint n_pairs;    /* of them: rated and scored */
    TgStudyCoefficient of_models[TG_N_CORRELATIONS]; /* without bootstrap */
} TgStudyCorrelation;

/** Do columns a and b correlate (Pearson) equally well with one group's mean ratings? */
typedef struct {
    guint slice, group, a, b;
    const char *pairs, *raters, *metric_a, *metric_b; /* their names; borrowed */
    guint n;                                          /* pairs where all three are defined */
    double r_a, r_b, r_ab;
    TgDependentTest williams;
    TgBootstrap bootstrap; /* of r_a - r_b */
    double bootstrap_p;
    double williams_holm, bootstrap_holm; /* p over the slice and group */
    TgVerdict verdict;        /* of a beside b, by Williams' p-value and bootstrap.bca */
    const char *verdict_name; /* tg_verdict_name() */
} TgStudyComparison;

/** Figures of raters: the coefficients of agreement, which are Krippendorff's alpha by
 * TgRatingLevel and Shrout and Fleiss' ICCs; then the means over the raters of one against the mean
 * of the others, by TgCorrelationKind, which a metric as good as a rater would reach. */
enum { TG_FIRST_ICC = 3, TG_N_AGREEMENTS = 9, TG_FIRST_CEILING = 9, TG_N_RATER_FIGURES = 12 };

/** "alpha nominal" to "one against rest: Kendall". */
extern const char *const tg_study_figure_names[TG_N_RATER_FIGURES];

/** Agreement of the raters of one group, or of all groups together. */
typedef struct {
    const char *group; /* NULL: all groups together */
    guint n_pairs;     /* with a rating */
    guint n_raters;
    double *ratings;              /* [n_pairs][n_raters] */
    double icc[TG_N_ICC_FIGURES]; /* where has_icc */
    gboolean has_icc; /* every rater rated every pair that has a rating, or at least half of them */
    guint n_shared;   /* pairs that two raters or more rated, of which all others are */
    guint n_complete; /* pairs that every rater rated, of which the ICCs are */
    TgBootstrap bootstrap[TG_N_RATER_FIGURES]; /* over the pairs; from TG_FIRST_CEILING on the
                                                  estimate alone */
    char *undefined;                           /* why there is no alpha; NULL when there is */
} TgStudyRaters;

/** Correlation of two groups' mean ratings. */
typedef struct {
    const char *a, *b; /* their names */
    guint n;
    double coefficient[TG_N_CORRELATIONS];
} TgStudyGroups;

enum { TG_N_ANSWERS = 4, TG_N_SCORE_RANGES = 5 };

/** Answers about pairs whose score lies in one range. */
typedef struct {
    double from, to; /* of column a's score, from <= score < to; the last range includes to */
    guint count[TG_N_ANSWERS]; /* A, B, both, neither */
} TgStudyAnswers;

/** People's preference for one of two columns. */
typedef struct {
    const char *field;
    guint a, b;                                  /* columns */
    guint n_unknown;                             /* pairs whose answer is none of the four */
    TgStudyAnswers range[TG_N_SCORE_RANGES + 1]; /* the last: all pairs */
} TgStudyPreference;

/** Differences of a column between spellings of one formula. */
typedef struct {
    const char *field;
    guint column;
    const char *metric;
    guint n_groups;     /* with two defined values or more */
    guint n_invariant;  /* of these, with equal values */
    double mean_spread; /* highest less lowest value of a group, mean over the groups */
    double largest_spread;
    double mean_deviation;   /* standard deviation (n - 1) in a group, mean over the groups */
    const char *worst_group; /* that has the largest spread */
} TgStudySpellings;

/** A person who rated a page. */
typedef struct {
    const char *name;
    guint n, n_cannot, n_wrong; /* first answers: given, not given, the reference is wrong */
    double minutes;             /* spent */
    double seconds;             /* median over the pairs */
    guint n_repeats;            /* pairs with an answer both times */
    double same;                /* share of these with the same answer; NaN without any */
    double difference;          /* mean absolute difference of both answers */
    double itself;              /* Pearson's coefficient of both; NaN for fewer than three */
    double others[2];           /* with the mean of the others: Pearson, Spearman */
    double others_same;         /* share of the others' answers to the same pairs that are equal */
} TgStudyPerson;

/** A pair whose reference a rater calls wrong. */
typedef struct {
    const char *id, *model, *raters, *notes;
    guint n; /* raters */
} TgStudyWrong;

/** Two models of which people said which prediction is better. */
typedef struct {
    const char *a, *b;
    guint n_pairs, n;         /* pairs of predictions, and answers */
    guint wins, ties, losses; /* of a */
    double rate;              /* of a, a tie as half a win */
    TgBootstrap bootstrap;    /* over the pairs */
} TgStudyDuel;

/** A model among three or more. */
typedef struct {
    const char *model;
    double value; /* log odds against a model of mean strength */
    TgBootstrap bootstrap;
} TgStudyStrength;

struct TgStudy {
    TgTable *table; /* borrowed, or: */
    TgTable *owned;
    TgStudyOptions options;     /* with numbers in place of defaults; its texts may be gone */
    TgTableMean mean;           /* over what the values of models are means: as the headers say */
    guint comparison_resamples; /* of comparisons, whose number they must suit; not fewer */
    GPtrArray *slices;          /* of TgTableSlice * */
    GPtrArray *correlations;    /* of TgStudyCorrelation *: by slice, then group, then column */
    GPtrArray *comparisons;     /* of TgStudyComparison * */
    GPtrArray *raters;          /* of TgStudyRaters * */
    GPtrArray *groups;          /* of TgStudyGroups * */
    GPtrArray *preferences;     /* of TgStudyPreference * */
    GPtrArray *spellings;       /* of TgStudySpellings * */
    GPtrArray *people;          /* of TgStudyPerson *: who rated a page */
    GPtrArray *wrong;           /* of TgStudyWrong * */
    GPtrArray *duels;           /* of TgStudyDuel * */
    GPtrArray *strengths;       /* of TgStudyStrength * */
    double alpha_nominal;       /* Krippendorff's, of the answers to a page */
};

/** The correlation of one cell; never NULL for indices in range. */
const TgStudyCorrelation *tg_study_correlation(const TgStudy *study, guint slice, guint group,
                                               guint column);

/**
 * The tables of a study; parts without content have none.
 *
 * @form: for CSV there is one table for each part, with all its numbers, else what people read
 *
 * Returns: (transfer full) (element-type TgGrid)
 */
GPtrArray *tg_study_grids(const TgStudy *study, const char *const *parts, const TgGridForm *form);

/* ---- plan.c: how many pairs a study needs: what its intervals and tests would find ---- */

/** Options of a plan. Zero it, set what differs; strings are borrowed for the call. */
typedef struct {
    const char *const *pairs; /**< numbers of pairs, NULL last; NULL: 50, 100, 200 */
    guint raters;             /**< of each pair; 0: 3 */
    const char *assume;       /**< `r=.8,noise=.65,between=.9`, each of which may be missing:
                                   correlation of a metric with what the pairs are worth; standard
                                   deviation of a rater around that, in standard deviations of it;
                                   correlation of two metrics. NULL: as in the results */
    guint64 seed;
    double level; /**< of the intervals; 0: 0.95 */
} TgPlanOptions;

/**
 * The plan as UTF-8 text that ends in a newline, in the style of @form: for each number of pairs
 * and each metric the correlation to be expected with the mean of the raters, the mean width of its
 * interval by Fisher's z, and the smallest difference from a worse metric that Williams' test finds
 * at 0.05 with a power of 0.8.
 *
 * @table: results with human scores, of whose last group noise and correlations are; may be NULL
 *   where all is assumed
 *
 * By simulation of normal scores: correlations of a sample are drawn as those of a Wishart matrix
 * (Bartlett 1933). The noise comes from Krippendorff's alpha, and correlations are freed of it by
 * Spearman's formula.
 *
 * Returns: (transfer full), or NULL with @error set to
 *   TG_ERROR_USAGE  a number out of range
 *   TG_ERROR_INPUT  the results do not tell the noise or a correlation
 */
char *tg_plan_format(const TgTable *table, const TgPlanOptions *options, const TgGridForm *form,
                     GError **error);
