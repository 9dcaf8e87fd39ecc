/* olmocr: verdicts, symbols and refusals of olmOCR-bench's math tests, rule by rule, with the
 * values of the official program (allenai/olmocr at f7cfe4c, KaTeX 0.16.21). */
#include "tests/support/metric_support.h"

#include "metrics/olmocr/verdict.h"
#include "tests/support/cpu_time.h"

typedef struct {
    const char *ref, *hyp;
    gboolean passes;
} Pair;

static void check_pairs(const Pair *pairs, guint n)
{
    g_auto(TestScorer) scorer = test_scorer_new("olmocr");

    for (guint i = 0; i < n; i++) {
        test_scorer_add(&scorer, pairs[i].ref, pairs[i].hyp);
        if (test_scorer_get(&scorer, "olmocr") != pairs[i].passes)
            fail_msg("%s | %s: officially %s", pairs[i].ref, pairs[i].hyp,
                     pairs[i].passes ? "passes" : "fails");
    }
}

#define CHECK(...)                                                                                 \
    do {                                                                                           \
        static const Pair pairs[] = { __VA_ARGS__ };                                               \
        check_pairs(pairs, G_N_ELEMENTS(pairs));                                                   \
    } while (0)

static TgOlmocrFormula *formula_of(const char *latex)
{
    g_auto(TgOlmocrMemory) memory = { 0 };

    return tg_olmocr_formula_new(latex, &memory);
}

/* Fails unless @latex shows the characters of @shown, in document order. */
static void check_shown(const char *latex, const char *shown)
{
    g_autoptr(TgOlmocrFormula) formula = formula_of(latex);
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < formula->n_symbols; i++)
        g_string_append_unichar(text, formula->symbols[i].character);
    if (formula->error != NULL || strcmp(text->str, shown) != 0)
        fail_msg("%s shows %s, not %s", latex, formula->error != NULL ? formula->error : text->str,
                 shown);
}

/* Fails unless KaTeX refuses @latex for a reason like @why. */
static void check_refused(const char *latex, const char *why)
{
    g_autoptr(TgOlmocrFormula) formula = formula_of(latex);

    if (formula->error == NULL || !g_pattern_match_simple(why, formula->error))
        fail_msg("%s: %s", latex, formula->error != NULL ? formula->error : "is accepted");
}

static void check_accepted(const char *latex)
{
    g_autoptr(TgOlmocrFormula) formula = formula_of(latex);

    if (formula->error != NULL)
        fail_msg("%s: %s", latex, formula->error);
}

/* ---- Defects of the test --------------------------------------------------------------------- */

TEST(test_olmocr__scripts_have_no_relation_to_their_base)
{
    CHECK({ "x^2+y^2=z^2", "x_2+y_2=z_2", TRUE }, { "E=mc^2", "E=m^2c", TRUE },
          { "\\frac{x^2}{y}", "\\frac{x}{y^2}", TRUE }, { "2^{10}", "10_2", TRUE },
          { "a_1", "a1", TRUE }, { "x^{n+1}", "x(n+1)", TRUE }, { "x_1+x_2", "x_2+x_1", FALSE });
}

TEST(test_olmocr__roots_bars_arrows_and_fonts_are_not_seen)
{
    CHECK({ "\\sqrt{x}+1", "x+1", TRUE }, { "\\vec{v}", "v", TRUE }, { "\\mathbb{R}", "R", TRUE },
          { "\\left|\\frac ab\\right|", "\\frac ab", TRUE }, { "\\hat{v}", "v", FALSE });
}

TEST(test_olmocr__more_in_the_prediction_is_free)
{
    CHECK({ "x=1", "x=12", TRUE }, { "\\frac{a}{b}", "\\binom{a}{b}", TRUE },
          { "x=12", "x=1", FALSE });
}

TEST(test_olmocr__a_reference_without_symbols_passes_with_anything)
{
    CHECK({ "\\label{a}x", "y", TRUE }, { "\\quad", "y", TRUE },
          { "\\overline{}", "\\nothing", TRUE }, { "x", "", FALSE }, { "\\frac{}{}", "", TRUE });
}

TEST(test_olmocr__a_tag_is_printed_over_the_end)
{
    CHECK({ "x=y+1", "\\mathbf{x}=y+1\\tag{1}", FALSE },
          { "x=y+1", "\\mathbf{x}=y+1\\quad(1)", TRUE }, { "x=y+1", "x=y+1\\tag{1}", TRUE });
}

TEST(test_olmocr__other_spellings_of_one_formula_fail)
{
    CHECK({ "\\bar{x}", "\\overline{x}", FALSE }, { "\\hat{x}", "\\widehat{x}", FALSE },
          { "x-y", "x\\text{-}y", FALSE }, { "\\epsilon", "\\varepsilon", FALSE },
          { "x\\le y", "x\\leq y", TRUE }, { "a\\to b", "a\\rightarrow b", TRUE });
}

/* ---- The comparison -------------------------------------------------------------------------- */

TEST(test_olmocr__mathml_of_the_reference_may_stand_in_a_group)
{
    CHECK({ "\\frac{a+b}{c}", "x^{\\frac{a+b}{c}}y\\mathbf{x}", TRUE },
          { "a+b", "\\tag{1}a+b", TRUE });
}

TEST(test_olmocr__the_order_of_a_row_counts)
{
    CHECK({ "a+b", "b+a", FALSE }, { "a-b", "b-a", FALSE },
          { "\\frac{a}{b}", "\\frac{b}{a}", FALSE });
}

TEST(test_olmocr__no_error_of_the_prediction_passes)
{
    CHECK({ "x", "x$", FALSE }, { "x", "x&y", FALSE }, { "x<y", "x &lt; y", FALSE });
}

TEST(test_olmocr__several_references_pass_by_any)
{
    g_auto(TestScorer) scorer = test_scorer_new("olmocr");

    test_scorer_add_refs(&scorer, (const char *const[]){ "y", "x" }, 2, "x");
    assert_true(test_scorer_get(&scorer, "olmocr") == 1);
}

TEST(test_olmocr__verdicts_at_the_edge_are_marked)
{
    g_auto(TestScorer) scorer = test_scorer_new("olmocr");

    test_scorer_add(&scorer, "x_1", "x1");
    assert_true(test_scorer_get(&scorer, "near") == 0);
    /* this script is 5.4 px above its base */
    test_scorer_add(&scorer, "\\mathbf{y}2", "\\sqrt{y^{2}}");
    assert_true(test_scorer_get(&scorer, "near") == 1);
}

TEST(test_olmocr__the_search_is_bounded)
{
    g_autoptr(GString) ref = g_string_new("a"), hyp = g_string_new("b");
    const double start = tg_cpu_seconds();
    TgOlmocrOutcome outcome;

    for (guint i = 0; i < 300; i++) {
        g_string_append(ref, "+a");
        g_string_append(hyp, "+a");
    }
    g_string_append(ref, "+b");
    g_string_append(hyp, "+c");
    g_autoptr(TgOlmocrFormula) a = formula_of(ref->str), b = formula_of(hyp->str);
    tg_olmocr_compare(a, b, &outcome);
    assert_true(outcome.verdict == TG_OLMOCR_FAIL);
    tg_assert_cpu_below(start, 3, "search");
}

/* ---- What KaTeX shows ------------------------------------------------------------------------ */

TEST(test_olmocr__symbols_are_the_characters_of_katex)
{
    check_shown("x-y*z", "x−y∗z");
    check_shown("a|b\\|c", "a∣b∥c");
    check_shown("f'\\cdot g\\ldots\\cdots", "f′⋅g…⋯");
    check_shown("x<y\\langle z", "x<y⟨z");
    check_shown("\\text{a-b}", "a-b");
    check_shown("\\mathbf{x}\\mathcal{F}𝑥ℝ", "xFxR");
    check_shown("\\notin", "∈/");
    check_shown("é", "eˊ");
}

TEST(test_olmocr__fractions_show_their_denominator_first)
{
    check_shown("\\frac{a}{b}", "ba");
    check_shown("x_1^2", "x12");
}

TEST(test_olmocr__accents_and_phantoms_are_text)
{
    check_shown("\\hat x\\bar y\\dot z", "x^yˉz˙");
    check_shown("\\phantom{ab}c\\vphantom{d}", "abcd");
    check_shown("\\tag{1}x", "x(1)");
    check_shown("\\vec x\\sqrt[3]{y}\\overline z", "x3yz");
}

TEST(test_olmocr__delimiters_beyond_the_fourth_size_are_drawn)
{
    check_shown("\\left(\\frac ab\\right)", "(ba)");
    check_shown("\\Set{a|b}\\Braket{c|d}", "{a∣b}⟨c∣d⟩");
    check_shown("\\left(\\begin{array}{c}a\\\\b\\\\c\\end{array}\\right)", "abc");
    check_shown("\\left|\\frac ab\\right|", "ba");
    check_shown("\\begin{cases}a\\\\b\\\\c\\end{cases}", "⎩⎨⎧abc");
}

TEST(test_olmocr__names_lose_the_letters_beside_an_italic_one)
{
    check_shown("\\sin x", "sinx");
    check_shown("\\log x", "gx");
    check_shown("e^{\\log x}", "elogx");
}

TEST(test_olmocr__symbols_of_a_size_share_a_row)
{
    g_autoptr(TgOlmocrFormula) formula = formula_of("x^2+y_1");
    const TgKatexSymbolAt *at = formula->symbols;

    /* distances of the official program, in px */
    assert_true(ABS(at[0].y - at[2].y) < .1);
    assert_true(ABS(at[0].y - at[1].y - 9.0) < .1);
    assert_true(ABS(at[4].y - at[3].y - 7.4) < .1);
    assert_true(at[0].x < at[1].x && at[1].x < at[2].x);
}

/* ---- What KaTeX refuses ---------------------------------------------------------------------- */

TEST(test_olmocr__unknown_commands_are_refused)
{
    static const char *const unknown[] = { "\\label{a}",   "\\mbox{a}", "\\ce{H}",
                                           "\\boldmath x", "\\iiiint",  "\\matrix{a}",
                                           "\\textsc{a}",  "\\upalpha" };

    for (guint i = 0; i < G_N_ELEMENTS(unknown); i++)
        check_refused(unknown[i], "Undefined control sequence*");
    check_accepted("\\hbox{a}{\\rm b}{\\bf c}{a\\over b}{n\\choose k}\\boxed{x}\\cancel{y}");
    check_accepted("\\def\\a{x}\\a\\newcommand{\\b}[1]{#1}\\b{y}\\operatorname*{lim}_x");
}

TEST(test_olmocr__what_is_out_of_place_is_refused)
{
    check_refused("a$b", "Can't use function '$'*");
    check_refused("a&b", "Expected 'EOF', got '&'");
    check_refused("a}", "Expected 'EOF', got '}'");
    check_refused("{a", "Expected '}', got 'EOF'");
    check_refused("\\left(a", "Expected '\\right'*");
    check_refused("\\frac{a}", "Unexpected end*");
    check_refused("x^", "Expected group after '^'");
    check_refused("x^2'", "Double superscript");
    check_refused("x_1_2", "Double subscript");
    check_refused("a\\", "Unexpected character: '\\'");
}

TEST(test_olmocr__scripts_on_spaces_are_refused)
{
    check_refused("k\\,^{\\prime}", "*space*");
    check_refused("k\\quad_2", "*space*");
    check_accepted("~^2");
}

TEST(test_olmocr__environments_are_those_of_katex)
{
    check_refused("\\begin{eqnarray}a\\end{eqnarray}", "No such environment: eqnarray");
    check_refused("\\begin{array}{@{}l}a\\end{array}", "Unknown column alignment*");
    check_refused("\\begin { a r r a y } {l} a \\end{array}", "*space*");
    check_refused("\\begin{array}{l}a\\end{aray}", "Mismatch*");
    check_accepted(
        "\\begin{pmatrix*}[r]a&b\\\\c\\end{pmatrix*}\\begin{aligned}a&=b\\\\[2pt]c\\end{aligned}");
    check_accepted("\\begin{array}{|l:r|}\\hline a&b&c&d\\\\\\end{array}");
}

TEST(test_olmocr__functions_are_no_bare_arguments)
{
    check_refused("\\sqrt\\sqrt{6}", "Got function*");
    check_refused("x^\\sqrt2", "Got function*");
    check_accepted("x^\\frac12\\sqrt\\frac12");
}

TEST(test_olmocr__lengths_and_delimiters_are_checked)
{
    check_refused("\\hspace{0 . 5 m m}", "Invalid size*");
    check_refused("\\hspace{1zz}", "Invalid unit*");
    check_refused("a\\\\[x]", "Invalid size*");
    check_refused("\\left+a\\right)", "Invalid delimiter*");
    check_refused("\\text{\\alpha}", "Undefined control sequence*");
    check_refused("a\\over b\\over c", "only one infix*");
    check_refused("\\newcommand{\\R}{x}", "*redefine*");
    check_accepted("a\\\\ [x]\\hspace{2em}中\\kern1mu x%\n y");
}

TEST(test_olmocr__hostile_input_is_bounded)
{
    g_autoptr(GString) deep = g_string_new(NULL), wide = g_string_new(NULL);
    const double start = tg_cpu_seconds();

    for (guint i = 0; i < 100000; i++)
        g_string_append(deep, "{");
    check_refused(deep->str, "Groups are nested too deep");
    g_string_truncate(deep, 0);
    for (guint i = 0; i < 100000; i++)
        g_string_append(deep, "\\frac");
    check_refused(deep->str, "*");
    check_shown("\\href{a}{b}\\includegraphics{c}", "\\href\\includegraphics");
    check_refused("\\def\\a{\\a\\a}\\a", "Too many expansions*");
    for (guint i = 0; i < 20000; i++)
        g_string_append(wide, "x_{1}");
    check_accepted(wide->str);
    g_string_truncate(wide, 0);
    for (guint i = 0; i < 100000; i++)
        g_string_append(wide, "1");
    check_accepted(wide->str);
    g_string_truncate(wide, 0);
    for (guint i = 0; i < 20000; i++)
        g_string_append(wide, "\\def\\a{}");
    check_refused(wide->str, "Too many macros");
    tg_assert_cpu_below(start, 5, "hostile input");
}
