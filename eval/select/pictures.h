/* A folder of pictures of the pairs of a run: the worst, those in the middle, some, or all. */
#pragma once

#include <texgauge/picture.h>
#include <texgauge/types.h>

/** What to draw and how. Zero it, set what differs; strings are borrowed for the call. */
typedef struct {
    const char *folder; /**< made when it is not there */
    const char *only;   /**< `all`, `worst:N`, `median:N`, `random:N` or `random:N:SEED`; NULL:
                           `worst:100` */
    /** Called with each pair; @total is 0 where it is not known. NULL: not called. */
    void (*progress)(guint64 done, guint64 total, gpointer data);
    gpointer data; /**< for progress */
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
 * `all`. What this function wrote into the folder before is replaced; a file that it did not write
 * is never touched.
 *
 * @results: a results file of one run that is complete
 * @n_drawn: (out) pictures written
 *
 * Returns: FALSE with @error set to
 *   TG_ERROR_USAGE   no metric of the file has pictures; @only cannot be read
 *   TG_ERROR_INPUT   @results cannot be read as results, or is interrupted
 *   TG_ERROR_OUTPUT  the folder holds a file of the same name that is none of ours, or cannot be
 *                    written
 *   TG_ERROR_FONT    a font is missing or broken
 */
gboolean tg_pictures_write(const char *results, const TgPicturesOptions *options, guint64 *n_drawn,
                           GError **error);
