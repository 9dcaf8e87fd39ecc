/* Several files read as one, each with its own format. */
#pragma once

#include "datasets/input.h"
#include "datasets/readers/reader.h"

/** How the files of a chain are read; borrowed by it. */
typedef struct {
    const char *format; /**< NULL: each file's own */
    const TgFieldMap *fields;
    TgFileSide side;
    gsize max_line;
    char *const *subsets; /**< of rows that name none, for each file; NULL: none */
} TgChainOptions;

typedef struct TgChain TgChain;

/**
 * Check that all @paths (GPtrArray of char *) can be opened, and open the first.
 *
 * Returns: (transfer full), or NULL with the errors of tg_source_open()
 */
TgChain *tg_chain_open(const GPtrArray *paths, const TgChainOptions *options, GError **error);

/**
 * Read the next record, as tg_source_next() does. Its file belongs to the chain; a subset that the
 * row does not name is taken from the file's name (tg_subset_of_name()).
 */
gboolean tg_chain_next(TgChain *self, TgRecord *out, GError **error);

/** Number of the file that the last record came from. */
guint tg_chain_file(const TgChain *self);

guint tg_chain_n_files(const TgChain *self);

/** The file number @i. */
const TgSourceInput *tg_chain_input(const TgChain *self, guint i);

/** The name for messages of the file number @i. */
const char *tg_chain_label(const TgChain *self, guint i);

/**
 * Whether the rows have ids, judged by the first valid one among the first 1000. These are kept and
 * come again by tg_chain_next().
 *
 * Returns: FALSE with @error of tg_chain_next()
 */
gboolean tg_chain_has_ids(TgChain *self, gboolean *has_ids, GError **error);

/** Whether all files are regular, so that they can be read more than once. */
gboolean tg_chain_is_regular(const TgChain *self);

/** Raw bytes read of all, which is 0 when unknown. */
void tg_chain_progress(const TgChain *self, guint64 *bytes_read, guint64 *bytes_total);

void tg_chain_free(TgChain *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgChain, tg_chain_free)

/**
 * The part of UniMER-Test according to a file's name: "spe", "cpe", "sce" or "hwe" where that is a
 * word of the name ("test_spe.txt", "pred-CPE.txt.gz"); else NULL. Static.
 */
const char *tg_subset_of_name(const char *path);

/** The name of a file without folder, .gz or .zst, and suffix. (transfer full) */
char *tg_stem_of_name(const char *path);
