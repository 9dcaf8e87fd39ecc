/* The results of a run: the numbers of pairs, how sets of pairs are pooled, and results.jsonl,
 * which a run writes and every later command reads (docs/reference/results.md). */
#pragma once

#include <jansson.h>
#include <texgauge/registry.h>

#include "core/fail.h"
#include "core/files/stream.h"
#include "core/json.h"
#include "core/number.h"
#include "datasets/id_set.h"
#include "datasets/input_names.h"
#include "datasets/source.h"
#include "eval/grid/grid.h"

/* ---- the numbers of a pair ---- */

/** The metrics of a run and the place of each one's numbers; constant, shared by all threads. */
typedef struct {
    gatomicrefcount n_owners;
    GPtrArray *metrics;  /* of TgMetric, owned */
    guint *first_column; /* per metric, and one more for the end */
    guint *first_stat;
    guint n_columns;
    guint n_stats;
    guint width; /* of a row of numbers: columns, statistics, and whether each metric left some */
    const TgColumn **columns; /* [n_columns] */
    const char **names;       /* [n_columns] NULL last */
    char **keys;              /* [n_columns] these as keys of JSON, NULL last */
} TgScoreLayout;

/** One pair's numbers, in the places of a layout. */
typedef struct {
    double *columns;   /* [width] the row: columns, NaN: undefined, ... */
    double *stats;     /* ... statistics, zero where there are none, ... */
    double *has_stats; /* ... and 1 for each metric that left them, else 0 */
    char **status;     /* per metric; NULL: ok */
    char **note;       /* per metric; may be NULL */
    GVariant **detail; /* per metric; may be NULL */
} TgScores;

/** Takes the array over. (transfer full) */
TgScoreLayout *tg_score_layout_new(GPtrArray *metrics);
TgScoreLayout *tg_score_layout_ref(TgScoreLayout *layout);
void tg_score_layout_unref(TgScoreLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgScoreLayout, tg_score_layout_unref)

/** Whether --percent shows the scores of @column from 0 to 100. Distances stay fractions, as
 * leaderboards print them. */
gboolean tg_score_layout_is_share(const TgScoreLayout *layout, guint column);

/** The index of the column called @name, or -1. */
gint tg_score_layout_find_column(const TgScoreLayout *layout, const char *name);

/** An object with the whole signature of each metric by its label. (transfer full) */
json_t *tg_signatures_json(const TgScoreLayout *layout);

/** Add notes to @grid: each metric with the options that are not its presets, and its version, and
 * the remarks of the files (NULL: none). Checksums of files are in the JSON alone. */
void tg_signatures_note(TgGrid *grid, const TgScoreLayout *layout, const GPtrArray *remarks);

/** Remarks as a JSON list, or NULL where there are none. (transfer full) */
json_t *tg_remarks_json(const GPtrArray *remarks);

void tg_scores_init(TgScores *scores, const TgScoreLayout *layout);
void tg_scores_reset(TgScores *scores, const TgScoreLayout *layout);
void tg_scores_clear(TgScores *scores, const TgScoreLayout *layout);

/** Take over what @result says for metric number @metric. */
void tg_scores_take(TgScores *scores, const TgScoreLayout *layout, guint metric,
                    const TgResult *result);

/** Whether a metric scored a pair as usual: its status is NULL, "ok", or "ok" with a remark, as in
 * "ok (1 error in the prediction)". A pair of any other status is "not ok". */
gboolean tg_status_is_ok(const char *status);

/** Give metric @metric of this pair a status of its own, instead of any it has. Copied. */
void tg_scores_set_status(TgScores *scores, guint metric, const char *status);

/* ---- writing results.jsonl ---- */

/** The facts about a run that its rows depend on; borrowed. */
typedef struct {
    const TgScoreLayout *layout;
    const TgSourceInput *inputs;
    guint n_inputs;
    const json_t *options; /**< that change numbers, as tg_args_record() gives them */
    const char *mean;      /**< over what its values are means, as tg_mean_parse() reads it; NULL:
                                over pairs */
    guint shard;
    guint n_shards;
    gboolean has_fields; /**< of the inputs; else their rows were made from pages */
} TgResultsInfo;

/** First line of a file, before it is sealed: version, signatures, options. (transfer full) */
char *tg_results_header(const TgResultsInfo *info);

/** Append the line of one pair to @out, before it is sealed, with a newline. */
void tg_results_append_row(GString *out, const TgScoreLayout *layout, const TgRecord *record,
                           const TgScores *scores);

/**
 * Last line of a file, before it is sealed; without it the file counts as interrupted.
 *
 * @n_rows: pair lines in this file
 * @inputs: with their checksums
 *
 * Returns: (transfer full) text without newline
 */
char *tg_results_footer(guint64 n_rows, const TgSourceInput *inputs, guint n_inputs);

/* ---- reading a results file ---- */

/** The first line of a results file, which says how its pairs were scored. */
typedef struct {
    char *path;
    json_t *json; /**< the whole line */
    TgScoreLayout *layout;
    guint64 shard, n_shards; /**< its rows are shard, shard + n_shards, ... */
} TgRunHeader;

TgRunHeader *tg_run_header_ref(TgRunHeader *header);
void tg_run_header_unref(TgRunHeader *header);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgRunHeader, tg_run_header_unref)

/** The unit of averaging of a run, which holds unless a reader is told otherwise, as
 * tg_mean_parse() reads it; NULL: pairs. Borrowed. */
const char *tg_run_header_mean(const TgRunHeader *header);

/** Check that the options that change numbers, which are all that headers have, are the same in two
 * files. Returns: FALSE with TG_ERROR_INPUT that says what differs */
gboolean tg_run_header_check_options(const TgRunHeader *first, const TgRunHeader *other,
                                     GError **error);

/** One pair line. Borrowed from the reader until the next one. */
typedef struct {
    guint64 row;
    const char *id;     /**< NULL when none */
    const char *model;  /**< NULL when none */
    const char *subset; /**< NULL when none */
    TgScores scores;    /**< in the places of the layout */
    const TgScoreLayout *layout;
    json_t *json; /**< the whole line */
} TgResultsRow;

/** A results file that is being read, one row at a time. */
typedef struct {
    TgRunHeader *header;
    json_t *footer;        /**< once the end is reached; NULL: the file is interrupted */
    guint64 offset;        /**< bytes up to the end of the last whole line that was read */
    TgSeal seal;           /**< of the lines that were read, for tg_seal_append() */
    gboolean is_continued; /**< to be set before reading: a run will be continued, so the file may
                              end in half a line, and all lines before are as the run wrote them */
    TgStream *stream;
    gboolean is_at_end;
    TgDamage damage;  /**< signs of changes after the run */
    TgResultsRow row; /**< the latest; its texts live as long as its json, which may be taken */
} TgResultsReader;

/**
 * Open a results file, plain or compressed, and make its metrics again from its header.
 *
 * @path: the file, or a pipe, which can be read once
 *
 * Returns: (transfer full) the reader, or NULL with TG_ERROR_INPUT: not a results file, or one
 * whose metrics this program does not have in the same version
 */
TgResultsReader *tg_results_open(const char *path, GError **error);

/** Whether the file begins as results do, whatever is wrong with them. */
gboolean tg_results_recognize(const char *path);

/** Whether there are inputs, and all of them are regular files of results: the text that is read
 * from a pipe is gone. @inputs: as tg_input_names_init() takes them */
gboolean tg_results_recognize_all(const char *const *inputs);
void tg_results_close(TgResultsReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgResultsReader, tg_results_close)

/**
 * Read the next pair.
 *
 * @row: (out) NULL unless there is one
 *
 * A file that was filtered or changed after its run is read, and tg_results_remark() says what was
 * noticed.
 *
 * Returns: TG_NEXT_ERROR with TG_ERROR_INPUT for a line that cannot be read, a row that comes twice
 * or out of order, a score outside its metric's range, or a footer that counts fewer rows
 */
TgNext tg_results_next(TgResultsReader *reader, const TgResultsRow **row, GError **error);

/** At the end, what a reader of the numbers must know of the file: how it was changed after the
 * run, or that it was made from results that were. (transfer full) NULL: nothing */
char *tg_results_remark(const TgResultsReader *reader);

/* ---- reading several ---- */

/** The properties that the files of a set must share. */
typedef enum {
    TG_RESULTS_ANY,     /**< nothing */
    TG_RESULTS_ALIKE,   /**< they were scored alike, and no shard is missing */
    TG_RESULTS_ONE_RUN, /**< they are one run, or all its shards, scored alike */
} TgResultsLikeness;

/** Results files as a user named them: which are shards of one run, whose models their rows are,
 * and all their rows. No two runs are taken for one. */
typedef struct {
    TgRunHeader *header; /**< of the first file; NULL: not opened yet */
    char *mean;          /**< tg_run_header_mean() of all files; NULL: they differ, too */
    json_t *data;        /**< the data files that they name: {file, format, sha256} */
    GPtrArray *remarks;  /**< tg_results_remark() of each file, once all were read */

    TgInputNames inputs;
    TgResultsLikeness likeness;
    gboolean force;
    guint *run_of;      /* [inputs.n] */
    GPtrArray *runs;    /* of Run */
    TgIdSet *ids;       /* NULL: one run only */
    GHashTable *shared; /* models that rows of several runs name, and the same ids with them */

    guint next_run, next_file; /* that are to be opened in this pass */
    GArray *open;              /* Shard */
    guint last;                /* the one of the latest row; G_MAXUINT: none */
    guint64 expected_row;      /* the row that comes after it */
    gboolean was_read;         /* an earlier pass has seen all rows */
} TgResultsSet;

/**
 * Take a list of results files, each "MODEL=FILE" or FILE (datasets/input_names.h).
 *
 * @texts: NULL last
 * @force: metrics with the same columns and statistics are enough, however they scored; files of
 * one run have the same input, and of other files shards may be missing
 *
 * Returns: (transfer full), or NULL with TG_ERROR_USAGE: none, or TG_ERROR_INPUT: a shard is
 * missing, or they are of several runs
 */
TgResultsSet *tg_results_set_new(const char *const *texts, TgResultsLikeness likeness,
                                 gboolean force, GError **error);
void tg_results_set_free(TgResultsSet *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgResultsSet, tg_results_set_free)

/**
 * Read the next row, run by run, each in the order of its input: what is drawn at random from the
 * rows is the same in shards as in one file.
 *
 * @row: (out) NULL unless there is one
 * @file: (out) whose row it is; may be NULL
 *
 * Returns: TG_NEXT_ERROR with TG_ERROR_INPUT as tg_results_next(), for files that are not alike,
 * for a name given to a file of several models, or to two files that have the same id
 */
TgNext tg_results_set_next(TgResultsSet *set, const TgResultsRow **row, guint *file,
                           GError **error);

/** Read all files again from the start. */
void tg_results_set_rewind(TgResultsSet *set);

/** Whether tg_results_set_model() must wait until all rows were read once: where there are several
 * runs, or names by the user. */
gboolean tg_results_set_needs_rows(const TgResultsSet *set);

/**
 * The model of a row: the name that the user gave its file; else what the row says, where no other
 * run has a row of the same model, subset and id (or number, without an id); else the name that the
 * paths of the files tell, with what the row says after it where that run has several models.
 *
 * @model: what the row says; NULL for nothing
 *
 * Returns: (transfer full) NULL for a row without model in the only run
 */
char *tg_results_set_model(const TgResultsSet *set, guint file, const char *model);

/* ---- fields of a row ---- */

typedef struct {
    gboolean is_known; /**< the row's file has such a field */
    double number;     /**< NaN where undefined or a text */
    const char *text;  /**< borrowed from the row; NULL where it is a number or undefined */
} TgFieldValue;

/**
 * Field @name of a row: a metric's column, a stored field, a group of raters (their mean), `id`,
 * `model`, `subset`, or `status.METRIC`; the first that fits.
 */
TgFieldValue tg_results_field(const TgResultsRow *row, const char *name);

/** The references of a row. (transfer container) NULL last; its texts are the row's */
const char **tg_results_refs(const TgResultsRow *row, guint *n);

/** A condition such as `edit<0.5`; constant once made. */
typedef struct {
    char *field;      /**< that it is about */
    guint holds;      /**< condition.c's operator */
    char *text;       /**< as written */
    gboolean is_null; /**< the text is null */
    double number;    /**< NaN where the text is not one */
} TgCondition;

/** Read a condition; (transfer full), or NULL with TG_ERROR_USAGE. */
TgCondition *tg_condition_new(const char *text, GError **error);
void tg_condition_free(TgCondition *condition);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgCondition, tg_condition_free)

/** Whether @value meets it. */
gboolean tg_condition_holds(const TgCondition *condition, const TgFieldValue *value);

/* ---- two formulas for people ---- */

/** A token, a piece of a source. */
typedef struct {
    const char *text; /**< UTF-8; need not end in NUL */
    gsize length;     /**< bytes */
} TgSideToken;

/**
 * Print reference above prediction in lines of at most @width columns, with ^ under what differs by
 * the smallest number of edits of tokens; white space between tokens is no difference. Lines
 * without a difference are left out but for the first, with "..." in their place. Control
 * characters become visible.
 *
 * @ref, @hyp: UTF-8; the first 10,000 tokens of each are shown
 * @width: of the page; at least 40 are used; after eight lines there is the number of tokens left
 */
void tg_side_by_side_append(GString *out, const char *ref, const char *hyp, guint width);

/** The same for tokens that are there already. @ref, @hyp: of TgSideToken; @max_lines: 0 for all */
void tg_side_by_side_append_tokens(GString *out, const GArray *ref, const GArray *hyp, guint width,
                                   guint max_lines);
