/* EBLEU: the worked example, pairs computed by hand, tables. */
#include "tests/support/metric_support.h"

#include "core/files/datadir.h"
#include "metrics/text/text.h"
#include "tests/support/golden_rows.h"
#include "tests/support/scratch.h"
#include "tokenizer/symbols/symbols.h"

static void assert_columns(const char *spec, const char *ref, const char *hyp,
                           const double wanted[8])
{
    static const char *const names[] = { "b1", "b2", "b3", "b4", "c1", "c2", "c3", "c4" };
    g_auto(TestScorer) scorer = test_scorer_new(spec);

    test_scorer_add(&scorer, ref, hyp);
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        tg_assert_near(test_scorer_get(&scorer, names[i]), wanted[i], 5e-7);
}

/* The example of the method's description. */
TEST(test_ebleu__worked_example)
{
    static const double with[] = {
        0.975, 0.966667, 0.95, 0.9, 0.975, 0.970824, 0.963833, 0.947462
    };
    g_autofree char *spec =
        g_strdup_printf("ebleu:tokenize=words:synonyms=%s/exam.txt", (const char *) *state);

    test_write_file(state, "exam.txt", "exam quiz\n");
    assert_columns(spec, "this is a quiz", "this is a exam", with);
    /* Without the table the last word is wrong, and so is the only run of four. */
    static const double without[] = { 0.75, 2 / 3.0, 0.5, 0, 0.75, 0.707107, 0.629961, 0 };
    assert_columns("ebleu:tokenize=words:synonyms=none", "this is a quiz", "this is a exam",
                   without);
}

/* a \le b against a \leq b: 2.9/3, then every longer run is made by the synonym. A hypothesis of 2
 * words for 5: the script's 5 / 2 is 2 and takes 1 off the exponent. */
TEST(test_ebleu__scores_by_hand)
{
    const struct {
        const char *spec, *ref, *hyp;
        double wanted;
    } cases[] = {
        { "ebleu", "", "", 1 },
        { "ebleu", "x", "", 0 },
        { "ebleu", "", "x", 0 },
        { "ebleu", "x", "x", 1 },
        { "ebleu", "x", "y", 0 },
        { "ebleu", "a+b", "a+b", 1 },
        { "ebleu", "a\\leq b", "a\\le b", cbrt(2.9 / 3 * 0.9 * 0.9) },
        { "ebleu", "\\lbrack a\\to b\\rbrack", "[a\\rightarrow b]",
          pow(4.7 / 5 * 0.9 * 0.9 * 0.9, 0.25) },
        { "ebleu", "a\\le b\\leq c", "a\\le b\\leq c", 1 }, /* the reference has both */
        { "ebleu", "\\dag", "\\dagger", 0 },                /* only look alike */
        /* length terms */
        { "ebleu", "a b c d e", "a b", 1 },
        { "ebleu:compat=2014", "a b c d e", "a b", exp(-1) },
        { "ebleu:compat=2014", "a b c", "a b", 1 },
        { "ebleu:brevity=yes", "a b c d e", "a b", exp(1 - 2.5) },
        /* cleaning of the script */
        { "ebleu:tokenize=words:clean=yes", "It's 12-3, done.", "its done", 1 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        tg_assert_near(tg_score_pair(cases[i].spec, cases[i].ref, cases[i].hyp), cases[i].wanted,
                       1e-9);
    assert_true(tg_score_pair("ebleu:tokenize=words", "It's 12-3, done.", "its done") < 1);
}

/* 21 words a to u, a ten times: of 21 distinct ones 10 % are 2: t and u, which come last. Of 20
 * distinct ones none is rare. */
TEST(test_ebleu__rare_words_count_more)
{
    static const struct {
        const char *corpus, *ref, *hyp;
        double b1;
    } cases[] = {
        { "21", "a b t", "x y t", 1.5 / 3 },
        { "21", "a b s", "x y s", 1.0 / 3 },
        { "21", "t u", "t u", 1.0 }, /* 3 of 2, but never above 1 */
        { "20", "a b t", "x y t", 1.0 / 3 },
    };

    test_write_file(state, "21", "a a a a a a a a a\na b c d e f g h i j k l m n o p q r s t u\n");
    test_write_file(state, "20", "a a a a a a a a a\na b c d e f g h i j k l m n o p q r s t\n");
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *spec = g_strdup_printf("ebleu:tokenize=words:rare-corpus=%s/%s",
                                                (const char *) *state, cases[i].corpus);

        tg_assert_near(tg_score_column(spec, "b1", cases[i].ref, cases[i].hyp), cases[i].b1, 1e-9);
    }
}

/* Two pairs pooled: matches and n-grams are added, then divided. */
TEST(test_ebleu__pools_counts)
{
    g_auto(TestScorer) scorer = test_scorer_new("ebleu:tokenize=words");
    test_scorer_add(&scorer, "a b c d", "a b c d");
    test_scorer_add(&scorer, "a b c d", "a x");
    tg_assert_near(test_scorer_pool(&scorer, "b1"), 5.0 / 6, 1e-9);
    tg_assert_near(test_scorer_pool(&scorer, "b2"), 3.0 / 4, 1e-9);
    tg_assert_near(test_scorer_pool(&scorer, "b4"), 1.0, 1e-9);
}

/* An empty prediction is four words, three pairs of words ... of which none match. */
TEST(test_ebleu__an_empty_prediction_is_the_worst_of_a_set)
{
    static const char *const hyps[] = { "", " ", "x y z w" };

    for (guint i = 0; i < G_N_ELEMENTS(hyps); i++) {
        g_auto(TestScorer) scorer = test_scorer_new("ebleu:tokenize=words");
        test_scorer_add(&scorer, "a b c d", "a b c d");
        tg_assert_near(test_scorer_add(&scorer, "a b c d", hyps[i]), 0, 0);
        tg_assert_near(test_scorer_get(&scorer, "b1"), 0, 0);
        tg_assert_near(test_scorer_pool(&scorer, "b1"), 4.0 / 8, 1e-9);
        tg_assert_near(test_scorer_pool(&scorer, "b4"), 1.0 / 2, 1e-9);
        tg_assert_near(test_scorer_pool(&scorer, "ebleu"), 0.5, 1e-9);
    }
}

TEST(test_ebleu__several_references)
{
    static const char *const refs[] = { "a b c d", "w x y z" };
    g_auto(TestScorer) scorer = test_scorer_new("ebleu:tokenize=words");

    test_scorer_add_refs(&scorer, refs, 2, "a b y z");
    tg_assert_near(test_scorer_get(&scorer, "b1"), 1, 0);
    tg_assert_near(test_scorer_get(&scorer, "b2"), 2.0 / 3, 1e-9);
}

TEST(test_ebleu__broken_tables_are_refused)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        { "# words\na b\nc a\n", ":3: 'a' is in the table already" },
        { "a \xff\n", "not UTF-8" },
    };
    g_autofree char *spec = g_strdup_printf("ebleu:synonyms=%s/broken.txt", (const char *) *state);

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        test_write_file(state, "broken.txt", cases[i].text);
        tg_assert_fails(tg_metric_new(spec, &error), TG_ERROR_INPUT, cases[i].message);
    }
    tg_assert_fails(tg_metric_new("ebleu:synonyms=" TG_NO_SUCH_PATH, &error), TG_ERROR_INPUT,
                    TG_NO_SUCH_PATH);
    tg_assert_fails(tg_metric_new("ebleu:rare-corpus=" TG_NO_SUCH_PATH, &error), TG_ERROR_INPUT,
                    TG_NO_SUCH_PATH);
}

/* The installed synonyms of ebleu: the groups that TeX makes the same lists of
 * (tests/tools/make_symbol_golden.py). */

/* Whether a word in place of another counts as its synonym. */
static gboolean are_synonyms(TestScorer *scorer, const char *one, const char *other)
{
    test_scorer_add(scorer, one, other);
    return G_APPROX_VALUE(test_scorer_get(scorer, "b1"), strcmp(one, other) == 0 ? 1 : 0.9, 1e-9);
}

TEST(test_synonyms__groups_are_those_of_tex)
{
    g_auto(TestScorer) scorer = test_scorer_new("ebleu:tokenize=words");
    g_autoptr(GPtrArray) rows = tg_golden_rows("synonyms.tsv", 2);
    g_autofree char *path = tg_must(tg_datadir_find("synonyms/latex.txt", &error));
    g_autofree char *text = NULL;
    guint n = 0;

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        char **before = g_ptr_array_index(rows, MAX(i, 1) - 1);

        if (!are_synonyms(&scorer, row[0], row[1]))
            fail_msg("%s is no synonym of %s", row[0], row[1]);
        if (strcmp(row[1], before[1]) != 0)
            assert_false(are_synonyms(&scorer, row[0], before[0]));
    }
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        g_auto(GStrv) words = g_strsplit(lines[i], " ", -1);
        n += *lines[i] != '#' && *lines[i] != '\0' ? g_strv_length(words) : 0;
    }
    assert_int_equal(n, rows->len);
}

/* Synonyms among the symbols have one canonical form. */
TEST(test_synonyms__are_canonically_the_same)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("synonyms.tsv", 2);

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        const TgSymbol *one = tg_symbol_find(row[0] + 1, strlen(row[0]) - 1);
        const TgSymbol *other = tg_symbol_find(row[1] + 1, strlen(row[1]) - 1);

        if (one != NULL && other != NULL)
            assert_ptr_equal(tg_symbol_canonical(one), tg_symbol_canonical(other));
    }
}

TEST_GROUP(test_make_scratch, test_remove_scratch)
