/* The parts of a study, each computed and made a table in a file of its own, and what they share.
 */
#pragma once

#include "core/pipeline.h"
#include "eval/study/study.h"

enum { TG_STUDY_DIGITS = 4, TG_STUDY_INTERVAL_DIGITS = 3 };

/* ---- the parts, in the order in which they are computed ---- */

gboolean tg_study_add_correlations(TgStudy *study, const TgStudyOptions *options, GError **error);
gboolean tg_study_add_comparisons(TgStudy *study, const TgStudyOptions *options, GError **error);
gboolean tg_study_add_preferences(TgStudy *study, const TgStudyOptions *options, GError **error);
gboolean tg_study_add_spellings(TgStudy *study, const TgStudyOptions *options, GError **error);
gboolean tg_study_add_raters(TgStudy *study, const TgStudyOptions *options, GError **error);
void tg_study_add_systems(TgStudy *study);

/* ---- their tables ---- */

/** What to make tables of, and where they go. */
typedef struct {
    const TgStudy *study;
    const TgGridForm *form;
    GPtrArray *grids; /**< for JSON unused */
    json_t *json;     /**< for JSON: the object whose members the parts are; borrowed */
} TgStudyWriter;

void tg_study_write_correlations(TgStudyWriter *w);
void tg_study_write_systems(TgStudyWriter *w);
void tg_study_write_comparisons(TgStudyWriter *w);
void tg_study_write_raters(TgStudyWriter *w);
void tg_study_write_preferences(TgStudyWriter *w);
void tg_study_write_spellings(TgStudyWriter *w);

/** Whether programs read it: whole parts in one table each, with every column. */
gboolean tg_study_for_programs(const TgStudyWriter *w);

/** Whether people see a column. */
gboolean tg_study_shows(const TgStudy *study, guint column);

/** Keep a table that has rows, or its rows as @member of the JSON. (transfer full) */
void tg_study_keep_grid(TgStudyWriter *w, TgGrid *grid, const char *member);

/** ", pairs: SLICE" where there are several slices, else empty. (transfer full) */
char *tg_study_slice_suffix(const TgStudyWriter *w, guint slice);

/** "95 %". (transfer full) */
char *tg_study_level_text(const TgStudy *study);

/** A TgBootstrap as JSON, for the columns of tables. (transfer full) */
json_t *tg_study_bootstrap_json(gconstpointer bootstrap);

/* ---- samples ---- */

const char *tg_study_slice_name(const TgStudy *study, guint slice);
const char *tg_study_group_name(const TgStudy *study, guint group);
const char *tg_study_column_name(const TgStudy *study, guint column);

/** Rows of a slice where the group's mean and both columns are defined. (transfer full) */
guint32 *tg_study_common_rows(const TgStudy *study, guint slice, guint group, guint a, guint b,
                              guint *n);

/** A column in some rows, higher being better, or with G_MAXUINT the group's mean ratings.
 * (transfer full) */
TgRanked *tg_study_ranked(const TgStudy *study, guint group, guint column, const guint32 *rows,
                          guint n);

/** The p-value of a coefficient; of ranks of fewer than 10 items exact. */
double tg_study_correlation_p(TgCorrelationKind kind, double coefficient, const TgRanked *x,
                              const TgRanked *y);

/**
 * Intervals of a statistic whose @replicates are there already; none where all of them agree, as
 * that only says that the items are too few.
 */
void tg_study_bootstrap(const TgStudy *study, TgStatisticFunc statistic, gpointer data, guint n,
                        const double *replicates, guint n_replicates, TgBootstrap *out);
