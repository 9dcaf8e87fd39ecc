/* Pairs that deserve a look: by condition, the worst, those in the middle, some, or those that
 * metrics disagree about; copied, or drawn into a folder. */
#pragma once

#include <texgauge/types.h>

#include "core/pipeline.h"
#include "eval/grid/grid.h"

/* ---- choosing ---- */

/** Which pairs, and in which order. */
typedef enum {
    TG_CHOOSE_ALL,
    TG_CHOOSE_WORST,
    TG_CHOOSE_MEDIAN,   /**< those in the middle, worst first */
    TG_CHOOSE_RANDOM,   /**< likewise */
    TG_CHOOSE_DISPUTED, /**< those that two columns rank most differently, first */
} TgChoice;

/** A pair that may be chosen. */
typedef struct {
    guint64 number; /**< of the pair among all */
    double a, b;    /**< of the column that orders it, or of two; higher is better; no NaN */
} TgCandidate;

/**
 * Choose @n of some pairs; equal ones come in the order of their numbers.
 *
 * @candidates: of TgCandidate; put into another order
 * @seed: of TG_CHOOSE_RANDOM
 *
 * Returns: (transfer full) number (a size as a pointer) to place + 1
 */
GHashTable *tg_choose(GArray *candidates, TgChoice choice, guint n, guint64 seed);

/* ---- copies ---- */

/** What to select. Zero it, set what differs; strings are borrowed for the call. */
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
    const char *const *lower; /**< stored columns where lower is better, NULL last */
    const char *output;       /**< file to write; NULL or "-": stdout */
    gboolean edited;          /**< also results that were changed after the run */
    guint text_width;         /**< 0: JSON lines; else text for eyes, of so many columns at most */
    TgGridForm form;          /**< percent and digits of scores */
} TgSelectOptions;

/**
 * Copy pairs of results files, as JSON lines like those of the results, or as text: the first
 * truth above the prediction, with the differences marked, and the scores. Conditions alone are
 * applied in one pass and constant memory; @worst and @disputed take two, and keep two numbers a
 * pair. Several runs take one more, and 60 bytes a pair, to tell their models apart
 * (tg_results_set_model()).
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

/* ---- pictures ---- */

/** What to draw and how. Zero it, set what differs; strings are borrowed for the call. */
typedef struct {
    const char *folder;  /**< made when it is not there */
    const char *only;    /**< `all`, `worst:N`, `median:N`, `random:N` or `random:N:SEED`; NULL:
                            `worst:100` */
    TgListener listener; /**< told of each pair; the total is 0 where it is not known */
} TgPicturesOptions;

/** Whether @only can be read and, where @metrics are specs, one of them has pictures; else FALSE
 * with TG_ERROR_USAGE. To be asked before a run that takes long. */
gboolean tg_pictures_check(const char *only, const char *metrics, GError **error);

/**
 * Draw pairs of a results file. The folder gets an SVG per pair, called after row and id,
 * `index.jsonl` and `index.html`; `worst`, `median` and `random` go by the metric's first column
 * and leave out pairs without a score. A pair that cannot be drawn is in the index with the reason.
 *
 * Pairs are drawn again from the file, so memory is bounded: 16 bytes a pair for all orders but
 * `all`. Pictures and indices of the same name are replaced, files of another kind never.
 *
 * @results: a results file of one run that is complete
 * @n_drawn: (out) pictures written
 *
 * Returns: FALSE with @error set to
 *   TG_ERROR_USAGE   no metric of the file has pictures; @only cannot be read
 *   TG_ERROR_INPUT   @results cannot be read as results, or is interrupted
 *   TG_ERROR_OUTPUT  the folder holds such a file, or cannot be written
 *   TG_ERROR_FONT    a font is missing or broken
 */
gboolean tg_pictures_write(const char *results, const TgPicturesOptions *options, guint64 *n_drawn,
                           GError **error);
