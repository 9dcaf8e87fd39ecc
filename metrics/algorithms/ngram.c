/*
 * Names of n-grams, and counts of those that a hypothesis shares with its references, order by
 * order: an n-gram is identified by the name of its first n-1 tokens and its last token: two
 * numbers that make one key of a hash table. Its slot in the table is its name for the next order.
 */
#include "metrics/algorithms/algorithms.h"

#include <string.h>

/* The slot of the n-gram with this key, which is entered if it is not there. */
static inline guint32 name_key(const TgNgrams *self, guint64 key)
{
    guint32 i = (guint32) (key * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15) >> self->shift);

    while (self->slots[i].key != 0 && self->slots[i].key != key)
        i = (i + 1) & (self->n_slots - 1);
    self->slots[i].key = key;
    return i;
}

TgNgrams tg_ngrams(TgArena *arena, const TgSequence *texts, guint n_refs, guint n_texts)
{
    TgNgrams self = { .texts = texts, .n_refs = n_refs, .n_texts = n_texts };
    gsize n_tokens = 0;
    guint bits = 4;

    self.names = tg_arena_alloc(arena, n_texts * sizeof *self.names);
    for (guint t = 0; t < n_texts; t++) {
        self.names[t] = tg_arena_zeros(arena, texts[t].n * sizeof **self.names);
        n_tokens += texts[t].n;
    }
    while ((gsize) 1 << bits < 2 * n_tokens)
        bits++;
    self.n_slots = 1u << bits;
    self.shift = 64 - bits;
    self.slots = tg_arena_alloc(arena, self.n_slots * sizeof *self.slots);
    return self;
}

/* Raise the limits to the counts in this reference. */
static void count_reference(TgNgramSlot *slots, const guint32 *names, guint32 total, gboolean first)
{
    if (first) { /* mostly the only one */
        for (guint32 i = 0; i < total; i++)
            slots[names[i]].limit++;
        return;
    }
    for (guint32 i = 0; i < total; i++)
        slots[names[i]].count++;
    for (guint32 i = 0; i < total; i++) {
        TgNgramSlot *slot = &slots[names[i]];
        slot->limit = MAX(slot->limit, slot->count);
        slot->count = 0;
    }
}

void tg_ngrams_lengthen(TgNgrams *self)
{
    const guint n = ++self->order;

    memset(self->slots, 0, self->n_slots * sizeof *self->slots);
    for (guint t = 0; t < self->n_texts; t++) {
        const guint32 total = tg_ngram_total(self->texts[t].n, n);
        guint32 *names = self->names[t];

        for (guint32 i = 0; i < total; i++) {
            const guint32 last = self->texts[t].ids[i + n - 1];

            names[i] = name_key(self, (guint64) names[i] << 32 | (last + 1u));
        }
        if (t < self->n_refs)
            count_reference(self->slots, names, total, t == 0);
    }
}

void tg_ngram_matches(TgArena *arena, const TgSequence *refs, guint n_refs, TgSequence hyp,
                      guint order, guint32 *matches)
{
    TgSequence *texts = tg_arena_alloc(arena, (n_refs + 1) * sizeof *texts);

    memcpy(texts, refs, n_refs * sizeof *texts);
    texts[n_refs] = hyp;
    TgNgrams ngrams = tg_ngrams(arena, texts, n_refs, n_refs + 1);
    for (guint n = 1; n <= order; n++, matches++) {
        tg_ngrams_lengthen(&ngrams);
        *matches = 0;
        for (guint32 i = 0; i < tg_ngram_total(hyp.n, n); i++) {
            TgNgramSlot *slot = &ngrams.slots[ngrams.names[n_refs][i]];

            *matches += slot->limit > 0;
            slot->limit -= slot->limit > 0;
        }
    }
}
