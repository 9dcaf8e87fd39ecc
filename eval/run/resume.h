/* Taking up an interrupted results file where it ends. */
#pragma once

#include "datasets/records/record.h"
#include "eval/run/summary.h"

/** What an output file already holds. All zero: nothing. */
typedef struct {
    gboolean has_header;
    gboolean complete; /* nothing is left to do */
    guint64 n_rows;    /* pair lines in the file */
    guint64 last_row;  /* row number of the last one; rows up to it are done */
    char *last_id;
} TgResume;

/**
 * Look at the file that a run is going to write.
 *
 * A file that is not there, or not of this program, is new. An interrupted results file is taken
 * up when @wanted: its header must be @header, its pairs are added to @summary, half a last line
 * is cut off. When it is not wanted, a file that holds anything is not overwritten, unless @force.
 *
 * Returns: FALSE with TG_ERROR_OUTPUT (not wanted, and it holds something; of another run; cannot
 * be cut) or TG_ERROR_INPUT (damaged)
 */
gboolean tg_resume_open(TgResume *resume, const char *path, const char *header, gboolean wanted,
                        gboolean force, TgSummary *summary, GError **error);

/**
 * Whether @record is still to be scored.
 *
 * Returns: FALSE for a done row; with TG_ERROR_INPUT when the row where the file ended now has
 * another id: the input has changed
 */
gboolean tg_resume_wants(TgResume *resume, const TgRecord *record, GError **error);

void tg_resume_clear(TgResume *resume);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgResume, tg_resume_clear)
