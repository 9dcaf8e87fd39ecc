/* What TeX is given of a formula. */
#include "tests/support/test_support.h"

#include <string.h>

#include "render/tex/tex_source.h"

static void check_text(const char *latex, const char *expected)
{
    g_auto(TgTexSource) source = tg_tex_source_new(latex);

    assert_null(source.refused);
    assert_string_equal(source.text, expected);
}

static void test_tex_source__passes_known_commands(void **state)
{
    static const char *const known[] = {
        "\\frac{a}{b}",
        "\\mathrm{input}",
        "\\\\input",
        "x^{y^z}",
        "\\begin{array}{c}\\alpha\\\\[2pt]\\%\\end{array}",
        "\\begin {pmatrix*}[r]1\\end{pmatrix*}",
        "\\def\\vec{x}\\vec",
        "\\é\\",
    };

    (void) state;
    check_text(known[5], "\\begin{pmatrix*}[r]1\\end{pmatrix*}");
    for (guint i = 0; i < G_N_ELEMENTS(known); i++)
        if (i != 5)
            check_text(known[i], known[i]);
}

/* TeX has commands and environments that our tables do not have, and reads some from packages. */
static void test_tex_source__renames_what_is_unknown(void **state)
{
    (void) state;
    check_text("\\foo x", "\\texgaugefoo x");
    check_text("\\inputx", "\\texgaugeinputx");
    check_text("\\pagecolor{red}", "\\texgaugepagecolor{red}");
    check_text("\\fontdimen6\\font", "\\texgaugefontdimen6\\texgaugefont");
    check_text("\\mathcode`x", "\\texgaugemathcode`x");
    check_text("\\tex_input:D", "\\texgaugetex_input:D");
    check_text("\\begin{filecontents}{f}\\end{filecontents}",
               "\\begin{texgaugefilecontents}{f}\\end{texgaugefilecontents}");
    check_text("\\begin{ directlua }x", "\\begin{texgaugedirectlua}x");
    check_text("\\begin{gdef}\\begin{global}", "\\begin{texgaugegdef}\\begin{texgaugeglobal}");
    check_text("\\def\\mine#1{[#1]}\\mine x", "\\def\\texgaugemine#1{[#1]}\\texgaugemine x");
    check_text("\\let\\csnam\\openi", "\\let\\texgaugecsnam\\texgaugeopeni");
}

static void test_tex_source__refuses_what_reaches_beyond_a_formula(void **state)
{
    static const char *const refused[] = {
        "\\input{f}",
        "x\\write18{ls}",
        "\\directlua{os.exit()}",
        "\\csname input\\endcsname",
        "\\pdfobj",
        "\\gdef\\x{}",
        "\\global\\let\\x y",
        "\\^^69nput",
        "\\\\\\openin",
        "\\special",
        "\\catcode`x",
        "\\scantokens{x}",
        "\\let\\x\\begin\\x{directlua}",
        "\\def\\x#1{\\begin{#1}}\\x{directlua}",
        "\\def\\x#1{#1{directlua}}\\x\\begin",
        "\\begin\\bgroup directlua\\egroup",
        "\\begin{direct%\nlua}",
        "\\begin%\n{directlua}",
        "\\begin{\\x}",
        "\\begin{arr",
        "\\end",
    };

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(refused); i++) {
        g_auto(TgTexSource) source = tg_tex_source_new(refused[i]);

        if (source.refused == NULL || source.text != NULL)
            fail_msg("%s is given to TeX", refused[i]);
    }
}

static void test_tex_source__only_faultless_local_formulas_share(void **state)
{
    static const char *const shared[] = { "x", "\\frac{a}{b}", "\\left(x\\right)",
                                          "\\begin{matrix}a&b\\end{matrix}",
                                          "\\mathcolor[RGB]{0,0,15}{x}" };
    static const char *const alone[] = { "{x",
                                         "x}",
                                         "\\frac{a}",
                                         "x^",
                                         "\\foo",
                                         "a&b",
                                         "\\left(x",
                                         "x$y",
                                         "\\begin{matrix}a",
                                         "\\def\\x{y}",
                                         "\\let\\x y",
                                         "\\label{x}",
                                         "\\tag{1}",
                                         "\\begin{equation}x\\end{equation}",
                                         "\\begin{align*}x\\end{align*}",
                                         "\\input{x}" };

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(shared); i++) {
        g_auto(TgTexSource) source = tg_tex_source_new(shared[i]);
        if (!source.is_self_contained)
            fail_msg("%s is drawn alone", shared[i]);
    }
    for (guint i = 0; i < G_N_ELEMENTS(alone); i++) {
        g_auto(TgTexSource) source = tg_tex_source_new(alone[i]);
        if (source.is_self_contained)
            fail_msg("%s shares a document", alone[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tex_source__passes_known_commands),
        cmocka_unit_test(test_tex_source__renames_what_is_unknown),
        cmocka_unit_test(test_tex_source__refuses_what_reaches_beyond_a_formula),
        cmocka_unit_test(test_tex_source__only_faultless_local_formulas_share),
    };
    return cmocka_run_group_tests_name("tex_source", tests, NULL, NULL);
}
