/* mhchem's \ce, after the examples of its manual's kinds. */
#include "tests/support/test_support.h"

#include "tests/support/tree_sketch.h"
#include "tokenizer/latex/parse.h"

#define CHECK(cases) tree_sketch_check(cases, G_N_ELEMENTS(cases))

TEST(test_chemistry__formulas)
{
    static const SketchCase cases[] = {
        { "\\ce{H2O}", "{(scripts nucleus[H:rm] sub[2]) {O:rm}}" },
        { "\\ce{(NH4)2S}",
          "{( (scripts nucleus[N:rm H:rm] sub[4]) (scripts nucleus[)] sub[2]) {S:rm}}" },
        { "\\ce{Sb2O3}", "{(scripts nucleus[S:rm b:rm] sub[2]) (scripts nucleus[O:rm] sub[3])}" },
        { "\\ce{2H}", "{2 (space 3mu) {H:rm}}" },
        { "\\ce{2 H}", "{2 (space 3mu) {H:rm}}" },
        { "\\ce{1/2H}", "{(fraction num[1] den[2]) (space 3mu) {H:rm}}" },
        { "\\ce{0.5 H}", "{0 . 5 (space 3mu) {H:rm}}" },
        { "\\ce{NO_x}", "{(scripts nucleus[N:rm O:rm] sub[x])}" },
        { "\\ce{A*2B}", "{{A:rm} (space 3mu) {cdot} (space 3mu) 2 (space 3mu) {B:rm}}" },
        { "\\ce{A B}", "{{A:rm} (space 3mu) {B:rm}}" },
    };
    CHECK(cases);
}

TEST(test_chemistry__charges_and_isotopes)
{
    static const SketchCase cases[] = {
        { "\\ce{Cl-}", "{(scripts nucleus[C:rm l:rm] sup[-])}" },
        { "\\ce{SO4^2-}", "{(scripts nucleus[S:rm O:rm] sub[4] sup[2 -])}" },
        { "\\ce{[A]+}", "{[ {A:rm} (scripts nucleus[]] sup[+])}" },
        { "\\ce{Fe^{III}2}", "{(scripts nucleus[F:rm e:rm] sub[2] sup[I:rm I:rm I:rm])}" },
        { "\\ce{^{14}_6C}", "{(scripts nucleus[] sub[6] sup[1 4]) {C:rm}}" },
        { "\\ce{.O^.-}", "{. (space 3mu) (scripts nucleus[O:rm] sup[. -])}" },
    };
    CHECK(cases);
}

TEST(test_chemistry__reactions_and_bonds)
{
    static const SketchCase cases[] = {
        { "\\ce{A + B -> C}", "{{A:rm} {} + {} {B:rm} longrightarrow {C:rm}}" },
        { "\\ce{A ->[x][y] B}", "{{A:rm} (arrow 0 over[{x:rm}] under[{y:rm}]) {B:rm}}" },
        { "\\ce{A <=> B}", "{{A:rm} rightleftharpoons {B:rm}}" },
        { "\\ce{A <-> B}", "{{A:rm} longleftrightarrow {B:rm}}" },
        { "\\ce{C-C=C#N}", "{{C:rm} {-} {C:rm} {=} {C:rm} {equiv} {N:rm}}" },
        { "\\ce{A ^}", "{{A:rm} {} (class 1 body[uparrow]) {}}" },
        { "\\ce{A v}", "{{A:rm} {} (class 1 body[downarrow]) {}}" },
        { "\\ce{$n$ A}", "{{n:rm} (space 3mu) {A:rm}}" },
        { "\\ce{{ab} A}", "{(text scales body[a b]) (space 3mu) {A:rm}}" },
        { "\\ce{\\alpha-A}", "{alpha {-} {A:rm}}" },
        { "\\text{\\ce{H}}", "(text scales body[(math body[{H:rm}])])" },
    };
    CHECK(cases);
}

/* What is easily read otherwise: hyphens, bonds, charges and operators; amounts and counters. */
TEST(test_chemistry__meanings)
{
    static const SketchCase cases[] = {
        { "\\ce{CuSO4.5H2O}", "{(scripts nucleus[C:rm u:rm S:rm O:rm] sub[4]) (space 3mu) {cdot} "
                              "(space 3mu) 5 (space 3mu) (scripts nucleus[H:rm] sub[2]) {O:rm}}" },
        { "\\ce{\\eta^2-C2H4}", "{(scripts nucleus[eta] sup[2 -]) (scripts nucleus[C:rm] sub[2]) "
                                "(scripts nucleus[H:rm] sub[4])}" },
        { "\\ce{A <=>> B}", "{{A:rm} rightleftharpoons {B:rm}}" },
        { "\\ce{A <=>[x] B}", "{{A:rm} (arrow 13 over[{x:rm}]) {B:rm}}" },
        { "\\ce{A (v)}", "{{A:rm} {} (class 1 body[downarrow]) {}}" },
        { "\\ce{A (^)}", "{{A:rm} {} (class 1 body[uparrow]) {}}" },
        { "\\ce{Zn^{2}+}", "{(scripts nucleus[Z:rm n:rm] sup[2 +])}" },
        { "\\ce{X_{$i$}}", "{(scripts nucleus[X:rm] sub[i])}" },
        { "\\ce{n H2O}", "{{n:rm} (space 3mu) (scripts nucleus[H:rm] sub[2]) {O:rm}}" },
        { "\\ce{A - B}", "{{A:rm} (space 0.5ex) {-} (space 0.5ex) {B:rm}}" },
    };
    CHECK(cases);
}

/* Signs of several characters are one token of ink, at their place in the source. */
TEST(test_chemistry__ink)
{
    static const char source[] = "\\ce{A ->B2}";
    g_autoptr(TgTree) tree = tg_tree_parse(source, sizeof source - 1, NULL, NULL);
    guint n;
    const TgInkToken *tokens = tg_tree_tokens(tree, &n);

    assert_int_equal(n, 4);
    assert_int_equal(tokens[1].start, 6);
    assert_int_equal(tokens[1].end, 8);
    assert_int_equal(tokens[3].start, 9);
}
