/* Fuzz target: GPT-2's vocab.json, merges.txt and a text, separated by NUL. */
#include "tests/fuzz/fuzz.h"

#include "tests/fuzz/parts.h"
#include "tokenizer/subword/bpe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_auto(FuzzParts) parts = fuzz_parts(data, size, 3);
    g_autoptr(GError) error = NULL;
    g_autoptr(TgBpe) bpe =
        tg_bpe_load_gpt2(parts.text[0], parts.len[0], parts.text[1], parts.len[1], &error);
    guint n = 0;

    if (bpe == NULL) {
        g_assert_error(error, TG_ERROR, TG_ERROR_INPUT);
        return 0;
    }
    g_autoptr(TgBpeEncoder) encoder = tg_bpe_encoder_new(bpe);
    const TgSubword *subwords = tg_bpe_encode(encoder, parts.text[2], parts.len[2], &n, NULL);
    for (guint i = 0; i < n; i++) {
        g_assert_cmpuint(subwords[i].start, <=, subwords[i].end);
        g_assert_cmpuint(subwords[i].end, <=, parts.len[2]);
        g_assert_cmpuint(subwords[i].id, <, tg_bpe_id_bound(bpe));
    }
    return 0;
}
