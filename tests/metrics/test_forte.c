/* FORTE: the specification's examples, laws, options and tables. */
#include "tests/support/metric_support.h"

#include "metrics/forte/forte.h"
#include "metrics/metric.h"
#include "render/pictures/pair_picture.h"

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

static double detail_number(const TestScorer *scorer, const char *key)
{
    double value = NAN;

    g_variant_lookup(tg_result_detail(scorer->result), key, "d", &value);
    return value;
}

/* The types of the events that the detail has, "-" for none. (transfer full) */
static char *detail_events(const TestScorer *scorer)
{
    g_autoptr(GVariant) list = g_variant_lookup_value(tg_result_detail(scorer->result), "events",
                                                      G_VARIANT_TYPE("a(ssddas)"));
    GString *out = g_string_new(g_variant_n_children(list) == 0 ? "-" : NULL);
    GVariantIter iter;
    const char *type;

    g_variant_iter_init(&iter, list);
    while (g_variant_iter_next(&iter, "(&ssddas)", &type, NULL, NULL, NULL, NULL))
        g_string_append_printf(out, "%s%s", out->len > 0 ? " " : "", type);
    return g_string_free(out, FALSE);
}

TEST(test_forte__examples_of_the_specification)
{
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    for (guint i = 0; i < G_N_ELEMENTS(examples); i++) {
        const Example *example = &examples[i];
        const double score = test_scorer_add(&scorer, example->ref, example->hyp);
        g_autofree char *events = detail_events(&scorer);

        tg_assert_near(detail_number(&scorer, "size"), example->size, 1e-9);
        assert_string_equal(events, example->events);
        assert_int_equal(score == 1, strcmp(events, "-") == 0);
    }
}

/* "name/kind" or "name/kind/font" of each token, separated by spaces. (transfer full) */
static char *tokens_of(const TestScorer *scorer)
{
    g_autoptr(GVariant) list = g_variant_lookup_value(tg_result_detail(scorer->result),
                                                      "ref-tokens", G_VARIANT_TYPE("a(sssbuu)"));
    GString *out = g_string_new(NULL);
    GVariantIter iter;
    const char *name, *kind, *font;

    g_variant_iter_init(&iter, list);
    while (g_variant_iter_next(&iter, "(&s&s&sbuu)", &name, &kind, &font, NULL, NULL, NULL))
        g_string_append_printf(out, "%s%s/%s%s%s", out->len > 0 ? " " : "", name, kind,
                               *font != '\0' ? "/" : "", font);
    return g_string_free(out, FALSE);
}

TEST(test_forte__token_lists_derived_by_hand)
{
    g_auto(TestScorer) scorer = test_scorer_new("forte");
    g_autofree char *text = NULL;
    guint n = 0;

    assert_true(
        g_file_get_contents(TG_SOURCE_ROOT "/tests/golden/forte_tokens.tsv", &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        g_auto(GStrv) fields = g_strsplit(*line, "\t", 2);

        if (fields[1] == NULL) /* a comment */
            continue;
        test_scorer_add(&scorer, fields[0], fields[0]);
        g_autofree char *tokens = tokens_of(&scorer);
        if (strcmp(tokens, fields[1]) != 0)
            fail_msg("%s\n   is  %s\n  not  %s", fields[0], tokens, fields[1]);
        n++;
    }
    assert_true(n > 40);
}

/* Pairs that look the same, by rules of section B.2 to B.4. */
TEST(test_forte__same_drawings_score_one)
{
    static const char *const pairs[][2] = {
        { "{\\beta_1}_y", "\\beta_{1y}" },
        { "x^2_1", "{x_1}^2" },
        { "x_1'", "x'_1" },
        { "\\not= \\not\\in", "\\neq\\notin" },
        { "a||b", "a\\|b" },
        { "a,...,b", "a,\\ldots,b" },
        { "P($ falsch $)=1", "P(\\text{falsch})=1" },
        { "\\overset{\\wedge}{=}", "\\triangleq" },
        { "x\\in\\R", "x\\in\\mathbb{R}" },
        { "\\begin{aligned}a&=b\\\\c&=d\\end{aligned}", "a=b\\\\c=d" },
        { "a \\over b", "\\frac ab" },
        { "%x+1", "x+1" },
        { "90\\degree", "90^\\circ" },
        { "\\textcircled{1}x", "\342\221\240x" },
        { "\\text{\\textcircled{a}}", "\\text{\342\223\220}" },
    };
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
        tg_assert_near(test_scorer_add(&scorer, pairs[i][0], pairs[i][1]), 1, 0);
}

TEST(test_forte__lost_circle_is_a_lost_accent)
{
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    test_scorer_add(&scorer, "\\textcircled{x}+y", "\\mathrm{x}+y");
    g_autofree char *lost = detail_events(&scorer);
    test_scorer_add(&scorer, "\\mathrm{x}+y", "\\textcircled{x}+y");
    g_autofree char *added = detail_events(&scorer);

    assert_string_equal(lost, "accent");
    assert_string_equal(added, "accent");
}

/* The same error twice: it costs less than two others. */
TEST(test_forte__repeats_and_counts)
{
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    test_scorer_add(&scorer, "1+1", "3+3");
    const double repeated = test_scorer_get(&scorer, "errors");
    tg_assert_near(test_scorer_get(&scorer, "exact"), 0, 0);
    tg_assert_near(test_scorer_get(&scorer, "number"), 2, 0);
    test_scorer_add(&scorer, "1+2", "3+4");
    assert_true(repeated < test_scorer_get(&scorer, "errors"));
}

/* How many marks of a tone each side of the picture of a pair has. */
static void assert_marks(const char *ref, const char *hyp, TgTone tone, guint truth, guint pred)
{
    g_auto(TestScorer) scorer = test_scorer_new("forte");
    g_autoptr(TgFonts) fonts = tg_fonts_new(NULL);
    g_autoptr(TgRenderer) renderer = tg_renderer_new(fonts);
    const TgPair pair = { "pair", &ref, 1, hyp };
    GError *error = NULL;
    g_autoptr(TgPairPicture) picture =
        tg_metric_picture(scorer.metric, scorer.env, renderer, &pair, &error);

    tg_assert_no_error(error);
    assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_TRUTH, tone), truth);
    assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_PREDICTION, tone), pred);
}

TEST(test_forte__picture_marks_events)
{
    assert_marks("a+b=c", "a+b", TG_TONE_BAD, 1, 0); /* = c is one error */
    assert_marks("a+b", "a+b-c", TG_TONE_BAD, 0, 1);
    assert_marks("a+\\nu", "b+v", TG_TONE_BAD, 1, 1);
    assert_marks("a+\\nu", "b+v", TG_TONE_MINOR, 1, 1);
    assert_marks("x_i", "x^i", TG_TONE_STRUCTURE, 1, 1);
    assert_marks("x^2+1", "x+1", TG_TONE_STRUCTURE, 1, 0);
    assert_marks("a+b", "a + b", TG_TONE_BAD, 0, 0);
    assert_marks("x", "", TG_TONE_BAD, 1, 0);
}

/* The texts of the picture's list. */
static void assert_notes(const char *ref, const char *hyp, const char *first, const char *second)
{
    g_auto(TestScorer) scorer = test_scorer_new("forte");
    g_autoptr(TgFonts) fonts = tg_fonts_new(NULL);
    g_autoptr(TgRenderer) renderer = tg_renderer_new(fonts);
    const TgPair pair = { "pair", &ref, 1, hyp };
    g_autoptr(GError) error = NULL;
    g_autoptr(TgPairPicture) picture =
        tg_metric_picture(scorer.metric, scorer.env, renderer, &pair, &error);
    tg_assert_no_error(error);
    const char *const wanted[] = { first, second };

    for (guint i = 0; i < G_N_ELEMENTS(wanted); i++) {
        gboolean found = FALSE;

        for (guint k = 0; k < picture->notes->len; k++)
            found |= strcmp(g_array_index(picture->notes, TgPairNote, k).text, wanted[i]) == 0;
        if (!found)
            fail_msg("%s, %s: no note '%s'", ref, hyp, wanted[i]);
    }
}

TEST(test_forte__events_in_words)
{
    assert_notes("x^{2}+a", "x+b", "lost 2 (superscript lost or added)",
                 "a read as b (letter read as another)");
    assert_notes("\\frac{p}{q}=1", "p=1+\\sqrt{r}", "fraction around its parts lost or added",
                 "added + r (term lost or added)");
    assert_notes("p+\\mathbf{B}", "\\nu+8", "p read as nu (Latin and Greek letter)",
                 "B read as 8 (digit and another sign)");
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
