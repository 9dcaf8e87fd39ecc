/* Texts at and beyond the limit of length: every metric answers soon, whatever they hold. */
#include "tests/support/test_support.h"

#include <pthread.h>
#include <string.h>

#include <texgauge/scorer.h>

#include "core/pipeline.h"
#include "tests/support/cpu_time.h"

/* All metrics but texbleu and ebleu, whose tables take their time to load. */
#define METRICS                                                                                    \
    "edit,edit-ops,cer,wer,bleu,chrf,rouge,exprate,forte,cdm,cdm-strict,imgedit,mse,ssim,render"

/* The pair must be scored in @seconds, and the status of the first metric hold @status. */
static void check(const char *metrics, const char *ref, const char *hyp, double seconds,
                  const char *status)
{
    g_autoptr(TgScorer) scorer = tg_must(tg_scorer_new(metrics, NULL, &error));
    const TgPair pair = { "long", &ref, 1, hyp };
    const double start = tg_cpu_seconds();
    g_autoptr(TgBatch) batch = tg_must(tg_scorer_score(scorer, &pair, 1, NULL, &error));

    tg_assert_cpu_below(start, seconds, metrics);
    tg_assert_holds(tg_batch_status(batch, 0, 0), status, NULL);
}

/* No metric sees it: 8 MB take what reading them takes. */
TEST(test_bounds__beyond_the_limit_nothing_is_scored)
{
    static const char *const pieces[] = { "a+", "\\frac{a}{b}", "{", "\\ce{->[", "$" };

    for (guint i = 0; i < G_N_ELEMENTS(pieces); i++) {
        g_autofree char *longest = tg_repeat(pieces[i], 8u << 20);

        check("cdm,exprate,mse", "a+b", longest, 0.6, "is too long to score");
        check("cdm,exprate,mse", longest, "a+b", 0.6, "is too long to score");
    }
}

TEST(test_bounds__at_a_tenth_of_the_limit_all_metrics_answer)
{
    static const char *const pieces[] = { "a+", "\\frac{a}{b}", "{a}", "x_{1}^{2}" };

    for (guint i = 0; i < G_N_ELEMENTS(pieces); i++) {
        g_autofree char *hyp = tg_repeat(pieces[i], TG_SHORTENED(25000));

        check(METRICS, "a+b", hyp, 4.0, "");
    }
}

/* Two long sides: what grows with their product is refused where it would take minutes. */
TEST(test_bounds__products_are_bounded)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    static char sides[2][TG_TEXT_MAX + 1];

    for (guint k = 0; k < 2; k++)
        for (guint i = 0; i < TG_TEXT_MAX; i++)
            sides[k][i] = (char) ('a' + g_rand_int_range(rand, 0, 20));
    check("edit-ops", sides[0], sides[1], 1.0, "too-large: 262144 tokens beside 262144");
    sides[0][25000] = sides[1][25000] = '\0';
    check("imgedit", sides[0], sides[1], 3.0, "too-large: ");
    sides[0][2000] = sides[1][2000] = '\0';
    check("imgedit", sides[0], sides[1], 3.0, "ok");
}

static void *check_deep(void *text)
{
    const char *ref = text;

    check(METRICS, ref, ref, 60.0, "");
    return NULL;
}

/* core/pipeline.h says how much. */
TEST(test_bounds__the_deepest_formulas_need_half_a_mebibyte_of_stack)
{
    static const char *const pieces[][2] = { { "\\begin{array}{c}", "\\end{array}" },
                                             { "\\frac{", "}{y}" },
                                             { "\\sqrt{", "}" },
                                             { "\\left(", "\\right)" },
                                             { "\\overset{a}{", "}" },
                                             { "x^{", "}" },
                                             { "{", "}" },
                                             { "\\mathrm{\\text{", "}}" } };

    if (TG_INSTRUMENTED > 1) /* instrumented and unoptimized code needs more */
        skip();
    for (guint i = 0; i < G_N_ELEMENTS(pieces); i++) {
        g_autofree char *open = tg_repeat(pieces[i][0], 250 * (guint) strlen(pieces[i][0]));
        g_autofree char *close = tg_repeat(pieces[i][1], 250 * (guint) strlen(pieces[i][1]));
        g_autofree char *text = g_strconcat(open, "x", close, NULL);
        pthread_attr_t small;
        pthread_t thread;

        pthread_attr_init(&small);
        pthread_attr_setstacksize(&small, TG_STACK_NEEDED);
        assert_int_equal(pthread_create(&thread, &small, check_deep, text), 0);
        pthread_join(thread, NULL);
        pthread_attr_destroy(&small);
    }
}
