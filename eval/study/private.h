/* The parts of a study and how they are written, for the files of this folder. */
#pragma once

#include "eval/results/ratings.h"
#include "eval/study/study.h"

/** The study that tables are made of, and the place where they go. */
typedef struct {
    const TgStudy *study;
    const TgGridForm *form;
    GPtrArray *grids; /* for JSON unused */
    json_t *json;     /* for JSON: the object whose members the parts are; borrowed */
} TgStudyWriter;

/** Put a table that has rows where it goes: in JSON as @member. (transfer full) */
void tg_study_keep_grid(TgStudyWriter *w, TgGrid *grid, const char *member);

/** Draw @n items again for the intervals of a coefficient; NaN where it is undefined, or where all
 * replicates agree. */
void tg_study_bootstrap(const TgStudy *study, TgStatisticFunc statistic, gpointer data, guint n,
                        TgBootstrap *out);

/* ---- people.c ---- */

/** Add figures of the raters, of wrong references and of duels, from the answers to a page. */
void tg_study_add_people(TgStudy *study);

void tg_study_write_people(TgStudyWriter *w);
void tg_study_write_duels(TgStudyWriter *w);
