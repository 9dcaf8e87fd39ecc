#include "tests/support/cli_support.h"

#define SAMPLE "'" TG_SOURCE_ROOT "/datasets/samples/mathbridge.csv'"

/* A pipe gets no colors unless they are asked for, and NO_COLOR does not undo that. */
TEST(test_cli_explain__colors_are_for_terminals)
{
    static const struct {
        const char *command;
        gboolean colors;
    } cases[] = {
        { "texgauge explain a+b a", FALSE },
        { "texgauge explain --color auto a+b a", FALSE },
        { "texgauge explain --color always a+b a", TRUE },
        { "NO_COLOR=1 texgauge explain --color always a+b a", TRUE },
        { "texgauge explain --color never a+b a", FALSE },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(CliRun) run = cli_run(*state, "%s", cases[i].command);

        assert_int_equal(run.status, 0);
        assert_non_null(strstr(run.out, "lost"));
        if ((strstr(run.out, "\033[") != NULL) != cases[i].colors)
            fail_msg("%s: %s", cases[i].command, run.out);
    }
}

/* A row of results is the pair that was scored, though the file begins with a header. */
CLI_CASES(test_cli_explain__pairs_of_results) = {
    { "texgauge eval -q -m edit " SAMPLE
      " -o r.jsonl >/dev/null && for row in 1 2 3; do texgauge explain --json --input " SAMPLE
      " --row $row; done >a && for row in 1 2 3; do texgauge explain --json --input r.jsonl --row "
      "$row; done >b && cmp a b && texgauge explain --input r.jsonl --id mb-01 --model aster",
      0, "superscript -> subscript" },
    { NULL },
};

/* Metrics of edits and of elements say why, too; of the same row as FORTE. */
CLI_CASES(test_cli_explain__other_metrics) = {
    { "texgauge explain -m edit --input " SAMPLE " --row 1", 0, "   1  replaced  ^ -> _\n" },
    { "texgauge explain -m cdm 'a+b' 'a+c' -o p.svg && head -c 5 p.svg", 0,
      "   1  other-token  b -> c\n<?xml" },
    { "texgauge explain -m bleu a b", 2, "=", "'bleu' cannot explain a score" },
    { NULL },
};

/* A picture beside the text; as PNG on stdout it comes alone. */
CLI_CASES(test_cli_explain__pictures) = {
    { "texgauge explain a+b a -o e.svg && cat e.svg", 0, "lost...<svg " },
    { "texgauge explain a+b a -o - | head -c 4 | od -An -c", 0, "= 211   P   N   G\n" },
    { NULL },
};

CLI_CASES(test_cli_explain__exit_codes) = {
    { "texgauge explain a", 2, "=", "a reference and a prediction" },
    { "texgauge explain --input " SAMPLE " a", 2, "=", "a reference and a prediction" },
    { "texgauge explain -m cer a b", 2, "=", "'cer'" },
    { "texgauge explain -m forte:profile=x a b", 2, "=", "profile" },
    { "texgauge explain --color pink a b", 2, "=", "--color" },
    { "texgauge explain -o e.gif a b", 2, "=", "e.gif" },
    { "texgauge explain -o none/e.png a b", 4, "=", "none/" },
    { "texgauge explain --width -1 a b", 2, "=", "not negative" },
    { "texgauge explain $'\\xff' b", 2, "=", "UTF-8" },
    { "texgauge explain --input " SAMPLE " --id nobody", 3, "=", "no such pair" },
    { NULL },
};

/* On a terminal the colors are there, and what steers it in a formula is not. */
TEST(test_cli_explain__colors_on_a_terminal)
{
    cli_need_terminal();
    CLI_CHECK({ "export NO_COLOR=; terminal \"$TEXGAUGE explain 'x^2' 'x_2'; $TEXGAUGE metrics | "
                "tail -n 1\"",
                0, "\033[33m...!<U+001B>" },
              { "NO_COLOR=1 terminal \"$TEXGAUGE explain a+b a\"", 0, "!\033[" });
    g_auto(CliRun) wide =
        cli_run(*state, "COLUMNS=80 terminal \"$TEXGAUGE metrics bleu; $TEXGAUGE eval --help\"");
    g_auto(GStrv) lines = g_strsplit(wide.out, "\n", -1);

    assert_true(g_strv_length(lines) > 10);
    for (guint i = 0; lines[i] != NULL; i++)
        assert_true(g_utf8_strlen(g_strchomp(lines[i]), -1) <= 80);
}

TEST_GROUP(cli_make_scratch, cli_remove_scratch)
