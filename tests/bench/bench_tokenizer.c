/*
 * Formulas per second of CPU time that a tokenizer file encodes, as TSV: formulas per second,
 * tokens per formula, bytes per formula.
 *
 *   bench_tokenizer TOKENIZER FORMULAS [ROUNDS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tokenizer/subword/bpe.h"

static G_NORETURN void stop(const char *message)
{
    fprintf(stderr, "bench_tokenizer: %s\n", message);
    exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
    const guint rounds = argc > 3 ? (guint) atoi(argv[3]) : 2000;
    guint64 n_formulas = 0, n_tokens = 0, n_bytes = 0;
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;

    if (argc < 3)
        stop("usage: bench_tokenizer TOKENIZER FORMULAS [ROUNDS]");
    g_autoptr(TgBpe) bpe = tg_bpe_load(argv[1], &error);
    if (bpe == NULL || !g_file_get_contents(argv[2], &text, NULL, &error))
        stop(error->message);
    g_autoptr(TgBpeEncoder) encoder = tg_bpe_encoder_new(bpe);
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);

    const clock_t start = clock();
    for (guint round = 0; round < rounds; round++)
        for (guint i = 0; lines[i] != NULL; i++) {
            const gsize len = strlen(lines[i]);
            guint n = 0;
            if (tg_bpe_encode(encoder, lines[i], len, &n, &error) == NULL)
                stop(error->message);
            n_formulas++;
            n_tokens += n;
            n_bytes += len;
        }
    const double seconds = (double) (clock() - start) / CLOCKS_PER_SEC;
    if (n_formulas == 0)
        stop("no formula");
    printf("%.0f\t%.1f\t%.1f\n", (double) n_formulas / MAX(seconds, 1e-9),
           (double) n_tokens / (double) n_formulas, (double) n_bytes / (double) n_formulas);
    return EXIT_SUCCESS;
}
