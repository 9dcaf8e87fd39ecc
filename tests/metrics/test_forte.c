/* FORTE: the specification's examples, laws, options and tables. */
#include "tests/support/golden_rows.h"
#include "tests/support/metric_support.h"

#include "metrics/forte/forte.h"

typedef struct {
    const char *ref, *hyp;
    double size;
    const char *events;
} Example;

/* From section B.10 of the specification; each size is what losing the reference's tokens costs. */
static const Example examples[] = {
    { "E=mc^{2}", "\\mathrm{E}=\\mathrm{m c}^2", 5.9, "-" },
    { "$$a\\land b\\le c.$$", "a \\wedge b \\leq c", 5.0, "-" },
    { "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}",
      "\\left(\\begin{array}{ll} a & b \\\\ c & d \\end{array}\\right)", 6.7, "-" },
    { "\\ce{2 H2 + O2 -> 2 H2O}",
      "2 \\mathrm{H}_{2}+\\mathrm{O}_{2} \\longrightarrow 2 \\mathrm{H}_{2} \\mathrm{O}", 13.7,
      "-" },
    { "f''(x)\\equiv 1{\\pmod {7}}", "f^{\\prime \\prime}(x) \\equiv 1 \\quad(\\bmod 7)", 11.8,
      "-" },
    { "\\textcolor{red}{x}+\\det A", "x+\\operatorname{det} A", 6.0, "-" },
    { "\\alpha\\varphi+\\nu", "\\alpha \\phi+\\nu", 4.0, "variant" },
    { "\\alpha\\varphi+\\nu", "\\alpha \\varphi+v", 4.0, "variant" },
    { "\\mathbf{v}=\\mathbf{B}u", "v=B u", 4.0, "style-bold style-bold" },
    { "x\\in\\mathbb{R}", "x \\in R", 3.0, "style-other" },
    { "x\\in\\mathbb{R}", "x \\in B", 3.0, "letter" },
    { "a+b=c", "a+b=d", 5.0, "letter" },
    { "a+b=c", "a+b=C", 5.0, "same-shape" },
    { "a+b=c", "a-b=c", 5.0, "sign" },
    { "a+b=13", "a+b=18", 6.0, "digit" },
    { "a+b=c", "a+b", 5.0, "text-lost" },
    { "a+b=c", "", 5.0, "nothing-read" },
    { "\\frac{a}{b}+c", "a / b+c", 5.6, "slash" },
    { "\\frac{a}{b+c}", "\\frac{a}{b}+c", 5.6, "fraction-end" },
    { "x^{2}+1", "x 2+1", 4.9, "superscript-line" },
    { "x_{i}+1", "x^{i}+1", 4.9, "sub-super" },
    { "\\sqrt{x+1}", "x+1", 4.3, "root-marks" },
    { "\\hat{x}+\\hat{y}", "\\tilde{x}+\\tilde{y}", 4.8, "accent-other accent-other" },
    { "\\hat{x}+y", "x+y", 3.9, "accent" },
    { "\\operatorname{Var}(X)", "\\operatorname{Vac}(X)", 5.2, "word" },
    { "\\operatorname{Var}(X)", "(X)", 5.2, "function-lost" },
    { "\\sin b-\\sin a+b", "\\sin k-\\sin a+k", 11.0, "letter letter" },
    { "\\left[0,1\\right)", "[0,1]", 3.6, "delimiter" },
    { "0{,}5", "0.5", 2.4, "comma-stop" },
    { "L(x)=\\sum_{n=1}^{\\infty}\\frac{x^{n}}{1-x^{n}}",
      "L(x)=\\sum_{n=1}^{\\infty} \\frac{x^{m}}{1-x^{m}}", 20.4, "letter letter" },
    { "L(x)=\\sum_{n=1}^{\\infty}\\frac{x^{n}}{1-x^{n}}",
      "L(x)=\\sum_{n=1}^{\\infty} \\frac{x^{n}}{1-x^{2}}", 20.4, "digit-letter" },
};

/* The first @n_texts texts of each tuple of a list of the detail, "/" between them; "-" for an
 * empty list. (transfer full) */
static char *detail_texts(const TestScorer *scorer, const char *list, guint n_texts)
{
    g_autoptr(GVariant) tuples = g_variant_lookup_value(scorer->result->detail, list, NULL);
    const gsize n = g_variant_n_children(tuples);
    GString *out = g_string_new(n == 0 ? "-" : NULL);

    for (gsize i = 0; i < n; i++) {
        g_autoptr(GVariant) tuple = g_variant_get_child_value(tuples, i);

        for (gsize k = 0; k < n_texts; k++) {
            g_autoptr(GVariant) text = g_variant_get_child_value(tuple, k);
            const char *s = g_variant_get_string(text, NULL);

            if (k < 2 || *s != '\0') /* a font may be the default one */
                g_string_append_printf(out, "%s%s", k > 0 ? "/" : i > 0 ? " " : "", s);
        }
    }
    return g_string_free(out, FALSE);
}

TEST(test_forte__examples_of_the_specification)
{
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    for (guint i = 0; i < G_N_ELEMENTS(examples); i++) {
        const Example *example = &examples[i];
        const double score = test_scorer_add(&scorer, example->ref, example->hyp);
        double size = NAN;

        g_variant_lookup(scorer.result->detail, "size", "d", &size);
        tg_assert_near(size, example->size, 1e-9);
        tg_assert_text(detail_texts(&scorer, "events", 1), example->events);
        assert_int_equal(score == 1, strcmp(example->events, "-") == 0);
    }
}

/* "name/kind" or "name/kind/font" of each token. */
TEST(test_forte__token_lists_derived_by_hand)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("forte_tokens.tsv", 2);
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    for (guint i = 0; i < rows->len; i++) {
        char **row = rows->pdata[i];

        test_scorer_add(&scorer, row[0], row[0]);
        g_autofree char *tokens = detail_texts(&scorer, "ref-tokens", 3);
        if (strcmp(tokens, row[1]) != 0)
            fail_msg("%s\n   is  %s\n  not  %s", row[0], tokens, row[1]);
    }
    assert_true(rows->len > 40);
}

/* An array that is short in the source may repeat a column's material or lines without end. */
TEST(test_forte__rows_that_repeat_too_much_are_an_error)
{
    static const char *const rows[] = { "a\\\\", "\\multicolumn{999}{c}{a}\\\\" };

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GString) tex = g_string_new("\\begin{array}{c@{");

        for (guint k = 0; k < 2000; k++)
            g_string_append(tex, "x");
        g_string_append(tex, "}*{999}{c|}}");
        for (guint k = 0; k < 1200; k++)
            g_string_append(tex, rows[i]);
        g_string_append(tex, "\\end{array}");
        tg_assert_outcome("forte", tex->str, "x", NAN, "the rows of an array repeat more than*");
    }
}

TEST(test_forte__lost_circle_is_a_lost_accent)
{
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    test_scorer_add(&scorer, "\\textcircled{x}+y", "\\mathrm{x}+y");
    tg_assert_text(detail_texts(&scorer, "events", 1), "accent");
    test_scorer_add(&scorer, "\\mathrm{x}+y", "\\textcircled{x}+y");
    tg_assert_text(detail_texts(&scorer, "events", 1), "accent");
}

TEST(test_forte__moved_bracket_is_classified_by_the_edits_that_it_keeps)
{
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    test_scorer_add(&scorer, "a + \\left[ { k } + a _ { - k } ^ { * } \\righta _ ]",
                    "a + \\left[ { k } + a _ { - * }k } ^ {  \\righta _ ]");
    tg_assert_text(detail_texts(&scorer, "events", 1), "moved bracket mark repair");
}

TEST(test_forte__accent_of_the_first_letter_is_part_of_a_word)
{
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    test_scorer_add(&scorer, "\\text{\\\"over}", "\\text{\\\"ovex}");
    tg_assert_text(detail_texts(&scorer, "events", 1), "word");
    test_scorer_add(&scorer, "\\text{ov\\\"er}", "\\text{ov\\\"ex}");
    tg_assert_text(detail_texts(&scorer, "events", 1), "word");
}

/* The same error twice: it costs less than two others. */
TEST(test_forte__repeats_and_counts)
{
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    test_scorer_add(&scorer, "1+1", "3+3");
    const double repeated = test_scorer_get(&scorer, "price");
    tg_assert_near(test_scorer_get(&scorer, "exact"), 0, 0);
    tg_assert_near(test_scorer_get(&scorer, "number"), 2, 0);
    test_scorer_add(&scorer, "1+2", "3+4");
    assert_true(repeated < test_scorer_get(&scorer, "price"));
}

TEST(test_forte__picture_marks_events)
{
    static const struct {
        const char *ref, *hyp;
        TgTone tone;
        guint truth, pred;
    } cases[] = {
        { "a+b=c", "a+b", TG_TONE_BAD, 1, 0 }, /* = c is one error */
        { "a+b", "a+b-c", TG_TONE_BAD, 0, 1 },
        { "a+\\nu", "b+v", TG_TONE_BAD, 1, 1 },
        { "a+\\nu", "b+v", TG_TONE_MINOR, 1, 1 },
        { "x_i", "x^i", TG_TONE_STRUCTURE, 1, 1 },
        { "x^2+1", "x+1", TG_TONE_STRUCTURE, 1, 0 },
        { "a+b", "a + b", TG_TONE_BAD, 0, 0 },
        { "x", "", TG_TONE_BAD, 1, 0 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(TgPairPicture) picture =
            tg_must(tg_score_picture("forte", cases[i].ref, cases[i].hyp, &error));

        assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_REF, cases[i].tone),
                         cases[i].truth);
        assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_HYP, cases[i].tone), cases[i].pred);
    }
}

/* The texts of the picture's list. */
TEST(test_forte__events_in_words)
{
    static const char *const cases[][4] = {
        { "x^{2}+a", "x+b", "lost 2 (superscript lost or added)",
          "a read as b (letter read as another)" },
        { "\\frac{p}{q}=1", "pq=1+s+t", "fraction around its parts lost or added",
          "added + s + t (text added)" },
        { "p+\\mathbf{B}", "\\nu+8", "p read as nu (Latin and Greek letter)",
          "B read as 8 (digit and another sign)" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(TgPairPicture) picture =
            tg_must(tg_score_picture("forte", cases[i][0], cases[i][1], &error));
        g_autoptr(GString) notes = g_string_new("\n");

        for (guint k = 0; k < picture->notes->len; k++)
            g_string_append_printf(notes, "%s\n",
                                   g_array_index(picture->notes, TgPairNote, k).text);
        for (guint k = 2; k < 4; k++) {
            g_autofree char *line = g_strdup_printf("\n%s\n", cases[i][k]);

            tg_assert_holds(notes->str, line, NULL);
        }
    }
}

TEST(test_forte__nearest_reference_counts)
{
    static const char *const refs[] = { "a+b", "a-b", "c" };
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    tg_assert_near(test_scorer_add_refs(&scorer, refs, 3, "a - b"), 1, 0);
}

TEST(test_forte__every_kind_of_pair_is_symmetric)
{
    const TgForteName nu = tg_forte_find("nu", 2);

    assert_int_equal(tg_forte_pair(nu, 'v').likeness, TG_FORTE_VARIANT);
    assert_int_equal(tg_forte_pair('v', nu).likeness, TG_FORTE_VARIANT);
    assert_int_equal(tg_forte_pair('0', 'O').likeness, TG_FORTE_LOOK_ALIKE);
    assert_int_equal(tg_forte_pair('a', 'b').likeness, TG_FORTE_UNLIKE);
    assert_int_equal(tg_forte_kind(nu), TG_FORTE_GREEK);
    assert_int_equal(tg_forte_kind(0x5747), TG_FORTE_LATIN);
}
