#include "tests/support/cli_support.h"

#include <jansson.h>

#define SAMPLE "'" TG_SOURCE_ROOT "/datasets/samples/mathbridge.csv'"
#define RATERS                                                                                     \
    "--human experts=expert_1,expert_2,expert_3 --human students=student_1,student_2,student_3 "

static json_t *run_json(const char *folder, const char *command)
{
    g_auto(CliRun) run = cli_run(folder, "%s", command);
    json_t *value;

    if (run.status != 0)
        fail_msg("%s: exit code %d: %s", command, run.status, run.err);
    value = json_loads(run.out, 0, NULL);
    assert_non_null(value);
    return value;
}

/* The results of all tests. */
static int make_results(void **state)
{
    *state = cli_scratch();
    g_auto(CliRun) run = cli_run(*state, "texgauge eval -q -m edit,cer,exprate " RATERS SAMPLE
                                         " -o r.jsonl >summary");

    return run.status;
}

TEST(test_cli_study__of_results)
{
    CLI_CHECK({ "texgauge study --resamples 50 r.jsonl", 0,
                "Correlation with experts (3 raters a pair)...Average over groups of "
                "raters...because lower is better: cer...!spoken",
                "=" }); /* what is stored is studied where it is named */
}

/* exprate is 1 where the strings are equal: never for what was edited. */
CLI_CASES(test_cli_study__the_challenge_is_a_data_set) = {
    { "python3 '" TG_SOURCE_ROOT "/tests/tools/challenge_table.py' \"$TEXGAUGE\" exprate,forte", 0,
      "| exprate | 0.197 | 0.998 | 1.000 | 1.000 | 0.571 |"
      "...| forte | 1.000 | 0.987 | 1.000 | 1.000 | 0.987 |" },
    { NULL },
};

TEST(test_cli_study__json_has_what_was_asked_for)
{
    json_auto_t *study =
        run_json(*state, "texgauge study -q r.jsonl --summary json --parts correlations,raters "
                         "--by model --resamples 20 --seed 9 --level 0.9");

    assert_int_equal(json_integer_value(json_object_get(study, "seed")), 9);
    tg_assert_near(json_number_value(json_object_get(study, "level")), 0.9, 0);
    assert_null(json_object_get(study, "comparisons"));
    assert_int_equal(json_array_size(json_object_get(study, "raters")), 3);
    /* all pairs and two models, two groups, every column of the three metrics */
    assert_int_equal(json_array_size(json_object_get(study, "correlations")) % 6, 0);
}

CLI_CASES(test_cli_study__exit_codes) = {
    { "texgauge study", 2, "=", "no input" },
    { "texgauge study " SAMPLE, 3, "=", "not a results file" },
    { "texgauge study none", 3, "=", "none: " },
    { "texgauge study -m edit " SAMPLE, 2, "=", "Unknown option" },
    { "texgauge study --parts all r.jsonl", 2, "=", "not 'all'" },
    { "texgauge study --columns nothing r.jsonl", 2, "=", "no stored column 'nothing'" },
    { "texgauge study --summary html r.jsonl", 2, "=", "html" },
    { "texgauge study --resamples -1 r.jsonl", 2, "=", "not negative" },
    { "texgauge study --level 2 r.jsonl", 2, "=", "between 0 and 1" },
    { NULL },
};

TEST_GROUP(make_results, cli_remove_scratch)
