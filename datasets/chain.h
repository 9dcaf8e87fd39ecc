/* What a source is made of: chains of files, joins of chains, and ratings. Internal to this folder.
 */
#pragma once

#include "datasets/id_set.h"
#include "datasets/input_names.h"
#include "datasets/readers/reader.h"
#include "datasets/source.h"

/** What a next() function found. */
typedef enum { TG_NEXT_ROW, TG_NEXT_END, TG_NEXT_ERROR } TgNext;

/* ---- several files read as one, each with its own format ---- */

/** How the files of a chain are read; borrowed by it. */
typedef struct {
    const char *format; /**< NULL: each file's own */
    const TgFieldMap *fields;
    TgFileSide side;
    gsize max_line;
    char *const *subsets; /**< of rows that name none, for each file; NULL: none */
} TgChainOptions;

typedef struct {
    TgChainOptions options;
    guint n_files;
    TgSourceInput *inputs; /**< names and hashes are owned */
    char **labels;         /**< of the files, for messages */
    gboolean regular;      /**< all files are, so that they can be read more than once */
    guint64 bytes_total;
    guint64 bytes_before; /**< in the files before the one that is read */
    guint file;           /**< number of the one being read; n_files at the end */
    guint last_file;      /**< the one that the last record came from */
    TgReader *reader;
    const char *subset; /* that the name of the file tells, or NULL */
    GQueue ahead;       /* records that tg_chain_has_ids() read and that were not delivered */
} TgChain;

/**
 * Check that all @paths (NULL last) can be opened, and open the first.
 *
 * Returns: (transfer full), or NULL with the errors of tg_source_open()
 */
TgChain *tg_chain_open(const char *const *paths, const TgChainOptions *options, GError **error);

/**
 * Read the next record, as tg_source_next() does. Its file belongs to the chain; a subset that the
 * row does not name is taken from the file's name (tg_subset_of_name()).
 */
TgNext tg_chain_next(TgChain *self, TgRecord *out, GError **error);

/** Fault @record, which the chain gave last: its id stands at @first, too. */
void tg_chain_set_duplicate(const TgChain *self, TgRecord *record, TgPlace first);

/**
 * Whether the rows have ids, judged by the first valid one among the first 1000. These are kept and
 * come again by tg_chain_next().
 *
 * Returns: FALSE with @error of tg_chain_next()
 */
gboolean tg_chain_has_ids(TgChain *self, gboolean *has_ids, GError **error);

void tg_chain_free(TgChain *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgChain, tg_chain_free)

/* ---- truth and predictions from different files, joined by id or by line ---- */

typedef struct TgJoin TgJoin;

/**
 * Join truths and predictions as tg_source_open() says. Lists to be joined by line are counted
 * first where the files can be read twice, so that a difference shows before any row is scored.
 *
 * @truths: NULL last
 * @options: how to read; the side is set here
 *
 * Returns: (transfer full), or NULL with the errors of tg_source_open()
 */
TgJoin *tg_join_open(const char *const *truths, const TgInputNames *predictions,
                     const TgChainOptions *options, gboolean allow_duplicates, GError **error);

/** Read the next record, but for its row number, as tg_source_next() does. */
TgNext tg_join_next(TgJoin *self, TgRecord *out, GError **error);

/** The chain of the truths (@i 0) and of each model (from 1); NULL after the last. */
const TgChain *tg_join_chain(const TgJoin *self, guint i);

void tg_join_free(TgJoin *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgJoin, tg_join_free)

/* ---- human scores from a file of their own ---- */

typedef struct {
    GHashTable *rated;   /**< rows of the test set */
    GHashTable *raters;  /**< char * to index + 1 */
    TgSourceInput input; /**< the file they are from */
} TgRatings;

/**
 * Read a file of ratings, whose rows have an id, perhaps a model, and either human scores as rows
 * of a test set have them, or one score of one rater: the fields "rater" (or "annotator") and
 * "score" (or "rating", "value").
 *
 * @human: groups of raters, see TgSourceOptions; NULL for none
 *
 * Returns: (transfer full), or NULL with TG_ERROR_USAGE (@human) or TG_ERROR_INPUT: not readable, a
 * row without id or score, two scores of a rater for one row, no ratings at all
 */
TgRatings *tg_ratings_read(const char *path, const char *const *human, gsize max_line,
                           GError **error);
void tg_ratings_free(TgRatings *ratings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgRatings, tg_ratings_free)

/**
 * Give @record the ratings of its id: those for its model, or else those that name no model. Raters
 * of single scores are one group, "human", in the order of their first score.
 */
void tg_ratings_apply(const TgRatings *ratings, TgRecord *record);
