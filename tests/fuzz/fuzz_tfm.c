/* Fuzz target: a TeX font metric file; every character that it names has finite dimensions. */
#include "tests/fuzz/fuzz.h"

#include "render/fonts/font.h"

/* Chains of larger characters end, programs stay inside, dimensions are at most 16 sizes. */
static void try_character(const TgMetrics *metrics, guint8 c)
{
    const TgScaled most = 16 * metrics->size;

    for (guint i = 0; metrics->chars[c].tag == TG_CHAR_NEXT; i++) {
        g_assert_cmpuint(i, <, 256);
        c = metrics->chars[c].rest;
    }
    const TgCharMetrics *box = &metrics->chars[c];
    g_assert_true(ABS(box->width) <= most && ABS(box->height) <= most && ABS(box->depth) <= most);
    if (box->tag == TG_CHAR_EXTENSIBLE)
        g_assert_cmpuint(box->rest, <, metrics->n_recipes);
    for (guint right = 0; right < 256; right++)
        tg_metrics_pair(metrics, c, (guint8) right);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const TgScaled sizes[] = { 1, 10 * 65536, (1 << 27) - 1 };

    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(TgMetrics) metrics = tg_tfm_read(data, size, sizes[i], &error);

        if (metrics == NULL) {
            g_assert_error(error, TG_ERROR, TG_ERROR_FONT);
            return 0;
        }
        for (guint c = 0; c < 256; c++)
            try_character(metrics, (guint8) c);
    }
    return 0;
}
