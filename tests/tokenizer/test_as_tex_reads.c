/* Brackets, boxes and alphabets as TeX reads them, and errors with which LaTeX stops: each formula
 * here was set with pdflatex (amsmath, amssymb, mathtools, xcolor). */
#include "tests/support/test_support.h"
#include "tests/support/tree_sketch.h"
#include "tokenizer/canonical/canonical.h"
#include "tokenizer/latex/parse.h"

static char *sketch_of(const char *source)
{
    GError *error = NULL;
    g_autoptr(TgTree) tree = tg_tree_parse(source, strlen(source), NULL, &error);

    tg_assert_no_error(error);
    return tree_sketch(tree);
}

static char *canonical_of(const char *source)
{
    GError *error = NULL;
    char *canonical =
        tg_canonical_latex(source, strlen(source), NULL, tg_canonical_preset(), &error);

    tg_assert_no_error(error);
    return canonical;
}

typedef struct {
    const char *a, *b;
} Pair;

static void check_alike(const Pair *pairs, guint n, gboolean alike)
{
    for (guint i = 0; i < n; i++) {
        g_autofree char *a = sketch_of(pairs[i].a), *b = sketch_of(pairs[i].b);

        if ((strcmp(a, b) == 0) != alike)
            fail_msg("%s and %s\n  %s\n  %s", pairs[i].a, pairs[i].b, a, b);
    }
}

/* amsmath's \\ takes a star and a bracket only directly after it; array, eqnarray and lines without
 * an environment take the bracket after white space, too. */
TEST(test_rows__brackets_and_stars_belong_to_the_break_only_where_tex_takes_them)
{
    static const Pair alike[] = {
        { "\\begin{aligned}a\\\\ [1em]b\\end{aligned}",
          "\\begin{aligned}a\\\\\\relax[1em]b\\end{aligned}" },
        { "\\begin{array}{c}a\\\\ [1em]b\\end{array}", "\\begin{array}{c}a\\\\[1em]b\\end{array}" },
        { "\\begin{eqnarray}a\\\\ [1em]b\\end{eqnarray}",
          "\\begin{eqnarray}a\\\\[1em]b\\end{eqnarray}" },
        { "a\\\\ [1em]b", "a\\\\[1em]b" },
        { "\\begin{array}{c}a\\\\* [1em]b\\end{array}",
          "\\begin{array}{c}a\\\\[1em]b\\end{array}" },
        { "\\begin{cases}a\\\\*b\\end{cases}", "\\begin{cases}a\\\\b\\end{cases}" },
        { "\\begin{matrix}a\\\\*[2pt]b\\end{matrix}", "\\begin{matrix}a\\\\[2pt]b\\end{matrix}" },
        { "\\begin{aligned}[t]a\\end{aligned}", "\\begin{aligned}[t] a\\end{aligned}" },
        { "\\begin{aligned}[]a\\end{aligned}", "\\begin{aligned}a\\end{aligned}" },
        { "\\begin{gathered}[0,1]a\\end{gathered}", "\\begin{gathered}a\\end{gathered}" },
        { "\\begin{multlined}[3cm][t]a\\end{multlined}", "\\begin{multlined}[t]a\\end{multlined}" },
        { "\\begin{array} [t]{c}a\\end{array}", "\\begin{array}[t]{c}a\\end{array}" },
    };
    static const Pair other[] = {
        { "\\begin{aligned}a\\\\ [1em]b\\end{aligned}", "\\begin{aligned}a\\\\b\\end{aligned}" },
        { "\\begin{bmatrix}a\\\\ [b]\\end{bmatrix}", "\\begin{bmatrix}a\\\\b\\end{bmatrix}" },
        { "\\begin{matrix}a\\\\ *b\\end{matrix}", "\\begin{matrix}a\\\\b\\end{matrix}" },
        { "\\begin{array}{c}a\\\\ *b\\end{array}", "\\begin{array}{c}a\\\\b\\end{array}" },
        { "\\substack{a\\\\ *b}", "\\substack{a\\\\b}" },
        { "\\begin{split}a\\\\* [1em]b\\end{split}", "\\begin{split}a\\\\b\\end{split}" },
        { "\\begin{aligned}[a,b]&=c\\end{aligned}", "\\begin{aligned}&=c\\end{aligned}" },
        { "\\begin{aligned}[x]a\\end{aligned}", "\\begin{aligned}a\\end{aligned}" },
        { "\\begin{aligned} [t]a\\end{aligned}", "\\begin{aligned}[t]a\\end{aligned}" },
        { "\\begin{gathered} [0,1]a\\end{gathered}", "\\begin{gathered}a\\end{gathered}" },
        { "\\begin{pmatrix*} [r]a\\end{pmatrix*}", "\\begin{pmatrix*}[r]a\\end{pmatrix*}" },
        { "\\begin{cases}[a]b\\end{cases}", "\\begin{cases}b\\end{cases}" },
        { "\\begin{alignedat}{2}[a]b\\end{alignedat}", "\\begin{alignedat}{2}b\\end{alignedat}" },
    };

    check_alike(alike, G_N_ELEMENTS(alike), TRUE);
    check_alike(other, G_N_ELEMENTS(other), FALSE);
}

/* array's >{..} and <{..}: what stands before and after each cell of a column that is there. */
TEST(test_columns__put_material_around_their_cells)
{
    static const Pair alike[] = {
        { "\\begin{array}{>{x}c<{y}}a\\\\b\\end{array}",
          "\\begin{array}{c}xay\\\\xby\\end{array}" },
        { "\\begin{array}{>{x}c<{y}}a\\\\b\\\\\\end{array}",
          "\\begin{array}{c}xay\\\\xby\\\\\\end{array}" },
        { "\\begin{array}{>{x}cc<{y}}a&b\\\\c\\end{array}",
          "\\begin{array}{cc}xa&by\\\\xc\\end{array}" },
        { "\\begin{array}{*{2}{>{x}c}}a&b\\end{array}", "\\begin{array}{cc}xa&xb\\end{array}" },
        { "\\begin{array}{>{x}c}a\\\\\\hline\\end{array}",
          "\\begin{array}{c}xa\\\\\\hline\\end{array}" },
        { "\\begin{array}{>{x}c}\\end{array}", "\\begin{array}{c}\\end{array}" },
        { "\\begin{array}{>{x}c>{y}c}&b\\end{array}", "\\begin{array}{cc}x&yb\\end{array}" },
        { "\\begin{array}{>{\\bf}cc}a&b\\end{array}", "\\begin{array}{cc}\\bf a&b\\end{array}" },
        { "\\begin{array}{>{\\displaystyle}c}\\frac ab\\end{array}",
          "\\begin{array}{c}\\displaystyle\\frac ab\\end{array}" },
        { "\\begin{array}{>{-}c@{+}c}a&b\\end{array}", "\\begin{array}{c@{+}c}-a&b\\end{array}" },
        { "\\begin{array}{c<{^2}}a\\over b\\end{array}",
          "\\begin{array}{c}a\\over b^2\\end{array}" },
        { "\\begin{array}{>{(}c<{)}}\\begin{matrix}1&2\\end{matrix}\\end{array}",
          "\\begin{array}{c}(\\begin{matrix}1&2\\end{matrix})\\end{array}" },
        { "\\begin{array}{>{x}c>{y}c}\\multicolumn{2}{c}{a}\\end{array}",
          "\\begin{array}{cc}\\multicolumn{2}{c}{a}\\end{array}" },
        { "\\begin{array}{c<{y}}\\begin{array}{c<{z}}a\\end{array}\\end{array}",
          "\\begin{array}{c}\\begin{array}{c}az\\end{array}y\\end{array}" },
        { "\\begin{array}{>{x}c<{y}}a\\tabularnewline b\\end{array}",
          "\\begin{array}{c}xay\\tabularnewline xby\\end{array}" },
        { "\\begin{array}{>{x}p{1cm}<{y}}a\\end{array}", "\\begin{array}{p{1cm}}xay\\end{array}" },
    };

    check_alike(alike, G_N_ELEMENTS(alike), TRUE);
}

/* \mathrm does not reach a part that LaTeX sets as a formula of its own. */
TEST(test_alphabets__end_at_boxes)
{
    static const char *const boxes[] = {
        "\\overbrace{%s}",
        "\\underbrace{%s}",
        "\\overbracket{%s}",
        "\\underbracket{%s}",
        "\\overrightarrow{%s}",
        "\\overleftarrow{%s}",
        "\\overleftrightarrow{%s}",
        "\\underrightarrow{%s}",
        "\\underleftarrow{%s}",
        "\\boxed{%s}",
        "\\cancel{%s}",
        "\\bcancel{%s}",
        "\\xcancel{%s}",
        "\\smash{%s}",
        "\\mathrlap{%s}",
        "\\mathllap{%s}",
        "\\mathclap{%s}",
        "\\pmb{%s}",
        "\\sqrt[%s]{}",
        "\\root %s\\of{}",
        "\\substack{%s}",
        "\\mbox{$%s$}",
        "\\raisebox{1pt}{$%s$}",
        "\\colorbox{red}{$%s$}",
        "\\begin{matrix}%s\\end{matrix}",
    };
    static const char *const open[] = {
        "\\boldsymbol{%s}", /* bm's: letters stay in the alphabet */
        "\\overline{%s}",
        "\\underline{%s}",
        "\\widehat{%s}",
        "\\sqrt{%s}",
        "\\frac{%s}{1}",
        "\\binom{%s}{1}",
        "\\mathop{%s}",
        "\\left(%s\\right)",
        "x^{%s}",
        "\\overset{%s}{=}",
        "\\stackrel{%s}{=}",
        "\\textcolor{red}{%s}",
        "\\genfrac{}{}{0pt}{}{%s}{1}",
        "{%s}",
    };

    for (guint i = 0; i < G_N_ELEMENTS(boxes) + G_N_ELEMENTS(open); i++) {
        const gboolean ends = i < G_N_ELEMENTS(boxes);
        g_auto(GStrv) parts = g_strsplit(ends ? boxes[i] : open[i - G_N_ELEMENTS(boxes)], "%s", 2);
        g_autofree char *inner = g_strconcat(parts[0], "ab", parts[1], NULL);
        g_autofree char *around = g_strdup_printf("\\mathrm{%s}", inner);
        g_autofree char *grouped = g_strdup_printf("{%s}", inner);
        g_autofree char *a = sketch_of(around), *b = sketch_of(grouped);

        if ((strcmp(a, b) == 0) != ends)
            fail_msg("%s\n  %s\n  %s", around, a, b);
    }
}

/* \middle ends the group before it; \limits after \log, which has its scripts at the side, is lost;
 * TeX's own expansions. */
TEST(test_reading__follows_tex)
{
    static const Pair alike[] = {
        { "\\left\\{a\\over2\\middle|b\\right\\}", "\\left\\{{a\\over2}\\middle|b\\right\\}" },
        { "\\left(\\bf a\\middle|b\\right)", "\\left(\\mathbf a\\middle|b\\right)" },
        { "\\left(x\\middle|a\\over b\\middle|c\\right)",
          "\\left(x\\middle|{a\\over b}\\middle|c\\right)" },
        { "\\operatorname{a}\\limits_b", "\\operatorname{a}_b" },
        { "\\log\\limits_b", "\\log_b" },
        { "\\sin \\limits^2", "\\sin^2" },
        { "\\hspace{2pt plus 1fil minus 1pt}a", "\\hspace{2pt}a" },
        { "\\romannumeral14 x", "xivx" },
        { "\\csname alpha\\endcsname", "\\alpha" },
        { "\\number07", "7" },
        { "\\iffalse a\\else b\\fi", "b" },
        { "\\iftrue a\\else\\iffalse c\\fi b\\fi", "a" },
        { "\\expandafter\\hat\\expandafter{a}", "\\hat{a}" },
        { "\\mathbf{\\#\\%\\&\\$@}", "{\\#\\%\\&\\$@}" },
    };
    static const Pair other[] = {
        { "\\left(\\bf a\\middle|b\\right)", "\\left(\\bf a\\middle|\\mathbf b\\right)" },
        { "\\lim\\limits_b", "\\lim\\nolimits_b" },
        { "\\lim\\limits_b", "\\lim_b" },
        { "\\underbracket{a}", "\\underbrace{a}" },
        { "\\mathop{\\rm log}\\limits_b", "\\mathop{\\rm log}\\nolimits_b" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(alike); i++) {
        g_autofree char *a = canonical_of(alike[i].a), *b = canonical_of(alike[i].b);
        if (strcmp(a, b) != 0)
            fail_msg("%s and %s\n  %s\n  %s", alike[i].a, alike[i].b, a, b);
    }
    check_alike(other, G_N_ELEMENTS(other), FALSE);
}

/* The kind of the error with which LaTeX stops; NULL for accepted formulas. */
typedef struct {
    const char *source;
    const char *kind;
} Verdict;

static void check_verdicts(const Verdict *cases, guint n, TgPackages packages)
{
    for (guint i = 0; i < n; i++) {
        GError *error = NULL;
        g_autoptr(TgTree) tree =
            tg_tree_parse(cases[i].source, strlen(cases[i].source), NULL, &error);

        tg_assert_no_error(error);
        const TgParseError *refusal = tg_tree_refusal(tree, packages);
        const char *kind = refusal != NULL ? tg_parse_error_names[refusal->kind] : NULL;
        if (g_strcmp0(kind, cases[i].kind) != 0)
            fail_msg("%s: %s, not %s", cases[i].source,
                     kind != NULL ? refusal->message : "accepted",
                     cases[i].kind != NULL ? cases[i].kind : "accepted");
    }
}

TEST(test_refusals__are_those_of_latex)
{
    static const Verdict cases[] = {
        { "a\n\nb", "mode" },
        { "\n\na\n\n", NULL }, /* of the file, not of the formula */
        { "a%\n\nb", "mode" },
        { "a%\n%\nb", NULL },
        { "\\frac{a\n\n}{b}", "mode" },
        { "\\mbox{a\n\nb}", NULL },
        { "\\textbf{a\n\nb}", "mode" },
        { "\\text{a\\par b}", "mode" },
        { "\\mbox{\\textbf{a\\par b}}", NULL },
        { "\\begin{array}{c}a\n\n\\\\\n\n\\hline\\par b\\end{array}", NULL },
        { "\\begin{pmatrix}\\frac{a\n\n}{b}\\end{pmatrix}", NULL },
        { "\\begin{cases}a\n\n\\\\b\\end{cases}", NULL },
        { "\\begin{dcases}a\n\n\\\\b\\end{dcases}", "mode" },
        { "\\begin{aligned}a\n\n\\\\b\\end{aligned}", "mode" },
        { "\\begin{matrix}\\text{a\n\nb}\\end{matrix}", "mode" },
        { "\\begin{matrix}\\mathrm{a\n\nb}\\end{matrix}", "mode" },
        { "\\begin{matrix}a\\end{matrix}\n\nb", "mode" },
        { "a\\par b", "mode" },
        { "\\R", "unknown-command" },
        { "\\argmax_x f", "unknown-command" },
        { "\\newcommand{\\R}{x}\\R", NULL },
        { "\\newcommand { \\x } [ 1 ] { a #1 }\\x b", NULL },
        { "\\newcommand{\\x y}{a}\\x", "macro" },
        { "\\providecommand{ \\x }{a}\\x", "macro" }, /* spaces confuse all but \newcommand */
        { "\\begin{array}{c}{a\\\\b}\\end{array}", "alignment" },
        { "\\begin{matrix}a&\\frac{b\\\\c}{d}\\end{matrix}", "alignment" },
        { "\\begin{aligned}\\text{a\\\\b}\\end{aligned}", "alignment" },
        { "\\begin{array}{c}{a\\newline b}\\end{array}", NULL },
        { "\\begin{array}{c}\\parbox{2cm}{a\\\\b}\\end{array}", NULL },
        { "\\begin{array}{c}\\parbox{2cm}{$\\begin{array}{c}{a\\\\b}\\end{array}$}\\end{array}",
          "alignment" },
        { "\\begin{array}{c}\\shortstack{a\\\\b}{\\substack{a\\\\b}}\\end{array}", NULL },
        { "\\begin{array}{c}a\\end{array}\\sqrt{a\\\\b}", NULL },
        { "\\c c", "mode" },
        { "\\c{z}", "mode" },
        { "\\c E\\c{ab}\\c{}", NULL },
        { "\\text{\\c c}", NULL },
        { "\\LaTeX", "mode" },
        { "\\text{\\TeX, \\LaTeX}", NULL },
        { "\\genfrac{(}{)}{ 0pt }{ }ab", "fraction" },
        { "\\genfrac{ ( }{)}{ 0pt }{ 0 }ab", NULL },
        { "\\genfrac{((}{)}{0pt}{}ab", "delimiter" },
        { "\\genfrac{ }{ }{}{}ab", "delimiter" },
        { "\\begin{multline*}\\shoveright a\\\\ \\shoveleft{b}\\\\c\\end{multline*}", NULL },
        { "\\mathsurround=1pt x", NULL },
        { "\\ref{\\beta}", "missing-argument" },
        { "\\ref{eq:1}\\cite{a,b}", NULL },
        { "\\color{#f80}a", "color" },
        { "\\definecolor{mine}{rgb}{1,0,0}\\color{mine}a", NULL },
        { "\\begin{array}{}a\\end{array}", "columns" },
        { "\\begin{array}{c:c}a&b\\end{array}", "columns" },
        { "\\hskip{1em}a", "length" },
        { "\\hskip1em plus 2fill a", NULL },
        { "\\hspace{\\stretch{1}}a", NULL },
        { "\\rule{1px}{2nd}\\rule{1nc}{3px}", NULL },
        { "\\raisebox{-0.5\\height}{a}\\raisebox{\\depth}[\\totalheight]{b}", NULL },
        { "\\rule{\\height}{1pt}", "length" },
        { "a\\tag{1}\\tag{2}", "mode" },
        { "a\\tag1", "missing-argument" },
        { "\\begin{aligned}a\\tag1\\end{aligned}", "mode" },
        { "\\begin{align}a\\tag1\\\\b\\tag2\\end{align}", NULL },
        { "a\\label{x}b\\label{y}", "mode" },
        { "\\begin{align}a\\label{x}\\\\b\\label{y}\\end{align}", NULL },
        { "\\begin{multline}a\\label{x}\\\\b\\label{y}\\end{multline}", "mode" },
        { "a\\eqno(1)", NULL },
        { "a\\eqno(1)\\eqno(2)", NULL },
        { "\\text{\\[a\\]}", "mode" },
        { "\\text{\\(a\\)}", NULL },
        { "\\uproot{2}a", "mode" },
        { "\\sqrt[\\uproot{2}a]{b}\\root\\leftroot2 3\\of x", NULL },
        { "\\sqrt[a\\uproot{2}]{b}", "mode" },
        { "\\genfrac{(}{}{0pt}{}{a}{b}", "delimiter" },
        { "\\genfrac{(}{.}{0pt}{7}{a}{b}", NULL },
        { "\\genfrac{(}{}{.4pt}{}{a}{b}", NULL }, /* the dot is the other delimiter */
        { "\\mathopen{}\\mathclose\\bgroup\\left(x\\aftergroup\\egroup\\right)", NULL },
        { "\\left(x\\aftergroup\\egroup\\right)", "brace" },
        { "\\genfrac{}{}{0pt}{a}{a}{b}", "fraction" },
        { "\\begin{array}{cc}\\multicolumn{2}{cc}{b}\\end{array}", "columns" },
        { "\\begin{array}{cc}a&b\\\\\\cline{2-3}c&d\\end{array}", "alignment" },
        { "\\begin{alignedat}{a}b\\end{alignedat}", "columns" },
        { "\\begin{aligned}\\multicolumn{2}{c}{b}\\end{aligned}", "alignment" },
        { "\\begin{smallmatrix}a\\end{smallmatrix}\\begin{gather}a\\end{gather}", "environment" },
        { "\\begin{gather*}a\\end{gather*}^T", "environment" },
        { "\\parbox{2cm}{a\n\nb\\par c}", NULL },
        { "\\text{\\parbox{2cm}{a\n\nb}}", "mode" },
        { "\\begin{aligned}a\\\\\\intertext{b}c\\end{aligned}", "alignment" },
        { "\\begin{align}a\\\\\\intertext{b}c\\intertext{d}e\\end{align}", NULL },
        { "\\intertext{b}c", "alignment" },
        { "\\cramped{a}\\crampedllap{b}\\hrulefill", NULL },
        { "a\\leqno{(\\mathrm{i})}", NULL },
        { "{a\\eqno(1)}", "mode" },
        { "$$x$", "mode" },
        { "$$x$$", NULL },
        { "a $b$", "mode" },
        { "\\frac{a\\over b}{c}", "fraction" },
        { "\\binom{c}{a\\over b}", "fraction" },
        { "\\frac{{a\\over b}}{c}\\sqrt{a\\over b}", NULL },
        { "\\bordermatrix{a&b\\cr c&d}", NULL },
        { "\\ooalign{a\\cr b}", NULL },
        { "\\vrule width 1pt height 2pt a", NULL },
        { "x\\begin{align*}a\\end{align*}", "environment" },
        { "\\begin{align*}a\\end{align*}x", "environment" },
        { "\\begin{aligned}\\begin{gather*}a\\end{gather*}\\end{aligned}", "environment" },
        { "\\begin{align*}a\\end{align*}", NULL },
        { "\\bfseries a", "mode" },
        { "\\pmatrix{a&b\\cr c&d}", "unknown-command" },
        { "\\DeclareMathOperator{\\E}{E}\\E", "macro" },
        { "\\begin{bmatrix} [x] \\\\ [y] \\end{bmatrix}", NULL },
        { "\\sum_{\\substack e}", NULL },
    };
    static const Verdict with_packages[] = {
        { "\\pdv{f}{x}", NULL },   { "\\ce{H2O}", NULL },        { "\\num{3}", NULL },
        { "\\llbracket a", NULL }, { "\\R", "unknown-command" },
    };
    static const Verdict without[] = {
        { "\\pdv{f}{x}", "unknown-command" },
        { "\\ce{H2O}", "unknown-command" },
        { "\\num{3}", "unknown-command" },
        { "\\llbracket a", "unknown-command" },
        { "\\newcommand{\\abs}[1]{|#1|}\\abs{x}", NULL },
    };
    static const Verdict katex[] = {
        { "\\R", NULL },     { "\\color{#f80}a", NULL }, { "\\kern{1em}a", NULL },
        { "\\LaTeX", NULL }, { "a\n\nb", "mode" },
    };

    check_verdicts(cases, G_N_ELEMENTS(cases), 0);
    check_verdicts(with_packages, G_N_ELEMENTS(with_packages), TG_PACKAGES_PRESET);
    check_verdicts(without, G_N_ELEMENTS(without), 0);
    check_verdicts(katex, G_N_ELEMENTS(katex), 1u << TG_PACKAGE_KATEX);
}

TEST(test_packages__are_named)
{
    GError *error = NULL;
    TgPackages packages = 0;

    assert_true(tg_packages_parse(TG_PACKAGES_PRESET_TEXT, &packages, &error));
    assert_int_equal(packages, TG_PACKAGES_PRESET);
    assert_true(tg_packages_parse("none", &packages, &error));
    assert_int_equal(packages, 0);
    assert_true(tg_packages_parse("katex+braket", &packages, &error));
    assert_int_equal(packages, 1u << TG_PACKAGE_KATEX | 1u << TG_PACKAGE_BRAKET);
    assert_false(tg_packages_parse("physics+nothing", &packages, &error));
    assert_true(g_error_matches(error, TG_ERROR, TG_ERROR_USAGE));
    g_clear_error(&error);
}

static void check_canonical(const Pair *pairs, guint n)
{
    for (guint i = 0; i < n; i++) {
        g_autofree char *a = canonical_of(pairs[i].a), *b = canonical_of(pairs[i].b);
        if (strcmp(a, b) != 0)
            fail_msg("%s and %s\n  %s\n  %s", pairs[i].a, pairs[i].b, a, b);
    }
}

TEST(test_physics__is_read_as_the_package_prints_it)
{
    static const Pair alike[] = {
        { "\\dv{f}{x}", "\\frac{\\mathrm{d}f}{\\mathrm{d}x}" },
        { "\\dv[2]{f}{x}", "\\frac{\\mathrm{d}^{2}f}{\\mathrm{d}x^{2}}" },
        { "\\dv{x}f", "\\frac{\\mathrm{d}}{\\mathrm{d}x}f" },
        { "\\dv[n]{x}", "\\frac{\\mathrm{d}^{n}}{\\mathrm{d}x^{n}}" },
        { "\\dv{x}(f)",
          "\\frac{\\mathrm{d}}{\\mathrm{d}x}\\mathopen{}\\mathclose{\\left(f\\right)}" },
        { "\\pdv{f}{x}{y}", "\\frac{\\partial^{2}f}{\\partial x\\partial y}" },
        { "\\pdv[3]{u}{t}", "\\frac{\\partial^{3}u}{\\partial t^{3}}" },
        { "\\fdv{F}{g}", "\\frac{\\delta F}{\\delta g}" },
        { "\\dd", "\\mathrm{d}" },
        { "\\dd x", "\\mathrm{d}x" },
        { "\\dd[3]{x}", "\\mathinner{\\mathrm{d}^{3}x}" },
        { "\\qty(\\frac ab)", "\\left(\\frac ab\\right)" },
        { "\\qty(a(b)c)d", "\\left(a(b)c\\right)d" },
        { "\\qty[a]", "\\left[a\\right]" },
        { "\\qty|a|", "\\left|a\\right|" },
        { "\\qty{a}", "\\left\\{a\\right\\}" },
        { "\\eval{w}_1", "\\left.w\\vphantom{\\int}\\right|_1" },
        { "\\mqty(a&b\\\\c&d)", "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}" },
        { "\\mqty{a&b}", "\\begin{matrix}a&b\\end{matrix}" },
        { "\\braket{a}{b}", "\\left\\langle a\\middle|b\\right\\rangle" },
        { "\\braket{a}", "\\left\\langle a\\middle|a\\right\\rangle" },
        { "\\braket{a|b}", "\\mathinner{\\langle{a|b}\\rangle}" },
        { "\\bra{a}\\ket{b}", "\\left\\langle a\\middle|b\\right\\rangle" },
        { "\\bra{a} x", "\\mathinner{\\langle{a}|}x" },
        { "\\ev{A}", "\\left\\langle A\\right\\rangle" },
        { "\\vb*{a}", "\\boldsymbol{a}" },
        { "\\vb{a}", "\\mathbf{a}" },
    };

    check_canonical(alike, G_N_ELEMENTS(alike));
}

/* Definitions, conditions and lengths that a formula brings along. */
TEST(test_definitions__are_obeyed)
{
    static const Pair alike[] = {
        { "\\newenvironment{foo}{(}{)}\\begin{foo}x\\end{foo}", "(x)" },
        { "\\newenvironment{foo}[1]{(#1}{)}\\begin{foo}{y}x\\end{foo}", "(yx)" },
        { "\\newenvironment{foo}[1][z]{(#1}{)}\\begin{foo}x\\end{foo}", "(zx)" },
        { "\\newenvironment{foo}{\\begin{matrix}}{\\end{matrix}}\\begin{foo}a&b\\end{foo}",
          "\\begin{matrix}a&b\\end{matrix}" },
        { "\\DeclarePairedDelimiter{\\abs}{|}{|}\\abs{x}", "\\mathopen{|}x\\mathclose{|}" },
        { "\\DeclarePairedDelimiter\\abs||\\abs[\\big]{x}",
          "\\mathopen{\\big|}x\\mathclose{\\big|}" },
        { "\\DeclarePairedDelimiter{\\abs}{|}{|}\\abs*{x}",
          "\\mathopen{}\\mathclose{\\left|x\\right|}" },
        { "\\NewDocumentCommand{\\ip}{m m}{\\langle #1,#2\\rangle}\\ip{a}b",
          "\\langle a,b\\rangle" },
        { "\\DeclareDocumentCommand\\n{s O{2}+m o}{\\IfBooleanTF{#1}{a}{b}^{#2}#3"
          "\\IfNoValueTF{#4}{c}{d}\\IfValueT{#4}{#4}}\\n{x}\\n*[3]{y}[{z}]",
          "b^{2}xca^{3}yd{z}" },
        { "\\NewDocumentCommand\\n{O{#2} m}{#1_#2}\\n{a}\\n[b]a", "a_ab_a" },
        { "\\NewDocumentEnvironment{e}{m}{#1+}{+#1}\\begin{e}{a}b\\end{e}",
          "\\begingroup a+b+a\\endgroup" },
        { "{\\gdef\\x{a}\\def\\x{b}}\\x{\\global\\def\\x{c}}\\x", "{}a{}c" },
        { "\\ifnum1<2 a\\else b\\fi", "a" },
        { "\\ifnum 12=012 a\\else b\\fi", "a" },
        { "\\ifnum-1>0 a\\else b\\fi", "b" },
        { "\\ifnum`a<98 a\\fi", "a" },
        { "\\ifodd3 a\\else\\ifnum1<2 b\\fi\\fi", "a" },
        { "\\ifodd4 a\\else\\ifnum1<2 b\\fi\\fi", "b" },
        { "\\iffalse\\ifnum1<2 a\\fi\\fi b", "b" },
        { "a\\kern\\dimexpr 1pt+2pt-1pt\\relax b", "a\\kern2pt b" },
        { "x^^41y", "xAy" },
        { "x^^5e2", "x^2" },
        { "\\mathbf{x\\boldsymbol{y}}", "\\mathbf{xy}" },
        { "\\mathbb{\\boldsymbol{C}}", "\\mathbb{C}" },
        { "\\begin{matrix}a\\newline b\\end{matrix}", "\\begin{matrix}ab\\end{matrix}" },
    };

    check_canonical(alike, G_N_ELEMENTS(alike));
}

TEST(test_siunitx__is_read_as_the_package_prints_it)
{
    static const Pair alike[] = {
        { "\\num{9 \\pm 5}", "9(5)" },
        { "\\num{1.2 +- 0.3}", "1.2(3)" },
        { "\\num{1.23 \\pm 0.4}", "1.23(40)" },
        { "\\num{1.2 \\pm 0.34}", "1.20(34)" },
        { "\\num{12 \\pm 3.5}", "12.0(35)" },
        { "\\num{0.05 \\pm 0.01}", "0.05(1)" },
        { "\\num{1.2 \\pm 0.3 e5}", "1.2(3)\\times10^{5}" },
        { "\\num{\\pm 5}", "\\pm5" },
        { "\\SI{3}{\\meter}", "3\\,\\mathrm{m}" },
        { "\\qty{3}{\\kg}", "3\\,\\mathrm{kg}" },
        { "\\si{\\kilo\\meter}", "\\mathrm{km}" },
        { "\\unit{\\m\\per\\s}", "\\mathrm{m\\,s^{-1}}" },
        { "\\unit{\\milli\\volt\\squared}", "\\mathrm{mV^{2}}" },
        { "\\unit{\\kg\\per\\second\\cubed}", "\\mathrm{kg\\,s^{-3}}" },
        { "\\unit{\\square\\meter}", "\\mathrm{m^{2}}" },
        { "\\unit{\\metre\\tothe{4}}", "\\mathrm{m^{4}}" },
        { "\\si{m.s^{-1}}", "\\mathrm{m\\,s^{-1}}" },
        { "\\num{1e-3}", "1\\times10^{-3}" },
        { "\\num{-1.5e10}", "-1.5\\times10^{10}" },
        { "\\num{12345,67891}", "12\\,345.678\\,91" },
        { "\\num{1234.5}", "1234.5" },
        { "\\num{.5}", "0.5" },
        { "\\num{1.23(4)}", "1.23(4)" },
        { "\\ang{30}", "30^{\\circ}" },
        { "\\qty{30}{\\degree}", "30\\mathrm{^{\\circ}}" },
        { "\\numproduct{-2 x 3}", "-2\\times {}3" },
        { "\\qtyproduct{2 x 3}{\\metre}", "2\\,\\mathrm{m}\\times {}3\\,\\mathrm{m}" },
        { "\\unit{\\per\\raiseto{4}\\metre}", "\\mathrm{m^{-4}}" },
        { "\\unit{\\pebi\\byte\\uF}", "\\mathrm{PiB\\,\\upmu F}" },
        { "\\ce{A\\bond{1}B\\bond{#}C}", "\\ce{A-B#C}" },
        { "\\ce{A\\bond{->}B}", "\\mathrm{A}{\\rightarrow}\\mathrm{B}" },
        { "\\numrange{1}{5}", "1\\text{ to }5" },
        { "\\si[per-mode=symbol]{\\m\\per\\s}", "\\mathrm{m/s}" },
        { "\\si[per-mode = symbol]{\\per\\s}", "\\mathrm{1/s}" },
        { "\\si[per-mode=symbol]{\\J\\per\\mol\\per\\K}", "\\mathrm{J/(mol\\,K)}" },
        { "\\si[per-mode=symbol]{\\m\\per\\square\\s}", "\\mathrm{m/s^2}" },
        { "\\si[per-mode=symbol]{\\J\\per\\kg\\m}", "\\mathrm{J\\,m/kg}" },
        { "\\si[per-mode=symbol]{\\J\\per\\kilo\\gram}", "\\mathrm{J/kg}" },
        { "\\si[per-mode=fraction]{\\m\\per\\s}", "\\frac{\\mathrm{m}}{\\mathrm{s}}" },
        { "\\SI[per-mode=fraction]{3}{\\m\\per\\s}", "3\\,\\frac{\\mathrm{m}}{\\mathrm{s}}" },
        { "\\qty[per-mode=symbol]{3}{\\m\\per\\s}", "3\\,\\mathrm{m/s}" },
        { "\\SI[per-mode=reciprocal]{3}{\\per\\s}", "3\\,\\mathrm{s^{-1}}" },
        { "\\qtyrange{1}{2}{\\m}", "1\\,\\mathrm{m}\\text{ to }2\\,\\mathrm{m}" },
    };
    static const Verdict cases[] = {
        { "\\unit{\\foo}", "unknown-command" }, /* never read wrongly in silence */
        { "\\num{abc}", "length" },
        { "\\num{1e}", "length" },
        { "\\numlist{a;b;c;d;e;f;g;h;i;j;k}", "length" }, /* more than a macro has parameters */
        { "\\qty(a", "missing-argument" },
        { "\\SI[per-mode=fraction]{3}{\\m}", NULL },
        { "\\num[mode = text, group-digits=false]{12345}", NULL },
        { "\\num[output-decimal-marker={,}]{1.5}", "unknown-command" },
        { "\\num[round-mode=places, round-precision=1]{1.26}", "unknown-command" },
        { "\\num[exponent-product=\\cdot]{1e3}", "unknown-command" },
        { "\\SI[per-mode=repeated-symbol]{3}{\\m\\per\\s}", "unknown-command" },
        { "\\qtyrange[range-phrase=--]{1}{2}{\\m}", "unknown-command" },
    };

    check_canonical(alike, G_N_ELEMENTS(alike));
    check_verdicts(cases, G_N_ELEMENTS(cases), TG_PACKAGES_PRESET);
}
