/* Pairs that deserve a look: by condition, the worst, or those that metrics disagree about. */
#pragma once

#include <texgauge/types.h>

#include "core/pipeline.h"
#include "eval/grid/grid.h"

/** Options of a selection. Zero it, set what differs; strings are borrowed for the call. */
typedef struct {
    const char *const *where; /**< conditions that must all hold, NULL last: `FIELD OP VALUE` with
                                 one of < <= > >= == = !=. FIELD is a column of a metric, a stored
                                   field, a group of raters (its mean), id, model, subset, or
                                   status.METRIC; VALUE is a number, a text, or null. What is
                                   undefined meets `== null` and nothing else */
    guint worst;              /**< only so many with the worst score in @by, worst first; 0: all */
    const char *by;           /**< column for @worst; NULL: the first */
    const char *disputed;     /**< `A,B`: the pairs that two columns rank most differently, first */
    guint limit;              /**< at most so many; 0: 20 with @disputed, else all */
    const char *mean; /**< over what values are means: "pairs", or "pages" as tg_mean_parse()
                           reads it, so that @worst, @disputed and @limit of the latter count
                           pages of a model, with all their pairs; NULL: as the run did */
    const char *const *lower; /**< stored columns where lower is better, NULL last */
    const char *output;       /**< file to write; NULL or "-": stdout */
    GPtrArray *remarks; /**< (out) gets char *: what was noticed of files that were changed after
                             the run; NULL: nobody asks */
    guint64 *n_pages; /**< (out) pages that were chosen, if they are the unit; NULL: nobody asks */
    guint text_width; /**< 0: JSON lines; else text for eyes, of so many columns at most */
    TgGridForm form;  /**< percent and digits of scores */
} TgSelectOptions;

/**
 * Copy pairs of results files, as JSON lines like those of the results, or as text: the first
 * reference above the prediction, with the differences marked, and the scores. Conditions alone are
 * applied in one pass and constant memory; @worst and @disputed take two, and keep three numbers a
 * pair; of pages they take three, and keep all pairs. Several runs take one more, and 60 bytes a
 * pair, to tell their models apart (tg_results_set_model()).
 *
 * @paths: each "MODEL=FILE" or FILE, NULL last
 *
 * Disagreement is the difference of a pair's positions in the two orders (mid-rank over the number
 * of pairs that both columns score), each from worst to best.
 *
 * @n_selected, @n_pairs: (out) how many were written, and of how many
 *
 * Returns: FALSE with @error set to
 *   TG_ERROR_INPUT   a file cannot be read as results
 *   TG_ERROR_USAGE   a condition that cannot be read, a field that no pair has
 *   TG_ERROR_OUTPUT  the output cannot be written
 */
gboolean tg_select_run(const char *const *paths, const TgSelectOptions *options,
                       guint64 *n_selected, guint64 *n_pairs, GError **error);

/**
 * Measure how much columns disagree about each of @n items: the difference between its highest and
 * its lowest mid-rank.
 *
 * @columns: [n_columns] each of @n numbers, higher is better, no NaN
 * @out: [n]
 */
void tg_select_disputes(const double *const *columns, guint n_columns, guint n, double *out);
