/* A cache of encoded words, as formulas repeat the same few words. */
#pragma once

#include <glib.h>

/** The longest word that is cached, in bytes. */
#define TG_BPE_CACHE_MAX_WORD 48

/** One token of a word. */
typedef struct {
    guint32 id;
    guint32 len; /**< bytes of the word */
} TgBpePiece;

/** Holds a few thousand words and is emptied when full; for one thread. */
typedef struct TgBpeCache TgBpeCache;

TgBpeCache *tg_bpe_cache_new(void);
void tg_bpe_cache_free(TgBpeCache *cache);

/** The pieces of @word, borrowed until the next tg_bpe_cache_put(); NULL if not cached. */
const TgBpePiece *tg_bpe_cache_get(const TgBpeCache *cache, const char *word, gsize len, guint *n);

/** Add a word that tg_bpe_cache_get() did not find. */
void tg_bpe_cache_put(TgBpeCache *cache, const char *word, gsize len, const TgBpePiece *pieces,
                      guint n);
