#include "tests/support/test_support.h"

#include "tests/support/cli_support.h"

#include <jansson.h>

#define SAMPLE "'" TG_SOURCE_ROOT "/datasets/samples/mathbridge.csv'"

/* One results file of both models for all tests. */
static int make_results(void **state)
{
    *state = cli_scratch();
    g_auto(CliRun) run =
        cli_run(*state, "texgauge eval -q -m edit,cer " SAMPLE " -o $T/r.jsonl >$T/summary");

    return run.status;
}

TEST(test_cli_compare__two_models)
{
    g_auto(CliRun) table = cli_run(*state, "texgauge compare --trials 100 $T/r.jsonl");
    g_auto(CliRun) json =
        cli_run(*state, "texgauge compare --base birch --trials 9 --summary json $T/r.jsonl");
    json_t *all = json_loads(json.out, 0, NULL);

    assert_int_equal(table.status, 0);
    assert_string_equal(table.err, "");
    assert_non_null(strstr(table.out, "birch against aster"));
    assert_non_null(all);
    assert_string_equal(json_string_value(json_object_get(all, "base")), "birch");
    json_decref(all);
}

/* The file of one model beside that of another, each without a model of its own. */
TEST(test_cli_compare__two_files)
{
    g_auto(CliRun) run = cli_run(
        *state,
        "printf '{\"gt\":\"a\",\"pred\":\"a\"}\\n{\"gt\":\"b\",\"pred\":\"b\"}\\n' >$T/x;"
        "printf '{\"gt\":\"a\",\"pred\":\"a\"}\\n{\"gt\":\"b\",\"pred\":\"c\"}\\n' >$T/y;"
        "for m in x y; do texgauge eval -q -m edit -f jsonl $T/$m -o $T/$m.jsonl; done >$T/s;"
        "texgauge compare --trials 9 --summary csv $T/x.jsonl $T/y.jsonl");

    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "\"x\",\"y\",\"edit\",\"all\",2,1,0.5,-0.5"));
}

TEST(test_cli_compare__thresholds_set_the_exit_code)
{
    g_auto(CliRun) met = cli_run(*state, "texgauge compare $T/r.jsonl --fail-under edit=0.5");
    g_auto(CliRun) missed = cli_run(*state, "texgauge compare $T/r.jsonl --fail-under cer=0.03");
    g_auto(CliRun) same = cli_run(*state, "texgauge compare $T/r.jsonl --baseline $T/r.jsonl");

    assert_int_equal(met.status, 0);
    assert_non_null(strstr(met.out, "ok   aster: edit 0.96"));
    assert_int_equal(missed.status, 1);
    assert_non_null(strstr(missed.out, "ok   aster: cer 0.02"));
    assert_non_null(strstr(missed.out, "FAIL birch: cer 0.05"));
    assert_int_equal(same.status, 0);
}

TEST(test_cli_select__rows_of_the_results)
{
    g_auto(CliRun) hard = cli_run(*state, "texgauge select $T/r.jsonl --where 'edit<1'");
    g_auto(CliRun) same = cli_run(*state, "grep -v '\"edit\":1,' $T/r.jsonl | grep '^{\"row\"'");
    g_auto(CliRun) worst =
        cli_run(*state, "texgauge select -q $T/r.jsonl --worst 3 --by cer -o $T/w && wc -l <$T/w");

    assert_int_equal(hard.status, 0);
    assert_string_equal(hard.out, same.out);
    assert_non_null(strstr(hard.err, "of 80 pairs selected"));
    assert_string_equal(worst.out, "3\n");
    assert_string_equal(worst.err, "");
}

/* A pipe gets JSON lines, eyes get text; a misread formula has its difference marked. */
TEST(test_cli_select__pairs_for_eyes)
{
    g_auto(CliRun) text = cli_run(
        *state, "texgauge select -q --text $T/r.jsonl --where id=mb-01 --where model=aster");
    g_auto(CliRun) lines =
        cli_run(*state, "texgauge select -q --json $T/r.jsonl --where id=mb-01 | wc -l");

    assert_non_null(strstr(text.out, "  mb-01  aster  "));
    assert_non_null(strstr(text.out, "truth       x^{2}+y^{2}=z^{2}\n"
                                     "prediction  x^{2}+y^{2}=z_{2}\n"
                                     "                         ^\n"));
    assert_string_equal(lines.out, "2\n");
}

TEST(test_cli_compare__exit_codes)
{
    static const CliWrongCall calls[] = {
        { "texgauge compare", 2, "no input" },
        { "texgauge compare " SAMPLE, 3, "not a results file" },
        { "texgauge compare $T/r.jsonl --base zzz", 2, "no model 'zzz'" },
        { "texgauge compare $T/r.jsonl --tolerance 1", 2, "--tolerance needs --baseline" },
        { "texgauge compare $T/r.jsonl --fail-under edit", 2, "no number in 'edit'" },
        { "texgauge compare $T/r.jsonl --fail-under 1", 2, "COLUMN=VALUE" },
        { "texgauge compare $T/r.jsonl --trials -1", 2, "not negative" },
        { "texgauge compare $T/r.jsonl --baseline $T/none", 3, "/none" },
        { "texgauge select $T/r.jsonl", 2, "--where, --worst or --disputed" },
        { "texgauge select $T/r.jsonl --where 'zzz<1'", 2, "no pair has a field 'zzz'" },
        { "texgauge select $T/r.jsonl --worst 1 --text --json", 2, "choose one" },
        { "texgauge select $T/r.jsonl --worst -1", 2, "not negative" },
        { "texgauge select $T/r.jsonl --worst 1 -o $T/none/x", 4, "/none/x" },
        { "texgauge select --worst 1 $T/none", 3, "/none" },
    };

    cli_check_wrong_calls(*state, calls, G_N_ELEMENTS(calls));
}

TEST_GROUP(make_results, cli_remove_scratch)
