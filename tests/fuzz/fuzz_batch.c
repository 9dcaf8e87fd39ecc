/*
 * Fuzz target: a pair's scores depend on nothing but the pair. Up to eight pairs, separated by NUL,
 * are scored together on one thread and on four, and each alone.
 */
#include "tests/fuzz/fuzz.h"

#include <texgauge/scorer.h>

#include "tests/fuzz/parts.h"

#define MAX_PAIRS 8

/* Kept between inputs, as in a run, and reachable for the leak checker. */
static TgScorer *scorer;

static TgBatch *score(const TgPair *pairs, gsize n, guint threads)
{
    TgBatchOptions options = TG_BATCH_OPTIONS_INIT;
    g_autoptr(GError) error = NULL;

    options.threads = threads;
    TgBatch *batch = tg_scorer_score(scorer, pairs, n, &options, &error);
    g_assert_no_error(error);
    return batch;
}

/* Pair @at of @batch scores as pair @other_at of @other does, to the bit. */
static void check_same(const TgBatch *batch, gsize at, const TgBatch *other, gsize other_at)
{
    for (guint c = 0; c < tg_scorer_n_columns(scorer); c++) {
        const double value = tg_batch_column(batch, c)[at];
        const double expected = tg_batch_column(other, c)[other_at];

        g_assert_true(memcmp(&value, &expected, sizeof value) == 0);
    }
    for (guint m = 0; m < tg_scorer_n_metrics(scorer); m++)
        g_assert_cmpstr(tg_batch_status(batch, at, m), ==, tg_batch_status(other, other_at, m));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_auto(FuzzParts) parts = fuzz_parts(data, size, 2 * MAX_PAIRS);
    const guint n = (parts.n + 1) / 2;
    TgPair pairs[MAX_PAIRS];

    if (scorer == NULL)
        scorer = tg_scorer_new("cdm,cdm-strict,forte,olmocr,bleu,edit,texbleu,chrf", NULL, NULL);
    for (guint i = 0; i < n; i++)
        pairs[i] = (TgPair){ NULL, &parts.text[2 * i], 1, parts.text[2 * i + 1] };

    g_autoptr(TgBatch) together = score(pairs, n, 1);
    g_autoptr(TgBatch) threaded = score(pairs, n, 4);
    for (guint i = 0; i < n; i++) {
        g_autoptr(TgBatch) alone = score(pairs + i, 1, 1);

        check_same(together, i, alone, 0);
        check_same(threaded, i, alone, 0);
    }
    for (guint c = 0; c < tg_scorer_n_columns(scorer); c++) {
        const double value = tg_batch_pooled(together, c), other = tg_batch_pooled(threaded, c);

        g_assert_true(memcmp(&value, &other, sizeof value) == 0);
    }
    return 0;
}
