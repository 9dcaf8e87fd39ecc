/* A memory of encoded words: formulas use the same few words again and again. */
#pragma once

#include <glib.h>

/** Longer words are not worth remembering, in bytes. */
#define TG_BPE_CACHE_MAX_WORD 48

/** One token of a word. */
typedef struct {
    guint32 id;
    guint32 len; /**< bytes of the word */
} TgBpePiece;

/** Holds a few thousand words and starts anew when full; belongs to one thread. */
typedef struct TgBpeCache TgBpeCache;

TgBpeCache *tg_bpe_cache_new(void);
void tg_bpe_cache_free(TgBpeCache *cache);

/** The pieces of @word, borrowed until the next tg_bpe_cache_put(); NULL if not remembered. */
const TgBpePiece *tg_bpe_cache_get(const TgBpeCache *cache, const char *word, gsize len, guint *n);

/** Remember a word that tg_bpe_cache_get() did not find. */
void tg_bpe_cache_put(TgBpeCache *cache, const char *word, gsize len, const TgBpePiece *pieces,
                      guint n);
