/* Formulas that were made to crash, hang or eat memory: each is drawn, or refused with a reason, in
 * about a second at most. */
#include "tests/support/render_support.h"

#include <texgauge/formula.h>

#include "tests/support/cpu_time.h"

#define MEGABYTE (1u << 20)

/* Drawing a megabyte takes half a second. */
#define REFUSED_SECONDS 1.0
#define DRAWN_SECONDS   2.0

/* Drawing refuses @tex with an error that has @part in it. */
static void assert_refused(void **state, const char *tex, const char *part)
{
    for (guint strict = 0; strict <= 1; strict++) {
        const double start = tg_cpu_seconds();
        TgRenderOptions options = TG_RENDER_OPTIONS_INIT;
        g_autoptr(GError) error = NULL;

        options.strict = strict != 0;
        assert_null(tg_renderer_draw(render_of(state), tex, strlen(tex), &options, &error));
        tg_assert_cpu_below(start, REFUSED_SECONDS, tex);
        if (!strict)
            tg_assert_error(error, TG_ERROR_PARSE, part);
        else /* may meet another fault first */
            tg_assert_error(error, TG_ERROR_PARSE, "");
    }
}

TEST(test_hostile__deep_nesting)
{
    static const char *const pieces[] = {
        "{",
        "\\frac{",
        "x^{",
        "\\left(",
        "\\hat\\hat",
        "\\begin{matrix}",
        "\\text{",
        "\\sqrt[",
        "a\\over ",
        "\\xrightarrow{",
        "\\mbox{$",
        "\\substack{",
        "\\underbrace{",
    };

    for (guint i = 0; i < G_N_ELEMENTS(pieces); i++) {
        g_autofree char *text = tg_repeat(pieces[i], 100000);
        assert_refused(state, text, "250 levels of nesting");
    }
}

/* As deep as is allowed, and closed again: it is drawn. */
TEST(test_hostile__nesting_up_to_the_bound)
{
    static const char *const pieces[][2] = { { "{", "}" },          { "\\frac{", "}{}" },
                                             { "x^{", "}" },        { "\\left(", "\\right)" },
                                             { "\\sqrt{", "}" },    { "\\hat{", "}" },
                                             { "\\overline{", "}" } };

    for (guint i = 0; i < G_N_ELEMENTS(pieces); i++) {
        g_autoptr(GString) text = g_string_new(NULL);
        const double start = tg_cpu_seconds();

        for (guint k = 0; k < 120; k++)
            g_string_append(text, pieces[i][0]);
        g_string_append_c(text, 'y');
        for (guint k = 0; k < 120; k++)
            g_string_append(text, pieces[i][1]);
        G_GNUC_UNUSED g_autoptr(TgDrawing) drawing =
            tg_must(tg_renderer_draw(render_of(state), text->str, text->len, NULL, &error));
        tg_assert_cpu_below(start, REFUSED_SECONDS, pieces[i][0]);
        g_autoptr(TgFormula) formula =
            tg_must(tg_formula_parse(text->str, text->len, TG_FORMULA_STRICT, &error));
        G_GNUC_UNUSED g_autofree char *json = tg_must(tg_formula_to_json(formula, &error));
    }
}

TEST(test_hostile__macro_bombs)
{
    assert_refused(state, "\\def\\a{\\a}\\a", "10000 macro calls");
    assert_refused(state, "\\def\\a{\\a\\a}\\a", "10000 macro calls");
    assert_refused(state, "\\def\\a#1{\\a{#1#1}}\\a x", "tokens");
    assert_refused(state,
                   "\\def\\a{xxxxxxxxxx}\\def\\b{\\a\\a\\a\\a\\a\\a\\a\\a\\a\\a}"
                   "\\def\\c{\\b\\b\\b\\b\\b\\b\\b\\b\\b\\b}\\def\\d{\\c\\c\\c\\c\\c\\c\\c\\c\\c}"
                   "\\def\\e{\\d\\d\\d\\d\\d\\d\\d\\d\\d\\d}\\e\\e",
                   "10000 macro calls");
    assert_refused(state, "\\newcommand{\\a}[9]{\\a#1#1#1#1#1#1#1#1#1}\\a xxxxxxxxx",
                   "10000 macro calls");
}

TEST(test_hostile__columns)
{
    g_autofree char *cells = tg_repeat("&", 100000);
    g_autofree char *aligned = g_strdup_printf("\\begin{aligned}%s\\end{aligned}", cells);
    g_autofree char *matrix = g_strdup_printf("\\begin{matrix}%s\\end{matrix}", cells);
    g_autofree char *arrays = tg_repeat("\\begin{array}{*{900}{|c|}}a\\end{array}", 60000);

    assert_refused(state, arrays, "2000000 nodes");
    assert_refused(state, aligned, "1000 columns");
    assert_refused(state, matrix, "1000 columns");
    assert_refused(state, "\\begin{array}{*{100000}{c}}a\\end{array}", "1000 columns");
    assert_refused(state, "\\begin{array}{*{999}{*{999}{*{999}{}}}}a\\end{array}", "1000 columns");
}

TEST(test_hostile__numbers)
{
    static const char *const formulas[] = {
        "\\kern99999999999999999999pt x",
        "\\rule{16383pt}{16383pt}\\rule{16383pt}{16383pt}",
        "\\hspace{-16383pt}x\\hspace{16383pt}\\hspace{16383pt}\\hspace{16383pt}",
        "\\raisebox{99999999pt}{x}",
        "\\genfrac(){99999pt}{9}{a}{b}",
        "\\begin{array}{p{99999pt}}x\\\\[99999pt]y\\end{array}",
        "\\begin{matrix}a\\cr\\multicolumn{999999999}{c}{b}\\end{matrix}",
        "\\cline{1-999999999}\\begin{matrix}\\cline{1-999999999}a\\end{matrix}",
    };

    for (guint i = 0; i < G_N_ELEMENTS(formulas); i++) {
        const double start = tg_cpu_seconds();
        g_autoptr(GError) error = NULL;
        g_autoptr(TgDrawing) drawing =
            tg_renderer_draw(render_of(state), formulas[i], strlen(formulas[i]), NULL, &error);

        assert_true(drawing != NULL || error != NULL);
        if (drawing != NULL) {
            g_autoptr(GBytes) svg =
                tg_drawing_encode(drawing, TG_FORMAT_SVG, TG_INK_NATURAL, &error);
            assert_true(svg != NULL || error != NULL);
        }
        tg_assert_cpu_below(start, REFUSED_SECONDS, formulas[i]);
    }
}

/* A megabyte is the most that is taken. */
TEST(test_hostile__a_megabyte)
{
    static const char *const pieces[] = {
        "x",
        "x_1^2",
        "'",
        "^",
        "}",
        "&",
        "a&b\\\\",
        "\344\270\255",
        "\\foo",
        "$x$ ",
        "{a}",
        "\\over",
        "\\left(\\right)",
        "\\text{a}",
        "\\frac12",
        "\\ce{H2O}",
        "\\xrightarrow{a}",
        "\\sideset{_a}{^b}\\sum",
    };

    for (guint i = 0; i < G_N_ELEMENTS(pieces); i++) {
        g_autofree char *text = tg_repeat(pieces[i], TG_SHORTENED(MEGABYTE));
        const gsize len = strlen(text);
        g_autoptr(GError) error = NULL;
        double start = tg_cpu_seconds();
        g_autoptr(TgDrawing) drawing = tg_renderer_draw(render_of(state), text, len, NULL, &error);

        assert_true(drawing != NULL || g_error_matches(error, TG_ERROR, TG_ERROR_PARSE));
        tg_assert_cpu_below(start, DRAWN_SECONDS, pieces[i]);
        g_clear_error(&error);

        start = tg_cpu_seconds();
        g_autoptr(TgFormula) formula = tg_formula_parse(text, len, TG_FORMULA_TOLERANT, &error);
        if (formula != NULL) {
            g_free(tg_formula_to_json(formula, NULL));
            g_autofree char *latex = tg_formula_canonical(formula, tg_canonical_preset());
            assert_non_null(latex);
        }
        tg_assert_cpu_below(start, DRAWN_SECONDS, pieces[i]);
    }
    g_autofree char *longer = g_strnfill(MEGABYTE + 1, 'x');
    assert_refused(state, longer, "1048577 bytes");
}

/* Trees that take most memory to write are refused with a number. */
TEST(test_hostile__large_trees_are_not_written)
{
    g_autofree char *text = tg_repeat("x", TG_JSON_MAX_NODES + 1);
    g_autoptr(TgFormula) formula = tg_formula_parse(text, strlen(text), TG_FORMULA_TOLERANT, NULL);

    tg_assert_fails(tg_formula_to_json(formula, &error), TG_ERROR_PARSE, "100000");
}

TEST_GROUP(render_set_up, render_tear_down)
