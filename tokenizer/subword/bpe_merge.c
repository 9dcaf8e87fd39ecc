/* The merging of byte-pair encoding: a linked list of symbols and a heap of pairs. */
#include "tokenizer/subword/bpe_merge.h"

#include "core/hash.h"

/* A pair that could be joined; stale once either of its symbols changed. */
typedef struct {
    guint32 rank;
    gint32 left; /* index of its left symbol */
    guint32 left_id, right_id;
    guint32 joined_id;
} Candidate;

void tg_bpe_word_init(TgBpeWord *word)
{
    word->symbols = g_array_new(FALSE, FALSE, sizeof(TgBpeSymbol));
    word->queue = g_array_new(FALSE, FALSE, sizeof(Candidate));
}

void tg_bpe_word_clear(TgBpeWord *word)
{
    g_array_unref(word->symbols);
    g_array_unref(word->queue);
}

void tg_bpe_word_reset(TgBpeWord *word)
{
    g_array_set_size(word->symbols, 0);
}

void tg_bpe_word_add(TgBpeWord *word, guint32 id, guint32 len)
{
    const gint32 index = (gint32) word->symbols->len;
    const TgBpeSymbol symbol = { id, len, index - 1, -1 };

    if (index > 0)
        g_array_index(word->symbols, TgBpeSymbol, index - 1).next = index;
    g_array_append_val(word->symbols, symbol);
}

static gboolean is_before(const Candidate *a, const Candidate *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a->left < b->left;
}

TG_DEFINE_HEAP(queue, Candidate, is_before)

/* Queue the pair that starts at symbol @left, if it can be joined. */
static void consider(TgBpeWord *word, const TgPairTable *merges, gint32 left)
{
    const TgBpeSymbol *symbols = (const TgBpeSymbol *) (gconstpointer) word->symbols->data;

    if (left < 0 || symbols[left].next < 0)
        return;
    const guint32 left_id = symbols[left].id, right_id = symbols[symbols[left].next].id;
    const guint64 *merge = tg_pair_table_find(merges, tg_pair_key(left_id, right_id));
    if (merge != NULL)
        queue_push(word->queue, (Candidate){ (guint32) (*merge >> 32), left, left_id, right_id,
                                             (guint32) *merge });
}

void tg_bpe_word_merge(TgBpeWord *word, const TgPairTable *merges)
{
    TgBpeSymbol *symbols = (TgBpeSymbol *) (gpointer) word->symbols->data;
    const gint32 n = (gint32) word->symbols->len;

    for (gint32 i = 0; i < n; i++)
        consider(word, merges, i);
    while (word->queue->len > 0) {
        const Candidate best = queue_pop(word->queue);
        TgBpeSymbol *left = &symbols[best.left];
        if (left->len == 0 || left->next < 0 || left->id != best.left_id ||
            symbols[left->next].id != best.right_id)
            continue;
        TgBpeSymbol *right = &symbols[left->next];
        left->id = best.joined_id;
        left->len += right->len;
        left->next = right->next;
        right->len = 0;
        if (left->next >= 0)
            symbols[left->next].prev = best.left;
        consider(word, merges, left->prev);
        consider(word, merges, best.left);
    }
}
