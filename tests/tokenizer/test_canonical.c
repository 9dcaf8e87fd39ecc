/* The canonical form: what comes out equal, what stays apart, and each rule by itself. */
#include "tests/support/test_support.h"

#include "tests/support/tree_sketch.h"
#include "tokenizer/canonical/canonical.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/symbols/symbols.h"

static char *canonical(const char *source, const char *spec)
{
    g_autoptr(GError) error = NULL;
    TgCanonicalRules rules;

    assert_true(tg_canonical_parse_rules(spec, &rules, &error));
    char *latex = tg_canonical_latex(source, strlen(source), NULL, rules, &error);
    tg_assert_no_error(error);
    return latex;
}

TEST(test_canonical__ways_of_writing)
{
    static const char *const cases[][2] = {
        /* what writing itself settles: braces, order of scripts, spaces, macros, comments */
        { "x ^ 2 _ i", "x_{i}^{2}" },
        { "\\frac12 % half", "\\frac{1}{2}" },
        { "\\alpha x", "\\alpha x" },
        { "x+\\cdots", "x+\\cdots" },
        { "\\frac{x\\cdots\\relax}{y}", "\\frac{x\\cdots}{y}" },
        { "\\begin{matrix}\\cdots\\relax&x\\end{matrix}",
          "\\begin{matrix}\\cdots\\relax&x\\end{matrix}" },
        { "\\reflectbox{\\mbox{R}}\\scalebox{1.0}{$x$}", "\\scalebox{-1}[1]{\\mbox{R}}x" },
        { "\\begin{cases*}a&if $b$\\\\c&or\\end{cases*}",
          "\\begin{cases*}a&if $b$\\\\c&or\\end{cases*}" },
        { "\\def\\a#1{#1^2}\\a x", "x^{2}" },
        { "\\char\"1D538 \\char`b c\\penalty'17 d", "\\mathbb{A}bcd" },
        { "\\newcommand\\n{65}\\char\\n\\ifnum\"A=10 a\\else b\\fi", "Aa" },
        { "a\\dag b", "a{\\dagger}b" },
        { "A^\\ddag", "A^{\\ddagger}" },
        { "x\\stackrel{a}{=}y", "x\\overset{a}{=}y" },
        { "a{\\color{red}x}^2", "a\\textcolor[HTML]{FF0000}{x}^{2}" },
        { "a{\\color{red}x\\color{blue}y}", "a\\textcolor[HTML]{FF0000}{x\\color[HTML]{0000FF}y}" },
        { "a\\quad\\quad b", "a\\qquad b" },
        { "a\\quad\\qquad\\quad\\quad b", "a\\qquad\\qquad\\quad b" },
        { "\\sum_{\\begin{subarray}{c}a\\\\b\\end{subarray}}x", "\\sum_{\\substack{a\\\\b}}x" },
        { "a\\begin{array}{@{}cc@{}}a&b\\\\c\\end{array}",
          "a\\begin{matrix}a&b\\\\c\\end{matrix}" },
        { "\\cfrac[l]{1}{222}", "\\cfrac{1\\hfill}{222}" },
        { "\\cfrac[r]{1}{222}", "\\cfrac{\\hfill1}{222}" },
        { "\\oldstylenums{12}", "\\mathnormal{12}" },
        { "\\operatorname{sin} x", "\\sin x" },
        { "\\operatorname {rank} _x", "\\operatorname{rank}_{x}" },
        { "\\operatorname* {rank} _x", "\\operatorname*{rank}_{x}" },
        { "{\\bf a}\\mathbf{b}", "\\mathbf{ab}" },
        { "{\\rm d}x\\mathrm{d}", "\\mathrm{d}x\\mathrm{d}" },
        { "\\mathbf{a+1}", "\\mathbf{a}+\\mathbf{1}" },
        { "\316\261\342\211\244\302\275", "\\alpha\\leq\\frac{1}{2}" },
        { "a\\thinspace\\hspace{1em}b", "a\\,\\quad b" },
        { "\\ce{H2O}", "\\mathrm{H}_{2}\\mathrm{O}" },
        { "$x$", "x" },
        /* rules */
        { "a\\le b\\not=c\\|", "a\\leq b\\neq c\\Vert" },
        { "\\lbrack x\\rbrack\\vert", "[x]|" },
        { "{a \\over b}", "\\frac{a}{b}" },
        { "n\\choose k", "\\binom{n}{k}" },
        { "a\\atop b", "\\genfrac{}{}{0pt}{}{a}{b}" },
        { "{x}{{y}}{ab}\\sqrt{{z}}", "xyab\\sqrt{z}" },
        { "f^{\\prime\\prime}", "f''" },
        { "\\sum\\limits_i\\int\\nolimits_j", "\\sum_{i}\\int_{j}" },
        { "\\iint\\nolimits_D", "\\iint_{D}" },
        { "\\textstyle\\sum\\nolimits_i", "\\textstyle\\sum_{i}" },
        { "\\mathbf{a\\begin{matrix}b&\\rm c&d\\end{matrix}e}",
          "\\mathbf{a}\\begin{matrix}b&\\mathrm{c}&d\\end{matrix}\\mathbf{e}" },
        { "\\begin{array}{lp{2cm}}a_1& be $x^2$ \\end{array}",
          "\\begin{array}{cp{0pt}}a_{1}&be $x^{2}$\\end{array}" },
        { "\\mathop{x}\\limits_i\\underbrace{y}\\limits_j", "\\mathop{x}_{i}\\underbrace{y}_{j}" },
        { "{x^2}y", "x^{2}y" },
        { "{\\text{a}}^2{\\frac12}_n{\\sqrt a}^2",
          "\\mathrm{a}^{2}\\frac{1}{2}_{n}{\\sqrt{a}}^{2}" },
        { "\\displaystyle\\dfrac12", "\\frac{1}{2}" },
        { "\\left(\\begin{matrix}a\\end{matrix}\\right)", "\\begin{pmatrix}a\\end{pmatrix}" },
        { "\\text{a {b}~c\\ d}", "\\text{a b c d}" },
        { "c\314\247o\314\213", "{c}\314\247{o}\314\213" },      /* \c{c} is text there */
        { "\303\247\341\272\277", "\303\247\\acute{\\hat{e}}" }, /* no accent of mathematics; two */
        { "\\text{\303\247\341\272\277\304\205}", "\\text{\\c{c}\341\272\277\304\205}" },
        { "\\verb|a   b|", "\\texttt{a \\ \\ b}" }, /* TeX skips blanks after a control space */
        { "\\ce{\\quad2}", "{}_{2}" },
        { "\\text{a\\boldmath$x$ b}", "\\text{a\\boldmath$x$\\unboldmath\\ b}" },
        { "\\text{a${}$b}", "\\mathrm{ab}" },
        { "\\begin{pmatrix}[x]a\\end{pmatrix}", "\\begin{pmatrix}[x]a\\end{pmatrix}" },
        { "x\\tag{1}\\label{e}", "x" },
        /* what does not show */
        { "a\\kern0pt b\\hspace{0pt}c\\phantom{}d\\vphantom{\\sum}e\\rule{0pt}{2em}f", "abcdef" },
        { "\\,\\phantom{y}x\\quad\\\\", "x" },
        { "\\color{black}a\\textcolor{black}{b}", "ab" },
        { "\\color{red}a\\color{black}b", "\\color[HTML]{FF0000}a\\color[HTML]{000000}b" },
        { "a\\mathbin{+}b\\mathrel{=}c\\mathpunct{,}", "a+b=c," },
        { "x\\mathchoice{a}{b}{c}{d}^{\\mathchoice{a}{b}{c}{d}}", "xa^{c}" },
        { "\\begin{aligned}a=b\\end{aligned}", "a=b" },
        { "{\\begin{gather*}a\\end{gather*}}", "a" },
        { "\\begin{array}{@{}c@{}}\\displaystyle a\\end{array}", "a" },
        { "\\begin{pmatrix}1&2\\\\3&\\\\\\end{pmatrix}", "\\begin{pmatrix}1&2\\\\3\\end{pmatrix}" },
        { "\\smash{a}b", "ab" },
        /* words */
        { "A_{\\max}\\text{sin}\\textit{x}", "A_{\\mathrm{max}}\\mathrm{sin}\\mathit{x}" },
        { "\\mathop{\\rm cos}\\nolimits x", "\\cos x" },
        { "v_{\\operatorname{e}}", "v_{\\mathrm{e}}" },
        { "{a+b}c-{(x)}", "a+bc-(x)" },
        { "f{\\textstyle}(x)+{}y", "f(x)+y" },
        { "90{}^\\circ", "90^{\\circ}" },
        { "x_{i{+}1,...,n}", "x_{i+1,\\ldots,n}" },
        { "\\left(a_i+\\left[b\\right]\\right)", "(a_{i}+[b])" },
        { "\\left<a\\right>", "\\langle a\\rangle" },
        { "\\left(\\begin{array}{cc}a&b\\end{array}\\right)", "\\begin{pmatrix}a&b\\end{pmatrix}" },
        { "\\begin{pmatrix}a&&\\\\&b&c\\end{pmatrix}", "\\begin{pmatrix}a\\\\&b&c\\end{pmatrix}" },
        { "\\mbox{$x$}+\\mbox{\\boldmath$y$}", "x+\\boldsymbol{y}" },
        { "\\operatorname{det}A+\\operatorname{det}_xA", "\\det A+\\operatorname{det}_{x}A" },
        { "a+\\raisebox{0pt}{x}", "a+\\mathrm{x}" },
        { "a\\raisebox{2\\height}{x}", "a\\raisebox{2\\height}{x}" },
        { "\\operatorname{arg-max}", "\\operatorname{arg-max}" },
        { "\\text{50\\%}+\\text{\345\275\223}x\\text{\\$}", "50\\%+\345\275\223x\\$" },
        { "\\boldsymbol{1}^2\\bm{\\mathrm{12}}", "\\mathbf{1}^{2}\\mathbf{12}" },
        /* other classes with the same spaces */
        { "a=\\lvert b\\rvert^2+\\lVert c\\rVert_1", "a=|b|^{2}+\\Vert c\\Vert_{1}" },
        { "\\left\\lvert\\frac12\\right\\rvert\\big\\lVert",
          "\\left|\\frac{1}{2}\\right|\\big\\Vert" },
        { "a+{\\left(\\frac12\\right)}^2=b", "a+\\left(\\frac{1}{2}\\right)^{2}=b" },
        { "x_{a{\\left(\\frac12\\right)}b}", "x_{a\\left(\\frac{1}{2}\\right)b}" },
        { "\\left(a\\right)^2", "{(a)}^{2}" },
        /* empty scripts */
        { "x_{}y^{}{ab}_{}^{}{}_{}\\sum_i^{\\kern0pt}z", "xyab\\sum_{i}z" },
        { "\\xrightarrow[]{a}", "\\xrightarrow{a}" },
        { "{\\textstyle\\frac12}+\\sqrt{\\textstyle{}\\binom12}",
          "\\tfrac{1}{2}+\\sqrt{\\tbinom{1}{2}}" },
        { "\\begin{split}a&=b\\\\&=c\\end{split}", "\\begin{aligned}a&=b\\\\&=c\\end{aligned}" },
        { "\\text{!`a! \\texttt{?`}}", "\\text{\xC2\xA1"
                                       "a! \\ttfamily?`}" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        tg_assert_text(canonical(cases[i][0], ""), cases[i][1]);
}

/* Braces that matter, spaces and sizes that show. */
TEST(test_canonical__what_draws_differently_stays_apart)
{
    static const char *const same[] = {
        "\\log{a=}b",
        "0{,}5",
        "a{=}b",
        "{ab}^{2}",
        "\\sin{(x)}",
        "{(a)}^{2}", /* as high as an atom that is no character */
        "\\left(a^{2}\\right)",
        "\\left(\\frac{a}{b}\\right)",
        "\\left|-a\\right|",
        "\\lvert-a|", /* the minus is binary after | */
        "\\sin\\lvert a|",
        "a=\\rvert b",
        "a{\\left(\\frac{1}{2}\\right)}b",
        "-{\\left(\\frac{1}{2}\\right)}=b", /* the minus is an Ord here */
        "x_{i}^{}",
        "\\sqrt{x_{}}",
        "\\textbf{\\%}",
        "\\left(\\surd\\right)",
        "\\begin{array}{|c|c|}a&\\\\b&c\\end{array}",
        "\\frac{\\vphantom{\\sum}a}{b}", /* heights show in parts */
        "\\sqrt{\\smash{a}}",
        "{\\vphantom{\\sum}a}^{2}",
        "{\\strut a}^{2}",
        "x\\stackrel{a}{b}y",
        "a\\dagger b",
        "\\begin{subarray}{l}a\\\\b\\end{subarray}",
        "\\begin{array}{@{}cc@{}}a\\\\b\\end{array}", /* the second column has its space */
        "\\begin{array}{@{}c@{,}}a\\\\b\\end{array}",
        "\\cfrac{1}{222}",
        "+\\vphantom{a}b",
        "\\text{f{}i}", /* no ligature */
        "\\mathord{=}",
        "\\begin{array}{c}\\sum\\end{array}", /* text style */
        "\\begin{pmatrix}a\\end{pmatrix}",
        "a\\,b",
        "{}+x",
        "\\tfrac{1}{2}",
        "\\mathbf{x}",
        "\\mathrm{x}",
        "\\bigl(a\\bigr)",
        "\\text{a b}",
        "x{}_{2}",
        "\\int\\limits_{a}",
        "\\iint\\limits_{D}",
        "\\textstyle\\sum\\limits_{i}",
        "\\boxed{\\textstyle\\sum\\limits_{i}}",
        "\\textstyle\\boxed{\\textstyle\\sum}",
        "{+^{2}}x", /* the + is binary without its braces */
        "{+^{2}}_{3}x",
        "a^{\\xrightarrow{x}}",
        "a_{\\xrightarrow[x]{}}",
        "\\hat{\\mathbf{x}}",
        "\\mathbf{\\hat{x}}",
        "\\pmatrix{a\\\\b}",
        "\\begin{array}{c}[a]\\\\\\relax [b]\\end{array}",
        "\\sqrt[3]{x}",
        "\\color[HTML]{FF0000}x",
        "a\\\\b",
        "\\cdots\\,)",
    };

    for (guint i = 0; i < G_N_ELEMENTS(same); i++)
        tg_assert_text(canonical(same[i], ""), same[i]);
}

/* Each rule switched off, and those that are off by default switched on. */
TEST(test_canonical__rules_switch)
{
    static const struct {
        const char *spec, *source, *wanted;
    } cases[] = {
        { "-symbols", "a\\le b", "a\\le b" },
        { "-infix", "a\\over b", "a\\over b" },
        { "-groups", "{x}\\frac{{a}}{b}", "{x}\\frac{{a}}{b}" },
        { "-primes", "f^{\\prime}", "f^{\\prime}" },
        { "-limits", "\\sum\\limits_i", "\\sum\\limits_{i}" },
        { "-styles", "\\displaystyle\\dfrac12", "\\displaystyle\\dfrac{1}{2}" },
        { "-fences", "\\left(\\begin{matrix}a\\end{matrix}\\right)",
          "\\left(\\begin{matrix}a\\end{matrix}\\right)" },
        { "-text", "\\text{a {b}~c}", "\\text{a {b}~c}" },
        { "-tags", "x\\tag*{1}", "x\\tag*{1}" },
        { "+spaces", "a\\,b~c\\quad\\text{d e}", "abc\\text{d e}" },
        { "+delimiters", "\\left(a\\right.\\bigl<b", "(a\\langle b" },
        { "+colors", "\\color{red}a\\textcolor{blue}{b}", "ab" },
        { "none", "{a\\over b}\\le{x}", "{a\\over b}\\le{x}" },
        { "none,+symbols", "{x}\\le", "{x}\\leq" },
        { "all,-spaces", "\\bigl(\\,x", "(\\,x" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        tg_assert_text(canonical(cases[i].source, cases[i].spec), cases[i].wanted);
}

TEST(test_canonical__unknown_rules_are_refused)
{
    TgCanonicalRules rules;

    tg_assert_fails(tg_canonical_parse_rules("+foo", &rules, &error), TG_ERROR_USAGE, "'+foo'");
    tg_assert_fails(tg_canonical_parse_rules("symbols", &rules, &error), TG_ERROR_USAGE,
                    "'symbols'");
}

/* The result is its own canonical form and reads as the canonical tree. */
TEST(test_canonical__is_settled_at_once)
{
    static const char *const sources[] = {
        "\\int_0^\\infty e^{-x^2}\\,dx={\\sqrt\\pi\\over2}",
        "\\begin{array}[t]{|l@{,}c|}a&\\multicolumn{1}{r}{b}\\\\[2pt]\\cline{1-2}c\\\\\\end{array}",
        "\\left\\{\\begin{aligned}a&=b\\\\&\\le c\\end{aligned}\\right.",
        "\\mbox{\\boldmath$x$ and \\textit{y} \\'e \\small z}",
        "A\\xrightarrow[x]{y}B\\stackrel{d}{=}\\overset{a}{b}\\underbrace{c}_{d}",
        "{\\cal A}_\\mu{}^\\nu\\hat{\\bar x}'^2\\bmod n\\pmod{m}",
        "\\mathchoice abcd\\genfrac[]{1pt}2xy\\cfrac12\\root 3\\of4",
        "\\raisebox{1.3pt}{a}\\rule[1pt]{2em}{3ex}\\phantom{x}\\smash[b]y\\rlap{z}\\mathllap w",
        "\\smashoperator[r]{\\sum_a}\\cancelto{0}{x}\\vcenter{\\hbox{a}}\\overbracket{x}",
        "\\scalebox{2}{a}\\scalebox{.3}[-1]{b}\\reflectbox{c}\\rotatebox[origin=tr]{-30}{$d$}",
        "\\parbox{2cm}{a b}\\hbox to 1cm{a}",
        "\\hbox to 2em{\\dotfill}\\begin{array}{c}\\hrulefill\\\\abc\\end{array}\\text{f\\/i}",
        "\\sideset{_a}{^b}\\sum_c\\prescript{1}{2}{X}\\substack{a\\\\b}\\shortstack[l]{a\\\\b}",
        "\\kern-.3em\\mskip 3mu\\hfill\\nonscript\\,\\vspace{1cm}",
        "Let $x$ be $$y$$",
        "\\begin{matrix}{a\\\\b}&{{c\\\\}}\\end{matrix}",
        "\\fboxsep=0pt\\boxed{a}\\fboxrule2pt\\fbox{b}\\framebox[2cm][l]{c}",
        "\\hbox to 1cm{\\hss a}\\hbox to 1cm{\\hfil a\\hfil}",
        "\\arraycolsep=1pt\\begin{array}{cp{1cm}}a&b\\end{array}",
        "\\begin{align*}\\Aboxed{u&=a}\\\\b&=c\\end{align*}",
        "{\\color{blue}{\\bf \\overset{=}{\\sin}}}+b",
        "{\\color{blue}\\text{}}\\alpha",
        "a{\\color{red}\\operatorname{foo}}b",
        "a_{{\\color{red}{+}}}b+a_{\\displaystyle{+}c\\scriptstyle d}",
        "\\mbox{}\\ ",
        "\\kern-.2em{\\bf\\;}",
        "\\,\\operatorname{a}\\,",
        "a_{\\not{=}}b\\not{}=c\\quad{}\\quad d",
        "\\sqrt[\\color{blue}-]{x}\\buildrel{\\color{red}a}\\over b",
        "{{\\\\a~\\over b}}\\buildrel a\\\\b\\over c",
        "\\text{a \\text{\\textbf{b}} c}\\ce{{\\bf\\text{d $e$}}}",
        "\\operatorname{a\\boldsymbol{{}}}+\\mathrm{\\boldsymbol{{a}}}",
        "\\mathit{dif{}f}\\mathrm{f{}i}+\\mathrm{ef{}j}",
        "x\\\\ *y",
        "a\\\\**",
        "\\mbox{a\\\\{}[2pt]}",
        "\\begin{aligned}[a]\\\\[2pt]*b\\end{aligned}",
        "{\\color{red}\\vphantom{x} C~\\ }_r\\textcolor{red}{\\vphantom{x}y}_z",
        "\\quad\\begin{aligned}a\\end{aligned}",
        "\\begin{gather*}a\\\\b\\end{gather*}\\tag{1}",
        "\\begin{matrix}{\\bf \\displaystyle +}\\end{matrix}",
        "\\text{a{b-}{-}b{`}{`}c!{`}d{f}i f{l}}",
        "\\newcommand\\y{-}\\text{a\\y-}",
        "\\genfrac{}{)}{.1pt}{1}{a}{b}",
        "\\parbox{2cm}{apg\\\\b}\\parbox[t]{2cm}{apg\\\\b}",
        "\\cramped{x^2}\\cramped{}",
        "\\operatorname{\\mathchoice{-}{a}{b}{c}+\\frac-2}",
        "{\\ce{\\sqrt{a}\\atop{x} + 2}}",
        "\\mbox{a \\overline{\\text{b $c$ d}}}",
        "\\begin{pmatrix}a\\end{pmatrix} and $b$",
        "\\[ a\\ \\]\\bf",
        "\\ce{}$$a$$",
        "\\xrightarrow[\\color{red}a]{b}",
        "{_{}}_{}a\\smash{b_{}}c\\left|d_{}\\right|\\quad^{}\\rVert",
        "\\{}\\lvert+\\lvert=\\rvert-\\rvert",
    };

    for (guint i = 0; i < G_N_ELEMENTS(sources); i++) {
        g_autofree char *once = canonical(sources[i], "");
        g_autofree char *twice = canonical(once, "");
        g_autoptr(TgTree) settled = tg_tree_parse(sources[i], strlen(sources[i]), NULL, NULL);
        tg_tree_make_canonical(settled, tg_canonical_preset());
        g_autoptr(TgTree) again = tg_tree_parse(once, strlen(once), NULL, NULL);
        g_autofree char *wanted = tree_sketch(settled), *actual = tree_sketch(again);

        assert_string_equal(once, twice);
        assert_string_equal(actual, wanted);
    }
}

/* Tokens and their ids are those of the tree that it was made from. */
TEST(test_canonical__keeps_tokens)
{
    g_autoptr(TgTree) settled = tg_tree_parse("{a\\over b}", 10, NULL, NULL);
    tg_tree_make_canonical(settled, tg_canonical_preset());
    const TgNode *fraction = settled->root->u.list.first;

    assert_int_equal(settled->n_tokens, 3);
    assert_int_equal(fraction->kind, TG_NODE_FRACTION);
    assert_int_equal(fraction->token, 1);
    assert_int_equal(fraction->u.fraction.num->u.list.first->token, 0);
}

static gboolean draw_alike(const TgSymbol *a, const TgSymbol *b)
{
    if (a->kind != b->kind || a->kind == TG_SYMBOL_DRAWN || a->kind == TG_SYMBOL_ACCENT ||
        a->kind == TG_SYMBOL_OPERATOR)
        return FALSE;
    if (a->kind == TG_SYMBOL_COMPOSITE)
        return strcmp(a->latex, b->latex) == 0 && a->math_class == b->math_class;
    return a->family == b->family && a->slot == b->slot && a->math_class == b->math_class &&
           a->flags == b->flags && a->large_family == b->large_family &&
           a->large_slot == b->large_slot;
}

/* Commands that the symbol table draws alike have one canonical symbol. */
TEST(test_canonical__knows_all_synonyms)
{
    guint n;
    const TgSymbol *symbols = tg_symbol_list(&n);

    for (guint i = 0; i < n; i++) {
        for (guint k = i + 1; k < n; k++) {
            if (strcmp(symbols[i].name, "poundslot") == 0 ||
                strcmp(symbols[k].name, "poundslot") == 0) /* a piece of \pounds */
                continue;
            if (draw_alike(&symbols[i], &symbols[k]) &&
                tg_symbol_canonical(&symbols[i]) != tg_symbol_canonical(&symbols[k]))
                fail_msg("\\%s and \\%s draw alike", symbols[i].name, symbols[k].name);
        }
    }
}
