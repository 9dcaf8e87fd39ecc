/* What a study holds; what users see of it is in <texgauge/study.h>. */
#pragma once

#include <texgauge/study.h>

#include "eval/results/table.h"
#include "eval/stats/agreement.h"
#include "eval/stats/bootstrap.h"
#include "eval/stats/correlation.h"
#include "eval/stats/dependent.h"

/** Which pairs: all, those of a subset, or those of a model. */
typedef struct {
    const char *name; /**< "all", or of the subset or model */
    guint32 *rows;    /**< [n] numbers of the table's rows */
    guint n;
} TgStudyPart;

/** A coefficient and how sure it is. */
typedef struct {
    double value;          /**< NaN where undefined; higher always means better agreement */
    double p;              /**< two-sided; NaN where undefined */
    double closed[2];      /**< closed-form interval */
    TgBootstrap bootstrap; /**< percentile and BCa intervals */
} TgStudyCoefficient;

/** One column against the mean rating of one group, over one part of the pairs. */
typedef struct {
    guint part, group, column; /* indices */
    guint n;                   /* pairs where both are defined */
    guint n_unscored;          /* rated pairs where the column is undefined */
    char *undefined;           /* why there are no coefficients; NULL when there are */
    TgStudyCoefficient coefficient[TG_N_CORRELATIONS];
    double epsilon;            /* calibrated tie threshold of the pairwise accuracy */
    double tau23;              /* at that threshold */
    TgStudyCoefficient acc_eq; /* at that threshold, which the bootstrap keeps; no p-value */
    double *pearsons;          /* [resamples] replicates, for comparisons */
} TgStudyCorrelation;

/** Do columns a and b correlate (Pearson) equally well with one group's mean ratings? */
typedef struct {
    guint part, group, a, b;
    guint n; /* pairs where all three are defined */
    double r_a, r_b, r_ab;
    TgDependentTest williams, steiger, meng;
    TgBootstrap bootstrap; /* of r_a - r_b */
    double bootstrap_p;
    double holm[3]; /* p-values of Williams, Steiger and bootstrap, adjusted over the part, group */
    double benjamini_hochberg[3]; /* likewise */
} TgStudyComparison;

/** How well the raters of one group, or of all groups together, agree. */
typedef struct {
    const char *group; /* NULL: all groups together */
    guint n_pairs;     /* with a rating */
    guint n_raters;
    double alpha[3];  /* Krippendorff's, by TgRatingLevel; NaN where undefined */
    TgIcc icc;        /* where has_icc */
    gboolean has_icc; /* every rater rated every pair that has a rating */
    double
        ceiling[TG_N_CORRELATIONS]; /* mean over the raters of one against the mean of the rest */
    char *undefined;                /* why there is no alpha; NULL when there is */
} TgStudyRaters;

/** Correlation of two groups' mean ratings. */
typedef struct {
    guint a, b;
    guint n;
    double coefficient[TG_N_CORRELATIONS];
} TgStudyGroups;

enum { TG_N_ANSWERS = 4, TG_N_SCORE_RANGES = 5 };

/** Answers about pairs whose score lies in one range. */
typedef struct {
    double from, to; /* of column a's score, from <= score < to; the last range includes to */
    guint count[TG_N_ANSWERS]; /* A, B, both, neither */
} TgStudyAnswers;

/** Which of two columns people prefer. */
typedef struct {
    const char *field;
    guint a, b;      /* columns */
    guint n_unknown; /* pairs whose answer is none of the four */
    TgStudyAnswers all;
    TgStudyAnswers range[TG_N_SCORE_RANGES];
} TgStudyPreference;

/** How much a column differs between spellings of one formula. */
typedef struct {
    const char *field;
    guint column;
    guint n_groups;     /* with two defined values or more */
    guint n_invariant;  /* of these, with equal values */
    double mean_spread; /* highest less lowest value of a group, mean over the groups */
    double largest_spread;
    double mean_deviation;   /* standard deviation (n - 1) in a group, mean over the groups */
    const char *worst_group; /* that has the largest spread */
} TgStudySpellings;

struct TgStudy {
    TgTable *table;
    guint resamples;
    guint64 seed;
    double level;
    gboolean all_columns;    /* of metrics also those beside the first, in tables and comparisons */
    GPtrArray *parts;        /* of TgStudyPart * */
    GPtrArray *correlations; /* of TgStudyCorrelation *: by part, then group, then column */
    GPtrArray *comparisons;  /* of TgStudyComparison * */
    GPtrArray *raters;       /* of TgStudyRaters * */
    GPtrArray *groups;       /* of TgStudyGroups * */
    GPtrArray *preferences;  /* of TgStudyPreference * */
    GPtrArray *spellings;    /* of TgStudySpellings * */
};

/** Whether a column stands in tables and comparisons. */
gboolean tg_study_shows(const TgStudy *study, guint column);

/** The correlation of one cell; never NULL for indices in range. */
const TgStudyCorrelation *tg_study_correlation(const TgStudy *study, guint part, guint group,
                                               guint column);

/**
 * The mean of Pearson's and Spearman's coefficients over all groups, as in table I of the TeXBLEU
 * paper (arXiv:2409.06639); NaN where one of them is undefined.
 */
double tg_study_average(const TgStudy *study, guint part, guint column);

/** The four answers' names, in the order of TgStudyAnswers. */
extern const char *const tg_study_answer_names[TG_N_ANSWERS];
