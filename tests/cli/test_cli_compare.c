#include "tests/support/cli_support.h"

#include <jansson.h>

#define SAMPLE "'" TG_SOURCE_ROOT "/datasets/samples/mathbridge.csv'"

/* One results file of both models for all tests. */
static int make_results(void **state)
{
    *state = cli_scratch();
    g_auto(CliRun) run =
        cli_run(*state, "texgauge eval -q -m edit,cer " SAMPLE " -o r.jsonl >summary");

    return run.status;
}

TEST(test_cli_compare__two_models)
{
    CLI_CHECK({ "texgauge compare --trials 100 r.jsonl", 0, "birch against aster", "=" });
    g_auto(CliRun) json =
        cli_run(*state, "texgauge compare --base birch --trials 9 --summary json r.jsonl");
    json_auto_t *all = json_loads(json.out, 0, NULL);
    assert_non_null(all);
    assert_string_equal(json_string_value(json_object_get(all, "base")), "birch");
}

/* The file of one model beside that of another, each without a model of its own. */
CLI_CASES(test_cli_compare__two_files) = {
    { "printf '{\"gt\":\"a\",\"pred\":\"a\"}\\n{\"gt\":\"b\",\"pred\":\"b\"}\\n' >x;printf "
      "'{\"gt\":\"a\",\"pred\":\"a\"}\\n{\"gt\":\"b\",\"pred\":\"c\"}\\n' >y;for m in x y; do "
      "texgauge eval -q -m edit -f jsonl $m -o $m.jsonl; done >s;texgauge compare --trials 9 "
      "--summary csv x.jsonl y.jsonl",
      0, "\"x\",\"y\",\"edit\",\"all\",2,1,0.5,-0.5" },
    { NULL },
};

CLI_CASES(test_cli_compare__thresholds_set_the_exit_code) = {
    { "texgauge compare r.jsonl --fail-under edit=0.5", 0, "ok   aster: edit 0.96" },
    { "texgauge compare r.jsonl --fail-under cer=0.03", 1,
      "ok   aster: cer 0.02...FAIL birch: cer 0.05" },
    { "texgauge compare r.jsonl --baseline r.jsonl", 0 },
    { NULL },
};

TEST(test_cli_select__rows_of_the_results)
{
    g_auto(CliRun) hard = cli_run(*state, "texgauge select r.jsonl --where 'edit<1'");
    g_auto(CliRun) same = cli_run(*state, "grep -v '\"edit\":1,' r.jsonl | grep '^{\"row\"' | "
                                          "sed 's/,\"crc\":\"........\"}/}/'");
    CLI_CHECK({ "texgauge select -q r.jsonl --worst 3 --by cer -o w && wc -l <w", 0, "=3\n", "=" });

    assert_int_equal(hard.status, 0);
    assert_string_equal(hard.out, same.out);
    assert_non_null(strstr(hard.err, "of 80 pairs selected"));
}

/* A pipe gets JSON lines, eyes get text; a misread formula has its difference marked. */
CLI_CASES(test_cli_select__pairs_for_eyes) = {
    { "texgauge select -q --text r.jsonl --where id=mb-01 --where model=aster", 0,
      "  mb-01  aster  ...reference   x^{2}+y^{2}=z^{2}\n"
      "prediction  x^{2}+y^{2}=z_{2}\n"
      "                         ^\n" },
    { "texgauge select -q --json r.jsonl --where id=mb-01 | wc -l", 0, "=2\n" },
    { NULL },
};

/* One digit of a score: everybody refuses it, and says what they took where they are told to. */
CLI_CASES(test_cli_compare__edited_results) = {
    { "sed '2s/\"edit\":0.94/\"edit\":0.95/' r.jsonl >edited.jsonl && ! cmp -s r.jsonl "
      "edited.jsonl",
      0, "=" },
    { "texgauge compare edited.jsonl", 3, "=", "edited.jsonl:2: the checksum differs" },
    { "texgauge eval edited.jsonl", 3, "=", "edited.jsonl:2: the checksum" },
    { "texgauge eval --add wer edited.jsonl -o e2.jsonl", 3, "=", "edited.jsonl:2: the checksum" },
    { "texgauge study edited.jsonl", 3, "=", "edited.jsonl:2: the checksum" },
    { "texgauge report -q edited.jsonl -o e.md", 3, "=", "edited.jsonl:2: the checksum" },
    { "texgauge select edited.jsonl --worst 1", 3, "=", "edited.jsonl:2: the checksum" },
    { "texgauge explain --input edited.jsonl --row 1", 3, "=", "edited.jsonl:2: the checksum" },
    { "texgauge eval -m edit --resume " SAMPLE " -o edited.jsonl", 4, "=" },
    { "texgauge compare --edited edited.jsonl", 0,
      "edited.jsonl: 1 line was changed after the run." },
    { "texgauge compare --edited edited.jsonl --summary json", 0,
      "1 line was changed after the run" },
    { "texgauge compare --edited edited.jsonl --fail-under edit=0", 0, "ok" },
    { "texgauge study --edited edited.jsonl", 3, "=", "no human scores" },
    { "texgauge report -q --edited edited.jsonl -o e.md && cat e.md", 0, "1 line was changed" },
    { "texgauge select -q --edited edited.jsonl --worst 1 | wc -l", 0, "=1\n" },
    { "texgauge explain --edited --input edited.jsonl --row 1", 0, "" },
    { "texgauge eval --edited edited.jsonl", 0, "edited.jsonl: 1 line was changed after the run." },
    /* the checksums of what --add writes fit, but it remains known */
    { "texgauge eval -q --edited --add wer edited.jsonl -o added.jsonl", 0, "1 line was changed" },
    { "texgauge eval added.jsonl", 0, "added.jsonl: 1 line was changed after the run." },
    { NULL },
};

CLI_CASES(test_cli_compare__exit_codes) = {
    { "texgauge compare", 2, "=", "no input" },
    { "texgauge compare " SAMPLE, 3, "=", "not a results file" },
    { "texgauge compare r.jsonl --base zzz", 2, "=", "no model 'zzz'" },
    { "texgauge compare r.jsonl --tolerance 1", 2, "=", "--tolerance needs --baseline" },
    { "texgauge compare r.jsonl --fail-under edit", 2, "=", "no number in 'edit'" },
    { "texgauge compare r.jsonl --fail-under 1", 2, "=", "COLUMN=VALUE" },
    { "texgauge compare r.jsonl --trials -1", 2, "=", "not negative" },
    { "texgauge compare r.jsonl --baseline none", 3, "=", "none" },
    { "texgauge select r.jsonl", 2, "=", "--where, --worst or --disputed" },
    { "texgauge select r.jsonl --where 'zzz<1'", 2, "=", "no pair has a field 'zzz'" },
    { "texgauge select r.jsonl --worst 1 --text --json", 2, "=", "choose one" },
    { "texgauge select r.jsonl --worst -1", 2, "=", "not negative" },
    { "texgauge select r.jsonl --worst 1 -o none/x", 4, "=", "none/x" },
    { "texgauge select --worst 1 none", 3, "=", "none" },
    { NULL },
};

TEST_GROUP(make_results, cli_remove_scratch)
