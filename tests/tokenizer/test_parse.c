/* The formula tree of well-formed input, shown as sketches (tests/support/tree_sketch.h). */
#include "tests/support/test_support.h"

#include "tests/support/tree_sketch.h"
#include "tokenizer/latex/parse.h"

#define CHECK(cases) tree_sketch_check(cases, G_N_ELEMENTS(cases))

TEST(test_parse__scripts_and_primes)
{
    static const SketchCase cases[] = {
        { "x^2_\\alpha", "(scripts nucleus[x] sub[alpha] sup[2])" },
        { "x_{a b}", "(scripts nucleus[x] sub[a b])" },
        { "^2", "(scripts sup[2])" },
        { "{}^2", "(scripts nucleus[] sup[2])" },
        { "\\,^2", "(space 3mu) (scripts sup[2])" },
        { "f'", "(scripts primes 1 nucleus[f] sup[prime])" },
        { "f''^{2}_1", "(scripts primes 2 nucleus[f] sub[1] sup[prime prime 2])" },
        { "\\sum\\limits_i^n", "(scripts limits 2 nucleus[sum] sub[i] sup[n])" },
        { "\\underbracket{a}\\limits_b", "(scripts limits 2 nucleus[(stretch 5 body[a])] sub[b])" },
        { "\\mathop{a}\\nolimits_b", "(scripts limits 3 nucleus[(class 1 body[a])] sub[b])" },
        { "x\\sp a\\sb b", "(scripts nucleus[x] sub[b] sup[a])" },
        { "x^\\frac12", "(scripts nucleus[x] sup[(fraction num[1] den[2])])" },
        { "x_\\mathrm{T}", "(scripts nucleus[x] sub[{T:rm}])" },
        { "\\phantom{x}_2", "(phantom 1 body[x]) (scripts sub[2])" },
        { "\\sideset{_a}{'}\\sum", "(sideset pre-sub[a] body[sum] sup[prime])" },
    };
    CHECK(cases);
}

TEST(test_parse__fractions_and_roots)
{
    static const SketchCase cases[] = {
        { "\\frac12", "(fraction num[1] den[2])" },
        { "\\dfrac{a}b", "(fraction style 0 num[a] den[b])" },
        { "{a\\over b}", "{(fraction infix num[a] den[b])}" },
        { "\\displaystyle a\\atop b", "(fraction infix bare num[(style 0) a] den[b])" },
        { "n\\choose k", "(fraction infix bare left[(] num[n] den[k] right[)])" },
        { "a\\above 1.5pt b", "(fraction infix 1.5pt num[a] den[b])" },
        { "a\\overwithdelims[. b", "(fraction infix left[[] num[a] den[b])" },
        { "\\left(a\\over b\\right)",
          "(delimited left[(] body[(fraction infix num[a] den[b])] right[)])" },
        { "\\binom nk", "(fraction bare left[(] num[n] den[k] right[)])" },
        { "\\genfrac{[}{]}{0pt}{1}{a}{b}",
          "(fraction style 1 bare left[[] num[a] den[b] right[]])" },
        { "\\genfrac{}{}{}{}{a}{b}", "(fraction num[a] den[b])" },
        { "\\cfrac[l]{1}{2}", "(fraction cfrac style 0 l num[1] den[2])" },
        { "\\sqrt x", "(radical body[x])" },
        { "\\sqrt[n+1]{x}", "(radical index[n + 1] body[x])" },
        { "\\root 3\\of{x}", "(radical index[3] body[x])" },
        { "\\sqrt\\frac12", "(radical body[(fraction num[1] den[2])])" },
        { "{\\rm d\\over e}", "{(fraction infix num[d:rm] den[e:rm])}" },
    };
    CHECK(cases);
}

TEST(test_parse__delimiters)
{
    static const SketchCase cases[] = {
        { "\\left(a\\middle|b\\right.", "(delimited left[(] body[a (middle delimiter[|]) b])" },
        { "\\left<a\\right>", "(delimited left[<] body[a] right[>])" },
        { "\\left\\{\\right\\rangle", "(delimited left[{] body[] right[rangle])" },
        { "\\bigl(\\Big|\\biggm/\\Biggr\\}",
          "(big 1 class 4 delimiter[(]) (big 2 class 0 delimiter[|]) "
          "(big 3 class 3 delimiter[/]) (big 4 class 5 delimiter[}])" },
        { "\\big{(}", "(big 1 class 0 delimiter[(])" },
    };
    CHECK(cases);
}

TEST(test_parse__fonts)
{
    static const SketchCase cases[] = {
        { "\\mathbf{ab}c", "{a:bf b:bf} c" },
        { "\\mathbf x", "{x:bf}" },
        { "a{\\cal B}\\rm c", "a {B:cal} c:rm" },
        { "\\mathrm{a\\mathit{b}c}", "{a:rm {b:it} c:rm}" },
        { "\\boldsymbol{x}y", "(bold body[x!]) y" },
        { "\\pmb x", "(bold 1 body[x])" },
        { "\\mathbb R\\mathfrak g\\mathscr L", "{R:bb} {g:frak} {L:scr}" },
        { "\\sin x\\lim_n", "(operator body[s:rm i:rm n:rm]) x "
                            "(scripts nucleus[(operator limits body[l:rm i:rm m:rm])] sub[n])" },
        { "\\operatorname{ab}", "(operator body[a:rm b:rm])" },
        { "\\operatorname*{a}", "(operator limits body[a:rm])" },
        { "{\\scriptstyle a}b", "{(style 2) a} b" },
        { "\\mathbin{a}\\mathrel=", "(class 2 body[a]) (class 3 body[=])" },
        { "\\mathchoice abcd", "(choice display[a] text[b] script[c] scriptscript[d])" },
    };
    CHECK(cases);
}

TEST(test_parse__accents_and_stacks)
{
    static const SketchCase cases[] = {
        { "\\hat x", "(accent U+0302 body[x])" },
        { "\\hat x^2", "(scripts nucleus[(accent U+0302 body[x])] sup[2])" },
        { "\\overline{ab}", "(stretch 0 body[a b])" },
        { "\\underbrace{a}_b", "(scripts nucleus[(stretch 3 body[a])] sub[b])" },
        { "\\overset{a}{b}", "(stack body[b] over[a])" },
        { "\\underset ab", "(stack body[b] under[a])" },
        { "\\stackrel{d}{=}", "(stack rel body[=] over[d])" },
        { "\\buildrel d\\over=", "(stack rel body[=] over[d])" },
        { "\\xrightarrow[a]{b}", "(arrow 0 over[b] under[a])" },
        { "\\xleftarrow{}", "(arrow 1 over[])" },
    };
    CHECK(cases);
}

TEST(test_parse__arrays)
{
    static const SketchCase cases[] = {
        { "\\begin{pmatrix}a&b\\\\[2pt] c&d\\\\\\end{pmatrix}", "(pmatrix a & b ; 2pt c & d)" },
        { "\\begin{array}[t]{|l@{,}c*{2}{r}|}1&\\multicolumn{2}{c}{x}\\\\"
          "\\cline{2-3}\\hline\\end{array}",
          "(array t |l@[,]crr| 1 & <2 c>x <cline 2-3> <hline>)" },
        { "\\begin{array}{cc}1\\\\\\cline{1-{2}}\\end{array}", "(array cc 1 <cline 1-2>)" },
        { "\\begin{cases}a&b\\\\c\\end{cases}", "(cases a & b ; c)" },
        { "\\begin{aligned}a&=b\\\\&=c\\end{aligned}", "(aligned a & = b ;  & = c)" },
        { "\\matrix{a&b\\cr c&d\\cr}", "(matrix a & b ; c & d)" },
        { "\\cases{a&b\\cr c}", "(cases a & b ; c)" },
        { "\\eqalign{a&=b\\cr}", "(eqalign a & = b)" },
        { "\\substack{a\\\\b}", "(substack c a ; b)" },
        { "\\begin{subarray}{l}a\\\\b\\end{subarray}", "(subarray l a ; b)" },
        { "\\begin{matrix}{\\bf a}&b\\over c\\\\x\\end{matrix}",
          "(matrix {a:bf} & (fraction infix num[b] den[c]) ; x)" },
        { "\\begin{matrix}\\rm a&b\\end{matrix}", "(matrix a:rm & b)" },
        { "\\begin{align*}a&=b\\intertext{so}c&=d\\end{align*}",
          "(align* a & = b (text body[s o]) c & = d)" },
        { "\\begin{tabular}{l}a $x$\\end{tabular}", "(tabular l a (space 1space) (math body[x]))" },
        { "\\begin{equation}a\\end{equation}", "a" },
        { "a\\\\b", "a (break) b" },
    };
    CHECK(cases);
}

TEST(test_parse__text)
{
    static const SketchCase cases[] = {
        { "\\text{if $x$ \\textbf{b}}", "(text scales body[i f (space 1space) (math body[x]) "
                                        "(space 1space) (space kern 1italic) {b:bf} "
                                        "(space kern 1italic)])" },
        { "\\mbox{a~b}", "(text body[a (space 1space) b])" },
        { "\\hbox to 2cm{a}", "(text 2cm body[a])" },
        { "\\textit{a\\bf b}", "(text scales body[a:it b:bf])" },
        { "\\text{\\'e\\\"{\\i}}", "(text scales body[(accent U+0301 body[e]) "
                                   "(accent U+0308 body[\304\261])])" },
        { "\\text{\303\251}", "(text scales body[(accent U+0301 body[e])])" },
        { "\\text{50\\% \\{\\}}", "(text scales body[5 0 % (space 1space) { }])" },
        { "\\mbox{\\small a}", "(text body[(size 3) a:3])" },
        { "\\textcolor{red}{x}\\color{blue}y", "(color FF0000 body[x]) (color 0000FF) y" },
        { "\\fbox{a}\\boxed{b}", "(enclose 1 body[(text body[a])]) (enclose 0 body[b])" },
        { "\\text{\\verb|a_\\b|\\uppercase{x\\o}\\char`\\%\\char\"41\\char'101\\symbol{66}}",
          "(text scales body[(text body[a:tt _:tt \\:tt b:tt]) X \303\270 % A A B])" },
        { "\\uppercase{a}\\char65", "A A" },
        { "\\text{a\\textit{f}b\\textit{f}, \\textit{f\\textbf{,}\\textup{g}}}",
          "(text scales body[a {f:it} (space kern 1italic) b {f:it} , (space 1space) "
          "{f:it {,:it:bf} (space kern 1italic) {g}} (space kern 1italic)])" },
        { "\\textcircled{1}", "(enclose 2 body[(text body[1])])" },
        { "\\textit{\\textcircled{a}}", "(text scales body[(enclose 2 body[(text body[a])])])" },
        { "\342\221\240\\text{\342\221\263}",
          "(enclose 2 body[(text body[1])]) "
          "(text scales body[(enclose 2 body[(text body[2 0])])])" },
        { "x\342\203\235", "(enclose 2 body[(text body[x])])" },
    };
    CHECK(cases);
}

TEST(test_parse__spaces_and_boxes)
{
    static const SketchCase cases[] = {
        { "a\\,b\\quad c\\ d~e",
          "a (space 3mu) b (space 1em) c (space 1space) d (space 1space) e" },
        { "\\hspace{-1.5cm}\\kern2pt\\mkern-3mu x", "(space -1.5cm) (space kern 2pt) "
                                                    "(space kern -3mu) x" },
        { "\\hskip 1em plus 1fil minus 2pt a", "(space 1em fil) a" },
        { "\\hspace*{\\fill}\\hfill", "(space fill) (space fill)" },
        { "\\hspace{.5\\textwidth}", "(space 195pt)" },
        { "\\phantom a\\hphantom b\\vphantom c\\smash[t]d",
          "(phantom 1 body[a]) (phantom 13 body[b]) (phantom 3 body[c]) (phantom 4 body[d])" },
        { "\\rlap{a}\\mathllap b", "(lap r body[(text body[a])]) (lap l body[b])" },
        { "\\smashoperator[l]{\\sum_a}", "(lap L body[(scripts nucleus[sum] sub[a])])" },
        { "\\scalebox{2}{a}", "(text body[a])" },
        { "\\scalebox{-.5}[3]{a}", "(text body[a])" },
        { "\\reflectbox{a}", "(text body[a])" },
        { "\\resizebox*{!}{2cm}{a}", "(text body[a])" },
        { "\\rotatebox[origin=c]{-90}{a}", "(text body[a])" },
        { "\\parbox[t]{2cm}{a\\\\b}", "(text body[a (break) b])" },
        { "\\begin{minipage}{2cm}a\\\\$b$\\end{minipage}",
          "(text body[a (break) (math body[b])])" },
        { "\\mathbf{a\\sl g}", "{a:bf g:bf}" },
        { "\\raisebox{2pt}{a}", "(raise 2pt body[(text body[a])])" },
        { "\\rule[1pt]{2pt}{3em}", "(rule 0 2pt 3em)" },
        { "a % comment\n b", "a b" },
    };
    CHECK(cases);
}

TEST(test_parse__macros)
{
    static const SketchCase cases[] = {
        { "\\def\\R#1{\\mathbb{#1}}\\R{x}\\R Z", "{x:bb} {Z:bb}" },
        { "\\newcommand{\\f}[2][k]{#1+#2}\\f{a}\\f[b]c", "k + a b + c" },
        { "\\def\\p(#1,#2){#2#1}\\p(a,{b})", "b a" },
        { "\\let\\x=\\alpha\\x", "alpha" },
        { "\\let\\g=\\frac\\renewcommand\\frac[2]{#2}\\g ab\\frac ab",
          "(fraction num[a] den[b]) b" },
        { "{\\def\\a{b}\\a}\\providecommand\\a{c}\\a", "{b} c" },
        { "\\DeclareMathOperator*{\\am}{am}\\am", "(operator limits body[a:rm m:rm])" },
        { "\\def\\h{1\\over2}\\frac\\h3", "(fraction num[(fraction infix num[1] den[2])] den[3])" },
        { "\\renewcommand{\\arraystretch}{2}\\begin{matrix}a\\end{matrix}", "(matrix a)" },
        { "\\def\\s{x}\\s^2", "(scripts nucleus[x] sup[2])" },
        { "\\def\\e{\\end{matrix}}\\begin{matrix}a\\e", "(matrix a)" },
    };
    CHECK(cases);
}

TEST(test_parse__unicode)
{
    static const SketchCase cases[] = {
        { "\316\261\342\211\244x\302\262", "alpha leq (scripts nucleus[x] sup[2])" },
        { "x\302\271\302\262\342\202\201", "(scripts nucleus[x] sub[1] sup[1 2])" },
        { "f\342\200\262", "(scripts primes 1 nucleus[f] sup[prime])" },
        { "f\342\200\263", "(scripts primes 2 nucleus[f] sup[prime prime])" },
        { "\302\275\342\204\235", "(fraction num[1] den[2]) {R:bb}" },
        { "x\314\202", "(accent U+0302 body[x])" },
        { "\303\251", "(accent U+0301 body[e])" },
        { "\346\225\260", "\346\225\260" },
        { "\357\274\210", "(" },
    };
    CHECK(cases);
}

TEST(test_parse__whole_strings)
{
    static const SketchCase cases[] = {
        { "$x$", "x" },
        { " $$x$$ ", "x" },
        { "\\[x\\]", "x" },
        { "\\(x\\)", "x" },
        { "a $x$ b", "(text body[a (space 1space) (math body[x]) (space 1space) b])" },
        { "$x$$$y$$", "(text body[(math body[x]) (math 1 body[y])])" },
        { "", "" },
        { "\\label{a}x\\tag{1}", "x (tag body[1])" },
    };
    static const TgParseOptions within = { .source = TG_SOURCE_MATH };
    g_autoptr(TgTree) tree = tg_tree_parse("a$ b $c", 7, &within, NULL);
    g_autofree char *sketch = tree_sketch(tree);

    CHECK(cases);
    assert_string_equal(sketch, "a (text body[(space 1space) b (space 1space)]) c");
}

/* amsmath's dots look at what follows, and closing delimiters get a thin space. */
TEST(test_parse__dots)
{
    static const SketchCase cases[] = {
        { "\\dots,", "ldots ," },
        { "\\dots+", "cdots +" },
        { "\\dots\\leq", "cdots leq" },
        { "\\dots x", "ldots x" },
        { "\\cdots)", "cdots (space 3mu) )" },
        { "\\cdots x", "cdots x" },
        { "{\\ldots}", "{ldots}" },
    };
    CHECK(cases);
}
