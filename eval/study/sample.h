/* What the parts of a study share: the values that they compare, resampling, threads. */
#pragma once

#include "core/pipeline.h"
#include "eval/study/study.h"

/** Values of a column in some rows, turned so that higher is better. (transfer full) */
double *tg_study_aligned(const TgTableColumn *column, const guint32 *rows, guint n);

/** Rows of a slice where the group's mean and both columns are defined. (transfer full) */
guint32 *tg_study_common_rows(const TgStudySlice *slice, const TgTableGroup *group,
                              const TgTableColumn *a, const TgTableColumn *b, guint *n);

/** The group's mean ratings in some rows. (transfer full) */
TgRanked *tg_study_human(const TgTableGroup *group, const guint32 *rows, guint n);

/**
 * Intervals of a statistic whose @replicates are there already; none where all of them agree, as
 * that only says that the items are too few.
 */
void tg_study_bootstrap(const TgStudy *study, TgStatisticFunc statistic, gpointer data, guint n,
                        const double *replicates, guint n_replicates, TgBootstrap *out);

/**
 * Call @work(item, worker, study) for every item, on several threads (0: one per processor).
 * FALSE with TG_ERROR_INTERNAL if there are no threads to be had.
 */
gboolean tg_study_work(TgStudy *study, GPtrArray *items, guint threads, TgPipelineWork work,
                       GError **error);
