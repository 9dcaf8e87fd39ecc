/* A study as grids; the reports show the same tables. */
#pragma once

#include <jansson.h>

#include "eval/grid/grid.h"
#include "eval/study/study.h"

/**
 * The tables of a study; parts without content have none.
 *
 * @style: CSV has one table for each part and all its numbers, the others what people read
 *
 * Returns: (transfer full) (element-type TgGrid)
 */
GPtrArray *tg_study_grids(const TgStudy *study, TgStudyParts parts, const TgGridForm *form);

/* ---- for the files that make them ---- */

enum { TG_STUDY_DIGITS = 4, TG_STUDY_INTERVAL_DIGITS = 3 };

/** What to make grids of, and where they go. */
typedef struct {
    const TgStudy *study;
    const TgGridForm *form;
    GPtrArray *grids; /**< for JSON unused */
    json_t *json;     /**< for JSON: the object whose members the parts are; borrowed */
} TgStudyWriter;

void tg_study_grid_correlations(TgStudyWriter *w);
void tg_study_grid_systems(TgStudyWriter *w);
void tg_study_grid_comparisons(TgStudyWriter *w);
void tg_study_grid_raters(TgStudyWriter *w);
void tg_study_grid_preferences(TgStudyWriter *w);
void tg_study_grid_spellings(TgStudyWriter *w);

/** Whether programs read it: whole parts in one grid each, with every column. */
gboolean tg_study_for_programs(const TgStudyWriter *w);

/** Keep a grid that has rows, or its rows as @member of the JSON. (transfer full) */
void tg_study_keep_grid(TgStudyWriter *w, TgGrid *grid, const char *member);

const char *tg_study_column_name(const TgStudyWriter *w, guint column);
const char *tg_study_group_name(const TgStudyWriter *w, guint group);

/** The next cell is a slice's name; "(none)" for pairs without subset or model. */
void tg_study_put_slice(TgGrid *grid, const TgStudyWriter *w, guint slice);

/** ", pairs: SLICE" where there are several slices, else empty. (transfer full) */
char *tg_study_slice_suffix(const TgStudyWriter *w, guint slice);

/** "95 %". (transfer full) */
char *tg_study_level_text(const TgStudy *study);

/** A bootstrap as JSON. (transfer full) */
json_t *tg_study_bootstrap_json(const TgBootstrap *bootstrap);

/** The next cell is a bootstrap, for JSON. */
void tg_study_put_bootstrap(TgGrid *grid, const TgBootstrap *bootstrap);
