/* What every command's tables have in common: percents, names, signatures, width. */
#include "tests/support/cli_support.h"

/* Two models, 12 pairs: A is right, B has one of two tokens of every other pair. In r.jsonl. */
static int make_results(void **state)
{
    g_autoptr(GString) rows = g_string_new(NULL);

    *state = cli_scratch();
    for (guint i = 0; i < 24; i++)
        g_string_append_printf(rows,
                               "{\"id\":%u,\"model\":\"%s\",\"subset\":\"%s\",\"gt\":\"a "
                               "b\",\"pred\":\"%s\",\"human\":%u}\n",
                               i / 2, i % 2 ? "B" : "A", i < 12 ? "first" : "second",
                               i % 4 == 3 ? "a c" : "a b", i);
    cli_write_file(state, "p.jsonl", rows->str);
    cli_write_file(state, "rare.txt", "a b c\n");
    cli_write_file(
        state, "nul.json",
        "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":1,\"a\\u0000b\":2},\"merges\":[]}}");
    g_auto(CliRun) run =
        cli_run(*state, "texgauge eval -q -m edit,exprate --columns id p.jsonl -o r.jsonl");
    return run.status;
}

CLI_CASES(test_cli_tables__show_percents_and_digits) = {
    { "texgauge eval r.jsonl --percent", 0, "edit % ↑" },
    { "texgauge eval r.jsonl --percent --digits 0 --summary csv", 0, "\"B\",\"all\",12,75," },
    { "texgauge eval r.jsonl --percent --digits 0 --summary md", 0, "|       75 |" },
    { "texgauge eval r.jsonl --percent --digits 0 --summary json", 0, "\"edit\":75" },
    { "texgauge compare r.jsonl --percent --digits 0 --summary csv", 0,
      "\"A\",\"B\",\"edit %\",\"all\",12,100,75,-25," },
    { "texgauge report -q r.jsonl --percent --digits 0 -o r.md && cat r.md", 0, "edit %" },
    { "texgauge study r.jsonl --percent --digits 0 --resamples 20", 0, "acc_eq %" },
    { NULL },
};

CLI_CASES(test_cli_tables__are_turned_on_request) = {
    { "texgauge eval r.jsonl --pivot edit --summary csv", 0, "\"A\",1,1,1" },
    { "texgauge eval r.jsonl --pivot edit", 0, "1.0000*" },
    { "texgauge eval r.jsonl --confidence --summary csv", 0, "\"edit_low\",\"edit_high\"" },
    { "texgauge eval r.jsonl --mean subsets --summary csv", 0, "\"B\"" },
    { NULL },
};

CLI_CASES(test_cli_tables__say_which_test_was_asked_for) = {
    { "texgauge compare r.jsonl", 0, "p-values: two-sided." },
    { "texgauge compare r.jsonl --test sacrebleu", 0, "p-values: sacrebleu." },
    { "texgauge compare r.jsonl --summary json", 0, "\"rules\":\"two-sided\"" },
    { NULL },
};

/* A column has its options in its name, alone as beside others; no two have one name. */
CLI_CASES(test_cli_tables__columns_are_named_by_their_options) = {
    { "texgauge eval -m a=edit,a=bleu p.jsonl", 2, "=", "'a'" },
    { "texgauge eval -q -m chrf:word-order=2 p.jsonl", 0, "chrf:word-order=2 ↑" },
    { "texgauge eval -q -m chrf,chrf:word-order=2 p.jsonl", 0, "chrf ↑  chrf:word-order=2 ↑" },
    { "texgauge tokenize --mode bpe:nul.json ab", 0, "a b\n" },
    { NULL },
};

/* A file that was overwritten in place scores otherwise, and the signature says so. */
TEST(test_cli_tables__signatures_have_digests_of_files)
{
    g_auto(CliRun) run = cli_run(
        *state, "e() { texgauge eval -q -m ebleu:rare-corpus=rare.txt p.jsonl -o $1 \"$2\" json | "
                "grep -o 'rare.txt:[0-9a-f]*'; echo rare.txt:$(sha256sum rare.txt | cut -c 1-12); "
                "};e one.jsonl --summary; echo c >>rare.txt; e two.jsonl --summary");
    CLI_CHECK({ "texgauge compare one.jsonl two.jsonl", 3 });
    g_auto(GStrv) lines = g_strsplit(run.out, "\n", -1);

    assert_int_equal(g_strv_length(lines), 5);
    assert_string_equal(lines[0], lines[1]);
    assert_string_equal(lines[2], lines[3]);
    assert_string_not_equal(lines[0], lines[2]);
}

/* On a terminal of 80 columns. */
TEST(test_cli_tables__keep_to_a_terminal)
{
    static const char *const commands[] = {
        "compare r.jsonl --all",
        "study r.jsonl --resamples 20",
        "eval r.jsonl --confidence --all",
        "eval r.jsonl --pivot edit",
        "select r.jsonl --worst 3",
        "metrics",
        "study r.jsonl -q --spellings id --parts spellings",
    };

    cli_need_terminal();
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++) {
        g_auto(CliRun) run = cli_run(*state, "COLUMNS=80 terminal \"$TEXGAUGE %s\"", commands[i]);
        g_auto(GStrv) lines = g_strsplit(run.out, "\n", -1);

        if (g_strv_length(lines) < 5)
            fail_msg("%s: %s", commands[i], run.out);
        for (guint k = 0; lines[k] != NULL; k++)
            if (g_utf8_strlen(g_strchomp(lines[k]), -1) > 80)
                fail_msg("%s: %s", commands[i], lines[k]);
    }
}

TEST_GROUP(make_results, cli_remove_scratch)
