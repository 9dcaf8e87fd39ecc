/* A table from pairs of ids to 64-bit values: merges of a BPE model, counts of a trainer. */
#pragma once

#include <glib.h>

/** An open-addressed table; constant while only read, so any thread may. */
typedef struct TgPairTable TgPairTable;

TgPairTable *tg_pair_table_new(void);
void tg_pair_table_free(TgPairTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgPairTable, tg_pair_table_free)

/** The pair as one key; the pair of two G_MAXUINT32 is not allowed. */
static inline guint64 tg_pair_key(guint32 left, guint32 right)
{
    return (guint64) left << 32 | right;
}

/** The value of @key, or NULL; borrowed until the next tg_pair_table_at(). */
const guint64 *tg_pair_table_find(const TgPairTable *table, guint64 key);

/** The value of @key for writing, put in as 0 if it was not there. */
guint64 *tg_pair_table_at(TgPairTable *table, guint64 key);

/** How many pairs there are. */
gsize tg_pair_table_size(const TgPairTable *table);

/** Walk in no fixed order: sort what you take out. Start with *@cursor = 0; FALSE at the end. */
gboolean tg_pair_table_next(const TgPairTable *table, gsize *cursor, guint64 *key, guint64 *value);
