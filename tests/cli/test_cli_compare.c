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

/* One digit of a score, and rows that jq, grep and head leave: everybody reads them, and says once
 * what was noticed. */
#define CHANGED "changed.jsonl: 1 line was changed after the run; first: line 2"
CLI_CASES(test_cli_compare__changed_results) = {
    { "sed '2s/\"edit\":0.94/\"edit\":0.95/' r.jsonl >changed.jsonl && ! cmp -s r.jsonl "
      "changed.jsonl",
      0, "=" },
    { "texgauge eval -m edit --resume " SAMPLE " -o changed.jsonl", 4, "=" },
    { "texgauge compare -q changed.jsonl", 0, CHANGED "." },
    { "texgauge compare -q changed.jsonl --summary json", 0, CHANGED, "=" },
    { "texgauge compare -q changed.jsonl --summary csv", 0, "base", CHANGED },
    { "texgauge compare changed.jsonl --fail-under edit=0", 0, "note " CHANGED "\n" },
    { "texgauge compare r.jsonl --baseline changed.jsonl --tolerance 1", 0, "note " CHANGED "\n" },
    { "texgauge study changed.jsonl", 3, "=", "no human scores" },
    { "texgauge report -q changed.jsonl -o e.md && cat e.md", 0, CHANGED },
    { "texgauge select -q changed.jsonl --worst 1 | wc -l", 0, "=1\n", CHANGED },
    { "texgauge explain --input changed.jsonl --row 1", 0, "", CHANGED },
    { "texgauge eval -q changed.jsonl", 0, CHANGED "." },
    { "texgauge eval -q -m cer changed.jsonl", 0, CHANGED "." },
    /* the checksums of what --add writes fit, but it remains known */
    { "texgauge eval -q --add wer changed.jsonl -o added.jsonl", 0, CHANGED },
    { "texgauge eval added.jsonl", 0, "added.jsonl: made from " CHANGED "." },
    /* the model birch has the even rows of 80 */
    { "grep -v '\"model\":\"birch\"' r.jsonl >f.jsonl && texgauge eval -q f.jsonl", 0,
      "f.jsonl: 40 of 80 rows are missing; first: line 3." },
    { "jq -c 'select(.row == null or .model == \"aster\")' r.jsonl >f.jsonl; texgauge eval -q "
      "f.jsonl",
      0, "40 of 80 rows are missing" },
    { "head -n 5 r.jsonl >f.jsonl && texgauge eval -q f.jsonl", 0,
      "f.jsonl: the last line is missing: the run was interrupted, or rows were cut off after row "
      "4; "
      "first: line 6." },
    { "texgauge eval -q --add wer f.jsonl", 3, "=", "its last line is missing" },
    { "tail -n +2 r.jsonl >f.jsonl && texgauge compare -q f.jsonl", 3, "=",
      "its first line, which says how the pairs were scored, is missing" },
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
