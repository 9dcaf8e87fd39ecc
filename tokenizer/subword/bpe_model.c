/* A loaded byte-pair tokenizer. */
#include "tokenizer/subword/bpe_model.h"

#include <string.h>

static void clear_normalizer(gpointer step)
{
    tg_normalizer_clear(step);
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
    g_array_set_clear_func(bpe->normalizers, clear_normalizer);
    bpe->added_raw = tg_added_tokens_new();
    bpe->added_normalized = tg_added_tokens_new();
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
    tg_added_tokens_free(bpe->added_raw);
    tg_added_tokens_free(bpe->added_normalized);
    g_free(bpe);
}

guint32 tg_bpe_id_bound(const TgBpe *bpe)
{
    return MAX(tg_vocab_id_bound(bpe->vocab), tg_vocab_id_bound(bpe->extra));
}
