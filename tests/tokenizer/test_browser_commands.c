/* Commands of KaTeX and MathJax that LaTeX has not: tolerant parsing reads them, strict parsing
 * rejects them.
 */
#include "tests/support/golden_rows.h"

#include "tests/support/tree_sketch.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/macros/commands.h"
#include "tokenizer/symbols/symbols.h"

/* The tree of @source, which must be without fault. */
static TgTree *read_tolerant(const char *source)
{
    GError *error = NULL;
    TgTree *tree = tg_tree_parse(source, strlen(source), NULL, &error);

    tg_assert_no_error(error);
    const TgParseError *errors = tree->errors;
    const guint n = tree->n_errors;
    if (n > 0)
        fail_msg("%s: %s", source, errors[0].message);
    return tree;
}

static void assert_strict_rejects(const char *source)
{
    static const TgParseOptions strict = { .strict = TRUE };
    g_autoptr(TgTree) tree = tg_tree_parse(source, strlen(source), &strict, NULL);

    if (tree != NULL)
        fail_msg("strict parsing accepts %s", source);
}

TEST(test_browser_commands__read_as_latex)
{
    static const char *const same[][2] = {
        { "x\\in\\R", "x\\in\\mathbb{R}" },
        { "\\Alpha\\omicron", "\\mathrm{A}o" },
        { "\\infin\\rarr\\empty", "\\infty\\rightarrow\\emptyset" },
        { "\\left\\lang x\\right\\rang", "\\left\\langle x\\right\\rangle" },
        { "\\tg x", "\\operatorname{tg}x" },
        { "\\plim_n", "\\operatorname*{plim}_n" },
        { "\\overgroup{ab}", "\\overparen{ab}" },
        { "\\htmlClass{a}{x}\\bbox[red]{y}\\href{z}{w}", "{x}{y}{w}" },
        { "\\scr{A}", "\\mathscr{A}" },
        { "\\color{#00f}x", "\\color{blue}x" },
        { "\\textcolor{#0000FF}{x}", "\\textcolor{blue}{x}" },
        { "\\textcolor{cornflowerblue}{x}", "\\textcolor[HTML]{6495ED}{x}" },
        { "a\\kern{2pt}b", "a\\kern2pt b" },
        { "\\char\"3B1", "\\alpha" },
        { "\\newcommand{\\R}{r}\\R", "r" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(same); i++) {
        g_autoptr(TgTree) browser = read_tolerant(same[i][0]);
        g_autoptr(TgTree) latex = read_tolerant(same[i][1]);
        g_autofree char *ours = tree_sketch(browser), *wanted = tree_sketch(latex);
        if (strcmp(ours, wanted) != 0)
            fail_msg("%s\n gives %s\nwanted %s", same[i][0], ours, wanted);
    }
}

/* Each with the arguments that it takes, and the user's definition before it. */
TEST(test_browser_commands__all_are_read)
{
    guint n = 0;

    for (guint i = 0; i < tg_n_commands; i++) {
        const TgCommand *command = &tg_commands[i];
        if (!tg_command_is_of_browsers(command))
            continue;
        n++;
        const gboolean argument = (command->flags & TG_COMMAND_ARGS) != 0;
        g_autofree char *source =
            g_strdup_printf("\\%s%s%s", command->name, command->value > 0 ? "{a}" : "",
                            argument || command->value != 0 ? "{b}" : " ");

        tg_tree_free(read_tolerant(source));
        if (tg_symbol_find(command->name, strlen(command->name)) == NULL)
            assert_strict_rejects(source);
    }
    assert_int_equal(n, 149);
}

/* An example for each name of KaTeX's, all of which it draws, and whether pdflatex sets it
 * (tests/tools/katex_table.py). Not read are what has no meaning on paper or a picture elsewhere;
 * rejected by strict parsing what means something else in a browser. */
TEST(test_browser_commands__the_vocabulary_of_katex)
{
    static const char *const unread[] = {
        "\\dotsx",    "\\futurelet", "\\includegraphics", "\\message", "\\TextOrMath",
        "\\varvdots", NULL,
    };
    static const char *const rejected[] = {
        "\\empty", "\\futurelet", "\\message", "\\real", "\\TextOrMath", NULL,
    };
    static const TgParseOptions strict = { .strict = TRUE };
    g_autoptr(GPtrArray) rows = tg_golden_rows("katex.tsv", 3);

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        g_autoptr(GError) error = NULL;

        if (!g_strv_contains(unread, row[0]))
            tg_tree_free(read_tolerant(row[1]));
        if (strcmp(row[2], "yes") != 0 || g_strv_contains(rejected, row[0]))
            continue;
        g_autoptr(TgTree) tree = tg_tree_parse(row[1], strlen(row[1]), &strict, &error);
        if (tree == NULL)
            fail_msg("strict parsing rejects %s: %s", row[1], error->message);
    }
    assert_int_equal(rows->len, 993);
}

/* Values of CSS Color Module Level 4. */
TEST(test_browser_commands__colors)
{
    guint32 rgb = 0;

    assert_true(tg_css_color_parse("aliceblue", &rgb));
    assert_int_equal(rgb, 0xF0F8FF);
    assert_true(tg_css_color_parse("YellowGreen", &rgb));
    assert_int_equal(rgb, 0x9ACD32);
    assert_true(tg_css_color_parse("#f80", &rgb));
    assert_int_equal(rgb, 0xFF8800);
    assert_false(tg_css_color_parse("#f8", &rgb));
    assert_false(tg_css_color_parse("#ggg", &rgb));
    assert_false(tg_css_color_parse("nocolor", &rgb));
    assert_strict_rejects("\\color{#f80}x");
    assert_strict_rejects("\\color{cornflowerblue}x");
}
