/* The vocabulary of a subword model: byte strings and their ids. */
#pragma once

#include <glib.h>

/** A one-to-one table of byte strings and ids; constant while only read, so any thread may. */
typedef struct TgVocab TgVocab;

TgVocab *tg_vocab_new(void);
void tg_vocab_free(TgVocab *vocab);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgVocab, tg_vocab_free)

/**
 * Add the string @text of @len bytes under @id.
 *
 * Returns: FALSE, with nothing added, if the string or the id is taken; memory grows with the
 * largest id, so ids from outside must be checked first
 */
gboolean tg_vocab_add(TgVocab *vocab, const char *text, gsize len, guint32 id);

/** Look @text up; @id is set only when it is there. */
gboolean tg_vocab_find(const TgVocab *vocab, const char *text, gsize len, guint32 *id);

/** The string of @id, not NUL-terminated, borrowed until the next tg_vocab_add(); or NULL. */
const char *tg_vocab_text(const TgVocab *vocab, guint32 id, gsize *len);

/** One more than the largest id, 0 for an empty vocabulary. */
guint32 tg_vocab_id_bound(const TgVocab *vocab);

/** How many strings there are. */
guint tg_vocab_size(const TgVocab *vocab);
