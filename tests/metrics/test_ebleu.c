/* EBLEU: the worked example, pairs computed by hand, tables. */
#include "tests/support/metric_support.h"

#include <glib/gstdio.h>

#include "metrics/metric.h"
#include "metrics/text/text.h"

/* A file of @text in a new temporary folder; remove_file() takes both away. */
static char *make_file(const char *text)
{
    g_autofree char *folder = g_dir_make_tmp("texgauge-XXXXXX", NULL);
    char *path = g_build_filename(folder, "table.txt", NULL);

    assert_true(g_file_set_contents(path, text, -1, NULL));
    return path;
}

static void remove_file(char *path)
{
    g_autofree char *folder = g_path_get_dirname(path);

    g_unlink(path);
    g_rmdir(folder);
    g_free(path);
}

static void assert_columns(const char *spec, const char *ref, const char *hyp,
                           const double wanted[8])
{
    static const char *const names[] = { "b1", "b2", "b3", "b4", "c1", "c2", "c3", "c4" };
    g_auto(TestScorer) scorer = test_scorer_new(spec);

    test_scorer_add(&scorer, ref, hyp);
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        tg_assert_near(tg_result_get(scorer.result, test_scorer_column(&scorer, names[i])),
                       wanted[i], 5e-7);
}

/* The example of the method's description. */
TEST(test_ebleu__worked_example)
{
    static const double with[] = {
        0.975, 0.966667, 0.95, 0.9, 0.975, 0.970824, 0.963833, 0.947462
    };
    char *table = make_file("exam quiz\n");
    g_autofree char *spec = g_strconcat("ebleu:tokenize=words:synonyms=", table, NULL);

    assert_columns(spec, "this is a quiz", "this is a exam", with);
    /* Without the table the last word is wrong, and so is the only run of four. */
    static const double without[] = { 0.75, 2 / 3.0, 0.5, 0, 0.75, 0.707107, 0.629961, 0 };
    assert_columns("ebleu:tokenize=words:synonyms=none", "this is a quiz", "this is a exam",
                   without);
    remove_file(table);
}

static double score_pair(const char *spec, const char *ref, const char *hyp)
{
    g_auto(TestScorer) scorer = test_scorer_new(spec);

    return test_scorer_add(&scorer, ref, hyp);
}

TEST(test_ebleu__short_and_empty_texts)
{
    tg_assert_near(score_pair("ebleu", "", ""), 1, 0);
    tg_assert_near(score_pair("ebleu", "x", ""), 0, 0);
    tg_assert_near(score_pair("ebleu", "", "x"), 0, 0);
    tg_assert_near(score_pair("ebleu", "x", "x"), 1, 0);
    tg_assert_near(score_pair("ebleu", "x", "y"), 0, 0);
    tg_assert_near(score_pair("ebleu", "a+b", "a+b"), 1, 0);
}

/* a \le b against a \leq b: 2.9/3, then every longer run is made by the synonym. */
TEST(test_ebleu__default_table_knows_latex)
{
    tg_assert_near(score_pair("ebleu", "a\\leq b", "a\\le b"), cbrt(2.9 / 3 * 0.9 * 0.9), 1e-9);
    tg_assert_near(score_pair("ebleu", "\\lbrack a\\to b\\rbrack", "[a\\rightarrow b]"),
                   pow(4.7 / 5 * 0.9 * 0.9 * 0.9, 0.25), 1e-9);
    /* What stands in the reference itself is not replaced. */
    tg_assert_near(score_pair("ebleu", "a\\le b\\leq c", "a\\le b\\leq c"), 1, 0);
    /* Words that only look alike are no synonyms. */
    tg_assert_near(score_pair("ebleu", "\\dag", "\\dagger"), 0, 0);
}

/* 21 words a to u, a ten times: of 21 distinct ones 10 % are 2: t and u, which come last. Of 20
 * distinct ones none is rare. */
TEST(test_ebleu__rare_words_count_more)
{
    char *corpus = make_file("a a a a a a a a a\na b c d e f g h i j k l m n o p q r s t u\n");
    char *small = make_file("a a a a a a a a a\na b c d e f g h i j k l m n o p q r s t\n");
    g_autofree char *spec = g_strconcat("ebleu:tokenize=words:rare-corpus=", corpus, NULL);
    g_autofree char *none = g_strconcat("ebleu:tokenize=words:rare-corpus=", small, NULL);

    {
        g_auto(TestScorer) scorer = test_scorer_new(spec);
        test_scorer_add(&scorer, "a b t", "x y t");
        const guint b1 = test_scorer_column(&scorer, "b1");
        tg_assert_near(tg_result_get(scorer.result, b1), 1.5 / 3, 1e-9);
        test_scorer_add(&scorer, "a b s", "x y s");
        tg_assert_near(tg_result_get(scorer.result, b1), 1.0 / 3, 1e-9);
        test_scorer_add(&scorer, "t u", "t u"); /* 3 of 2, but never above 1 */
        tg_assert_near(tg_result_get(scorer.result, b1), 1.0, 0);
    }
    g_auto(TestScorer) few = test_scorer_new(none);
    test_scorer_add(&few, "a b t", "x y t");
    tg_assert_near(tg_result_get(few.result, test_scorer_column(&few, "b1")), 1.0 / 3, 1e-9);
    remove_file(corpus);
    remove_file(small);
}

/* A hypothesis of 2 words for 5: the script's 5 / 2 is 2 and takes 1 off the exponent. */
TEST(test_ebleu__length_terms)
{
    tg_assert_near(score_pair("ebleu", "a b c d e", "a b"), 1, 0);
    tg_assert_near(score_pair("ebleu:compat=2014", "a b c d e", "a b"), exp(-1), 1e-9);
    tg_assert_near(score_pair("ebleu:compat=2014", "a b c", "a b"), 1, 0);
    tg_assert_near(score_pair("ebleu:brevity=yes", "a b c d e", "a b"), exp(1 - 2.5), 1e-9);
}

TEST(test_ebleu__cleaning_of_the_script)
{
    tg_assert_near(score_pair("ebleu:tokenize=words:clean=yes", "It's 12-3, done.", "its done"), 1,
                   0);
    assert_true(score_pair("ebleu:tokenize=words", "It's 12-3, done.", "its done") < 1);
}

/* Two pairs pooled: matches and n-grams are added, then divided. */
TEST(test_ebleu__pools_counts)
{
    g_auto(TestScorer) scorer = test_scorer_new("ebleu:tokenize=words");
    double pooled[10];

    test_scorer_add(&scorer, "a b c d", "a b c d");
    test_scorer_add(&scorer, "a b c d", "a x");
    tg_metric_pool(scorer.metric, scorer.sum, pooled);
    tg_assert_near(pooled[test_scorer_column(&scorer, "b1")], 5.0 / 6, 1e-9);
    tg_assert_near(pooled[test_scorer_column(&scorer, "b2")], 3.0 / 4, 1e-9);
    tg_assert_near(pooled[test_scorer_column(&scorer, "b4")], 1.0, 1e-9);
}

/* An empty prediction is four words, three pairs of words ... of which none match. */
TEST(test_ebleu__an_empty_prediction_is_the_worst_of_a_set)
{
    static const char *const hyps[] = { "", " ", "x y z w" };

    for (guint i = 0; i < G_N_ELEMENTS(hyps); i++) {
        g_auto(TestScorer) scorer = test_scorer_new("ebleu:tokenize=words");
        double pooled[10];

        test_scorer_add(&scorer, "a b c d", "a b c d");
        tg_assert_near(test_scorer_add(&scorer, "a b c d", hyps[i]), 0, 0);
        tg_assert_near(test_scorer_get(&scorer, "b1"), 0, 0);
        tg_metric_pool(scorer.metric, scorer.sum, pooled);
        tg_assert_near(pooled[test_scorer_column(&scorer, "b1")], 4.0 / 8, 1e-9);
        tg_assert_near(pooled[test_scorer_column(&scorer, "b4")], 1.0 / 2, 1e-9);
        tg_assert_near(pooled[test_scorer_column(&scorer, "ebleu")], 0.5, 1e-9);
    }
}

TEST(test_ebleu__several_references)
{
    static const char *const refs[] = { "a b c d", "w x y z" };
    g_auto(TestScorer) scorer = test_scorer_new("ebleu:tokenize=words");

    test_scorer_add_refs(&scorer, refs, 2, "a b y z");
    tg_assert_near(tg_result_get(scorer.result, test_scorer_column(&scorer, "b1")), 1, 0);
    tg_assert_near(tg_result_get(scorer.result, test_scorer_column(&scorer, "b2")), 2.0 / 3, 1e-9);
}

TEST(test_ebleu__broken_tables_are_refused)
{
    char *table = make_file("# words\na b\nc a\n");
    g_autoptr(GError) error = NULL;

    assert_null(tg_synonyms_load(table, &error));
    tg_assert_error(error, TG_ERROR_INPUT, ":3: 'a' is in the table already");
    assert_null(tg_synonyms_load(TG_NO_SUCH_PATH, &error));
    tg_assert_error(error, TG_ERROR_INPUT, TG_NO_SUCH_PATH);
    assert_null(tg_metric_new("ebleu:rare-corpus=" TG_NO_SUCH_PATH, &error));
    tg_assert_error(error, TG_ERROR_INPUT, TG_NO_SUCH_PATH);
    remove_file(table);
    table = make_file("a \xff\n");
    assert_null(tg_synonyms_load(table, &error));
    tg_assert_error(error, TG_ERROR_INPUT, "not UTF-8");
    remove_file(table);
}
