/* Taking up an interrupted results file where it ends. */
#pragma once

#include "datasets/records/record.h"
#include "eval/run/summary.h"

/** What an output file already holds. All zero: nothing. */
typedef struct {
    gboolean has_header;
    gboolean complete; /* nothing is left to score */
    guint64 n_rows;    /* pair lines in the file */
    guint64 offset;    /* bytes up to the end of the last whole line */
    GArray *done;      /* of those lines: number and hash of the pair */
    guint next;        /* the first of them that the input did not come to yet */
} TgResume;

/**
 * Look at the file that a run is going to write; whoever writes it has a lock on it.
 *
 * A file that is empty, or no file but a device or a pipe, is new. An interrupted results file is
 * taken up when @wanted: its header must be @header, its pairs are added to @summary. When it is
 * not wanted, a file that holds anything is not overwritten, unless @force.
 *
 * Returns: FALSE with TG_ERROR_OUTPUT (not wanted, and it holds something; of another run) or
 * TG_ERROR_INPUT (damaged)
 */
gboolean tg_resume_open(TgResume *resume, const char *path, const char *header, gboolean wanted,
                        gboolean force, TgSummary *summary, GError **error);

/**
 * Whether @record is still to be scored.
 *
 * Returns: FALSE for a done row; with TG_ERROR_INPUT where the row was another one when it was
 * scored: the input has changed
 */
gboolean tg_resume_wants(TgResume *resume, const TgRecord *record, GError **error);

/** At the end of the input: FALSE with TG_ERROR_INPUT where it lacks rows that are done. */
gboolean tg_resume_check_end(const TgResume *resume, GError **error);

void tg_resume_clear(TgResume *resume);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgResume, tg_resume_clear)
