#include "tests/support/test_support.h"

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
    g_auto(CliRun) none = cli_run(*state, "texgauge");
    g_auto(CliRun) wrong = cli_run(*state, "texgauge evaluate");
    g_auto(CliRun) option = cli_run(*state, "texgauge eval --metric bleu x.json");
    g_auto(CliRun) eval_help = cli_run(*state, "texgauge eval --help");

    assert_int_equal(help.status, 0);
    assert_non_null(strstr(help.out, "eval"));
    assert_int_equal(none.status, 2);
    assert_int_equal(wrong.status, 2);
    assert_non_null(strstr(wrong.err, "no command 'evaluate'"));
    assert_int_equal(option.status, 2);
    assert_non_null(strstr(option.err, "--help"));
    assert_int_equal(eval_help.status, 0);
    assert_non_null(strstr(eval_help.out, "Examples:"));
}

TEST(test_cli__score_prints_one_json_object)
{
    g_auto(CliRun) run = cli_run(*state, "texgauge score -m edit,exprate '$a+b$' 'a-b'");
    json_t *row = json_loads(run.out, 0, NULL);

    assert_int_equal(run.status, 0);
    assert_non_null(row);
    assert_string_equal(json_string_value(json_array_get(json_object_get(row, "gt"), 0)), "a+b");
    const json_t *scores = json_object_get(row, "scores");
    tg_assert_near(json_number_value(json_object_get(scores, "edit")), 2.0 / 3, 1e-9);
    tg_assert_near(json_number_value(json_object_get(scores, "exprate")), 0.0, 0.0);
    tg_assert_near(json_number_value(json_object_get(scores, "exprate.1")), 1.0, 0.0);
    json_decref(row);
}

TEST(test_cli__exit_codes)
{
    static const struct {
        const char *command;
        int status;
        const char *message;
    } cases[] = {
        { "texgauge eval x.json", 3, "x.json: cannot be opened" },
        { "texgauge eval -m blue x.json", 2, "unknown metric 'blue'" },
        { "texgauge eval -m edit", 2, "no input" },
        { "texgauge eval -m edit --shard 3/2 x.json", 2, "--shard takes K/N" },
        { "texgauge eval -m edit --pred a.txt", 2, "needs a --gt" },
        { "texgauge eval -m edit --resume x.jsonl", 2, "only a results file can be resumed" },
        { "texgauge eval -m edit $T/nowhere.jsonl", 3, "nowhere.jsonl" },
        { "texgauge eval -m edit --plugin $T/none.so x", 2, "none.so" },
        { "echo '{\"gt\":\"a\",\"pred\":\"a\"}' | texgauge eval -m edit -o /dev/full -", 4,
          "/dev/full" },
        { "echo '{\"gt\":\"a\",\"pred\":\"a\"}' | texgauge eval -m edit -", 0, NULL },
        { "echo '{\"gt\":\"a\",\"pred\":null}' | texgauge eval -m edit -", 3, "--map pred=FIELD" },
        { "echo '{\"gt\":\"a\",\"pred\":\"a\",\"h\":1}' | texgauge eval -m edit --columns h -", 0,
          NULL },
        { "echo '{\"gt\":\"a\",\"pred\":\"a\",\"h\":1}' | texgauge eval -m edit --columns g -", 3,
          "no row has a field 'g'" },
        { "echo '{\"gt\":\"a\",\"pred\":\"a\"}' | texgauge eval -m edit --human H=k.a -", 3,
          "no row has a field 'k.a'" },
        { "echo 'nonsense' | texgauge eval -m edit -", 3, "stdin:1" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(CliRun) run = cli_run(*state, "%s", cases[i].command);

        if (run.status != cases[i].status)
            fail_msg("%s: exit code %d, wanted %d; %s", cases[i].command, run.status,
                     cases[i].status, run.err);
        if (cases[i].message != NULL && strstr(run.err, cases[i].message) == NULL)
            fail_msg("%s: '%s' is not in '%s'", cases[i].command, cases[i].message, run.err);
    }
}

TEST(test_cli__results_do_not_depend_on_threads)
{
    write_pairs(*state, "pairs.jsonl", 1000);
    g_auto(CliRun) run =
        cli_run(*state, "cd $T && for n in 1 2 3 8; do "
                        "texgauge eval -q -m bleu,edit,chrf,rouge -t $n -o r$n.jsonl pairs.jsonl "
                        "--summary json > s$n.json || exit 9; "
                        "cmp r1.jsonl r$n.jsonl && cmp s1.json s$n.json || exit 8; done");

    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
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
    g_auto(CliRun) run =
        cli_run(*state, "cd $T && for n in 1 4; do texgauge eval -q -m cer -t $n --columns kind "
                        "--gt t.jsonl --pred A=p.jsonl --pred B=p.jsonl -o c$n.jsonl >s$n && "
                        "texgauge eval -q -t $n --add edit c$n.jsonl -o a$n.jsonl >b$n || "
                        "exit 9; done; cmp c1.jsonl c4.jsonl && cmp a1.jsonl a4.jsonl && "
                        "grep -c '\"kind\":{\"n\"' a4.jsonl");

    assert_string_equal(run.err, "");
    assert_string_equal(run.out, "2000\n");
}

TEST(test_cli__merged_shards_equal_the_whole_run)
{
    write_pairs(*state, "pairs.jsonl", 1001);
    g_auto(CliRun) run = cli_run(
        *state,
        "cd $T && for k in 1 2 3; do "
        "texgauge eval -q -m bleu,edit,cer --shard $k/3 -o part$k.jsonl pairs.jsonl "
        "> /dev/null || exit 9; done; "
        "texgauge eval -q -m bleu,edit,cer -o all.jsonl --summary csv pairs.jsonl > all.csv;"
        "texgauge eval part3.jsonl part1.jsonl part2.jsonl --summary csv | cmp - all.csv &&"
        "texgauge eval all.jsonl --summary csv | cmp - all.csv &&"
        "texgauge eval all.jsonl --mean subsets --confidence --summary json > mean.json &&"
        "texgauge eval part2.jsonl part3.jsonl part1.jsonl --mean subsets --confidence "
        "--summary json | cmp - mean.json &&"
        "texgauge eval -q -m bleu,edit,cer --mean subsets --confidence --summary json pairs.jsonl "
        "| cmp - mean.json");
    g_auto(CliRun) missing = cli_run(*state, "cd $T && texgauge eval part1.jsonl part3.jsonl");
    g_auto(CliRun) twice = cli_run(*state, "cd $T && texgauge eval part1.jsonl part1.jsonl");
    g_auto(CliRun) copy = cli_run(
        *state, "cd $T && cp part1.jsonl copy.jsonl && texgauge eval part1.jsonl copy.jsonl");
    g_auto(CliRun) other = cli_run(*state, "cd $T && texgauge eval part1.jsonl all.jsonl");

    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    assert_int_equal(missing.status, 3);
    assert_non_null(strstr(missing.err, "missing shard 2/3"));
    assert_int_equal(twice.status, 2);
    assert_non_null(strstr(twice.err, "part1.jsonl is given twice"));
    assert_int_equal(copy.status, 3);
    assert_non_null(strstr(copy.err, "already given"));
    assert_int_equal(other.status, 3);
    assert_non_null(strstr(other.err, "another run"));
}

/* Killed in the middle, taken up, the file and the summary are those of an undisturbed run. */
TEST(test_cli__resume_after_kill)
{
    write_pairs(*state, "pairs.jsonl", 60000);
    g_auto(CliRun) run = cli_run(
        *state,
        "cd $T && texgauge eval -q -m bleu,edit -o whole.jsonl --summary csv pairs.jsonl > "
        "whole.csv;"
        "\"$TEXGAUGE\" eval -q -m bleu,edit -t 2 -o cut.jsonl pairs.jsonl > /dev/null & pid=$!;"
        "while kill -0 $pid && [ \"$(stat -c %%s cut.jsonl 2>/dev/null || echo 0)\" -lt 1000000 ]; "
        "do :; done;"
        "kill -9 $pid; wait $pid 2>/dev/null;"
        "head -c -7 cut.jsonl > cut2.jsonl; mv cut2.jsonl cut.jsonl;" /* also half a line */
        "tail -n 1 cut.jsonl | grep -q '\"end\"' && exit 9;"
        "texgauge eval -q -m bleu,edit -o cut.jsonl pairs.jsonl 2> refused; [ $? -eq 4 ] || exit 8;"
        "texgauge eval -q -m edit -o cut.jsonl --resume pairs.jsonl 2> other; [ $? -eq 4 ] || exit "
        "7;"
        "texgauge eval -q -m bleu,edit -o cut.jsonl --resume --summary csv pairs.jsonl > cut.csv;"
        "cmp whole.csv cut.csv && cmp whole.jsonl cut.jsonl || exit 6;"
        "texgauge eval -q -m bleu,edit -o cut.jsonl --resume --summary csv pairs.jsonl | cmp - "
        "whole.csv");
    g_auto(CliRun) refused = cli_run(*state, "cat $T/refused; cat $T/other");

    if (run.status != 0)
        fail_msg("exit %d: %s", run.status, run.err);
    assert_non_null(strstr(refused.out, "continue it with --resume"));
    assert_non_null(strstr(refused.out, "belongs to another run"));
}

/* A stage of a pipe answers each row before the next one comes. */
TEST(test_cli__stdin_rows_come_back_at_once)
{
    g_auto(CliRun) run = cli_run(
        *state, "mkfifo $T/in; (\"$TEXGAUGE\" eval -m edit - < $T/in) > $T/out & "
                "exec 3> $T/in; echo '{\"gt\":\"a\",\"pred\":\"a\"}' >&3; "
                "for i in $(seq 200); do grep -q '\"row\":1' $T/out && break; sleep 0.05; done;"
                "grep -q '\"row\":1' $T/out && ! grep -q '\"end\"' $T/out || exit 9;"
                "echo '{\"gt\":\"b\",\"pred\":\"a\"}' >&3; exec 3>&-; wait; cat $T/out");

    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "\"row\":2"));
    assert_non_null(strstr(run.out, "\"end\":true"));
}

TEST(test_cli__a_missing_prediction_counts_as_asked)
{
    static const char input[] = "printf '%s\\n' '{\"gt\":\"ab\",\"pred\":\"ab\"}' "
                                "'{\"gt\":\"cd\",\"pred\":null}' > $T/p.jsonl; ";
    g_autofree char *worst = g_strconcat(
        input, "texgauge eval -m exprate --undefined worst $T/p.jsonl --summary csv", NULL);
    g_autofree char *skip = g_strconcat(
        input, "texgauge eval -m exprate --undefined skip $T/p.jsonl --summary csv", NULL);
    g_autofree char *stop =
        g_strconcat(input, "texgauge eval -m exprate --undefined stop $T/p.jsonl", NULL);
    g_auto(CliRun) w = cli_run(*state, "%s", worst);
    g_auto(CliRun) s = cli_run(*state, "%s", skip);
    g_auto(CliRun) x = cli_run(*state, "%s", stop);

    assert_non_null(strstr(w.out, ",\"all\",2,0.5,"));
    assert_true(g_str_has_suffix(w.out, ",1,0\n")); /* one not ok, none undefined */
    assert_non_null(strstr(s.out, ",\"all\",2,1,"));
    assert_true(g_str_has_suffix(s.out, ",1,1\n"));
    assert_int_equal(x.status, 3);
    assert_non_null(strstr(x.err, "no prediction"));
}

TEST(test_cli__one_bad_row_ends_nothing)
{
    g_auto(CliRun) run = cli_run(
        *state, "printf '{\"gt\":\"a\",\"pred\":\"a\"}\\n{\"gt\":\"\\377\",\"pred\":\"a\"}\\n"
                "{\"pred\":\"a\"}\\n{\"gt\":\"b\",\"pred\":\"b\"}\\n' > $T/bad.jsonl;"
                "texgauge eval -m exprate -o $T/bad.out --summary csv $T/bad.jsonl; s=$?;"
                "grep -c '\"row\"' $T/bad.out; exit $s");

    assert_int_equal(run.status, 3);
    assert_non_null(strstr(run.err, "bad.jsonl:2"));
    assert_non_null(strstr(run.err, "bad.jsonl:3"));
    assert_non_null(strstr(run.out, ",\"all\",4,1,"));
    assert_true(g_str_has_suffix(run.out, "\n4\n"));
}

TEST(test_cli__loads_plugins)
{
    g_auto(CliRun) run =
        cli_run(*state, "texgauge score --plugin $TEXGAUGE_PLUGIN -m length-ratio 'a b' 'a b c'");
    g_auto(CliRun) list =
        cli_run(*state, "TEXGAUGE_PLUGINS=$TEXGAUGE_PLUGIN texgauge metrics length-ratio");
    g_auto(CliRun) twice = cli_run(
        *state, "TEXGAUGE_PLUGINS=$TEXGAUGE_PLUGIN texgauge metrics --plugin $TEXGAUGE_PLUGIN");
    g_auto(CliRun) no_plugin =
        cli_run(*state, "texgauge metrics --plugin \"$(ls -d /lib*/*/libm.so.6 | head -1)\"");

    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "\"length-ratio\":0.6666666667"));
    assert_non_null(strstr(list.out, "from the plugin"));
    assert_int_equal(twice.status, 2);
    assert_non_null(strstr(twice.err, "is taken"));
    assert_int_equal(no_plugin.status, 2);
    assert_non_null(strstr(no_plugin.err, "not a plugin"));
}

TEST(test_cli__plugins_score_on_eight_threads)
{
    write_pairs(*state, "pairs.jsonl", 1000);
    g_auto(CliRun) run =
        cli_run(*state, "cd $T && for n in 1 8; do texgauge eval -q --plugin $TEXGAUGE_PLUGIN "
                        "-m length-ratio,edit,length-ratio:tokenize=words -t $n -o p$n.jsonl "
                        "pairs.jsonl > /dev/null || exit 9; done; cmp p1.jsonl p8.jsonl");

    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
}

TEST(test_cli__tokenize_shows_what_metrics_see)
{
    g_auto(CliRun) latex = cli_run(*state, "texgauge tokenize -- '-\\frac{a}b'");
    g_auto(CliRun) words = cli_run(*state, "texgauge tokenize --mode words 'a+b  c'");
    g_auto(CliRun) wrong = cli_run(*state, "texgauge tokenize --mode letters 'a'");

    assert_string_equal(latex.out, "- \\frac { a } b\n");
    assert_string_equal(words.out, "a+b c\n");
    assert_int_equal(wrong.status, 2);
}

TEST(test_cli__metrics_as_json_is_json)
{
    g_auto(CliRun) run = cli_run(*state, "texgauge metrics --json");
    json_t *list = json_loads(run.out, 0, NULL);

    assert_int_equal(run.status, 0);
    assert_true(json_array_size(list) >= 5);
    json_decref(list);
}

TEST(test_cli__render_draws_and_tells_the_boxes)
{
    g_auto(CliRun) run = cli_run(*state, "texgauge render '\\frac{a}{b}' -o $T/f.png --boxes -;"
                                         "head -c 4 $T/f.png | tail -c 3 >&2");
    g_auto(CliRun) fault = cli_run(*state, "texgauge render --strict '\\nonsense' -o $T/g.png");
    g_auto(CliRun) suffix = cli_run(*state, "texgauge render 'a' -o $T/g.bmp");
    g_auto(CliRun) lines = cli_run(*state, "printf 'a\n{b}\n' > $T/in.txt; "
                                           "texgauge render --input $T/in.txt -o $T/pictures &&"
                                           "ls $T/pictures");
    json_t *boxes = json_loads(run.out, 0, NULL);

    assert_int_equal(run.status, 0);
    assert_string_equal(run.err, "PNG");
    assert_int_equal(json_array_size(json_object_get(boxes, "tokens")), 3); /* bar, a, b */
    assert_int_equal(fault.status, 3);
    assert_non_null(strstr(fault.err, "column 1"));
    assert_int_equal(suffix.status, 2);
    assert_string_equal(lines.out, "1.json\n1.png\n2.json\n2.png\n");
    json_decref(boxes);
}

TEST_GROUP(cli_make_scratch, cli_remove_scratch)
