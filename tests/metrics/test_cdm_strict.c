/* The metric `cdm-strict`: scores by hand, as elements in place over all elements, where letters
 * that differ in boldness or slant alone weigh 3/4. */
#include "tests/support/cdm_support.h"
#include "tests/support/metric_support.h"

/* The headline of a pair, NaN where it has none. */
static double f1(TestScorer *scorer, const char *ref, const char *hyp)
{
    tg_result_reset(scorer->result);
    return test_scorer_try(scorer, ref, hyp, NULL) ? tg_result_get(scorer->result, 0) : NAN;
}

/* Elements in place by @weight, of @n_ref and @n_hyp. */
typedef struct {
    const char *ref, *hyp;
    double weight;
    guint n_ref, n_hyp;
} Case;

static void check_cases(const Case *cases, guint n)
{
    g_auto(TestScorer) scorer = test_scorer_new("cdm-strict");

    for (guint i = 0; i < n; i++) {
        const Case *c = &cases[i];
        const double there = f1(&scorer, c->ref, c->hyp),
                     wanted = 2 * c->weight / (c->n_ref + c->n_hyp);

        if (!(fabs(there - wanted) <= 1e-10))
            fail_msg("%s | %s: %g, expected %g of %u and %u", c->ref, c->hyp, there, c->weight,
                     c->n_ref, c->n_hyp);
        tg_assert_near(tg_result_get(scorer.result, 1), c->weight / c->n_hyp, 1e-10);
        tg_assert_near(tg_result_get(scorer.result, 2), c->weight / c->n_ref, 1e-10);
        assert_int_equal(tg_result_get(scorer.result, 3),
                         c->weight == c->n_ref && c->n_ref == c->n_hyp);
        tg_assert_near(f1(&scorer, c->hyp, c->ref), there, 0.0);
    }
}

#define CHECK(cases) check_cases(cases, G_N_ELEMENTS(cases))

/* Each section is a rule. */
TEST(test_cdm_strict__pairs_by_hand)
{
    static const Case cases[] = {
        /* places decide */
        { "2^3", "3^2", 0, 2, 2 },
        { "f(x)=2^3", "f(x)=3^2", 5, 7, 7 },
        { "A_{ij}", "A^{ij}", 1, 3, 3 },
        { "x_i^2", "x_2^i", 1, 3, 3 },
        { "x_i^2", "x^2_i", 3, 3, 3 },
        { "10^{5}", "10_{5}", 2, 3, 3 },
        { "x^{a_b}", "x_{a_b}", 1, 3, 3 },
        { "\\frac{a}{b}", "\\frac{b}{a}", 1, 3, 3 },
        { "\\frac{x+1}{y}", "\\frac{y}{x+1}", 1, 5, 5 },
        { "a \\atop b", "a b", 0, 2, 2 },
        { "\\sum_{i}^{n} i", "\\sum\\nolimits_{i}^{n} i", 2, 4, 4 },
        { "\\int_0^1", "\\int\\limits_0^1", 1, 3, 3 },
        { "\\iint_D", "\\iint\\limits_D", 2, 3, 3 }, /* amsmath: at the side by default */
        { "\\iint\\limits_D", "\\underset{D}{\\iint}", 3, 3, 3 },
        { "\\textstyle\\iint\\limits_D", "\\textstyle\\iint_D", 2, 3, 3 },
        { "a^{\\xrightarrow{x}}", "a^{\\xrightarrow[x]{}}", 2, 3, 3 },
        { "a^{\\xrightarrow{x}}", "a\\xrightarrow{x}", 1, 3, 3 },
        { "a^{\\xrightarrow{\\sum_i}}", "a^{\\xrightarrow{\\sum\\nolimits_i}}", 4, 4, 4 },
        { "a^{\\xrightarrow{\\sum_i}}", "a^{\\xrightarrow{\\sum\\limits_i}}", 3, 4, 4 },
        { "\\overset{n}{x}", "\\underset{n}{x}", 1, 2, 2 },
        { "R^{a}{}_{b}{}^{c}", "R^{ac}_{b}", 3, 4, 4 },
        { "a\\raisebox{1ex}{b}c", "abc", 2, 3, 3 },
        { "a\\raisebox{2ex}{b}", "ab", 1, 2, 2 },
        /* moved ink: raised, over its neighbors, pulled back, white; no ink, no matter */
        { "a\\lower1pt\\hbox{$b$}c", "abc", 2, 3, 3 },
        { "a\\raisebox{0pt}{$b$}c", "abc", 3, 3, 3 },
        { "a\\llap{$b$}c", "abc", 2, 3, 3 },
        { "\\makebox[0pt][l]{/}p", "\\rlap{/}p", 2, 2, 2 },
        { "\\makebox[0pt][l]{/}p", "/p", 1, 2, 2 },
        { "\\sum_{\\mathclap{i}}a", "\\sum_{i}a", 3, 3, 3 },
        { "x\\kern-0.6em y", "xy", 1, 2, 2 },
        { "x\\!y", "xy", 2, 2, 2 },
        { "\\int\\!\\!\\!\\int", "\\iint", 2, 2, 2 },
        { "a\\textcolor{white}{b}", "a", 1, 1, 1 },
        { "a\\colorbox{red}{\\textcolor{white}{b}}", "a\\text{b}", 2, 2, 2 },
        { "\\rule{1em}{4pt}", "\\rule{1em}{.4pt}", 0, 1, 1 },
        { "\\text{<}", "<", 0, 1, 1 },
        { "\\text{\\{}", "\\{", 1, 1, 1 },
        { "\\text{a--b}", "\\text{a-b}", 2, 3, 3 },
        { "\\text{a--b ``c''}", "\\text{a\u2013b \u201Cc\u201D}", 6, 6, 6 },
        { "\\text{na\\\"\\i ve}", "\\text{na\u00EFve}", 6, 6, 6 },
        { "8\u00AD9\u200Da", "89a", 3, 3, 3 },
        { "a=\u0338b", "a\\ne b", 3, 3, 3 },
        { "\\left\uFF08a\\right\uFF09", "(a)", 3, 3, 3 },
        { "x_\\bgroup ab\\egroup", "x_{ab}", 3, 3, 3 },
        /* empty columns between others count */
        { "\\begin{pmatrix}1&&2\\\\&3&\\end{pmatrix}", "\\begin{pmatrix}1&2&\\\\&3&\\end{pmatrix}",
          4, 5, 5 },
        { "\\begin{array}{c|c}a&b\\end{array}", "\\begin{array}{c|c}a&b\\end{array}", 3, 3, 3 },
        { "\\begin{array}[t]{c}a\\\\b\\end{array}c", "\\begin{array}{c}a\\\\b\\end{array}c", 1, 3,
          3 },
        /* order decides: the longest run of elements in order keeps its place */
        { "ab", "ba", 1, 2, 2 },
        { "abcdefghij", "jihgfedcba", 1, 10, 10 },
        { "abcdefghij", "bcdefghija", 9, 10, 10 },
        { "a+b=c", "c+b=a", 3, 5, 5 },
        { "x^2y", "xy^2", 2, 3, 3 },
        { "abc", "ab", 2, 3, 2 },
        { "E_{xc}=\\alpha E_{x,SR}^{ex}", "E_{xc}=\\alpha\\beta E_{x,SR}^{ex}", 12, 12, 13 },
        /* places are relative to the row: what is set in another size, or beside something high,
           stands where it stood */
        { "a+b=\\frac{\\frac{1}{2}}{3}", "a+b=\\frac{\\frac{1}{2}}{4}", 8, 9, 9 },
        { "e^{\\left(a+b\\right)}", "\\frac{1}{\\frac{2}{3}}e^{(a+b)}", 6, 6, 11 },
        { "\\displaystyle\\sum x+y", "\\textstyle\\sum x+y", 4, 4, 4 },
        { "x^{a+b}", "x^{\\textstyle a+b}", 4, 4, 4 },
        { "\\hat{b}+\\hat{a}", "\\hat{c}+\\hat{a}", 4, 5, 5 },
        /* roots and accents cover */
        { "\\sqrt{a+b}", "\\sqrt{a}+b", 2, 4, 4 },
        { "\\sqrt{x^2+y^2}", "x^2+y^2", 5, 6, 5 },
        { "\\overline{ab}", "\\overline{a}b", 2, 3, 3 },
        { "\\hat{x}y", "x\\hat{y}", 2, 3, 3 },
        { "\\hat{x}", "\\widehat{x}", 1.75, 2, 2 },
        { "\\overline{x}", "\\bar{x}", 1, 2, 2 },
        { "\\boxed{E=mc^2}", "E=mc^2", 5, 6, 5 },
        { "\\sqrt[3]{x}", "\\sqrt{x}", 2, 3, 2 },
        { "\\textcircled{1}x", "1x", 2, 3, 2 },
        { "\\textcircled{1}x", "\342\221\240x", 3, 3, 3 },
        { "\\textcircled{1}x", "\\textcircled{2}x", 2, 3, 3 },
        /* tells look alikes apart */
        { "\\bigcup A", "\\bigcap A", 1, 2, 2 },
        { "\\cdots", "\\ldots", 0, 1, 1 },
        { "\\ldots", "\\cdot\\cdot\\cdot", 0, 1, 1 },
        { "\\dot x", "\\cdot x", 1, 2, 2 },
        { "A^\\top", "A^T", 1, 2, 2 },
        { "[x]", "[x", 2, 3, 2 },
        { "[x]", "(x)", 1, 3, 3 },
        { "\\varepsilon", "\\epsilon", 0, 1, 1 },
        { "a\\bmod b", "a\\pmod b", 5, 5, 7 },
        { "\\text{-}", "-", 0, 1, 1 },
        { "\\overbrace{x}", "x", 1, 2, 1 },
        { "5\\%", "5", 1, 2, 1 },
        { "\\$5", "5", 1, 2, 1 },
        /* a formula broken into lines reads as one, and each break is lost or added; entries of a
           matrix do not */
        { "x_0=v_0+u_0,y_0=v_0-u_0", "\\begin{array}{l}x_0=v_0+u_0,\\\\y_0=v_0-u_0\\end{array}", 17,
          17, 18 },
        { "a+b+c+d", "\\begin{aligned}a+b\\\\+c+d\\end{aligned}", 7, 7, 8 },
        { "a+b+c+d", "a+b+c\\\\+d", 7, 7, 7 },
        { "\\begin{aligned}a&=b\\\\c&=d\\end{aligned}",
          "\\begin{array}{rl}a&=b\\\\c&=d\\end{array}", 5, 6, 6 }, /* rows closer together */
        { "\\begin{aligned}a&=b\\\\c&=d\\end{aligned}", "c=d\\quad a=b", 3, 7, 6 },
        { "\\begin{gathered}a=b\\\\c=d\\end{gathered}", "\\begin{array}{c}a=b\\\\c=d\\end{array}",
          5, 6, 6 },
        { "\\begin{gathered}a\\\\b\\end{gathered}", "\\begin{matrix}a\\\\b\\end{matrix}", 1, 2, 2 },
        { "\\begin{matrix}a&b\\\\c&d\\end{matrix}", "\\begin{array}{cc}a&b\\\\c&d\\end{array}", 4,
          4, 4 },
        { "\\begin{matrix}a\\\\b\\end{matrix}", "ab", 0, 2, 2 },
        { "\\begin{array}{c}a\\\\b\\end{array}", "ab", 0, 2, 2 },
        { "\\begin{pmatrix}a\\\\b\\end{pmatrix}", "(ab)", 2, 4, 4 },
        { "\\begin{cases}x=1,\\\\y=2\\end{cases}", "\\left\\{x=1,y=2\\right.", 8, 9, 8 },
        { "\\begin{cases}x=1\\\\y=2\\end{cases}", "\\left\\{x=1,y=2\\right.", 7, 8, 8 },
        { "f=\\left\\{\\begin{array}{l}a=b\\\\c=d\\end{array}\\right.", "f=\\{a=b c=d", 9, 10, 9 },
        { "f=\\begin{cases}a\\\\b\\end{cases}", "f=\\begin{cases}b\\\\a\\end{cases}", 4, 5, 5 },
        /* cells have columns */
        { "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}", "\\begin{pmatrix}a&c\\\\b&d\\end{pmatrix}", 4,
          6, 6 },
        { "\\begin{pmatrix}a&b\\\\&d\\end{pmatrix}", "\\begin{pmatrix}a&b\\\\d&\\end{pmatrix}", 4,
          5, 5 },
        { "\\begin{pmatrix}1&2\\end{pmatrix}", "\\begin{pmatrix}12\\end{pmatrix}", 3, 4, 4 },
        { "\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}", "\\begin{pmatrix}1&2\\end{pmatrix}", 4, 6,
          4 },
        { "\\begin{array}{lcr}aaa&b&c\\\\d&eee&fff\\end{array}",
          "\\begin{array}{rcl}aaa&b&c\\\\d&eee&fff\\end{array}", 10, 12, 12 },
        { "\\begin{array}{c|c}a&b\\end{array}", "\\begin{array}{cc}a&b\\end{array}", 2, 3, 2 },
        { "\\begin{array}{c}\\hline a\\\\b\\end{array}",
          "\\begin{array}{c}a\\\\\\hline b\\end{array}", 2, 3, 3 },
    };
    CHECK(cases);
}

/* Rows, scripts, roots, frames and accents keep their distances; all pairs have TeX's verdict. */
TEST(test_cdm_strict__distances_count)
{
    static const struct {
        const char *ref, *hyp;
        gboolean same;
    } pairs[] = {
        { "\\begin{matrix}a\\\\b\\end{matrix}", "\\begin{matrix}a\\\\[4pt]b\\end{matrix}", FALSE },
        { "\\begin{matrix}a\\\\b\\end{matrix}", "\\begin{matrix}a\\\\[1pt]b\\end{matrix}", TRUE },
        { "\\begin{matrix}a\\\\b\\end{matrix}", "\\begin{array}{c}a\\\\b\\end{array}", TRUE },
        { "\\begin{matrix}a&b\\\\c&d\\end{matrix}", "\\begin{matrix}a&b\\\\[1em]c&d\\end{matrix}",
          FALSE },
        { "\\begin{gathered}a\\\\b\\end{gathered}", "\\begin{gathered}a\\\\[-3pt]b\\end{gathered}",
          FALSE },
        { "\\begin{aligned}a&=b\\\\c&=d\\end{aligned}", "\\begin{split}a&=b\\\\c&=d\\end{split}",
          TRUE },
        { "\\begin{aligned}a&=b\\\\c&=d\\end{aligned}",
          "\\begin{aligned}a&=b\\\\[9pt]c&=d\\end{aligned}", FALSE },
        { "\\begin{aligned}aaa&=b\\\\c&=d\\end{aligned}",
          "\\begin{aligned}aaa=b\\\\c&=d\\end{aligned}", FALSE },
        { "\\begin{cases}a\\\\b\\end{cases}",
          "\\left\\{\\begin{array}{l}a\\\\b\\end{array}\\right.", FALSE },
        { "\\begin{pmatrix}a\\\\b\\end{pmatrix}",
          "\\def\\arraystretch{1.5}\\begin{pmatrix}a\\\\b\\end{pmatrix}", FALSE },
        { "\\begin{matrix}\\frac{1}{2}\\\\b\\end{matrix}",
          "\\begin{matrix}\\frac{1}{2}\\\\\\strut b\\end{matrix}", TRUE },
        { "\\begin{aligned}a\\\\b\\end{aligned}", "\\begin{aligned}a\\;b\\end{aligned}", FALSE },
        { "\\sqrt{x}", "\\sqrt{\\vphantom{A^2}x}", FALSE },
        { "\\sqrt{x}", "\\sqrt{\\smash{x}}", FALSE },
        { "\\sqrt{x}", "\\sqrt{\\vphantom{a}x}", TRUE },
        { "\\hat{k}", "\\hat{\\smash{k}}", FALSE },
        { "\\hat{k}", "\\hat{\\mathord{k}}", TRUE },
        { "\\boxed{a}", "\\fboxsep=0pt\\boxed{a}", FALSE },
        { "\\boxed{a}", "\\setlength{\\fboxsep}{9pt}\\boxed{a}", FALSE },
        { "\\boxed{a}", "\\fboxrule=2pt\\boxed{a}", FALSE },
        { "\\boxed{a}", "\\framebox[3cm]{$a$}", FALSE },
        { "\\boxed{a}", "\\fbox{$a$}", TRUE },
        { "\\boxed{a}", "{\\fboxsep=9pt}\\boxed{a}", TRUE },
        { "\\begin{matrix}a&b\\end{matrix}", "\\begin{matrix}a&&b\\end{matrix}", FALSE },
        { "\\begin{array}{ccc}a&b&c\\end{array}", "\\begin{array}{ccc}a&&bc\\end{array}", FALSE },
        { "\\begin{array}{rcl}a&=&b\\end{array}", "\\begin{array}{ccc}a&=&b\\end{array}", TRUE },
    };
    g_auto(TestScorer) scorer = test_scorer_new("cdm-strict");

    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
        if ((f1(&scorer, pairs[i].ref, pairs[i].hyp) == 1) != pairs[i].same)
            fail_msg("%s | %s", pairs[i].ref, pairs[i].hyp);
        tg_assert_near(f1(&scorer, pairs[i].ref, pairs[i].hyp),
                       f1(&scorer, pairs[i].hyp, pairs[i].ref), 0.0);
    }
}

/* A letter that differs in stress alone counts three quarters; other alphabets are other letters.
 */
TEST(test_cdm_strict__styles_count)
{
    static const Case cases[] = {
        { "\\mathbf{x}y", "xy", 1.75, 2, 2 },
        { "\\boldsymbol{x}y", "xy", 1.75, 2, 2 },
        { "\\bm{x}", "\\boldsymbol{x}", 1, 1, 1 },
        { "\\sin x", "sin x", 3.25, 4, 4 },
        { "\\mathcal{L}", "L", 0, 1, 1 },
        { "\\mathbb{R}\\subset C", "R\\subset\\mathbb{C}", 1, 3, 3 },
        { "\\mathscr{F}x", "\\mathcal{F}x", 2, 2, 2 }, /* one script alphabet in Unicode */
        { "\\mathfrak{g}", "\\mathrm{g}", 0, 1, 1 },
        { "\\mathrm{\\alpha}", "\\alpha", 1, 1, 1 },
    };
    g_auto(TestScorer) blind = test_scorer_new("cdm-strict:style=ignore");

    CHECK(cases);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        tg_assert_near(f1(&blind, cases[i].ref, cases[i].hyp), 1.0, 0.0);
    tg_assert_near(f1(&blind, "\\mathbb{R}\\subset C", "R\\subset\\mathbb{C}"), 1.0, 0.0);
    assert_true(f1(&blind, "a", "\\alpha") == 0);
}

/* Pairs that draw alike. */
TEST(test_cdm_strict__spelling_does_not_count)
{
    static const char *const pairs[][2] = {
        { "a\\neq b", "a\\not= b" },
        { "a\\ne b", "a\\not = b" },
        { "x\\notin A", "x\\not\\in A" },
        { "\\nless\\ngtr\\nleq\\ngeq\\nprec\\nsucc\\nsim\\ncong",
          "\\not<\\not>\\not\\leq\\not\\geq\\not\\prec\\not\\succ\\not\\sim\\not\\cong" },
        { "\\nmid\\nparallel\\nsubseteq\\nsupseteq\\nexists",
          "\\not\\mid\\not\\parallel\\not\\subseteq\\not\\supseteq\\not\\exists" },
        { "a\\to b\\gets c", "a\\rightarrow b\\leftarrow c" },
        { "P\\land Q\\lor\\lnot R", "P\\wedge Q\\vee\\neg R" },
        { "\\{x\\mid y\\}", "\\lbrace x|y\\rbrace" },
        { "\\left(\\frac{a}{b}\\right)", "(\\frac{a}{b})" },
        { "\\Bigl[x\\Bigr]", "[x]" },
        { "\\left<x\\right>", "\\langle x\\rangle" },
        { "{a\\over b}", "\\frac{a}{b}" },
        { "\\dfrac12", "\\cfrac12" },
        { "\\binom{n}{k}", "\\left({n\\atop k}\\right)" },
        { "\\lim_{x\\to0}f", "\\underset{x\\to 0}{\\lim}f" },
        { "\\operatorname{rank}A", "\\mathop{\\mathrm{rank}}\\nolimits A" },
        { "\\text{for all }x", "\\mathrm{for}\\ \\mathrm{all}\\,x" },
        { "f''", "f^{\\prime\\prime}" },
        { "f'^2", "f^{\\prime 2}" },
        { "a,\\ldots,b", "a,...,b" },
        { "\\iint_D f", "\\int\\!\\!\\int_D f" },
        { "A\\qquad\\qquad B", "AB" },
        { "x\\hspace{-0.2em}y", "xy" },
        { "\\color{red}{x}+y", "x+y" },
        { "\\begin{equation}a=b\\end{equation}", "a=b" },
        { "\\begin{array}{cc}{A+B}&{C+D}\\end{array}", "A+B C+D" },
        { "x^{'}", "x'" },
        { "\\mathcal L", "\342\204\222" }, /* U+2112 */
        { "||x||", "\\|x\\|" },
        { "\\left|\\left|x\\right|\\right|", "\\left\\|x\\right\\|" },
        { "|a||b|", "|a|\\,|b|" },
        { "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}",
          "\\left(\\begin{array}{cc}a&b\\\\c&d\\end{array}\\right)" },
        { "f(x)=\\left\\{\\def\\arraystretch{1.2}\\begin{array}{ll}1&x>0\\\\0&x\\le0\\end{array}"
          "\\right.",
          "f(x)=\\begin{cases}1&x>0\\\\0&x\\leq0\\end{cases}" },
        { "x \\tag{1}", "x" },
        { "\xCE\xB1+\xCE\xB2\xE2\x89\xA4\xCE\xB3", "\\alpha+\\beta\\le\\gamma" },
        { "\\text{\xC3\xA9}", "\\text{\\'e}" },
        { "a+ % the first\nb", "a+b" },
        { "a+\rb", "a+b" },
        { "\\sqrt\\frac12", "\\sqrt{\\frac{1}{2}}" },
        { "\\sum_{\\substack{i<j}}x", "\\sum_{i<j}x" },
        { "a+\\begin{array}{c}b\\end{array}", "a+b" },
        { "\\begin{array}{c}\\begin{aligned}a&=b\\\\c&=d\\end{aligned}\\end{array}",
          "\\begin{aligned}a&=b\\\\c&=d\\end{aligned}" },
        { "\\overset{n}{\\sum}", "\\sum\\limits^n" },
        { "{}^{14}_{6}\\mathrm C", "\\prescript{14}{6}{\\mathrm{C}}" },
        { "\\left\\{\\begin{aligned}x&=1\\\\y&=2\\end{aligned}\\right.",
          "\\begin{cases}x=1\\\\y=2\\end{cases}" },
    };
    g_auto(TestScorer) scorer = test_scorer_new("cdm-strict");

    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
        if (f1(&scorer, pairs[i][0], pairs[i][1]) != 1 || tg_result_get(scorer.result, 3) != 1)
            fail_msg("%s | %s", pairs[i][0], pairs[i][1]);
        assert_string_equal(tg_result_status(scorer.result), "ok");
    }
}

/* Elements far to the right count like all others. */
TEST(test_cdm_strict__has_no_page_edge)
{
    g_autofree char *row = tg_repeat("a+", 160);
    g_autofree char *ref = g_strconcat(row, "b", NULL), *hyp = g_strconcat(row, "c", NULL);
    g_auto(TestScorer) scorer = test_scorer_new("cdm-strict");

    tg_assert_near(f1(&scorer, ref, hyp), 160.0 / 161, 1e-10);
    assert_true(tg_result_get(scorer.result, 3) == 0);
}

/* One element in a thousand more is seen, which a score of three decimals would hide. */
TEST(test_cdm_strict__counts_are_exact)
{
    g_auto(TestScorer) scorer = test_scorer_new("cdm-strict");
    g_autofree char *ref = g_strnfill(1001, 'a');

    tg_assert_near(f1(&scorer, ref, ref + 1), 2000.0 / 2001, 1e-10);
    assert_true(tg_result_get(scorer.result, 0) < 1);
    assert_true(tg_result_get(scorer.result, 3) == 0);
    tg_assert_near(f1(&scorer, ref, ref), 1.0, 0.0);
    assert_true(tg_result_get(scorer.result, 3) == 1);
}

/* A fault is an element that equals nothing, where the source shows it or not. */
TEST(test_cdm_strict__errors_never_match)
{
    static const Case cases[] = {
        { "x+\\undefinedcmd y", "x+y", 3, 4, 3 },
        { "x+\\undefinedcmd y", "x+\\undefinedcmd y", 3, 4, 4 },
        { "\\left(a+b\\right)", "\\left(a+b)", 5, 5, 6 },
        { "x^2^3", "x^3", 2, 4, 2 },
        { "x\\hspace{0 . 5 c m}y", "xy", 2, 2, 2 },
    };
    CHECK(cases);
    tg_assert_outcome("cdm-strict", "x+y", "x+\\foo y\\bar", 6.0 / 9,
                      "ok (2 errors in the prediction)");
    tg_assert_outcome("cdm-strict", "\\foo x", "\\foo x", 2.0 / 4,
                      "ok (1 error in the reference, 1 error in the prediction)");
}

TEST(test_cdm_strict__says_what_cannot_be_drawn)
{
    g_autofree char *spaces = g_strnfill(TG_TEXT_MAX + 1, ' ');

    tg_assert_outcome("cdm-strict", "p", "", 0, "empty");
    tg_assert_outcome("cdm-strict", "p", "\\phantom{p}", 0, "empty");
    tg_assert_outcome("cdm-strict", "p", "}", 0, "pred-unrenderable: *, column 1");
    tg_assert_outcome("cdm-strict", "\\phantom{p}", "p", NAN, "gt-unrenderable: *");
    tg_assert_outcome("cdm-strict", "}", "p", NAN, "gt-unrenderable: *");
    tg_assert_outcome("cdm-strict:max-elements=3", "p+q+r", "p", NAN, "too-large: *");
    tg_assert_outcome("cdm-strict", "p", spaces, NAN, "too-large: *");
}

/* Each list is looked into once: with twice a level this would take years. */
TEST(test_cdm_strict__nested_braces_take_no_time)
{
    enum { DEPTH = 100 };
    g_autofree char *open = g_strnfill(DEPTH, '{'), *close = g_strnfill(DEPTH, '}');
    g_autofree char *ref = g_strdup_printf("\\left(%sC%s\\right)", open, close);
    g_auto(TestScorer) scorer = test_scorer_new("cdm-strict");

    assert_float_equal(f1(&scorer, ref, "\\left(C\\right)"), 1, 0);
    assert_float_equal(f1(&scorer, "\\left(\\overset{a}{{+}}\\right)", ref), 4.0 / 7, 1e-12);
}

TEST(test_cdm_strict__takes_the_best_truth)
{
    const char *refs[] = { "a", "a+b", "a+b+c" };
    g_auto(TestScorer) scorer = test_scorer_new("cdm-strict");

    tg_assert_near(test_scorer_add_refs(&scorer, refs, 3, "a+b"), 1.0, 0.0);
}

/* The detail of cdm-strict (`--detail`): elements, partners, verdicts. */

/* "token verdict partner style; .." of one side; - where there is no partner. */
static char *describe(const TestScorer *scorer, const char *side)
{
    g_autoptr(GVariant) elements = cdm_detail_elements(scorer->result->detail, side);
    GString *text = g_string_new(NULL);

    for (gsize i = 0; i < g_variant_n_children(elements); i++) {
        g_autoptr(GVariant) element = g_variant_get_child_value(elements, i);
        const char *token, *verdict;
        guint32 partner;
        double style;

        assert_true(g_variant_lookup(element, "token", "&s", &token));
        assert_true(g_variant_lookup(element, "verdict", "&s", &verdict));
        g_string_append_printf(text, "%s%s %s", i > 0 ? "; " : "", token, verdict);
        if (g_variant_lookup(element, "partner", "u", &partner)) {
            g_autoptr(GVariant) cost =
                g_variant_lookup_value(element, "cost", G_VARIANT_TYPE("a{sd}"));
            assert_true(g_variant_lookup(cost, "style", "d", &style));
            g_string_append_printf(text, " %u %g", partner, style);
        }
    }
    return g_string_free(text, FALSE);
}

static void check_detail(const char *ref, const char *hyp, const char *of_gt, const char *of_pred)
{
    g_auto(TestScorer) scorer = test_scorer_new("cdm-strict");

    test_scorer_add(&scorer, ref, hyp);
    tg_assert_text(describe(&scorer, "gt"), of_gt);
    tg_assert_text(describe(&scorer, "pred"), of_pred);
}

TEST(test_cdm_strict_detail__pairs_and_verdicts)
{
    check_detail("x^2", "\\mathbf{x}^3", "x accepted 0 0.25; 2 unmatched",
                 "x accepted 0 0.25; 3 unmatched");
    check_detail("\\sqrt{a}b", "\\sqrt{ab}", "\\sqrt accepted 0 0; a accepted 1 0; b misplaced 2 0",
                 "\\sqrt accepted 0 0; a accepted 1 0; b misplaced 2 0");
    check_detail("\\sin", "\\mathrm{si}", "\\sin accepted 0 0; \\sin accepted 1 0; \\sin unmatched",
                 "s accepted 0 0; i accepted 1 0");
    check_detail("a", "", "a unmatched", "");
}

/* Each letter of an operator has its own box, from left to right. */
TEST(test_cdm_strict_detail__letters_have_boxes)
{
    g_auto(TestScorer) scorer = test_scorer_new("cdm-strict");
    double last = 0;

    test_scorer_add(&scorer, "\\cos", "\\cos");
    g_autoptr(GVariant) elements = cdm_detail_elements(scorer.result->detail, "gt");
    assert_int_equal(g_variant_n_children(elements), 3);
    for (gsize i = 0; i < 3; i++) {
        g_autoptr(GVariant) element = g_variant_get_child_value(elements, i);
        double x0, y0, x1, y1;

        assert_true(g_variant_lookup(element, "box", "(dddd)", &x0, &y0, &x1, &y1));
        assert_true(x0 >= last && x1 > x0 && y1 > y0);
        last = x1;
    }
}

/* A lost \textcircled scores below 1 wherever the circle is an element; to the official CDM it is
 * none. */

/* Like truths of HME100K, where circles stand around the numbers of equations and steps. */
static const char *const lost[][2] = {
    { "\\textcircled { 1 } x - y = 3", "1 x - y = 3" },
    { "\\textcircled { 1 } x - y = 3", "( 1 ) x - y = 3" },
    { "\\textcircled { 1 } x - y = 3", "x - y = 3" },
    { "x + y = 5 \\textcircled { 2 }", "x + y = 5 2" },
    { "\\textcircled { 1 } \\times 2 - \\textcircled { 2 }", "1 \\times 2 - 2" },
    { "\\textcircled { 1 } \\times 2 - \\textcircled { 2 }", "\\textcircled { 1 } \\times 2 - 2" },
    { "\\textcircled { 1 } + \\textcircled { 2 } \345\276\227 : 2 x = 6",
      "1 + 2 \345\276\227 : 2 x = 6" },
    { "\\left\\{ \\begin{matrix} x = 1 \\textcircled { 1 } \\\\ y = 2 \\textcircled { 2 } "
      "\\end{matrix} \\right.",
      "\\left\\{ \\begin{matrix} x = 1 1 \\\\ y = 2 2 \\end{matrix} \\right." },
    { "\\textcircled { \\small 3 }", "3" },
    { "\\text{\\textcircled{4}}", "\\text{4}" },
    { "\342\221\240 x", "1 x" }, /* U+2460 */
};

TEST(test_circles__cdm_strict_and_forte_miss_them)
{
    static const char *const metrics[] = { "cdm-strict", "forte" };

    for (guint m = 0; m < G_N_ELEMENTS(metrics); m++) {
        g_auto(TestScorer) scorer = test_scorer_new(metrics[m]);

        for (guint i = 0; i < G_N_ELEMENTS(lost); i++) {
            tg_assert_near(test_scorer_add(&scorer, lost[i][0], lost[i][0]), 1, 0);
            if (!(test_scorer_add(&scorer, lost[i][0], lost[i][1]) < 1))
                fail_msg("%s: %s lost nothing", metrics[m], lost[i][0]);
            if (!(test_scorer_add(&scorer, lost[i][1], lost[i][0]) < 1))
                fail_msg("%s: nothing is too much in %s", metrics[m], lost[i][0]);
        }
    }
}

/* Scores of the official program: of (1)+a beside \textcircled{1}+a the brackets alone are lost, so
 * the circle is no element of its own. */
TEST(test_circles__cdm_scores_as_the_official_program)
{
    static const struct {
        const char *ref, *hyp;
        double f1;
    } pairs[] = {
        { "(1)+a", "\\textcircled{1}+a", 0.75 },
        { "\\textcircled{2}+a", "\\textcircled{3}+a", 0.667 },
        { "\\textcircled{b}0.84", "65.\\textcircled{a}-10\\textcircled{b}4", 0.286 },
    };
    g_auto(TestScorer) scorer = test_scorer_new("cdm");

    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
        tg_assert_near(test_scorer_add(&scorer, pairs[i].ref, pairs[i].hyp), pairs[i].f1, 0);
    assert_true(test_scorer_add(&scorer, lost[1][0], lost[1][1]) < 1); /* brackets in its place */
    assert_true(test_scorer_add(&scorer, lost[2][0], lost[2][1]) < 1); /* lost with its number */
}
