/* Building a summary; what users see of it is in <texgauge/summary.h>. */
#pragma once

#include <texgauge/summary.h>

#include "eval/results/pooled.h"

/** Takes the layout over. (transfer full) */
TgSummary *tg_summary_new(TgScoreLayout *layout);

/** Add one pair to its model and subset (either may be NULL). */
void tg_summary_add(TgSummary *summary, const char *model, const char *subset,
                    const TgScores *scores);

const TgScoreLayout *tg_summary_layout(const TgSummary *summary);

/** One row of a summary: a set of pairs and its values. */
typedef struct {
    const char *model;  /* NULL: rows without a model */
    const char *subset; /* NULL: all pairs of the model, or the mean over subsets */
    gboolean is_macro;
    guint64 n_pairs;
    double *values;       /* per column */
    guint64 *n_undefined; /* per metric */
    guint64 *n_failed;    /* per metric */
} TgSummaryRow;

/**
 * All rows, models and subsets sorted by name so that shards agree: per model the micro row over
 * all its pairs; where there are two subsets or more also theirs, and the macro row, their plain
 * mean (undefined where one of them is). (transfer full) (element-type TgSummaryRow)
 */
GPtrArray *tg_summary_rows(const TgSummary *summary);
