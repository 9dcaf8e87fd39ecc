#include "tests/support/test_support.h"

#include "eval/explain/explain.h"

static char *why(const char *spec, const char *const *refs, const char *hyp, gboolean json,
                 GError **error)
{
    g_autoptr(TgMetric) metric = tg_metric_new(spec, NULL);
    g_autoptr(TgEnv) env = tg_env_new();
    const TgPair pair = { "", refs, g_strv_length((char **) refs), hyp };

    assert_non_null(metric);
    return tg_explain_why(metric, env, &pair, 80, json, error);
}

/* One of five tokens is another. */
TEST(test_explain_why__edits_of_tokens)
{
    const char *const refs[] = { "x^{2}", NULL };
    g_autofree char *text = why("edit", refs, "x _ {2}", FALSE, NULL);

    assert_string_equal(text, "edit 0.8  distance 1  normalized 0.2  corpus 0.8\n"
                              "\n"
                              "reference   x^{2}\n"
                              "prediction  x_{2}\n"
                              "             ^\n"
                              "\n"
                              "   1  replaced  ^ -> _\n");
}

/* The tokens are those of the metric: here characters, and the reference that is nearer counts. */
TEST(test_explain_why__tokens_and_references_of_the_metric)
{
    const char *const refs[] = { "zzzz", "ab", NULL };
    g_autofree char *text = why("edit:tokenize=char", refs, "abc", FALSE, NULL);
    g_autofree char *lost = why("edit-ops", refs, "a", FALSE, NULL);

    assert_non_null(strstr(text, "reference   ab\n"
                                 "prediction  abc\n"
                                 "              ^\n"
                                 "\n"
                                 "   1  added     c\n"));
    assert_non_null(strstr(lost, "   1  lost      b\n"));
}

TEST(test_explain_why__edits_as_json)
{
    const char *const refs[] = { "ab", NULL };
    g_autofree char *json = why("exprate", refs, "a", TRUE, NULL);

    assert_non_null(strstr(json,
                           "\"edits\":[{\"kind\":\"delete\",\"gt\":{\"token\":1,\"text\":\"b\"},"
                           "\"pred\":null}]"));
}

/* b stands where c does, and d stands where nothing is. */
TEST(test_explain_why__elements_without_a_partner)
{
    const char *const refs[] = { "a+b", NULL }, *const same[] = { "a+b", NULL };
    g_autofree char *text = why("cdm", refs, "a+c", FALSE, NULL);
    g_autofree char *longer = why("cdm", refs, "a+b+d", FALSE, NULL);
    g_autofree char *equal = why("cdm", same, "a+b", FALSE, NULL);
    g_autofree char *json = why("cdm-strict", refs, "a+c", TRUE, NULL);

    assert_non_null(strstr(text, "reference   a+b\n"
                                 "              ^\n"
                                 "prediction  a+c\n"
                                 "              ^\n"));
    assert_non_null(strstr(text, "   1  other-token  b -> c\n"));
    assert_non_null(strstr(longer, " (prediction)\n"));
    assert_non_null(strstr(equal, "every element is matched\n"));
    assert_non_null(strstr(json, "\"verdict\""));
}

TEST(test_explain_why__other_metrics_cannot)
{
    const char *const refs[] = { "ab", NULL };
    GError *error = NULL;

    assert_null(why("bleu", refs, "a", FALSE, &error));
    tg_assert_error(error, TG_ERROR_USAGE, "'bleu' cannot explain a score; forte, cdm");
}
