/* Fuzz target: a safetensors file; every table it gives can be read to its last number. */
#include "tests/fuzz/fuzz.h"

#include <math.h>

#include "tokenizer/subword/subword_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = { TG_TOKEN_TENSOR, TG_POSITION_TENSOR, "w" };
    g_autoptr(TgSafetensors) file = tg_safetensors_open_bytes(data, size, NULL);

    for (guint i = 0; file != NULL && i < G_N_ELEMENTS(names); i++) {
        g_autoptr(TgEmbedding) table = tg_embedding_new(file, names[i], NULL);
        if (table == NULL)
            continue;
        const guint32 last = table->rows - 1;
        g_assert_true(isfinite(tg_embedding_row(table, last)[table->dim - 1]));
        g_assert_false(isnan(tg_embedding_cosine_distance(table, 0, last)));
    }
    return 0;
}
