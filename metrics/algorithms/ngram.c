/*
 * Counts of n-grams that a hypothesis shares with its references, order by order: an n-gram is
 * identified by the name of its first n-1 tokens and its last token: two numbers that make one key
 * of a hash table. Its slot in the table is its name for the next order.
 */
#include "metrics/algorithms/algorithms.h"

#include <string.h>

/* The name of an n-gram that no reference holds. */
#define NOWHERE G_MAXUINT32

typedef struct {
    guint64 key;   /* 0: free */
    guint32 count; /* in the reference at hand */
    guint32 limit; /* largest count in a reference; for the hypothesis, what is left of it */
} Slot;

typedef struct {
    Slot *slots; /* open addressing, at most half full */
    guint32 mask;
    guint shift; /* takes the upper bits of a product as hash */
} Table;

/* The slot of the n-gram with this key, or the free one where it belongs. */
static inline guint32 ngram_find(const Table *table, guint64 key)
{
    guint32 i = (guint32) (key * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15) >> table->shift);

    while (table->slots[i].key != 0 && table->slots[i].key != key)
        i = (i + 1) & table->mask;
    return i;
}

static inline guint64 make_key(guint32 prefix, guint32 last)
{
    return (guint64) prefix << 32 | (last + 1u);
}

/* Raise the limits to the counts in this reference. */
static void count_reference(const Table *table, TgSequence ref, guint n, const guint32 *names,
                            gboolean first)
{
    const guint32 total = tg_ngram_total(ref.n, n);

    if (first) { /* mostly the only one */
        for (guint32 i = 0; i < total; i++)
            table->slots[names[i]].limit++;
        return;
    }
    for (guint32 i = 0; i < total; i++)
        table->slots[names[i]].count++;
    for (guint32 i = 0; i < total; i++) {
        Slot *slot = &table->slots[names[i]];
        slot->limit = MAX(slot->limit, slot->count);
        slot->count = 0;
    }
}

static guint32 match_hypothesis(const Table *table, TgSequence hyp, guint n, guint32 *names)
{
    const guint32 total = tg_ngram_total(hyp.n, n);
    guint32 matches = 0;

    for (guint32 i = 0; i < total; i++) {
        if (names[i] == NOWHERE)
            continue;
        names[i] = ngram_find(table, make_key(names[i], hyp.ids[i + n - 1]));
        Slot *slot = &table->slots[names[i]];
        if (slot->key == 0) {
            names[i] = NOWHERE;
        } else if (slot->limit > 0) {
            slot->limit--;
            matches++;
        }
    }
    return matches;
}

void tg_ngram_matches(TgArena *arena, const TgSequence *refs, guint n_refs, TgSequence hyp,
                      guint order, guint32 *matches)
{
    gsize n_ref_tokens = 0;
    guint bits = 4;

    for (guint r = 0; r < n_refs; r++)
        n_ref_tokens += refs[r].n;
    while ((gsize) 1 << bits < 2 * n_ref_tokens)
        bits++;

    const gsize n_slots = (gsize) 1 << bits;
    const Table table = { tg_arena_alloc(arena, n_slots * sizeof(Slot)), (guint32) (n_slots - 1),
                          64 - bits };
    guint32 *names = tg_arena_alloc(arena, (n_ref_tokens + hyp.n) * sizeof *names);
    memset(names, 0, (n_ref_tokens + hyp.n) * sizeof *names);

    for (guint n = 1; n <= order; n++) {
        guint32 *of_text = names;

        memset(table.slots, 0, n_slots * sizeof(Slot));
        for (guint r = 0; r < n_refs; of_text += refs[r++].n) {
            /* name its n-grams, whose first n-1 tokens have names */
            for (guint32 i = 0; i < tg_ngram_total(refs[r].n, n); i++) {
                const guint64 key = make_key(of_text[i], refs[r].ids[i + n - 1]);

                of_text[i] = ngram_find(&table, key);
                table.slots[of_text[i]].key = key;
            }
            count_reference(&table, refs[r], n, of_text, r == 0);
        }
        matches[n - 1] = match_hypothesis(&table, hyp, n, of_text);
    }
}
