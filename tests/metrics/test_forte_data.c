/* FORTE on real formulas, and on inputs made to take long. */
#include "tests/support/metric_support.h"

#include "datasets/source.h"
#include "tests/support/cpu_time.h"

/* ---- formulas that read alike ---- */

/* The score of a pair, or NaN where it has none. */
static double score_of(TestScorer *scorer, const char *ref, const char *hyp)
{
    return test_scorer_try(scorer, ref, hyp, NULL) ? tg_result_get(scorer->result, 0) : NAN;
}

TEST(test_forte_data__pairs_that_look_alike_score_one)
{
    json_auto_t *rows = tg_golden_shared("cdm-reference/dev.jsonl");
    g_auto(TestScorer) scorer = test_scorer_new("forte");
    guint n = 0;

    tg_golden_each(row, rows)
    {
        const char *kind = json_string_value(json_object_get(row, "kind"));

        if (strcmp(kind, "restyle") != 0 && strcmp(kind, "hand-same") != 0)
            continue;
        n++;
        if (score_of(&scorer, json_string_value(json_object_get(row, "gt")),
                     json_string_value(json_object_get(row, "pred"))) != 1)
            fail_msg("%s", json_string_value(json_object_get(row, "id")));
    }
    assert_true(n >= 190);
}

/* Every formula of a file, truth or prediction, against itself. */
static guint check_identity(TestScorer *scorer, const char *relative, const char *maps)
{
    g_autofree char *path = tg_shared_or_skip(relative);
    const char *const inputs[] = { path, NULL };
    const char *const map_list[] = { maps, NULL };
    const TgSourceOptions options = {
        .maps = maps != NULL ? map_list : NULL,
        .refs_only = TRUE,
        .allow_duplicates = TRUE,
    };
    g_autoptr(GError) fault = NULL;
    g_auto(TgRecord) record = { 0 };
    guint n = 0;

    g_autoptr(TgSource) source = tg_must(tg_source_open(inputs, &options, &error));
    while (tg_source_next(source, &record, &fault) == TG_NEXT_ROW) {
        if (record.fault != NULL || record.row % TG_SHORTENING != 0)
            continue;
        g_autofree char *copy = g_strdup(record.refs->pdata[0]);
        if (score_of(scorer, record.refs->pdata[0], copy) != 1)
            fail_msg("%s: %s", relative, copy);
        n++;
    }
    tg_assert_no_error(fault);
    return n;
}

TEST(test_forte_data__every_formula_equals_itself)
{
    static const struct {
        const char *file, *maps;
        guint n;
    } files[] = {
        { "data/im2latex/test.formulas.norm.txt", NULL, 9000 },
        { "data/im2latex/val.formulas.norm.txt", NULL, 8000 },
        { "data/pdf-parse-bench/gt_formulas.json", "gt=latex", 2000 },
        { "data/speech2latex/metrics_disjoint_eng.csv", "gt=latex_true", 3000 },
        { "data/speech2latex/metrics_disjoint_eng.csv", "gt=latex_pred", 3000 },
        { "data/omnidocbench/end2end_quick_match_display_formula_result.json", NULL, 10 },
        { "data/uni-mumer/crohme_2014.3b.json", "gt=gt", 900 },
        { "data/uni-mumer/crohme_2014.3b.json", "gt=pred", 900 },
        { "data/uni-mumer/crohme_2014.7b.json", "gt=pred", 900 },
        { "data/uni-mumer/crohme_2016.3b.json", "gt=gt", 1100 },
        { "data/uni-mumer/crohme_2016.3b.json", "gt=pred", 1100 },
        { "data/uni-mumer/crohme_2016.7b.json", "gt=pred", 1100 },
        { "data/uni-mumer/crohme_2019.3b.json", "gt=gt", 1100 },
        { "data/uni-mumer/crohme_2019.3b.json", "gt=pred", 1100 },
        { "data/uni-mumer/crohme_2019.7b.json", "gt=pred", 1100 },
    };
    for (guint i = 0; i < G_N_ELEMENTS(files); i++)
        tg_skip_without_shared(files[i].file);
    g_auto(TestScorer) scorer = test_scorer_new("forte");
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        const guint n = check_identity(&scorer, files[i].file, files[i].maps);

        if (n < TG_SHORTENED(files[i].n))
            fail_msg("%s: only %u formulas", files[i].file, n);
    }
}

/* ---- time ---- */

static char *repeat(const char *head, const char *piece, gsize bytes, const char *tail)
{
    GString *out = g_string_new(head);

    while (out->len + strlen(piece) + strlen(tail) <= bytes)
        g_string_append(out, piece);
    g_string_append(out, tail);
    return g_string_free(out, FALSE);
}

/* @n commands, all different. */
static char *commands(guint n, char last)
{
    GString *out = g_string_new(NULL);

    for (guint i = 0; i < n; i++)
        g_string_append_printf(out, "\\%c%c%c%c", 'a' + i % 26, 'a' + i / 26 % 26,
                               'a' + i / 676 % 26, last);
    return g_string_free(out, FALSE);
}

static void assert_quick(TestScorer *scorer, char *ref, char *hyp)
{
    const double allowed = 1e-4 * (double) (strlen(ref) + strlen(hyp));
    const double start = tg_cpu_seconds();

    score_of(scorer, ref, hyp);
    tg_assert_cpu_below(start, allowed, ref);
    g_free(ref);
    g_free(hyp);
}

TEST(test_forte_data__a_second_for_10_kb_at_most)
{
    g_auto(TestScorer) scorer = test_scorer_new("forte");
    const gsize half =
        9000; /* alignment is quadratic: its bound is reached at 20,000 tokens each */
    const gsize long_text = 30000;

    assert_quick(&scorer, repeat("", "a", half, ""), repeat("", "b", half, ""));
    assert_quick(&scorer, commands((guint) half / 5, 'x'), commands((guint) half / 5, 'y'));
    assert_quick(&scorer, repeat("\\mathrm{", "ab", half, "}"),
                 repeat("\\mathrm{", "cd", half, "}"));
    assert_quick(&scorer, repeat("", "\\hat{ab}", half, ""), repeat("", "\\bar{ab}", half, ""));
    assert_quick(&scorer, repeat("x^{", "1", long_text / 2, "}"), g_strdup("x"));
    g_autofree char *sup = repeat("x^{", "1", long_text / 2, "}");
    assert_quick(&scorer, repeat(sup, "_1", long_text, ""), g_strdup("x"));
    assert_quick(&scorer, repeat("", "\\begin{matrix}a\\end{matrix}", long_text, ""),
                 g_strdup("x"));
    assert_quick(&scorer, repeat("", "a\\\\", long_text, ""), repeat("", "&", long_text, ""));
    assert_quick(&scorer, repeat("", "{", long_text, ""), repeat("", "}", long_text, ""));
    assert_quick(&scorer, repeat("", "\\left(", long_text, ""),
                 repeat("", "\\right)", long_text, ""));
    assert_quick(&scorer, repeat("x", "'", long_text, ""), repeat("", "\\not", long_text, ""));
    assert_quick(&scorer, repeat("", "|", long_text, ""), g_strdup("x"));
    assert_quick(&scorer, repeat("", "a\\over", long_text, ""), g_strdup("x"));
}
