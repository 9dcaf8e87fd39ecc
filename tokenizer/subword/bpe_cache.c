/* A cache of encoded words: a fixed open-addressed table over two growing blocks. */
#include "tokenizer/subword/bpe_cache.h"

#include <string.h>

#include "core/hash.h"

#define N_SLOTS   16384u
#define MAX_WORDS (N_SLOTS / 2)

typedef struct {
    guint32 word; /* offset into bytes */
    guint32 piece;
    guint16 len;
    guint16 n_pieces;
    gboolean used;
} Slot;

struct TgBpeCache {
    Slot slots[N_SLOTS];
    guint n_words;
    GByteArray *bytes;
    GArray *pieces; /* TgBpePiece */
};

TgBpeCache *tg_bpe_cache_new(void)
{
    TgBpeCache *cache = g_new0(TgBpeCache, 1);

    cache->bytes = g_byte_array_new();
    cache->pieces = g_array_new(FALSE, FALSE, sizeof(TgBpePiece));
    return cache;
}

void tg_bpe_cache_free(TgBpeCache *cache)
{
    g_byte_array_unref(cache->bytes);
    g_array_unref(cache->pieces);
    g_free(cache);
}

/* The slot that holds @word, or the empty one where it belongs. */
static guint bpe_cache_find_slot(const TgBpeCache *cache, const char *word, gsize len)
{
    guint i = (guint) tg_hash_bytes(word, len) & (N_SLOTS - 1);

    for (; cache->slots[i].used; i = (i + 1) & (N_SLOTS - 1))
        if (cache->slots[i].len == len &&
            memcmp(cache->bytes->data + cache->slots[i].word, word, len) == 0)
            break;
    return i;
}

const TgBpePiece *tg_bpe_cache_get(const TgBpeCache *cache, const char *word, gsize len, guint *n)
{
    const Slot *slot = &cache->slots[bpe_cache_find_slot(cache, word, len)];

    if (!slot->used)
        return NULL;
    *n = slot->n_pieces;
    return &g_array_index(cache->pieces, TgBpePiece, slot->piece);
}

void tg_bpe_cache_put(TgBpeCache *cache, const char *word, gsize len, const TgBpePiece *pieces,
                      guint n)
{
    if (cache->n_words == MAX_WORDS) {
        memset(cache->slots, 0, sizeof cache->slots);
        g_byte_array_set_size(cache->bytes, 0);
        g_array_set_size(cache->pieces, 0);
        cache->n_words = 0;
    }
    cache->slots[bpe_cache_find_slot(cache, word, len)] = (Slot){
        cache->bytes->len, cache->pieces->len, (guint16) len, (guint16) n, TRUE,
    };
    cache->n_words++;
    g_byte_array_append(cache->bytes, (const guint8 *) word, (guint) len);
    g_array_append_vals(cache->pieces, pieces, n);
}
