/* results.jsonl: what a run writes and everything later reads. The format is in
 * docs/reference/results.md. */
#pragma once

#include <jansson.h>

#include "datasets/source.h"
#include "eval/results/scores.h"

/** What a run was, as far as its rows depend on it; borrowed. */
typedef struct {
    const TgScoreLayout *layout;
    const char *const *inputs; /**< names of all files, NULL last */
    const char *delimiters;
    const char *undefined;
    guint shard;
    guint n_shards;
    const char *renderer; /* NULL: the typesetter of this library */
    const char *clean;    /* rules of clean-up; NULL: none */
    double pair_timeout;  /* seconds; 0: none */
    gboolean token_ids;   /* formulas are token ids */
} TgResultsInfo;

/** First line of a file: version, signatures, options; without newline. (transfer full) */
char *tg_results_header(const TgResultsInfo *info);

/** Append the line of one pair to @out, with its newline. */
void tg_results_append_row(GString *out, const TgScoreLayout *layout, const TgRecord *record,
                           const TgScores *scores);

/**
 * Last line of a file; without it the file counts as interrupted.
 *
 * @n_rows: pair lines in this file
 * @inputs: with their checksums
 *
 * Returns: (transfer full) text without newline
 */
char *tg_results_footer(guint64 n_rows, const TgSourceInput *inputs, guint n_inputs);

/** A results file that is being read, one row at a time. */
typedef struct TgResultsReader TgResultsReader;

/** One pair line. Borrowed from the reader until the next one. */
typedef struct {
    guint64 row;
    const char *id;     /**< NULL when none */
    const char *model;  /**< NULL when none */
    const char *subset; /**< NULL when none */
    TgScores scores;    /**< in the places of the reader's layout */
    json_t *json;       /**< the whole line */
} TgResultsRow;

/**
 * Open a results file, plain or compressed, and make its metrics again from its header.
 *
 * @path: the file, or a pipe, which can be read once
 *
 * Returns: (transfer full) the reader, or NULL with TG_ERROR_INPUT: not a results file, or one
 * whose metrics this program does not have in the same version
 */
TgResultsReader *tg_results_open(const char *path, GError **error);
void tg_results_close(TgResultsReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgResultsReader, tg_results_close)

/** The first line of a results file alone; NULL where it cannot be read as JSON. (transfer full) */
json_t *tg_results_peek(const char *path);

/** The metrics of the file; valid as long as the reader, or longer with tg_score_layout_ref(). */
TgScoreLayout *tg_results_layout(const TgResultsReader *reader);

/** The header object; borrowed. */
const json_t *tg_results_header_json(const TgResultsReader *reader);

/**
 * Read the next pair.
 *
 * Returns: TRUE with *@row; FALSE with @error unset at the end of the file (complete or not: see
 * tg_results_check_whole()); FALSE with TG_ERROR_INPUT for a line that is not as it should be, for
 * a row that is missing or comes twice, a score outside its metric's range, or a footer that counts
 * other rows. A last line that was cut short is the end of an interrupted file, not an error.
 */
gboolean tg_results_next(TgResultsReader *reader, const TgResultsRow **row, GError **error);

/** Take the line of the row that tg_results_next() gave last; the row's texts live as long as it.
 * (transfer full) */
json_t *tg_results_steal_json(TgResultsReader *reader);

/** The footer object once the end is reached; NULL: the file is interrupted. Borrowed. */
const json_t *tg_results_footer_json(const TgResultsReader *reader);

/** At the end of the file: FALSE with TG_ERROR_INPUT where it is interrupted. */
gboolean tg_results_check_whole(const TgResultsReader *reader, GError **error);

/** Whether the file is compressed, so that nothing can be added to it. */
gboolean tg_results_is_compressed(const TgResultsReader *reader);

/** Bytes from the start of the file up to the end of the last whole line that was read. */
guint64 tg_results_offset(const TgResultsReader *reader);
