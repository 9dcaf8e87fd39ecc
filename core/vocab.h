/* Tables of byte strings, of their ids and of a value for each; pairs of ids as such strings. */
#pragma once

#include <glib.h>

/* ---- Byte strings and their ids: a vocabulary, tokens that compare as integers --------------- */

/** A one-to-one table of byte strings and ids, with a value for each string, 0 at first; constant
 * while only read, so any thread may. */
typedef struct {
    GByteArray *bytes;
    GArray *entries; /* by id; its length is one more than the largest id */
    guint32 *slots;  /* ids; n_slots is a power of two, at most half full */
    guint32 n_slots;
    guint size; /**< how many strings there are */
} TgVocab;

TgVocab *tg_vocab_new(void);
void tg_vocab_free(TgVocab *vocab);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgVocab, tg_vocab_free)

/** Remove all strings. */
void tg_vocab_reset(TgVocab *vocab);

/**
 * Add the string @text of @len bytes under @id.
 *
 * Returns: FALSE, with nothing added, if the string or the id is taken; memory grows with the
 * largest id, so ids from outside must be checked first
 */
gboolean tg_vocab_add(TgVocab *vocab, const char *text, gsize len, guint32 id);

/** The id of @text, which is added under the next id, @size, if it is not there: ids without gaps.
 */
guint32 tg_vocab_number(TgVocab *vocab, const char *text, gsize len);

/** Look @text up; @id is set only when it is there. */
gboolean tg_vocab_find(const TgVocab *vocab, const char *text, gsize len, guint32 *id);

/** The string of @id, not NUL-terminated, borrowed until the next tg_vocab_add(); or NULL. */
const char *tg_vocab_text(const TgVocab *vocab, guint32 id, gsize *len);

/** The value of @id, a string that is there; borrowed until the next string is added. */
guint64 *tg_vocab_value(const TgVocab *vocab, guint32 id);

/* ---- Pairs of ids as the strings: merges of a BPE model, counts of a trainer ----------------- */

/** A pair of ids, see tg_pair_key(), with its value. */
typedef struct {
    guint64 key;
    guint64 value;
} TgPairValue;

static inline guint64 tg_pair_key(guint32 left, guint32 right)
{
    return (guint64) left << 32 | right;
}

/** The order of keys, or of TgPairValue, which begin with their keys; for g_array_sort(). */
gint tg_pair_compare(gconstpointer a, gconstpointer b);

/** The value of @key, or NULL; borrowed until the next pair is added. */
const guint64 *tg_vocab_find_pair(const TgVocab *pairs, guint64 key);

/** The id of @key, as from tg_vocab_number(). */
guint32 tg_vocab_number_pair(TgVocab *pairs, guint64 key);

/** The value of @key for writing; the pair is added if it was not there. */
guint64 *tg_vocab_pair_at(TgVocab *pairs, guint64 key);

/** The pair that has the id @id, below @size. */
TgPairValue tg_vocab_pair(const TgVocab *pairs, guint32 id);
