/* Models by the names of their inputs: no two files are taken for one model. */
#include "tests/support/cli_support.h"

/* Predictions of two models, each in a file of the same name: A is right twice, B once. */
static int make_runs(void **state)
{
    *state = cli_scratch();
    g_auto(CliRun) run = cli_run(
        *state,
        "mkdir -p runs/A runs/B &&printf '{\"id\":1,\"gt\":\"a\"}\\n{\"id\":2,\"gt\":\"b\"}\\n' "
        ">gt.jsonl &&printf '{\"id\":1,\"pred\":\"a\"}\\n{\"id\":2,\"pred\":\"b\"}\\n' "
        ">runs/A/pred.jsonl &&printf '{\"id\":1,\"pred\":\"a\"}\\n{\"id\":2,\"pred\":\"x\"}\\n' "
        ">runs/B/pred.jsonl &&for m in A B; do texgauge eval -q -m exprate --gt gt.jsonl --pred "
        "runs/$m/pred.jsonl  -o runs/$m/r.jsonl || exit 9; done >s");

    assert_string_equal(run.err, "");
    return run.status;
}

/* The first was kept and the second dropped: both were called pred. */
CLI_CASES(test_cli_names__two_prediction_files_of_one_name) = {
    { "texgauge eval -q -m exprate --gt gt.jsonl --pred runs/A/pred.jsonl --pred "
      "runs/B/pred.jsonl --summary csv",
      0, "\n\"A\",...\n\"B\",", "=" },
    { NULL },
};

/* Both have the rows' model pred and the same ids: they were averaged into one model. */
CLI_CASES(test_cli_names__two_results_files_of_one_name) = {
    { "texgauge report -q runs/A/r.jsonl runs/B/r.jsonl -o two.md && cat two.md", 0,
      "| A ...| B ...!\"pred\"" },
    { "texgauge compare runs/A/r.jsonl runs/B/r.jsonl --summary csv", 0,
      "\"A\",\"B\",\"exprate\",\"all\",2," },
    { "texgauge select -q runs/A/r.jsonl runs/B/r.jsonl --where 'model=B' | wc -l", 0, "=2\n" },
    { NULL },
};

CLI_CASES(test_cli_names__model_of_the_user_wherever_an_input_is) = {
    { "printf '{\"gt\":\"a\",\"pred\":\"a\",\"human\":1}\\n{\"gt\":\"b\",\"pred\":\"x\","
      "\"human\":2}\\n{\"gt\":\"c\",\"pred\":\"c\",\"human\":3}\\n' | tee pairs.a >pairs.b; "
      "texgauge eval -q -m edit -f jsonl pairs.a -o runs/rated.jsonl",
      0 },
    { "texgauge eval -q -m exprate -f jsonl old=pairs.a new=pairs.b --summary csv", 0, "old" },
    { "texgauge report -q old=runs/A/r.jsonl runs/B/r.jsonl -o named.md; cat named.md", 0, "old" },
    { "texgauge compare old=runs/A/r.jsonl new=runs/B/r.jsonl --summary csv", 0,
      "\"old\",\"new\"" },
    { "texgauge compare old=runs/A/r.jsonl new=runs/A/r.jsonl --summary csv", 0,
      "\"old\",\"new\"" },
    { "texgauge select -q old=runs/A/r.jsonl --worst 1", 0, "\"model\":\"old\"" },
    { "texgauge eval old=runs/A/r.jsonl --summary csv", 0, "old" },
    { "texgauge study -q old=runs/rated.jsonl --summary csv", 0, "\"edit\"" },
    { NULL },
};

TEST(test_cli_names__what_cannot_be_told_apart_is_an_error)
{
    CLI_CHECK({ "texgauge eval -q -m exprate --gt gt.jsonl --pred runs/A/pred.jsonl --pred "
                "runs/B/pred.jsonl -o both.jsonl >s2",
                0 },
              { "texgauge compare X=runs/A/r.jsonl X=runs/B/r.jsonl", 3, "=",
                "id '1' of model 'X' is in runs/A/r.jsonl and in runs/B/r.jsonl" },
              { "texgauge compare runs/A/r.jsonl runs/A/r.jsonl", 2, "=",
                "runs/A/r.jsonl is given twice" },
              { "texgauge compare X=both.jsonl", 3, "=", "one name for a file of several models" },
              { "texgauge select X=both.jsonl --where 'exprate<1'", 3, "=",
                "one name for a file of several models" },
              { "texgauge eval X=both.jsonl", 3, "=", "one name for a file of several models" });
}

/* Another option, delimiters, renderer or rule for what is undefined: other numbers. */
TEST(test_cli_names__different_scoring_is_refused)
{
    static const struct {
        const char *metrics, *how, *message;
    } cases[] = {
        { "edit:tokenize=words", "", "edit|tokenize:words|v:1 is not edit|v:1" },
        { "edit", "--delimiters keep",
          "was scored with delimiters 'keep', one.jsonl with 'strip'" },
        { "edit", "--undefined skip", "was scored with undefined 'skip'" },
        { "edit,exprate", "", "was scored by other metrics than one.jsonl" },
    };
    static const char *const commands[] = { "compare one.jsonl two.jsonl",
                                            "report -q one.jsonl two.jsonl -o both.md",
                                            "study -q one.jsonl two.jsonl",
                                            "compare one.jsonl --baseline two.jsonl" };

    CLI_CHECK(
        { "printf '{\"id\":1,\"gt\":\"a b\",\"pred\":\"a c\",\"human\":1}\n"
          "{\"id\":2,\"gt\":\"b\",\"pred\":\"b\",\"human\":2}\n{\"id\":3,\"gt\":\"c\",\"pred\":\"c "
          "d\",\"human\":3}\n' >rated.jsonl; texgauge eval -q -m edit rated.jsonl -o one.jsonl",
          0 });
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        for (guint k = 0; k < G_N_ELEMENTS(commands); k++) {
            g_auto(CliRun) run = cli_run(*state,
                                         "rm -f two.jsonl && texgauge eval -q -m %s %s rated.jsonl "
                                         "-o two.jsonl >/dev/null && texgauge %s",
                                         cases[i].metrics, cases[i].how, commands[k]);
            g_auto(CliRun) forced = cli_run(*state, "texgauge %s --force", commands[k]);
            const gboolean same_metrics = strchr(cases[i].metrics, ',') == NULL;
            const gboolean baseline = strstr(commands[k], "--baseline") != NULL;

            if (baseline && (!same_metrics || i == 0))
                continue; /* a baseline is compared column by column */
            if (run.status != 3 ||
                strstr(run.err, baseline ? "was scored" : cases[i].message) == NULL)
                fail_msg("%s %s: %d\n%s", cases[i].how, commands[k], run.status, run.err);
            if ((forced.status == 3) == same_metrics)
                fail_msg("%s --force: %d\n%s", commands[k], forced.status, forced.err);
        }
}

CLI_CASES(test_cli_names__shards_of_different_scoring_are_refused) = {
    { "texgauge eval -q -m edit rated.jsonl --shard 1/2 -o s1.jsonl >/dev/null && texgauge eval -q "
      "-m edit rated.jsonl --shard 2/2 --undefined skip -o s2.jsonl >/dev/null; texgauge eval "
      "s1.jsonl s2.jsonl",
      3, "=", "was scored with undefined 'skip'" },
    { "texgauge eval s1.jsonl s2.jsonl --force --summary csv", 0, "\"all\",3," },
    { NULL },
};

/* An id that stands twice in a model is a fault; in two subsets it is two pairs. */
CLI_CASES(test_cli_names__an_id_in_two_subsets_is_two_pairs) = {
    { "printf '{\"id\":1,\"subset\":\"s\",\"gt\":\"a\",\"pred\":\"a\"}\\n"
      "{\"id\":1,\"subset\":\"t\",\"gt\":\"b\",\"pred\":\"x\"}\\n' >subsets.jsonl && "
      "texgauge eval -q -m exprate subsets.jsonl --summary csv",
      0 },
    { "printf '{\"id\":1,\"gt\":\"a\",\"pred\":\"a\"}\\n"
      "{\"id\":1,\"gt\":\"b\",\"pred\":\"x\"}\\n' >twice.jsonl && "
      "texgauge eval -q -m exprate twice.jsonl",
      3, NULL, "duplicate id '1', first in twice.jsonl:1" },
    { NULL },
};

TEST_GROUP(make_runs, cli_remove_scratch)
