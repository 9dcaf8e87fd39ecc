#include "tests/support/cli_support.h"

#include <jansson.h>
#include <signal.h>

/* @n rows of JSON lines; every 50th prediction is null, two subsets, two models. */
static void write_pairs(const char *folder, const char *name, guint n)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    for (guint i = 0; i < n; i++) {
        fprintf(file, "{\"id\": \"f%u\", \"model\": \"%s\", \"subset\": \"%s\", ", i,
                i % 2 ? "second" : "first", i % 3 ? "short" : "long");
        fprintf(file, "\"gt\": \"\\\\frac{a_{%u}}{b} + \\\\alpha^{%u}\", ", i % 17, i % 5);
        if (i % 50 == 49)
            fprintf(file, "\"pred\": null}\n");
        else
            fprintf(file, "\"pred\": \"\\\\frac{a_{%u}}{b} + \\\\alpha^%u\"}\n", i % 13, i % 7);
    }
    assert_int_equal(fclose(file), 0);
}

TEST(test_cli__says_how_it_is_used)
{
    g_auto(CliRun) help = cli_run(*state, "texgauge --help");
    CLI_CHECK({ "texgauge", 2 }, { "texgauge evaluate", 2, "=", "no command 'evaluate'" },
              { "texgauge eval --metric bleu x.json", 2, "=", "--help" },
              { "texgauge eval --help", 0, "More examples:" });

    assert_int_equal(help.status, 0);
    assert_non_null(strstr(help.out, "eval"));
}

TEST(test_cli__score_prints_one_json_object)
{
    g_auto(CliRun) run = cli_run(*state, "texgauge score -m edit,exprate '$a+b$' 'a-b'");
    json_auto_t *row = json_loads(run.out, 0, NULL);

    assert_int_equal(run.status, 0);
    assert_non_null(row);
    assert_string_equal(json_string_value(json_array_get(json_object_get(row, "gt"), 0)), "a+b");
    const json_t *scores = json_object_get(row, "scores");
    tg_assert_near(json_number_value(json_object_get(scores, "edit")), 2.0 / 3, 1e-9);
    tg_assert_near(json_number_value(json_object_get(scores, "exprate")), 0.0, 0.0);
    tg_assert_near(json_number_value(json_object_get(scores, "exprate.1")), 1.0, 0.0);
}

CLI_CASES(test_cli__exit_codes) = {
    { "texgauge eval x.json", 3, "=", "x.json: cannot be opened" },
    { "texgauge eval -m blue x.json", 2, "=", "unknown metric 'blue'" },
    { "texgauge eval -m edit", 2, "=", "no input" },
    { "texgauge eval -m edit --shard 3/2 x.json", 2, "=", "--shard takes K/N" },
    { "texgauge eval -m edit --pred a.txt", 2, "=", "needs a --gt" },
    { "texgauge eval -m edit --resume x.jsonl", 2, "=", "only a results file can be resumed" },
    { "texgauge eval -m edit nowhere.jsonl", 3, "=", "nowhere.jsonl" },
    { "texgauge eval -m edit --plugin none.so x", 2, "=", "none.so" },
    { "echo '{\"gt\":\"a\",\"pred\":\"a\"}' | texgauge eval -m edit -o /dev/full -", 4, "=",
      "/dev/full" },
    { "echo '{\"gt\":\"a\",\"pred\":\"a\"}' | texgauge eval -m edit -", 0 },
    { "echo '{\"gt\":\"a\",\"pred\":null}' | texgauge eval -m edit -", 3, NULL,
      "--map pred=FIELD" },
    { "echo '{\"gt\":\"a\",\"pred\":\"a\",\"h\":1}' | texgauge eval -m edit --columns h -", 0, NULL,
      NULL },
    { "echo '{\"gt\":\"a\",\"pred\":\"a\",\"h\":1}' | texgauge eval -m edit --columns g -", 3, NULL,
      "no row has a field 'g'" },
    { "echo '{\"gt\":\"a\",\"pred\":\"a\"}' | texgauge eval -m edit --human H=k.a -", 3, NULL,
      "no row has a field 'k.a'" },
    { "echo 'nonsense' | texgauge eval -m edit -", 3, NULL, "stdin:1" },
    { NULL },
};

TEST(test_cli__results_do_not_depend_on_threads)
{
    write_pairs(*state, "pairs.jsonl", 1000);
    CLI_CHECK({ "for n in 1 2 3 8; do texgauge eval -q -m bleu,edit,chrf,rouge -t $n -o r$n.jsonl "
                "pairs.jsonl --summary json > s$n.json || exit 9; cmp r1.jsonl r$n.jsonl && cmp "
                "s1.json s$n.json || exit 8; done",
                0, NULL, "=" });
}

/* What rows of several models share, and what a results file lends, goes to several threads. */
TEST(test_cli__stored_columns_do_not_depend_on_threads)
{
    g_autoptr(GString) truths = g_string_new(NULL);
    g_autoptr(GString) predictions = g_string_new(NULL);

    for (guint i = 0; i < 1000; i++) {
        g_string_append_printf(truths, "{\"id\":%u,\"gt\":\"x^{%u}\",\"kind\":{\"n\":[%u]}}\n", i,
                               i, i % 3);
        if (i % 2)
            g_string_append_printf(predictions, "{\"id\":%u,\"pred\":\"x^%u\"}\n", i, i);
    }
    cli_write_file(state, "t.jsonl", truths->str);
    cli_write_file(state, "p.jsonl", predictions->str);
    CLI_CHECK({ "for n in 1 4; do texgauge eval -q -m cer -t $n --columns kind --gt t.jsonl --pred "
                "A=p.jsonl --pred B=p.jsonl -o c$n.jsonl >s$n && texgauge eval -q -t $n --add edit "
                "c$n.jsonl -o a$n.jsonl >b$n || exit 9; done; cmp c1.jsonl c4.jsonl && cmp "
                "a1.jsonl a4.jsonl && grep -c '\"kind\":{\"n\"' a4.jsonl",
                0, "=2000\n", "=" });
}

TEST(test_cli__merged_shards_equal_the_whole_run)
{
    write_pairs(*state, "pairs.jsonl", 1001);
    g_auto(CliRun) run = cli_run(
        *state,
        "for k in 1 2 3; do texgauge eval -q -m bleu,edit,cer --shard $k/3 -o part$k.jsonl "
        "pairs.jsonl > /dev/null || exit 9; done; texgauge eval -q -m bleu,edit,cer -o all.jsonl "
        "--summary csv pairs.jsonl > all.csv;texgauge eval part3.jsonl part1.jsonl part2.jsonl "
        "--summary csv | cmp - all.csv &&texgauge eval all.jsonl --summary csv | cmp - all.csv "
        "&&texgauge eval all.jsonl --mean subsets --confidence --summary json > mean.json "
        "&&texgauge eval part2.jsonl part3.jsonl part1.jsonl --mean subsets --confidence --summary "
        "json | cmp - mean.json &&texgauge eval -q -m bleu,edit,cer --mean subsets --confidence "
        "--summary json pairs.jsonl | cmp - mean.json");
    CLI_CHECK({ "texgauge eval part1.jsonl part3.jsonl", 3, "=", "missing shard 2/3" },
              { "texgauge eval part1.jsonl part1.jsonl", 2, "=", "part1.jsonl is given twice" },
              { "cp part1.jsonl copy.jsonl && texgauge eval part1.jsonl copy.jsonl", 3, "=",
                "already given" },
              { "texgauge eval part1.jsonl all.jsonl", 3, "=", "another run" });

    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
}

/* Killed in the middle, taken up, the file and the summary are those of an undisturbed run. */
TEST(test_cli__resume_after_kill)
{
    write_pairs(*state, "pairs.jsonl", 60000);
    g_auto(CliRun) run = cli_run(
        *state,
        "texgauge eval -q -m bleu,edit -o whole.jsonl --summary csv pairs.jsonl > "
        "whole.csv;\"$TEXGAUGE\" eval -q -m bleu,edit -t 2 -o cut.jsonl pairs.jsonl > /dev/null & "
        "pid=$!;while kill -0 $pid && [ \"$(stat -c %%s cut.jsonl 2>/dev/null || echo 0)\" -lt "
        "1000000 ]; do :; done;kill -9 $pid; wait $pid 2>/dev/null;head -c -7 cut.jsonl > "
        "cut2.jsonl; mv cut2.jsonl cut.jsonl;" /* also half a line */
        "tail -n 1 cut.jsonl | grep -q '\"end\"' && exit 9;texgauge eval -q -m bleu,edit -o "
        "cut.jsonl pairs.jsonl 2> refused; [ $? -eq 4 ] || exit 8;texgauge eval -q -m edit -o "
        "cut.jsonl --resume pairs.jsonl 2> other; [ $? -eq 4 ] || exit 7;texgauge eval -q -m "
        "bleu,edit -o cut.jsonl --resume --summary csv pairs.jsonl > cut.csv;cmp whole.csv cut.csv "
        "&& cmp whole.jsonl cut.jsonl || exit 6;texgauge eval -q -m bleu,edit -o cut.jsonl "
        "--resume --summary csv pairs.jsonl | cmp - whole.csv");
    CLI_CHECK(
        { "cat refused; cat other", 0, "continue it with --resume...belongs to another run" });

    if (run.status != 0)
        fail_msg("exit %d: %s", run.status, run.err);
}

/* A stage of a pipe answers each row before the next one comes. */
CLI_CASES(test_cli__stdin_rows_come_back_at_once) = {
    { "mkfifo in; (\"$TEXGAUGE\" eval -m edit - < in) > out & exec 3> in; echo "
      "'{\"gt\":\"a\",\"pred\":\"a\"}' >&3; for i in $(seq 200); do grep -q '\"row\":1' out && "
      "break; sleep 0.05; done;grep -q '\"row\":1' out && ! grep -q '\"end\"' out || exit 9;echo "
      "'{\"gt\":\"b\",\"pred\":\"a\"}' >&3; exec 3>&-; wait; cat out",
      0, "\"row\":2...\"end\":true" },
    { NULL },
};

CLI_CASES(test_cli__a_missing_prediction_counts_as_asked) = {
    { "printf '%s\\n' '{\"gt\":\"ab\",\"pred\":\"ab\"}' '{\"gt\":\"cd\",\"pred\":null}' >p.jsonl; "
      "texgauge eval -m exprate --undefined worst p.jsonl --summary csv",
      0, ",\"all\",2,0.5,...$,1,0\n" }, /* one not ok, none undefined */
    { "texgauge eval -m exprate --undefined skip p.jsonl --summary csv", 0,
      ",\"all\",2,1,...$,1,1\n" },
    { "texgauge eval -m exprate --undefined stop p.jsonl", 3, NULL, "no prediction" },
    { NULL },
};

TEST(test_cli__one_bad_row_ends_nothing)
{
    CLI_CHECK(
        { "printf '{\"gt\":\"a\",\"pred\":\"a\"}\\n{\"gt\":\"\\377\",\"pred\":\"a\"}\\n"
          "{\"pred\":\"a\"}\\n{\"gt\":\"b\",\"pred\":\"b\"}\\n' > bad.jsonl;texgauge eval -m "
          "exprate -o bad.out --summary csv bad.jsonl; s=$?;grep -c '\"row\"' bad.out; exit $s",
          3, ",\"all\",4,1,...$\n4\n", "bad.jsonl:2...bad.jsonl:3" });
}

TEST(test_cli__loads_plugins)
{
    CLI_CHECK(
        { "texgauge score --plugin $TEXGAUGE_PLUGIN -m length-ratio 'a b' 'a b c'", 0,
          "\"length-ratio\":0.6666666667" },
        { "TEXGAUGE_PLUGINS=$TEXGAUGE_PLUGIN texgauge metrics length-ratio", 0, "from the plugin" },
        { "TEXGAUGE_PLUGINS=$TEXGAUGE_PLUGIN texgauge metrics --plugin $TEXGAUGE_PLUGIN", 2, "=",
          "is taken" },
        { "texgauge metrics --plugin \"$(ls -d /lib*/*/libm.so.6 | head -1)\"", 2, NULL,
          "not a plugin" });
}

TEST(test_cli__plugins_score_on_eight_threads)
{
    write_pairs(*state, "pairs.jsonl", 1000);
    CLI_CHECK({ "for n in 1 8; do texgauge eval -q --plugin $TEXGAUGE_PLUGIN -m "
                "length-ratio,edit,length-ratio:tokenize=words -t $n -o p$n.jsonl pairs.jsonl > "
                "/dev/null || exit 9; done; cmp p1.jsonl p8.jsonl",
                0, NULL, "=" });
}

CLI_CASES(test_cli__tokenize_shows_what_metrics_see) = {
    { "texgauge tokenize -- '-\\frac{a}b'", 0, "=- \\frac { a } b\n" },
    { "texgauge tokenize --mode words 'a+b  c'", 0, "=a+b c\n" },
    { "texgauge tokenize --mode letters 'a'", 2 },
    { NULL },
};

TEST(test_cli__metrics_as_json_is_json)
{
    g_auto(CliRun) run = cli_run(*state, "texgauge metrics --json");
    json_auto_t *list = json_loads(run.out, 0, NULL);

    assert_int_equal(run.status, 0);
    assert_true(json_array_size(list) >= 5);
}

TEST(test_cli__render_draws_and_tells_the_boxes)
{
    g_auto(CliRun) run = cli_run(
        *state,
        "texgauge render '\\frac{a}{b}' -o f.png --boxes -;head -c 4 f.png | tail -c 3 >&2");
    CLI_CHECK(
        { "texgauge render --strict '\\nonsense' -o g.png", 3, NULL, "column 1" },
        { "texgauge render 'a' -o g.bmp", 2 },
        { "printf 'a\n{b}\n' > in.txt; texgauge render --input in.txt -o pictures &&ls pictures", 0,
          "=1.json\n1.png\n2.json\n2.png\n" });
    json_auto_t *boxes = json_loads(run.out, 0, NULL);

    assert_int_equal(run.status, 0);
    assert_string_equal(run.err, "PNG");
    assert_int_equal(json_array_size(json_object_get(boxes, "tokens")), 3); /* bar, a, b */
}

TEST_GROUP(cli_make_scratch, cli_remove_scratch)
