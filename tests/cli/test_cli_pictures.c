/* texgauge explain -m cdm. */
#include "tests/support/cli_support.h"

#include <jansson.h>

TEST(test_cli_pictures__cdm_prints_scores_and_draws)
{
    CLI_CHECK({ "texgauge explain -m cdm 'p+q=r' 'p+q=s' -o m.png && texgauge explain -m cdm "
                "'p+q=r' 'p+q=s' -o m.svg >/dev/null && texgauge explain -m cdm p q -o m.pdf "
                ">/dev/null && head -c 4 m.pdf && grep -c '<path' m.svg && texgauge explain -m cdm "
                "p q -o - | head -c 4 | tail -c 3",
                0, "cdm 0.8  precision 0.8  recall 0.8  exact 0\n...%PDF...$PNG", "=" });
}

TEST(test_cli_pictures__cdm_as_json)
{
    g_auto(CliRun) run = cli_run(*state, "texgauge explain -m cdm --json 'p+q=r' 'p+q=s'");
    json_auto_t *row = json_loads(run.out, 0, NULL);
    const json_t *detail = json_object_get(row, "detail");
    const json_t *elements = json_object_get(json_object_get(detail, "pred"), "elements");
    const json_t *last = json_array_get(elements, 4);

    assert_int_equal(run.status, 0);
    assert_int_equal(json_array_size(elements), 5);
    assert_string_equal(json_string_value(json_object_get(last, "token")), "s");
    assert_string_equal(json_string_value(json_object_get(last, "verdict")), "other-token");
    assert_int_equal(json_integer_value(json_object_get(last, "partner")), 4);
    assert_int_equal(json_array_size(json_object_get(last, "box")), 4);
}

/* Options of the metric are spelled as elsewhere, delimiters come off as elsewhere. */
CLI_CASES(test_cli_pictures__cdm_takes_options_of_the_metric) = {
    { "long=$(printf 'a+%.0s' $(seq 80)); texgauge explain -m cdm \"${long}b\" \"${long}c\" | head "
      "-n 1; texgauge explain -m cdm:page=unlimited \"${long}b\" \"${long}c\" | head -n 1; "
      "texgauge explain -m cdm '$p$' '\\[p\\]' | head -n 1",
      0,
      "=cdm 1  precision 1  recall 1  exact 1\n"
      "cdm 0.994  precision 0.994  recall 0.994  exact 0\n"
      "cdm 1  precision 1  recall 1  exact 1\n" },
    { NULL },
};

CLI_CASES(test_cli_pictures__wrong_calls) = {
    { "texgauge explain -m cdm p", 2, "=", "a reference and a prediction" },
    { "texgauge explain -m cdm p q -o m.jpg", 2, "=", "does not end in" },
    { "texgauge explain -m cdm p q -o no/m.png", 4, "=", "No such file" },
    { "texgauge explain -m cer p q -o m.png", 2, "=", "cannot explain" },
    { "texgauge explain -m cdm,cer p q", 2, "=", "unknown metric" },
    { NULL },
};

TEST_GROUP(cli_make_scratch, cli_remove_scratch)
