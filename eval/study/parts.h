/* The parts of a study, each in a file of its own. */
#pragma once

#include "eval/study/study.h"

/**
 * correlations.c: the first part.
 *
 * Returns: FALSE with @error as tg_study_work()
 */
gboolean tg_study_add_correlations(TgStudy *study, const TgStudyOptions *options, GError **error);

/** systems.c */
void tg_study_add_systems(TgStudy *study);

/** comparison.c: after the correlations. FALSE with @error as tg_study_work(). */
gboolean tg_study_add_comparisons(TgStudy *study, const TgStudyOptions *options, GError **error);

/** raters.c; FALSE with @error as tg_study_work(). */
gboolean tg_study_add_raters(TgStudy *study, const TgStudyOptions *options, GError **error);

/** preference.c; FALSE with TG_ERROR_USAGE. */
gboolean tg_study_add_preferences(TgStudy *study, const TgStudyOptions *options, GError **error);

/** spellings.c; FALSE with TG_ERROR_USAGE. */
gboolean tg_study_add_spellings(TgStudy *study, const TgStudyOptions *options, GError **error);
