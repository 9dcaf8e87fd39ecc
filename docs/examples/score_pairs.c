/*
 * Scores pairs from C, as a training loop would: no files, no process, one scorer for all.
 *
 *   cc score_pairs.c -o score_pairs $(pkg-config --cflags --libs texgauge) && ./score_pairs
 */
#include <stdio.h>

#include <texgauge/texgauge.h>

int main(void)
{
    static const char *const refs[] = { "\\frac{a}{b}", "x^{2}+y^{2}", "\\alpha\\le\\beta" };
    static const char *const hyps[] = { "$\\frac{a}{6}$", "x^{2}+y^{2}", "\\alpha<\\beta" };
    g_autoptr(GError) error = NULL;
    g_autoptr(TgScorer) scorer = tg_scorer_new("cdm,edit:tokenize=latex", NULL, &error);
    TgPair pairs[3];

    for (int i = 0; i < 3; i++)
        pairs[i] = (TgPair){ NULL, &refs[i], 1, hyps[i] };
    g_autoptr(TgBatch) batch =
        scorer != NULL ? tg_scorer_score(scorer, pairs, 3, NULL, &error) : NULL;
    if (batch == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    for (guint c = 0; c < tg_scorer_n_columns(scorer); c++) {
        const double *values = tg_batch_column(batch, c);
        printf("%-14s %.4f %.4f %.4f  all %.4f\n", tg_scorer_column_name(scorer, c), values[0],
               values[1], values[2], tg_batch_pooled(batch, c));
    }
    printf("%s\n", tg_metric_signature(tg_scorer_metric(scorer, 0)));
    return 0;
}
