/* Bounds of parsing, beside those of metrics/test_hostile.c: each is a clear error, and large
 * inputs take time in proportion. */
#include "tests/support/test_support.h"

#include "core/deadline.h"
#include "tests/support/cpu_time.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/tree/tree.h"

#define MEGABYTE (1u << 20)

static void assert_refused(const char *source, const char *part)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TgTree) tree = tg_tree_parse(source, strlen(source), NULL, &error);

    assert_null(tree);
    tg_assert_error(error, TG_ERROR_PARSE, part);
}

/* U+0301, the combining acute accent. Two marks on each of many letters are writing. */
TEST(test_bounds__marks_nest)
{
    g_autofree char *marks = tg_repeat("\xcc\x81", 37500);
    g_autofree char *math = g_strconcat("a", marks, NULL);
    g_autofree char *text = g_strdup_printf("\\text{a%s}", marks);
    g_autofree char *writing = tg_repeat("a\xcc\x81\xcc\x81", 50000);
    g_autoptr(TgTree) tree = NULL;

    assert_refused(math, "250 marks and levels of nesting");
    assert_refused(text, "250 marks and levels of nesting");
    tree = tg_tree_parse(writing, strlen(writing), NULL, NULL);
    assert_non_null(tree);
}

TEST(test_bounds__labels_of_chemistry_nest)
{
    g_autofree char *arrows = tg_repeat("->[", 66000);
    g_autofree char *latex = g_strconcat("\\ce{", arrows, NULL);
    g_autoptr(TgTree) tree = NULL;

    assert_refused(latex, "8 arrows in the labels of others");
    tree = tg_tree_parse("\\ce{A->[B->[C]]D}", 18, NULL, NULL);
    assert_non_null(tree);
}

TEST(test_bounds__options)
{
    static const TgParseOptions shallow = { .max_depth = 3 }, small = { .max_nodes = 3 };

    tg_assert_fails(tg_tree_parse("{{{{x}}}}", 9, &shallow, &error), TG_ERROR_PARSE,
                    "more than 3 levels of nesting, column 3");
    tg_assert_fails(tg_tree_parse("xyz", 3, &small, &error), TG_ERROR_PARSE,
                    "more than 3 nodes, column 3");
}

TEST(test_bounds__what_took_too_long_is_an_error)
{
    g_autoptr(GError) error = NULL;

    tg_deadline_start(1e-6, 0);
    g_usleep(1000);
    assert_true(tg_deadline_spend(1000000)); /* looks at the clock */
    assert_null(tg_tree_parse("x", 1, NULL, &error));
    tg_assert_error(error, TG_ERROR_PARSE, "too long");
    tg_deadline_stop();
}

/* A megabyte of anything ends soon: nothing is read again and again. */
TEST(test_bounds__a_megabyte_takes_little_time)
{
    static const char *const pieces[] = {
        "x",
        "x_1^2",
        "{a}",
        "\\frac12",
        "{a\\over b}",
        "}",
        "&",
        "a&b\\\\",
        "\\right)",
        "\\end{matrix}",
        "$",
        "$x$ ",
        "'",
        "^",
        "\\foo",
        "\\text{a}",
        "%\n",
        "\\def\\a",
        "\\left(\\right)",
        "\\begin{matrix}a\\end{matrix}",
        "\\hspace{1em}",
        "\\begin{",
        "\\color{",
        "\302\262",
        "x\314\202",
        "\377",
        "\\hline",
        "[",
        "\\substack{a}",
        "\\begingroup ",
        "\\endgroup ",
        "\\operatorname{a}",
        "\\kern1pt",
    };

    for (guint i = 0; i < G_N_ELEMENTS(pieces); i++) {
        g_autofree char *text = tg_repeat(pieces[i], TG_SHORTENED(MEGABYTE));
        const double start = tg_cpu_seconds();

        tg_tree_free(tg_tree_parse(text, strlen(text), NULL, NULL));
        tg_assert_cpu_below(start, 1.0, pieces[i]);
    }
}
