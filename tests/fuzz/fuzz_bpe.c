/*
 * Fuzz target: merging by queue against merging by search. The input is a table of merges, three
 * bytes each (left, right, result), and after the first 255 a word of one-byte tokens.
 */
#include "tests/fuzz/fuzz.h"

#include "tokenizer/subword/subword.h"

#define MAX_WORD 300

static guint64 find_merge(const TgVocab *merges, guint32 left, guint32 right)
{
    const guint64 *value = tg_vocab_find_pair(merges, tg_pair_key(left, right));

    return value != NULL ? *value : G_MAXUINT64;
}

/* Join the leftmost pair of the lowest rank until there is none; the number of ids left. */
static guint plain_merge(const TgVocab *merges, guint32 *ids, guint n)
{
    for (;;) {
        guint64 best = G_MAXUINT64;
        guint at = 0;

        for (guint i = 0; i + 1 < n; i++) {
            const guint64 value = find_merge(merges, ids[i], ids[i + 1]);

            if (value >> 32 < best >> 32) {
                best = value;
                at = i;
            }
        }
        if (best == G_MAXUINT64)
            return n;
        ids[at] = (guint32) best;
        n--;
        for (guint i = at + 1; i < n; i++)
            ids[i] = ids[i + 1];
    }
}

static void check_merge(const TgVocab *merges, const uint8_t *word, guint n)
{
    guint32 ids[MAX_WORD];
    guint at = 0;
    TgBpeWord merged;

    tg_bpe_word_init(&merged);
    for (guint i = 0; i < n; i++) {
        ids[i] = word[i] % 16;
        tg_bpe_word_add(&merged, ids[i], 1);
    }
    tg_bpe_word_merge(&merged, merges);
    const guint n_left = plain_merge(merges, ids, n);
    for (gint32 i = 0; i >= 0; at++) {
        const TgBpeSymbol *symbol = &g_array_index(merged.symbols, TgBpeSymbol, i);

        g_assert_cmpuint(at, <, n_left);
        g_assert_cmpuint(symbol->id, ==, ids[at]);
        i = symbol->next;
    }
    g_assert_cmpuint(at, ==, n_left);
    tg_bpe_word_clear(&merged);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(TgVocab) merges = tg_vocab_new();
    gsize i = 0;

    for (guint32 rank = 0; i + 3 <= size && data[i] != 255; i += 3, rank++) {
        guint64 *value = tg_vocab_pair_at(merges, tg_pair_key(data[i] % 32u, data[i + 1] % 32u));

        *value = tg_bpe_merge_value(rank, data[i + 2] % 32u);
    }
    const guint n = (guint) MIN(size - i, (gsize) MAX_WORD);
    if (n > 0)
        check_merge(merges, data + i, n);
    return 0;
}
