/* The commands about formulas by themselves: tokenize's ways of reading them, render's sheets and
 * folders. */
#include <jansson.h>

#include "tests/support/cli_support.h"

TEST(test_cli_tokenize__canonical_and_its_rules)
{
    CLI_CHECK({ "texgauge tokenize --mode canonical 'x ^2_i\\, \\le{a\\over b}'", 0,
                "=x_{i}^{2}\\,\\leq\\frac{a}{b}\n", "=" });
    g_auto(CliRun) spaces = cli_run(
        *state,
        "texgauge tokenize --mode canonical --rules=+spaces-symbols 'a\\,\\le b' '{a}\\ b'");
    CLI_CHECK({ "texgauge tokenize --rules help", 0, "spaces      off  ...symbols     on   " },
              { "texgauge tokenize --mode canonical --rules +foo x", 2, NULL, "'+foo'" });
    assert_string_equal(spaces.out, "a\\le b\nab\n");
}

TEST(test_cli_tokenize__tree_is_json_on_a_line)
{
    g_auto(CliRun) run =
        cli_run(*state, "printf 'x\\n\\n\\\\frac{a' | texgauge tokenize --mode tree --input -");
    g_auto(GStrv) lines = g_strsplit(run.out, "\n", -1);

    assert_int_equal(run.status, 0);
    assert_int_equal(g_strv_length(lines), 4);
    for (guint i = 0; i < 3; i++) {
        json_auto_t *json = json_loads(lines[i], 0, NULL);
        assert_int_equal(json_array_size(json_object_get(json, "errors")), i == 2 ? 2 : 0);
    }
    tg_assert_holds(run.err, "-:3: ", ", column ", NULL);
}

CLI_CASES(test_cli_tokenize__ways_side_by_side) = {
    { "texgauge tokenize --mode tokens --mode canonical --mode latex '{x}\\over 2'", 0,
      "=tokens       3  x \\over 2\n"
      "canonical       \\frac{x}{2}\n"
      "latex        5  { x } \\over 2\n" },
    { NULL },
};

/* A line of output for each of input, and 3 when one was refused. */
TEST(test_cli_tokenize__faults)
{
    static const char make[] = "printf 'a\\n\\\\foo b\\n\\\\frac1\\n\\377\\nz\\r\\n' > in.txt; ";
    g_auto(CliRun) tolerant =
        cli_run(*state, "%s texgauge tokenize --mode canonical --input in.txt", make);
    g_auto(CliRun) strict =
        cli_run(*state, "%s texgauge tokenize --mode tokens --strict --input in.txt", make);
    CLI_CHECK({ "texgauge tokenize --input in.txt x", 2 },
              { "texgauge tokenize --input none.txt", 3 }, { "texgauge tokenize --mode tree", 2 });

    assert_int_equal(tolerant.status, 3); /* for the line that is not UTF-8 */
    assert_string_equal(tolerant.out, "a\n\\foo b\n\\frac{1}{}\n\nz\n");
    tg_assert_holds(tolerant.err, "in.txt:2: unknown command \\foo, column 1\n",
                    "in.txt:3: \\frac needs two arguments, column 1\n",
                    "in.txt:4: the formula is not UTF-8\n", NULL);
    assert_int_equal(strict.status, 3);
    assert_string_equal(strict.out, "a\n\n\n\nz\n");
}

CLI_CASES(test_cli_tokenize__one_formula_from_stdin) = {
    { "printf '\\\\frac\\n1\\n2\\n' | texgauge tokenize --mode canonical -", 0, "=\\frac{1}{2}\n" },
    { NULL },
};

TEST(test_cli_render__several_formulas)
{
    static const char make[] = "printf 'a\n\n\\\\foo b\n' > in.txt; mkdir -p old; ";
    g_auto(CliRun) folder = cli_run(*state,
                                    "%s texgauge render --input in.txt -o new --boxes - && "
                                    "texgauge render a b -o old && ls new old",
                                    make);
    g_auto(CliRun) boxes =
        cli_run(*state, "%s texgauge render --strict --input - --boxes - < in.txt", make);
    g_auto(GStrv) lines = g_strsplit(boxes.out, "\n", -1);
    json_auto_t *refused = json_loads(lines[2], 0, NULL);

    tg_assert_holds(folder.out, "new:\n1.json\n1.png\n2.json\n2.png\n3.json\n3.png\n",
                    "old:\n1.json\n1.png\n2.json\n2.png\n", NULL);
    assert_non_null(strstr(folder.err, "in.txt:3: unknown command \\foo, column 1\n"));
    assert_int_equal(boxes.status, 3);
    assert_int_equal(g_strv_length(lines), 4);
    assert_non_null(strstr(json_string_value(json_object_get(refused, "error")), "column 1"));
}

TEST(test_cli_render__wrong_calls)
{
    static const struct {
        const char *words;
        int status;
    } cases[] = {
        { "a b -o x.png", 2 },
        { "a", 2 },
        { "-o x.png", 2 },
        { "a --input in.txt -o x.png", 2 },
        { "--input none -o x.png", 3 },
        { "a -o x.bmp", 2 },
        { "a b -o in.txt/x", 4 },
        { "'{' --strict -o x.png", 3 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(CliRun) run = cli_run(*state, "texgauge render %s", cases[i].words);
        if (run.status != cases[i].status || run.err[0] == '\0')
            fail_msg("%s: %d, %s", cases[i].words, run.status, run.err);
    }
}

TEST_GROUP(cli_make_scratch, cli_remove_scratch)
