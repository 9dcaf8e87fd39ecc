/* A byte-pair tokenizer: what it is made of. */
#include "tokenizer/subword/bpe.h"

#include <string.h>

#include "tokenizer/subword/bpe_model.h"

static void clear_normalizer(gpointer step)
{
    tg_normalizer_clear(step);
}

static void clear_decoder(gpointer data)
{
    TgDecodeStep *step = data;

    g_free(step->pattern);
    g_free(step->content);
}

TgBpe *tg_bpe_new(void)
{
    TgBpe *bpe = g_new0(TgBpe, 1);

    bpe->n_refs = 1;
    bpe->vocab = tg_vocab_new();
    bpe->extra = tg_vocab_new();
    bpe->merges = tg_pair_table_new();
    bpe->unk_id = TG_BPE_NO_ID;
    memset(bpe->byte_ids, 0xff, sizeof bpe->byte_ids);
    bpe->normalizers = g_array_new(FALSE, TRUE, sizeof(TgNormalizer));
    bpe->pretokenizers = g_array_new(FALSE, TRUE, sizeof(TgPretokenizer));
    bpe->decoders = g_array_new(FALSE, TRUE, sizeof(TgDecodeStep));
    g_array_set_clear_func(bpe->normalizers, clear_normalizer);
    g_array_set_clear_func(bpe->decoders, clear_decoder);
    bpe->added_raw = tg_added_tokens_new();
    bpe->added_normalized = tg_added_tokens_new();
    bpe->special = g_hash_table_new(NULL, NULL);
    return bpe;
}

TgBpe *tg_bpe_ref(TgBpe *bpe)
{
    g_atomic_int_inc(&bpe->n_refs);
    return bpe;
}

void tg_bpe_unref(TgBpe *bpe)
{
    if (bpe == NULL || !g_atomic_int_dec_and_test(&bpe->n_refs))
        return;
    tg_vocab_free(bpe->vocab);
    tg_vocab_free(bpe->extra);
    tg_pair_table_free(bpe->merges);
    g_free(bpe->prefix);
    g_free(bpe->suffix);
    g_array_unref(bpe->normalizers);
    g_array_unref(bpe->pretokenizers);
    g_array_unref(bpe->decoders);
    tg_added_tokens_free(bpe->added_raw);
    tg_added_tokens_free(bpe->added_normalized);
    g_hash_table_unref(bpe->special);
    g_free(bpe);
}

const char *tg_bpe_token_text(const TgBpe *bpe, guint32 id, gsize *len)
{
    const char *text = tg_vocab_text(bpe->vocab, id, len);

    return text != NULL ? text : tg_vocab_text(bpe->extra, id, len);
}

gboolean tg_bpe_token_id(const TgBpe *bpe, const char *text, gsize len, guint32 *id)
{
    return tg_vocab_find(bpe->vocab, text, len, id) || tg_vocab_find(bpe->extra, text, len, id);
}

guint32 tg_bpe_id_bound(const TgBpe *bpe)
{
    return MAX(tg_vocab_id_bound(bpe->vocab), tg_vocab_id_bound(bpe->extra));
}
