/* Fuzz target: a tokenizer.json and a text, separated by NUL. What loads must encode any
 * text, and every token must lie inside it. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "tokenizer/subword/bpe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *json = (const char *) data, *end = size > 0 ? memchr(data, '\0', size) : NULL;
    const gsize json_len = end != NULL ? (gsize) (end - json) : size;
    const char *text = end != NULL ? end + 1 : "\\frac{a}{b}";
    const gsize text_len = end != NULL ? size - json_len - 1 : strlen(text);
    g_autoptr(TgBpe) bpe = tg_bpe_load_json(json, json_len, NULL);
    guint n = 0;

    if (bpe == NULL)
        return 0;
    g_autoptr(TgBpeEncoder) encoder = tg_bpe_encoder_new(bpe);
    const TgSubword *subwords = tg_bpe_encode(encoder, text, text_len, &n, NULL);
    for (guint i = 0; i < n; i++) {
        g_assert_cmpuint(subwords[i].start, <=, subwords[i].end);
        g_assert_cmpuint(subwords[i].end, <=, text_len);
        g_assert_cmpuint(subwords[i].id, <, tg_bpe_id_bound(bpe));
    }
    return 0;
}
