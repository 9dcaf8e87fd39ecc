/* The inner parts of source.h: files read one after the other (chain.c), references joined with
 * predictions (join.c), human scores from a file of their own (ratings.c). */
#pragma once

#include "datasets/input_names.h"
#include "datasets/readers/reader.h"
#include "datasets/source.h"

/* ---- chain.c ---- */

/** A file of a chain; borrowed by it. */
typedef struct {
    const char *path;
    const char *subset; /**< of rows that name none, or NULL */
    const TgFieldMap *fields;
    char *id; /**< of the only row; NULL: its name without folder and suffix. A chain has its own */
} TgChainFile;

/** How the files of a chain are read; borrowed by it. */
typedef struct {
    const char *format; /**< NULL: each file's own */
    TgFileSide side;
    gsize max_line;
    gboolean stems;       /**< a file of lines is one formula; a row without an id has the id of its
                               file, or its name */
    const char *id_field; /**< is the id of all rows, or NULL */
} TgChainOptions;

/** A record that tg_chain_look() read. */
typedef struct {
    TgRecord record;
    guint file;
} TgRecordAhead;

/** Several files read as one, each with its own format. */
typedef struct {
    TgChainOptions options;
    guint n_files;
    TgChainFile *files;
    TgSourceInput *inputs; /**< names and hashes are owned */
    char **labels;         /**< of the files, for messages */
    gboolean regular;      /**< all files are, so that they can be read more than once */
    guint64 bytes_total;
    guint64 bytes_before; /**< in the files before the one that is read */
    guint file;           /**< number of the one being read; n_files at the end */
    guint last_file;      /**< the one that the last record came from */
    TgReader *reader;
    TgFieldSample *sample; /**< of the first file that has fields, or NULL */
    char *id_name;         /**< the field of the ids in that file; NULL: they are in none */
    const char *subset;    /**< that the name of the file tells, or NULL */
    GQueue ahead;          /**< TgRecordAhead, not delivered yet */
    GError *pending;       /**< the error after these rows, or NULL */
} TgChain;

/** Check that all @files can be opened, and open the first. (transfer full), or NULL with the
 * errors of tg_source_open() */
TgChain *tg_chain_open(const TgChainFile *files, guint n_files, const TgChainOptions *options,
                       GError **error);

/** Read the next record, as tg_source_next() does. Its file belongs to the chain; a subset that the
 * row does not name is taken from the name of the file. */
TgNext tg_chain_next(TgChain *self, TgRecord *out, GError **error);

/** Read the first 1000 rows, which come again by tg_chain_next(). Returns whether any has an id:
 * then all must. */
gboolean tg_chain_look(TgChain *self);

/** Read a chain to its end for all ids, in their order. @n_rows: NULL, or n_files + 1 zeros: (out)
 * the rows of each file, then those of all files. (transfer full), or NULL with @error */
GPtrArray *tg_chain_ids(TgChain *self, gsize *n_rows, GError **error);

void tg_chain_free(TgChain *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgChain, tg_chain_free)

/* ---- join.c ---- */

/** References and predictions from different files, joined by id or by line. */
typedef struct TgJoin TgJoin;

/**
 * Join references and predictions as tg_source_open() says. Lists to be joined by line are counted
 * first where the files can be read twice, so that a difference shows before any row is scored.
 *
 * @refs: paths, NULL last, whose rows are read by @fields
 * @hyps: inputs, with a file of a chain each in @files
 * @is_folder: whether the references, and the predictions, are named as folders or patterns
 * @notes: (inout) gets messages about decisions (char *), now and by tg_join_next()
 */
TgJoin *tg_join_open(char *const *refs, const TgFieldMap *fields, const TgInputNames *hyps,
                     const TgChainFile *files, const TgChainOptions *options,
                     gboolean allow_duplicates, const gboolean is_folder[2], GPtrArray *notes,
                     GError **error);

/** Read the next record, but for its row number, as tg_source_next() does. */
TgNext tg_join_next(TgJoin *self, TgRecord *out, GError **error);

/** The chain of the references (@i 0) and of each model (from 1); NULL after the last. */
TgChain *tg_join_chain(const TgJoin *self, guint i);

void tg_join_free(TgJoin *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgJoin, tg_join_free)

/* ---- ratings.c ---- */

typedef struct TgRowRatings TgRowRatings;

/** Read a file of ratings, whose rows have an id, perhaps a model, and either human scores as rows
 * of a test set have them, or one score of one rater: the fields "rater" (or "annotator") and
 * "score" (or "rating", "value"). (transfer full), or NULL with TG_ERROR_USAGE (@human) or
 * TG_ERROR_INPUT */
TgRowRatings *tg_row_ratings_read(const char *path, const char *const *human, GError **error);

/** Give @record the ratings of its id: those for its model, or else those that name no model.
 * Raters of single scores are one group, "human", in the order of their first score. */
void tg_row_ratings_apply(TgRowRatings *ratings, TgRecord *record);

/** Add to @notes what is to be said of ratings that no record was given so far, or several were.
 * @id: the first record's, or NULL */
void tg_row_ratings_remark(const TgRowRatings *ratings, const char *id, GPtrArray *notes);

/** The file they are from. */
const TgSourceInput *tg_row_ratings_input(const TgRowRatings *ratings);

void tg_row_ratings_free(TgRowRatings *ratings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgRowRatings, tg_row_ratings_free)
