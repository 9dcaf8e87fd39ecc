/* Training of byte-pair encoding: counts the words of a corpus, learns merges, writes the tokenizer
 * file. */
#include <string.h>

#include "core/hash.h"
#include "core/utf8.h"
#include "core/vocab.h"
#include "tokenizer/train/train.h"

void tg_word_counts_add(TgVocab *words, const char *text, gsize len, guint64 times)
{
    while (len > 0) {
        gsize part = MIN(len, TG_WORD_MAX);

        while (part < len && part > TG_WORD_MAX - 4 && ((guchar) text[part] & 0xC0) == 0x80)
            part--;
        *tg_vocab_value(words, tg_vocab_number(words, text, part)) += times;
        text += part;
        len -= part;
    }
}

/* A distinct word as symbols. */
typedef struct {
    guint32 *ids;
    guint n;
    guint64 count;
} Word;

typedef struct {
    Word *words;
    guint n_words;
    TgVocab *counts;  /* of pairs */
    GPtrArray *lists; /* by id of a pair, GArray of guint32: words that hold, or held, it */
    GArray *queue;    /* TgPairValue: a heap of pairs and the counts that they were queued with */
    GArray *fresh;    /* guint64 keys of pairs that grew in this step */
} Trainer;

/* Whether @a occurs more often. */
static gboolean is_before(const TgPairValue *a, const TgPairValue *b)
{
    return a->value != b->value ? a->value > b->value : a->key < b->key;
}

TG_DEFINE_HEAP(queue, TgPairValue, is_before)

/* A heap of the pairs of @counts. */
static GArray *queue_all(const TgVocab *counts)
{
    GArray *queue = g_array_new(FALSE, FALSE, sizeof(TgPairValue));

    for (guint32 id = 0; id < counts->size; id++)
        queue_push(queue, tg_vocab_pair(counts, id));
    return queue;
}

/* Count the pair @key in the word @index, and note that the word holds it. */
static void add_pair(Trainer *trainer, guint64 key, guint32 index)
{
    const guint32 id = tg_vocab_number_pair(trainer->counts, key);

    if (id == trainer->lists->len)
        g_ptr_array_add(trainer->lists, g_array_new(FALSE, FALSE, sizeof(guint32)));
    GArray *list = g_ptr_array_index(trainer->lists, id);
    if (list->len == 0 || g_array_index(list, guint32, list->len - 1) != index)
        g_array_append_val(list, index);
    *tg_vocab_value(trainer->counts, id) += trainer->words[index].count;
}

/* Whether joining may change how often the pair of the symbols at @ids occurs. */
static gboolean is_near(const guint32 *ids, TgBpeMerge merge)
{
    for (guint i = 0; i < 2; i++)
        if (ids[i] == merge.left || ids[i] == merge.right || ids[i] == merge.joined)
            return TRUE;
    return FALSE;
}

/* Join the pair in one word; pairs that this makes are counted and noted as fresh. */
static void join_in_word(Trainer *trainer, guint32 index, TgBpeMerge merge)
{
    Word *word = &trainer->words[index];
    guint32 *ids = word->ids;
    guint n = 0;
    gboolean found = FALSE;

    for (guint i = 0; i + 1 < word->n && !found; i++)
        found = ids[i] == merge.left && ids[i + 1] == merge.right;
    if (!found)
        return; /* the list of words is never shortened */
    for (guint i = 0; i + 1 < word->n; i++)
        if (is_near(&ids[i], merge))
            *tg_vocab_pair_at(trainer->counts, tg_pair_key(ids[i], ids[i + 1])) -= word->count;
    for (guint i = 0; i < word->n; i++) {
        if (i + 1 < word->n && ids[i] == merge.left && ids[i + 1] == merge.right) {
            ids[n++] = merge.joined;
            i++;
        } else {
            ids[n++] = ids[i];
        }
    }
    word->n = n;
    for (guint i = 0; i + 1 < n; i++) {
        const guint64 key = tg_pair_key(ids[i], ids[i + 1]);

        if (ids[i] == merge.joined || ids[i + 1] == merge.joined) {
            add_pair(trainer, key, index);
            g_array_append_val(trainer->fresh, key);
        } else if (is_near(&ids[i], merge)) {
            *tg_vocab_pair_at(trainer->counts, key) += word->count;
        }
    }
}

static void join_everywhere(Trainer *trainer, TgBpeMerge merge)
{
    const guint32 id = tg_vocab_number_pair(trainer->counts, tg_pair_key(merge.left, merge.right));
    const GArray *list = g_ptr_array_index(trainer->lists, id);

    /* No word joins its own list while it is walked: the pairs made here hold a new symbol. When
     * that symbol is an old token made in another way, the list may grow, and is read to its end.
     */
    for (guint i = 0; i < list->len; i++)
        join_in_word(trainer, g_array_index(list, guint32, i), merge);
    g_array_sort(trainer->fresh, tg_pair_compare);
    for (guint i = 0; i < trainer->fresh->len; i++) {
        const guint64 key = g_array_index(trainer->fresh, guint64, i);
        const TgPairValue item = { key, *tg_vocab_find_pair(trainer->counts, key) };
        /* A pair that occurs often is fresh often: once is enough. */
        if (i + 1 == trainer->fresh->len || g_array_index(trainer->fresh, guint64, i + 1) != key)
            queue_push(trainer->queue, item);
    }
    g_array_set_size(trainer->fresh, 0);
}

/* The pair to join next; FALSE when none is left that occurs @min_count times. */
static gboolean best_pair(Trainer *trainer, guint64 min_count, guint64 *key)
{
    while (trainer->queue->len > 0) {
        const TgPairValue best = queue_pop(trainer->queue);
        const guint64 count = *tg_vocab_find_pair(trainer->counts, best.key);
        if (count == best.value) {
            *key = best.key;
            return count >= MAX(min_count, 1);
        }
        /* A pair that became rarer is queued with its true count; one that grew is queued anew. */
        if (count > 0 && count < best.value)
            queue_push(trainer->queue, (TgPairValue){ best.key, count });
    }
    return FALSE;
}

/* Put the most frequent characters of the words into the vocabulary, in the order of their codes.
 */
static void add_alphabet(const TgVocab *words, guint max_alphabet, TgVocab *vocab)
{
    g_autoptr(TgVocab) seen = tg_vocab_new();
    g_autoptr(GArray) letters = g_array_new(FALSE, FALSE, sizeof(guint64));
    gunichar c;

    for (guint32 id = 0; id < words->size; id++) {
        gsize len;
        const char *text = tg_vocab_text(words, id, &len);
        for (gsize i = 0; i < len;) {
            i += tg_utf8_decode(text + i, len - i, &c);
            *tg_vocab_pair_at(seen, c) += *tg_vocab_value(words, id);
        }
    }
    g_autoptr(GArray) queue = queue_all(seen);
    while (queue->len > 0 && (max_alphabet == 0 || letters->len < max_alphabet)) {
        const guint64 code = queue_pop(queue).key;
        g_array_append_val(letters, code);
    }
    g_array_sort(letters, tg_pair_compare);
    for (guint i = 0; i < letters->len; i++) {
        char utf8[6];
        const gint len = g_unichar_to_utf8((gunichar) g_array_index(letters, guint64, i), utf8);
        tg_vocab_number(vocab, utf8, (gsize) len);
    }
}

/* Write every word as ids of characters; one without an id ends a word and starts another. */
static void spell_words(Trainer *trainer, const TgVocab *words, const TgVocab *vocab)
{
    g_autoptr(GArray) spelt = g_array_new(FALSE, FALSE, sizeof(Word));
    g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(guint32));

    for (guint32 w = 0; w < words->size; w++) {
        gsize len;
        const char *text = tg_vocab_text(words, w, &len);
        for (gsize i = 0; i <= len;) {
            gunichar c;
            guint32 id;
            const guint size = i < len ? tg_utf8_decode(text + i, len - i, &c) : 1;
            if (i < len && tg_vocab_find(vocab, text + i, size, &id)) {
                g_array_append_val(ids, id);
            } else if (ids->len > 0) {
                const Word word = { g_memdup2(ids->data, ids->len * sizeof id), ids->len,
                                    *tg_vocab_value(words, w) };
                g_array_append_val(spelt, word);
                g_array_set_size(ids, 0);
            }
            i += size;
        }
    }
    trainer->n_words = spelt->len;
    trainer->words = (Word *) (gpointer) g_array_free(g_steal_pointer(&spelt), FALSE);
}

static guint32 add_joined(TgVocab *vocab, guint32 left, guint32 right)
{
    gsize left_len, right_len;
    const char *left_text = tg_vocab_text(vocab, left, &left_len);
    const char *right_text = tg_vocab_text(vocab, right, &right_len);
    g_autoptr(GString) joined = g_string_new_len(left_text, (gssize) left_len);

    g_string_append_len(joined, right_text, (gssize) right_len);
    /* A string that is made in two ways keeps its first id. */
    return tg_vocab_number(vocab, joined->str, joined->len);
}

static void start_trainer(Trainer *trainer, const TgVocab *words, const TgVocab *vocab)
{
    trainer->counts = tg_vocab_new();
    trainer->lists = g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref);
    trainer->fresh = g_array_new(FALSE, FALSE, sizeof(guint64));
    spell_words(trainer, words, vocab);
    for (guint i = 0; i < trainer->n_words; i++) {
        const Word *word = &trainer->words[i];

        for (guint k = 0; k + 1 < word->n; k++)
            add_pair(trainer, tg_pair_key(word->ids[k], word->ids[k + 1]), i);
    }
    trainer->queue = queue_all(trainer->counts);
}

GArray *tg_bpe_train(const TgVocab *words, const TgTrainBpe *how, const TgListener *listener,
                     TgVocab *vocab)
{
    GArray *merges = g_array_new(FALSE, FALSE, sizeof(TgBpeMerge));
    Trainer trainer = { 0 };
    guint64 key;

    add_alphabet(words, how->max_alphabet, vocab);
    start_trainer(&trainer, words, vocab);
    while (vocab->size < how->vocab_size && best_pair(&trainer, how->min_count, &key)) {
        TgBpeMerge merge = { .left = (guint32) (key >> 32), .right = (guint32) key };
        merge.joined = add_joined(vocab, merge.left, merge.right);
        g_array_append_val(merges, merge);
        join_everywhere(&trainer, merge);
        tg_listener_tell(listener, "joining pairs", vocab->size, how->vocab_size);
    }
    for (guint i = 0; i < trainer.n_words; i++)
        g_free(trainer.words[i].ids);
    g_free(trainer.words);
    tg_vocab_free(trainer.counts);
    g_ptr_array_unref(trainer.lists);
    g_array_unref(trainer.queue);
    g_array_unref(trainer.fresh);
    return merges;
}
