/* Results files for tests, scored from rows of JSON lines. */
#pragma once

#include "tests/support/scratch.h"

#include "eval/run/run.h"

/**
 * Score JSON lines into @folder/@name.jsonl and give its path, to be freed. Of @how, the metrics,
 * columns and human groups are read.
 */
char *tg_results_of_lines(const char *folder, const char *name, const char *lines,
                          const TgEvalOptions *how);

/**
 * The pooled value of a column.
 *
 * @model: NULL for pairs without a model
 * @subset: NULL for all pairs of the model
 * @column: full name, as "bleu" or "rouge.l"
 *
 * Returns: the value, or NaN where it is undefined or there is no such group or column
 */
double test_summary_value(const TgSummary *summary, const char *model, const char *subset,
                          const char *column);
