#include "tests/support/test_support.h"

#include "eval/explain/explain.h"

/* Fails unless the explanation of a metric of the pair holds the text. */
static void assert_why(const char *spec, const char *ref, const char *hyp, gboolean json,
                       const char *wanted)
{
    const char *const refs[] = { "zzzz", ref }; /* the one that is nearer counts */
    g_autoptr(TgMetric) metric = tg_must(tg_metric_new(spec, &error));
    g_autoptr(TgEnv) env = tg_env_new();
    const TgPair pair = { "", refs, 2, hyp };
    g_autofree char *text = tg_must(tg_explain_why(metric, env, &pair, 80, json, &error));

    tg_assert_holds(text, wanted, NULL);
}

TEST(test_explain_why__edits_and_elements)
{
    static const struct {
        const char *spec, *ref, *hyp;
        gboolean json;
        const char *wanted;
    } cases[] = {
        /* one of five tokens is another */
        { "edit", "x^{2}", "x _ {2}", FALSE,
          "edit 0.8  distance 1  normalized 0.2  corpus 0.8\n"
          "\n"
          "reference   x^{2}\n"
          "prediction  x_{2}\n"
          "             ^\n"
          "\n"
          "   1  replaced  ^ -> _\n" },
        /* the tokens are those of the metric: here characters */
        { "edit:tokenize=char", "ab", "abc", FALSE,
          "reference   ab\n"
          "prediction  abc\n"
          "              ^\n"
          "\n"
          "   1  added     c\n" },
        { "edit-ops", "ab", "a", FALSE, "   1  lost      b\n" },
        { "exprate", "ab", "a", TRUE,
          "\"edits\":[{\"kind\":\"delete\",\"gt\":{\"token\":1,\"text\":\"b\"},\"pred\":null}]" },
        /* b stands where c does, and d stands where nothing is */
        { "cdm", "a+b", "a+c", FALSE,
          "reference   a+b\n"
          "              ^\n"
          "prediction  a+c\n"
          "              ^\n" },
        { "cdm", "a+b", "a+c", FALSE, "   1  other-token  b -> c\n" },
        { "cdm", "a+b", "a+b+d", FALSE, " (prediction)\n" },
        { "cdm", "a+b", "a+b", FALSE, "every element is matched\n" },
        { "cdm-strict", "a+b", "a+c", TRUE, "\"verdict\"" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_why(cases[i].spec, cases[i].ref, cases[i].hyp, cases[i].json, cases[i].wanted);
}

TEST(test_explain_why__other_metrics_cannot)
{
    const char *const ref = "ab";
    const TgPair pair = { "", &ref, 1, "a" };
    g_autoptr(TgMetric) metric = tg_must(tg_metric_new("bleu", &error));
    g_autoptr(TgEnv) env = tg_env_new();

    tg_assert_fails(tg_explain_why(metric, env, &pair, 80, FALSE, &error), TG_ERROR_USAGE,
                    "'bleu' cannot explain a score; forte, cdm");
}
