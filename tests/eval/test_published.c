/*
 * Figures that others published beside their predictions, reproduced to the last printed digit.
 * docs/background/published.md says which options do it.
 */
#include <stdlib.h>

#include "tests/support/results_support.h"

/* The number after @label in the published text. */
static double published(const char *text, const char *label)
{
    const char *at = strstr(text, label);

    if (at == NULL)
        fail_msg("no '%s' in the published figures", label);
    g_auto(GStrv) parts = g_strsplit_set(at + strlen(label), ",\n", 3); /* "1,147" */
    g_autofree char *number = strstr(label, "Samples") != NULL && strlen(parts[1]) == 3
                                  ? g_strconcat(parts[0], parts[1], NULL)
                                  : g_strdup(parts[0]);
    return g_ascii_strtod(number, NULL);
}

static void check_file(const char *name)
{
    tg_skip_without_shared("data/uni-mumer");
    g_autofree char *json = g_strconcat("data/uni-mumer/", name, ".json", NULL);
    g_autofree char *figures = g_strconcat("data/uni-mumer/", name, ".published.txt", NULL);
    g_autofree char *input = tg_shared_or_skip(json);
    g_autofree char *text_path = tg_shared_or_skip(figures);
    g_autofree char *text = NULL;

    assert_true(g_file_get_contents(text_path, &text, NULL, NULL));
    const char *const inputs[] = { input, NULL };
    const TgEvalOptions options = {
        .metrics = "edit=edit:tokenize=words,bleu=bleu:tokenize=words:smooth=nltk4,"
                   "cer=cer:edits=words,exprate=exprate:tokenize=words",
        .inputs = inputs,
    };
    guint64 n_faults;
    g_autoptr(TgSummary) summary = tg_must(tg_eval_run(&options, &n_faults, &error));
    assert_int_equal(n_faults, 0);
    g_autoptr(GPtrArray) rows = tg_summary_rows(summary);
    assert_int_equal(((const TgSummaryRow *) rows->pdata[0])->n_pairs,
                     published(text, "Total Samples:"));

    static const struct {
        const char *label, *column;
        double scale, digit; /* of the last printed place */
    } cases[] = {
        { "Mean Edit Score:", "edit", 100, 1e-4 },   { "BLEU-4 Score:", "bleu", 100, 1e-4 },
        { "Character Error Rate:", "cer", 1, 1e-4 }, { "Exact Match Rate:", "exprate", 100, 1e-4 },
        { "Error ≤ 1:", "exprate.1", 100, 1e-4 },    { "Error ≤ 2:", "exprate.2", 100, 1e-4 },
        { "Error ≤ 3:", "exprate.3", 100, 1e-4 },
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const double ours =
            test_summary_value(summary, NULL, NULL, cases[i].column) * cases[i].scale;
        const double wanted = published(text, cases[i].label);

        /* Half a digit is what rounding hides; 1e-9 for our own ten digits. */
        if (!(fabs(ours - wanted) <= cases[i].digit / 2 + 1e-7))
            fail_msg("%s: %s is %.8f, published %.4f", name, cases[i].column, ours, wanted);
    }
}

TEST(test_published__crohme)
{
    static const char *const names[] = { "crohme_2014.3b", "crohme_2014.7b", "crohme_2016.3b",
                                         "crohme_2016.7b", "crohme_2019.3b", "crohme_2019.7b" };

    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        check_file(names[i]);
}

/* end2end_quick_match_metric_result.json beside it: display_formula, page.Edit_dist.ALL. */
TEST(test_published__omnidocbench_edit_distance_by_page)
{
    const char *const maps[] = { "gt=norm_gt,pred=norm_pred", NULL };
    static const struct {
        const char *file, *mean;
    } cases[] = { { "result", "pages" }, { "formula", "pages=image_name" } };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *name = g_strdup_printf(
            "data/omnidocbench/end2end_quick_match_display_formula_%s.json", cases[i].file);
        g_autofree char *input = tg_shared_or_skip(name);
        const char *const inputs[] = { input, NULL };
        const TgEvalOptions options = { .metrics = "edit=edit:tokenize=codepoint",
                                        .inputs = inputs,
                                        .source.maps = maps,
                                        .source.keep_delimiters = TRUE,
                                        .summary.mean = cases[i].mean };
        g_autoptr(TgSummary) summary = tg_must(tg_eval_run(&options, NULL, &error));
        tg_assert_near(1 - test_summary_value(summary, NULL, NULL, "edit.corpus"),
                       0.4928989426720449, 1e-9);
    }
}
