/* Encodes texts by byte pairs: added tokens, words, and the merging of each word. */
#include <glib.h>
#include <string.h>

#include "core/deadline.h"
#include "core/hash.h"
#include "core/utf8.h"
#include "core/vocab.h"
#include "tokenizer/subword/bpe.h"
#include "tokenizer/subword/subword.h"

/* The longest word that is cached, in bytes, and how many are until the cache is emptied. */
#define MAX_CACHED_WORD  48
#define MAX_CACHED_WORDS 8192

/* One token of a word. */
typedef struct {
    guint32 id;
    guint32 len; /* bytes of the word */
} Piece;

/* ---- Added tokens: a table searched at every place of a text where one may start ------------- */

struct TgAddedTokens {
    TgVocab *texts; /* numbered by index into tokens */
    GArray *tokens; /* TgAddedToken */
    gboolean starts[256];
    gboolean has_length[TG_ADDED_TOKEN_MAX + 1];
    guint max_length;
};

static TgAddedTokens *added_tokens_new(void)
{
    TgAddedTokens *set = g_new0(TgAddedTokens, 1);

    set->texts = tg_vocab_new();
    set->tokens = g_array_new(FALSE, FALSE, sizeof(TgAddedToken));
    return set;
}

static void added_tokens_free(TgAddedTokens *set)
{
    if (set == NULL)
        return;
    tg_vocab_free(set->texts);
    g_array_unref(set->tokens);
    g_free(set);
}

gboolean tg_added_tokens_add(TgAddedTokens *set, const char *text, gsize len, TgAddedToken token)
{
    if (len == 0 || len > TG_ADDED_TOKEN_MAX ||
        !tg_vocab_add(set->texts, text, len, set->tokens->len))
        return FALSE;
    g_array_append_val(set->tokens, token);
    set->starts[(guchar) text[0]] = TRUE;
    set->has_length[len] = TRUE;
    set->max_length = MAX(set->max_length, (guint) len);
    return TRUE;
}

/* The start of the character before @at. */
static gsize previous_char(const char *text, gsize at, gunichar *c)
{
    gsize start = at - 1;

    while (start > 0 && at - start < 4 && ((guchar) text[start] & 0xC0) == 0x80)
        start--;
    tg_utf8_decode(text + start, at - start, c);
    return start;
}

static gboolean is_inside_word(const char *text, gsize len, gsize start, gsize end)
{
    gunichar before = ' ', after = ' ';

    if (start > 0)
        previous_char(text, start, &before);
    if (end < len)
        tg_utf8_decode(text + end, len - end, &after);
    return tg_char_is_word(before) || tg_char_is_word(after);
}

/* The longest token that starts exactly at @text. */
static const TgAddedToken *match_at(const TgAddedTokens *set, const char *text, gsize len,
                                    gsize *size)
{
    guint32 index;

    for (guint n = (guint) MIN(len, set->max_length); n > 0 && set->starts[(guchar) text[0]]; n--)
        if (set->has_length[n] && tg_vocab_find(set->texts, text, n, &index)) {
            *size = n;
            return &g_array_index(set->tokens, TgAddedToken, index);
        }
    return NULL;
}

/* The first added token at or after @from, the longest on a tie, and the bytes that it takes: white
 * space by lstrip and rstrip included, but nothing before @from. NULL: none. */
static const TgAddedToken *added_tokens_find(const TgAddedTokens *set, const char *text, gsize len,
                                             gsize from, gsize *start, gsize *end)
{
    for (gsize i = from; i < len && set->tokens->len > 0; i++) {
        gsize size = 0;
        gunichar c;
        const TgAddedToken *token = match_at(set, text + i, len - i, &size);
        if (token == NULL)
            continue;
        if (token->single_word && is_inside_word(text, len, i, i + size)) {
            i += size - 1;
            continue;
        }
        *start = i;
        *end = i + size;
        while (token->lstrip && *start > from) {
            const gsize previous = previous_char(text, *start, &c);
            if (previous < from || !tg_char_is_white(c))
                break;
            *start = previous;
        }
        while (token->rstrip && *end < len) {
            const guint n = tg_utf8_decode(text + *end, len - *end, &c);
            if (!tg_char_is_white(c))
                break;
            *end += n;
        }
        return token;
    }
    return NULL;
}

/* ---- A loaded byte-pair tokenizer ------------------------------------------------------------ */

TgBpe *tg_bpe_new(void)
{
    TgBpe *bpe = g_new0(TgBpe, 1);

    bpe->n_refs = 1;
    bpe->vocab = tg_vocab_new();
    bpe->extra = tg_vocab_new();
    bpe->merges = tg_vocab_new();
    bpe->unk_id = TG_BPE_NO_ID;
    memset(bpe->byte_ids, 0xff, sizeof bpe->byte_ids);
    bpe->normalizers = g_array_new(FALSE, TRUE, sizeof(TgNormalizer));
    bpe->pretokenizers = g_array_new(FALSE, TRUE, sizeof(TgPretokenizer));
    g_array_set_clear_func(bpe->normalizers, (GDestroyNotify) tg_normalizer_clear);
    bpe->added_raw = added_tokens_new();
    bpe->added_normalized = added_tokens_new();
    return bpe;
}

void tg_bpe_unref(TgBpe *bpe)
{
    if (bpe == NULL || !g_atomic_int_dec_and_test(&bpe->n_refs))
        return;
    tg_vocab_free(bpe->vocab);
    tg_vocab_free(bpe->extra);
    tg_vocab_free(bpe->merges);
    g_free(bpe->prefix);
    g_free(bpe->suffix);
    g_array_unref(bpe->normalizers);
    g_array_unref(bpe->pretokenizers);
    added_tokens_free(bpe->added_raw);
    added_tokens_free(bpe->added_normalized);
    g_free(bpe);
}

guint32 tg_bpe_id_bound(const TgBpe *bpe)
{
    return MAX(bpe->vocab->entries->len, bpe->extra->entries->len);
}

/* ---- The merging of byte-pair encoding: a linked list of symbols and a heap of pairs --------- */

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
static void queue_pair(TgBpeWord *word, const TgVocab *merges, gint32 left)
{
    const TgBpeSymbol *symbols = (const TgBpeSymbol *) (gconstpointer) word->symbols->data;

    if (left < 0 || symbols[left].next < 0)
        return;
    const guint32 left_id = symbols[left].id, right_id = symbols[symbols[left].next].id;
    const guint64 *merge = tg_vocab_find_pair(merges, tg_pair_key(left_id, right_id));
    if (merge != NULL)
        queue_push(word->queue, (Candidate){ (guint32) (*merge >> 32), left, left_id, right_id,
                                             (guint32) *merge });
}

void tg_bpe_word_merge(TgBpeWord *word, const TgVocab *merges)
{
    TgBpeSymbol *symbols = (TgBpeSymbol *) (gpointer) word->symbols->data;
    const gint32 n = (gint32) word->symbols->len;

    for (gint32 i = 0; i < n; i++)
        queue_pair(word, merges, i);
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
        queue_pair(word, merges, left->prev);
        queue_pair(word, merges, best.left);
    }
}

/* ---- Byte-pair encoding of a text: added tokens, normalizing, words, merges ------------------ */

struct TgBpeEncoder {
    TgBpe *bpe;
    TgSpanText normal; /* the text between two added tokens, normalized */
    TgSpanText split;  /* a part of that, split into words */
    TgBpeWord word;
    TgVocab *words;   /* those that were encoded, a cache; the value: where its pieces end */
    GArray *pieces;   /* Piece: of the cached words one after the other, then of the latest word */
    GArray *subwords; /* TgSubword: the result */
    GString *scratch;
};

TgBpeEncoder *tg_bpe_encoder_new(TgBpe *bpe)
{
    TgBpeEncoder *encoder = g_new0(TgBpeEncoder, 1);

    g_atomic_int_inc(&bpe->n_refs);
    encoder->bpe = bpe;
    tg_span_text_init(&encoder->normal);
    tg_span_text_init(&encoder->split);
    tg_bpe_word_init(&encoder->word);
    encoder->words = tg_vocab_new();
    encoder->pieces = g_array_sized_new(FALSE, FALSE, sizeof(Piece), 64); /* never NULL */
    encoder->subwords = g_array_new(FALSE, FALSE, sizeof(TgSubword));
    encoder->scratch = g_string_new(NULL);
    return encoder;
}

void tg_bpe_encoder_free(TgBpeEncoder *encoder)
{
    if (encoder == NULL)
        return;
    tg_bpe_unref(encoder->bpe);
    tg_span_text_clear(&encoder->normal);
    tg_span_text_clear(&encoder->split);
    tg_bpe_word_clear(&encoder->word);
    tg_vocab_free(encoder->words);
    g_array_unref(encoder->pieces);
    g_array_unref(encoder->subwords);
    g_string_free(encoder->scratch, TRUE);
    g_free(encoder);
}

/* The token of one character, which the file may write with a prefix or suffix. */
static gboolean find_char(TgBpeEncoder *encoder, const char *text, gsize len, gboolean is_first,
                          gboolean is_last, guint32 *id)
{
    const TgBpe *bpe = encoder->bpe;

    if ((is_first || bpe->prefix[0] == '\0') && (!is_last || bpe->suffix[0] == '\0'))
        return tg_vocab_find(bpe->vocab, text, len, id);
    g_string_assign(encoder->scratch, is_first ? "" : bpe->prefix);
    g_string_append_len(encoder->scratch, text, (gssize) len);
    g_string_append(encoder->scratch, is_last ? bpe->suffix : "");
    return tg_vocab_find(bpe->vocab, encoder->scratch->str, encoder->scratch->len, id);
}

/* The bytes of a character as tokens; FALSE if the vocabulary lacks one of them. */
static gboolean add_bytes(TgBpeEncoder *encoder, const char *text, guint len)
{
    const guint32 *byte_ids = encoder->bpe->byte_ids;

    for (guint i = 0; i < len; i++)
        if (byte_ids[(guchar) text[i]] == TG_BPE_NO_ID)
            return FALSE;
    for (guint i = 0; i < len; i++)
        tg_bpe_word_add(&encoder->word, byte_ids[(guchar) text[i]], 1);
    return TRUE;
}

/* Fill encoder->word with the characters of @text. */
static void add_characters(TgBpeEncoder *encoder, const char *text, gsize len)
{
    const TgBpe *bpe = encoder->bpe;
    GArray *symbols = encoder->word.symbols;
    gboolean after_unknown = FALSE;
    guint32 dropped = 0; /* bytes of characters that have no token at all */

    g_array_set_size(symbols, 0);
    for (gsize i = 0; i < len;) {
        gunichar c;
        guint32 id;
        const guint size = tg_utf8_decode(text + i, len - i, &c);
        const gboolean known = find_char(encoder, text + i, size, i == 0, i + size == len, &id);
        if (known)
            tg_bpe_word_add(&encoder->word, id, size + dropped);
        if (known || add_bytes(encoder, text + i, size)) {
            after_unknown = FALSE;
            dropped = 0;
        } else if (bpe->unk_id == TG_BPE_NO_ID) {
            dropped += size;
        } else if (after_unknown && bpe->fuse_unk) {
            g_array_index(symbols, TgBpeSymbol, symbols->len - 1).len += size;
        } else {
            tg_bpe_word_add(&encoder->word, bpe->unk_id, size);
            after_unknown = TRUE;
        }
        i += size;
    }
    if (dropped > 0 && symbols->len > 0)
        g_array_index(symbols, TgBpeSymbol, symbols->len - 1).len += dropped;
}

/* Append the pieces of a word. */
static void encode_word(TgBpeEncoder *encoder, const char *text, gsize len)
{
    Piece whole = { 0, (guint32) len };

    if (encoder->bpe->ignore_merges && tg_vocab_find(encoder->bpe->vocab, text, len, &whole.id)) {
        g_array_append_val(encoder->pieces, whole);
        return;
    }
    add_characters(encoder, text, len);
    if (encoder->word.symbols->len == 0)
        return;
    tg_bpe_word_merge(&encoder->word, encoder->bpe->merges);
    for (gint32 i = 0; i >= 0;) {
        const TgBpeSymbol *symbol = &g_array_index(encoder->word.symbols, TgBpeSymbol, i);
        const Piece piece = { symbol->id, symbol->len };
        g_array_append_val(encoder->pieces, piece);
        i = symbol->next;
    }
}

/* The pieces of a word, from the cache or encoded; until the next call. */
static const Piece *word_pieces(TgBpeEncoder *encoder, const char *text, gsize len, guint *n)
{
    TgVocab *words = encoder->words;
    guint32 number = 0, end;
    const gboolean is_known = len <= MAX_CACHED_WORD && tg_vocab_find(words, text, len, &number);

    if (!is_known && words->size == MAX_CACHED_WORDS)
        tg_vocab_reset(words);
    if (!is_known)
        number = words->size;
    const guint32 start = number > 0 ? (guint32) *tg_vocab_value(words, number - 1) : 0;
    if (is_known) {
        end = (guint32) *tg_vocab_value(words, number);
    } else {
        g_array_set_size(encoder->pieces, start);
        encode_word(encoder, text, len);
        end = encoder->pieces->len;
        if (len <= MAX_CACHED_WORD && end > start && !tg_deadline_passed())
            *tg_vocab_value(words, tg_vocab_number(words, text, len)) = end;
    }
    *n = end - start;
    return &g_array_index(encoder->pieces, Piece, start);
}

static void append_subword(TgBpeEncoder *encoder, guint32 id, TgByteRange normal)
{
    const TgByteRange source = tg_span_text_origin(&encoder->normal, normal.start, normal.end);
    const TgSubword subword = { id, source.start, source.end };

    g_array_append_val(encoder->subwords, subword);
}

/* Encode bytes @start to @end of the normalized text, in which there is no added token. */
static void encode_plain(TgBpeEncoder *encoder, gsize start, gsize end)
{
    const GArray *steps = encoder->bpe->pretokenizers;
    TgSpanText *split = &encoder->split;

    if (start == end)
        return;
    tg_span_text_set(split, encoder->normal.text + start, end - start, (guint32) start);
    split->at_start = start == 0 && encoder->normal.at_start;
    for (guint i = 0; i < steps->len; i++)
        tg_pretokenizer_apply(&g_array_index(steps, TgPretokenizer, i), split);
    for (guint w = 0; w < split->words->len; w++) {
        const TgByteRange word = g_array_index(split->words, TgByteRange, w);
        guint n;
        if (tg_deadline_spend(20 + 10 * (gsize) (word.end - word.start)))
            return;
        const Piece *pieces =
            word_pieces(encoder, split->text + word.start, word.end - word.start, &n);
        for (guint i = 0, at = word.start; i < n; at += pieces[i++].len)
            append_subword(encoder, pieces[i].id,
                           tg_span_text_origin(split, at, at + pieces[i].len));
    }
}

/* Encode source bytes @start to @end, in which there is no raw added token. */
static void encode_segment(TgBpeEncoder *encoder, const char *text, gsize start, gsize end)
{
    const GArray *steps = encoder->bpe->normalizers;
    TgSpanText *normal = &encoder->normal;
    const TgAddedToken *token;
    gsize from = 0, found, found_end;

    if (start == end)
        return;
    tg_span_text_set(normal, text + start, end - start, (guint32) start);
    for (guint i = 0; i < steps->len; i++)
        tg_normalizer_apply(&g_array_index(steps, TgNormalizer, i), normal);
    while ((token = added_tokens_find(encoder->bpe->added_normalized, normal->text, normal->len,
                                      from, &found, &found_end)) != NULL) {
        encode_plain(encoder, from, found);
        append_subword(encoder, token->id, (TgByteRange){ (guint32) found, (guint32) found_end });
        from = found_end;
    }
    encode_plain(encoder, from, normal->len);
}

/* Take white space off both ends of every subword's source bytes. */
static void trim_offsets(GArray *subwords, const char *text)
{
    for (guint i = 0; i < subwords->len; i++) {
        TgSubword *s = &g_array_index(subwords, TgSubword, i);
        while (s->start < s->end && g_ascii_isspace(text[s->start]))
            s->start++;
        while (s->start < s->end && g_ascii_isspace(text[s->end - 1]))
            s->end--;
    }
}

const TgSubword *tg_bpe_encode(TgBpeEncoder *encoder, const char *text, gsize len, guint *n,
                               GError **error)
{
    static const TgSubword no_subword; /* an empty array has no data to point at */
    const TgBpe *bpe = encoder->bpe;
    const TgAddedToken *token;
    gsize from = 0, start, end;

    if (len >= TG_BPE_MAX_TEXT) {
        g_set_error(error, TG_ERROR, TG_ERROR_DATA,
                    "a text of %" G_GSIZE_FORMAT " bytes is too long to encode", len);
        return NULL;
    }
    g_array_set_size(encoder->subwords, 0);
    while ((token = added_tokens_find(bpe->added_raw, text, len, from, &start, &end)) != NULL) {
        encode_segment(encoder, text, from, start);
        const TgSubword subword = { token->id, (guint32) start, (guint32) end };
        g_array_append_val(encoder->subwords, subword);
        from = end;
    }
    encode_segment(encoder, text, from, len);
    if (bpe->trim_offsets)
        trim_offsets(encoder->subwords, text);
    *n = encoder->subwords->len;
    return *n > 0 ? (const TgSubword *) (gconstpointer) encoder->subwords->data : &no_subword;
}
