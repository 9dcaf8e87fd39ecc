/* Byte-pair encoding of a text: added tokens, normalizing, words, merges. */
#include <string.h>

#include "core/deadline.h"
#include "core/utf8.h"
#include "tokenizer/subword/bpe.h"
#include "tokenizer/subword/bpe_cache.h"
#include "tokenizer/subword/bpe_merge.h"
#include "tokenizer/subword/bpe_model.h"

struct TgBpeEncoder {
    TgBpe *bpe;
    TgSpanText normal; /* the text between two added tokens, normalized */
    TgSpanText split;  /* a part of that, split into words */
    TgBpeWord word;
    TgBpeCache *cache;
    GArray *pieces;   /* TgBpePiece of one word */
    GArray *subwords; /* TgSubword: the result */
    GString *scratch;
};

TgBpeEncoder *tg_bpe_encoder_new(TgBpe *bpe)
{
    TgBpeEncoder *encoder = g_new0(TgBpeEncoder, 1);

    encoder->bpe = tg_bpe_ref(bpe);
    tg_span_text_init(&encoder->normal);
    tg_span_text_init(&encoder->split);
    tg_bpe_word_init(&encoder->word);
    encoder->cache = tg_bpe_cache_new();
    encoder->pieces = g_array_new(FALSE, FALSE, sizeof(TgBpePiece));
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
    tg_bpe_cache_free(encoder->cache);
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

    tg_bpe_word_reset(&encoder->word);
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

/* Encode one word into encoder->pieces. */
static void encode_word(TgBpeEncoder *encoder, const char *text, gsize len)
{
    TgBpePiece whole = { 0, (guint32) len };

    g_array_set_size(encoder->pieces, 0);
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
        const TgBpePiece piece = { symbol->id, symbol->len };
        g_array_append_val(encoder->pieces, piece);
        i = symbol->next;
    }
}

/* The pieces of a word, from the cache or encoded. */
static const TgBpePiece *word_pieces(TgBpeEncoder *encoder, const char *text, gsize len, guint *n)
{
    if (len <= TG_BPE_CACHE_MAX_WORD) {
        const TgBpePiece *known = tg_bpe_cache_get(encoder->cache, text, len, n);
        if (known != NULL)
            return known;
    }
    encode_word(encoder, text, len);
    *n = encoder->pieces->len;
    if (len <= TG_BPE_CACHE_MAX_WORD && *n > 0 && !tg_deadline_passed())
        tg_bpe_cache_put(encoder->cache, text, len, (const TgBpePiece *) encoder->pieces->data, *n);
    return (const TgBpePiece *) encoder->pieces->data;
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
        if (tg_too_long(20 + 10 * (gsize) (word.end - word.start)))
            return;
        const TgBpePiece *pieces =
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
    for (; !tg_added_tokens_is_empty(encoder->bpe->added_normalized); from = found_end) {
        token = tg_added_tokens_find(encoder->bpe->added_normalized, normal->text, normal->len,
                                     from, &found, &found_end);
        if (token == NULL)
            break;
        encode_plain(encoder, from, found);
        append_subword(encoder, token->id, (TgByteRange){ (guint32) found, (guint32) found_end });
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
    for (; !tg_added_tokens_is_empty(bpe->added_raw); from = end) {
        token = tg_added_tokens_find(bpe->added_raw, text, len, from, &start, &end);
        if (token == NULL)
            break;
        encode_segment(encoder, text, from, start);
        const TgSubword subword = { token->id, (guint32) start, (guint32) end };
        g_array_append_val(encoder->subwords, subword);
    }
    encode_segment(encoder, text, from, len);
    if (bpe->trim_offsets)
        trim_offsets(encoder->subwords, text);
    *n = encoder->subwords->len;
    return *n > 0 ? (const TgSubword *) (gconstpointer) encoder->subwords->data : &no_subword;
}
