/*
 * Scores pairs from C, as a training loop would: no files, no process, one instance for all.
 *
 *   cc score_pairs.c -o score_pairs $(pkg-config --cflags --libs texgauge) && ./score_pairs
 */
#include <stdio.h>

#include <texgauge/texgauge.h>

int main(void)
{
    static const char *const refs[] = { "\\frac{a}{b}", "x^{2}+y^{2}", "\\alpha\\le\\beta" };
    static const char *const hyps[] = { "\\frac{a}{6}", "x^{2}+y^{2}", "\\alpha<\\beta" };
    g_autoptr(GError) error = NULL;
    g_autoptr(TgMetric) metric = tg_metric_new("edit:tokenize=latex", &error);

    if (metric == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    g_autoptr(TgEnv) env = tg_env_new(); /* one per thread */
    g_autoptr(TgResult) result = tg_result_new(metric, FALSE);
    for (int i = 0; i < 3; i++) {
        const TgPair pair = { "", &refs[i], 1, hyps[i] };
        if (!tg_metric_score(metric, env, &pair, result, &error)) {
            fprintf(stderr, "%s\n", error->message);
            return 1;
        }
        printf("%.4f  %s\n", tg_result_get(result, 0), hyps[i]);
    }
    printf("%s\n", tg_metric_signature(metric));
    return 0;
}
