/* A study as tables; the reports show the same ones. */
#pragma once

#include "eval/results/grid.h"
#include "eval/study/study.h"

/**
 * The tables of a study; parts without content have none.
 *
 * @tidy: for programs: one row per number or test, instead of what people read
 *
 * Returns: (transfer full) (element-type TgGrid)
 */
GPtrArray *tg_study_grids(const TgStudy *study, TgStudyParts parts, gboolean tidy);

/* ---- for the files that make them ---- */

enum { TG_STUDY_DIGITS = 4, TG_STUDY_INTERVAL_DIGITS = 3, TG_STUDY_FOR_PROGRAMS = -1 };

typedef struct {
    const TgStudy *study;
    gboolean tidy;
    GPtrArray *grids;
} TgStudyWriter;

void tg_study_grid_correlations(TgStudyWriter *w);
void tg_study_grid_comparisons(TgStudyWriter *w);
void tg_study_grid_raters(TgStudyWriter *w);
void tg_study_grid_preferences(TgStudyWriter *w);
void tg_study_grid_spellings(TgStudyWriter *w);

const char *tg_study_column_name(const TgStudyWriter *w, guint column);
const char *tg_study_group_name(const TgStudyWriter *w, guint group);

/** A slice's name; "(none)" for pairs without subset or model. */
const char *tg_study_slice_name(const TgStudyWriter *w, guint slice);

/** ", pairs: SLICE" where there are several slices, else empty. (transfer full) */
char *tg_study_slice_suffix(const TgStudyWriter *w, guint slice);

/** "95 %". (transfer full) */
char *tg_study_level_text(const TgStudy *study);

/** Two cells for programs. */
void tg_study_put_ends(TgGrid *grid, const double ends[2]);
