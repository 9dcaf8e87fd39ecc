/* Commands of packages whose arguments are put into a template. */
#include "tests/support/test_support.h"

#include "tests/support/tree_sketch.h"
#include "tokenizer/latex/parse.h"

#define CHECK(cases) tree_sketch_check(cases, G_N_ELEMENTS(cases))

TEST(test_templates__arguments)
{
    static const SketchCase cases[] = {
        { "\\dv{f}{x}", "(fraction num[{d:rm} f] den[{d:rm} x])" },
        { "\\dv*[2]{f}{x}", "(fraction num[{d:rm} f] den[{d:rm} x])" },
        { "\\pdv{f}{x}", "(fraction num[partial f] den[partial x])" },
        { "\\dd{x}", "{d:rm} {x}" },
        { "\\qq*{if}", "(space 1em) (text scales body[i f]) (space 1em)" },
        { "\\braket{a|b}", "(class 7 body[langle {a | b} rangle])" },
        { "\\norm*{x}", "(delimited left[lVert] body[{x}] right[rVert])" },
        { "\\SI{5}{kg}+\\num{7}", "5 (space 3mu) {k:rm g:rm} + 7" },
        { "\\text{\\resizebox*{1cm}{!}{a}}", "(text scales body[(text body[a])])" },
        { "\\parbox[c][2cm]{1cm}{a}", "(text body[a])" },
    };
    CHECK(cases);
}

/* What a package defines, a formula may define, too. */
TEST(test_templates__definitions)
{
    static const SketchCase cases[] = {
        { "\\newcommand{\\abs}[1]{|#1|}\\abs{x}", "| x |" },
        { "\\renewcommand{\\abs}[1]{|#1|}\\abs{x}", "| x |" },
        { "\\providecommand{\\abs}[1]{|#1|}\\abs{x}", "| x |" },
    };
    CHECK(cases);
}
