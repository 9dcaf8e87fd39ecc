#include "tests/support/results_support.h"

#include <jansson.h>
#include <string.h>

#include "eval/report/report.h"
#include "eval/run/run.h"

static const TgEvalOptions how = { .metrics = "edit,cer" };

#define ROW(model, id, gt, pred)                                                                   \
    "{\"model\": \"" model "\", \"id\": \"" id "\", \"gt\": \"" gt "\", \"pred\": \"" pred         \
    "\", \"subset\": \"s" id "\", \"human\": [" id ", 3]}\n"

/* b reads z as 2 twice, and loses a letter; a is right but for the last pair. */
/* clang-format off */
#define TWO_MODELS                                                                                 \
    ROW("a", "1", "x+z", "x+z")                                                                    \
    ROW("a", "2", "z^2", "z^2")                                                                    \
    ROW("a", "3", "\\\\frac{a}{b}", "\\\\frac{a}{c}")                                              \
    ROW("b", "1", "x+z", "x+2") ROW("b", "2", "z^2", "2^2")                                        \
        ROW("b", "3", "\\\\frac{a}{b}", "\\\\frac{a}{")
/* clang-format on */

static TgReport *report_of(const char *path, const TgReportOptions *options)
{
    const char *const paths[] = { path, NULL };
    GError *error = NULL;
    TgReport *report = tg_report_new(paths, options, &error);

    tg_assert_no_error(error);
    assert_non_null(report);
    return report;
}

static const TgReportSection *find_section(const TgReport *report, const char *id)
{
    for (guint i = 0; i < report->sections->len; i++) {
        const TgReportSection *section = report->sections->pdata[i];

        if (strcmp(section->id, id) == 0)
            return section;
    }
    return NULL;
}

/* A table of a section as JSON. (transfer full) */
static json_t *table_of(const TgReport *report, const char *id, guint number)
{
    const TgReportSection *section = find_section(report, id);

    assert_non_null(section);
    assert_true(number < section->grids->len);
    return tg_grid_json(section->grids->pdata[number], &(TgGridForm){ 0 });
}

static const char *text_at(const json_t *table, guint row, guint column)
{
    const json_t *cells = json_array_get(json_object_get(table, "rows"), row);

    return json_string_value(json_array_get(cells, column));
}

static double number_at(const json_t *table, guint row, guint column)
{
    const json_t *cells = json_array_get(json_object_get(table, "rows"), row);

    return json_number_value(json_array_get(cells, column));
}

static void test_report__overview_is_what_eval_says(void **state)
{
    g_autofree char *path = tg_results_of_lines(*state, "overview", TWO_MODELS, &how);
    const TgReportOptions options = { .resamples = 50, .pictures = "" };
    g_autoptr(TgReport) report = report_of(path, &options);
    json_t *values = table_of(report, "overview", 0);

    /* all pairs first: edit of a is (1 + 1 + 6/7)/3 by its 7 tokens, cer 1/18 */
    assert_string_equal(text_at(values, 0, 0), "all");
    assert_string_equal(text_at(values, 0, 1), "a");
    tg_assert_near(number_at(values, 0, 2), 3, 0);
    tg_assert_near(number_at(values, 0, 3), (1 + 1 + 6.0 / 7) / 3, 1e-9);
    tg_assert_near(number_at(values, 0, 5), 1.0 / 17, 1e-9);
    /* two rows each for all, three subsets, and their mean */
    assert_int_equal(json_array_size(json_object_get(values, "rows")), 10);
    assert_string_equal(text_at(values, 8, 0), "mean of subsets");
    json_decref(values);
}

/* b reads z as 2 in both pairs and c for b in none; its last truth is not closed. */
static void test_report__counts_errors_and_faults(void **state)
{
    g_autofree char *path = tg_results_of_lines(*state, "errors", TWO_MODELS, &how);
    const TgReportOptions options = { .resamples = 10, .pictures = "" };
    g_autoptr(TgReport) report = report_of(path, &options);
    json_t *classes = table_of(report, "errors", 0), *frequent = table_of(report, "errors", 1);
    json_t *rendering = table_of(report, "rendering", 0);

    assert_string_equal(text_at(classes, 0, 0), "look-alike"); /* of both models 2, a letter 1 */
    tg_assert_near(number_at(classes, 0, 1), 0, 0);
    tg_assert_near(number_at(classes, 0, 2), 2000.0 / 3, 1e-6);
    assert_string_equal(text_at(frequent, 0, 0), "z -> 2");
    tg_assert_near(number_at(frequent, 0, 1), 2, 0);
    tg_assert_near(number_at(frequent, 0, 2), 0, 0);
    tg_assert_near(number_at(frequent, 0, 3), 2, 0);
    assert_string_equal(text_at(frequent, 1, 0), "b -> c");
    tg_assert_near(number_at(frequent, 1, 2), 1, 0);
    assert_string_equal(text_at(rendering, 1, 0), "b");
    tg_assert_near(number_at(rendering, 1, 3), 2, 0); /* \frac{a}{ is not closed */
    json_decref(classes);
    json_decref(frequent);
    json_decref(rendering);
}

/* Spellings of one thing are no error, and an error is counted in the tokens of the formula. */
static void test_report__errors_are_of_canonical_tokens(void **state)
{
    g_autofree char *path =
        tg_results_of_lines(*state, "canonical",
                            "{\"gt\": \"a \\\\le b\", \"pred\": \"{a}\\\\leq b\"}\n"
                            "{\"gt\": \"\\\\alpha x^{\\\\prime}\", \"pred\": \"\\\\beta x'\"}\n",
                            &how);
    const TgReportOptions options = { .resamples = 10, .pictures = "" };
    g_autoptr(TgReport) report = report_of(path, &options);
    json_t *frequent = table_of(report, "errors", 1);

    assert_false(tg_report_is_wrong(report, 0));
    assert_true(tg_report_is_wrong(report, 1));
    assert_int_equal(report->errors->list->len, 1);
    assert_string_equal(text_at(frequent, 0, 0), "\\alpha -> \\beta");
    assert_int_equal(g_array_index(report->errors->list, TgReportError, 0).start[1], 0);
    assert_int_equal(g_array_index(report->errors->list, TgReportError, 0).end[1], 5);
    json_decref(frequent);
}

/* A fraction that is lost is one error, whatever marks it has: not its bar and its end besides. */
static void test_report__a_lost_construct_is_one_error(void **state)
{
    g_autofree char *path = tg_results_of_lines(
        *state, "moved", "{\"gt\": \"\\\\frac{a}{b}\", \"pred\": \"ab\"}\n", &how);
    const TgReportOptions options = { .resamples = 10, .pictures = "" };
    g_autoptr(TgReport) report = report_of(path, &options);
    const TgReportError *error = &g_array_index(report->errors->list, TgReportError, 0);

    assert_int_equal(report->errors->list->len, 1);
    assert_string_equal(report->errors->words->pdata[error->text], "lost fraction");
    assert_int_equal(error->start[0], 0); /* \frac stands for the whole of it */
    assert_int_equal(error->end[0], 5);
}

/* The share of wrong formulas among those with a construct, and of each length. */
static void test_report__counts_by_construct_and_length(void **state)
{
    g_autofree char *path = tg_results_of_lines(*state, "constructs", TWO_MODELS, &how);
    const TgReportOptions options = { .resamples = 10, .pictures = "" };
    g_autoptr(TgReport) report = report_of(path, &options);
    json_t *constructs = table_of(report, "errors", 2), *lengths = table_of(report, "errors", 3);

    assert_string_equal(text_at(constructs, 0, 0), "superscript"); /* z^2, of two models */
    tg_assert_near(number_at(constructs, 0, 1), 2, 0);
    tg_assert_near(number_at(constructs, 0, 2), 0, 0);
    tg_assert_near(number_at(constructs, 0, 3), 1, 0);
    assert_string_equal(text_at(constructs, 1, 0), "fraction");
    tg_assert_near(number_at(constructs, 1, 2), 1, 0);
    assert_string_equal(text_at(lengths, 0, 0), "0 to 5"); /* x+z and z^2 */
    tg_assert_near(number_at(lengths, 0, 1), 4, 0);
    tg_assert_near(number_at(lengths, 0, 2), 0, 0);
    assert_string_equal(text_at(lengths, 1, 0), "6 to 10"); /* \frac{a}{b} has seven tokens */
    tg_assert_near(number_at(lengths, 1, 1), 2, 0);
    json_decref(constructs);
    json_decref(lengths);
}

/* Each model's worst by errors lost, the models in turn, and no formula twice. */
static void test_report__chooses_pairs_without_repeats(void **state)
{
    g_autofree char *path = tg_results_of_lines(
        *state, "choice",
        ROW("a", "1", "x", "y") ROW("a", "2", "abcdefgh", "h") ROW("a", "3", "uvw", "uvw")
            ROW("b", "1", "x", "y") ROW("b", "2", "abcdefgh", "h") ROW("b", "3", "uvw", "uw"),
        &how);
    const TgReportOptions options = { .resamples = 10, .pictures = "worst:1,median:3,worst:0" };
    g_autoptr(TgReport) report = report_of(path, &options);
    json_t *worst = table_of(report, "worst", 0), *typical = table_of(report, "typical", 0);

    /* x for y loses all of its formula, but seven letters are more */
    assert_int_equal(json_array_size(json_object_get(worst, "rows")), 2);
    assert_string_equal(text_at(worst, 0, 0), "2");
    assert_string_equal(text_at(worst, 0, 1), "a");
    assert_string_equal(text_at(worst, 1, 1), "b");
    assert_string_not_equal(text_at(worst, 1, 0), "2");
    tg_assert_near(number_at(worst, 0, 5), 7, 1e-9);
    assert_int_equal(json_array_size(json_object_get(typical, "rows")), 3); /* all with errors */
    json_decref(worst);
    json_decref(typical);
}

/* edit and cer put the pairs in the orders 2 1 3 and 1 3 2, the worst first: they disagree most
   about the second. */
static void test_report__chooses_what_two_metrics_dispute(void **state)
{
    g_autofree char *path = tg_results_of_lines(
        *state, "dispute",
        ROW("a", "1", "x", "xabcd") ROW("a", "2", "pqrs", "t") ROW("a", "3", "x", "xabc"), &how);
    const TgReportOptions options = { .resamples = 10, .pictures = "disputed:1" };
    g_autoptr(TgReport) report = report_of(path, &options);
    json_t *disputed = table_of(report, "disputed", 0);

    assert_int_equal(json_array_size(json_object_get(disputed, "rows")), 1);
    assert_string_equal(text_at(disputed, 0, 0), "2");
    json_decref(disputed);
}

static void test_report__counts_changes_between_models(void **state)
{
    g_autofree char *path = tg_results_of_lines(*state, "changes", TWO_MODELS, &how);
    const TgReportOptions options = { .resamples = 10, .pictures = "" };
    g_autoptr(TgReport) report = report_of(path, &options);
    json_t *changes = table_of(report, "changes", 0);

    /* a has the first two right, both have the third wrong */
    tg_assert_near(number_at(changes, 0, 2), 3, 0);
    tg_assert_near(number_at(changes, 0, 3), 0, 0);
    tg_assert_near(number_at(changes, 0, 4), 2, 0);
    tg_assert_near(number_at(changes, 0, 5), 1, 0);
    json_decref(changes);
}

/* @right of 40 formulas of model a are right, all of b: the headline says what the tests do. */
static char *headline_of(const char *folder, guint right)
{
    static const TgEvalOptions metrics = { .metrics = "exprate,edit" };
    const TgReportOptions options = { .resamples = 50, .pictures = "" };
    g_autoptr(GString) lines = g_string_new(NULL);

    for (guint i = 0; i < 80; i++)
        g_string_append_printf(
            lines, "{\"model\": \"%s\", \"id\": \"%u\", \"gt\": \"x\", \"pred\": \"%s\"}\n",
            i % 2 ? "b" : "a", i / 2, i % 2 || i / 2 < right ? "x" : "y");
    g_autofree char *path = tg_results_of_lines(folder, "headline", lines->str, &metrics);
    g_autoptr(TgReport) report = report_of(path, &options);
    GString *all = g_string_new(NULL);

    for (guint i = 0; i < report->headline->len; i++)
        g_string_append_printf(all, "%s\n", (const char *) report->headline->pdata[i]);
    return g_string_free(all, FALSE);
}

static void test_report__headline_says_who_is_better(void **state)
{
    g_autofree char *clear = headline_of(*state, 20), *close = headline_of(*state, 39);

    assert_non_null(strstr(clear, "b leads on every metric: exprate by 0.500 over a (95 % "
                                  "interval 0."));
    assert_non_null(strstr(clear, "\na is behind on every metric.\n"));
    assert_string_equal(close, "On every metric, a and b are not told apart (exprate: at most "
                               "0.025 apart).\n");
}

/* Ids, names, formulas and titles that try to be markup stay text in every place. */
static void test_report__html_is_escaped(void **state)
{
    static const char attack[] = "</script><img src=x onerror=alert(1)>";
    g_autofree char *lines = g_strdup_printf("{\"id\": \"%s\", \"model\": \"%s\", \"subset\": "
                                             "\"%s\", \"gt\": \"%s\", \"pred\": \"%s\"}\n",
                                             attack, attack, attack, attack, attack);
    g_autofree char *path = tg_results_of_lines(*state, "attack", lines, &how);
    const TgReportOptions options = { .title = attack, .resamples = 10, .pictures = "worst:1" };
    g_autoptr(TgReport) report = report_of(path, &options);
    g_autofree char *html = tg_report_format(report, TG_REPORT_HTML);
    guint scripts = 0;

    assert_null(strstr(html, "<img src=x"));
    assert_null(strstr(html, "onerror=alert(1)>\""));
    for (const char *at = html; (at = strstr(at, "</script>")) != NULL; at++)
        scripts++;
    assert_int_equal(scripts, 3); /* summary, data and the page's own */
    assert_non_null(strstr(html, "\\u003c/script\\u003e"));
    assert_non_null(strstr(html, "&lt;/script&gt;"));
}

static void test_report__needs_nothing_from_elsewhere(void **state)
{
    g_autofree char *path = tg_results_of_lines(*state, "alone", TWO_MODELS, &how);
    const TgReportOptions options = { .resamples = 10 };
    g_autoptr(TgReport) report = report_of(path, &options);
    g_autofree char *html = tg_report_format(report, TG_REPORT_HTML);

    assert_null(strstr(html, "http://"));
    assert_null(strstr(html, "https://"));
    assert_null(strstr(html, "@import"));
    assert_non_null(strstr(html, "default-src 'none'"));
}

/*
 * b is wrong on 6 of 20 pairs: exactly 2 of 64 ways to swap them are as far apart, p = 0.031. Alone
 * that tells b from a; as one of two tests, of edit and exprate, it is 0.062 and does not.
 */
static void test_report__marks_hold_for_all_tests_of_the_table(void **state)
{
    static const TgEvalOptions one = { .metrics = "exprate" };
    static const TgEvalOptions two = { .metrics = "exprate,edit" };
    const TgReportOptions options = { .resamples = 10 };
    g_autoptr(GString) lines = g_string_new(NULL);

    for (guint i = 0; i < 40; i++)
        g_string_append_printf(
            lines, "{\"model\": \"%s\", \"id\": \"%u\", \"gt\": \"x\", \"pred\": \"%s\"}\n",
            i % 2 ? "b" : "a", i / 2, i % 2 && i / 2 < 6 ? "y" : "x");
    g_autofree char *path_one = tg_results_of_lines(*state, "one-test", lines->str, &one);
    g_autofree char *path_two = tg_results_of_lines(*state, "two-tests", lines->str, &two);
    g_autoptr(TgReport) report_one = report_of(path_one, &options);
    g_autoptr(TgReport) report_two = report_of(path_two, &options);
    g_autofree char *text_one = tg_report_format(report_one, TG_REPORT_MARKDOWN);
    g_autofree char *text_two = tg_report_format(report_two, TG_REPORT_MARKDOWN);

    assert_non_null(strstr(text_one, "0.7000 |"));
    assert_null(strstr(text_one, "0.7000= |"));
    assert_non_null(strstr(text_two, "0.7000= |"));
}

/* The same tables in every form. */
static void test_report__every_style(void **state)
{
    g_autofree char *path = tg_results_of_lines(*state, "styles", TWO_MODELS, &how);
    const TgReportOptions options = { .title = "Two models", .resamples = 10 };
    g_autoptr(TgReport) report = report_of(path, &options);
    g_autoptr(TgReport) again = report_of(path, &options);
    g_autofree char *json = tg_report_format(report, TG_REPORT_JSON);
    g_autofree char *markdown = tg_report_format(report, TG_REPORT_MARKDOWN);
    g_autofree char *latex = tg_report_format(report, TG_REPORT_LATEX);
    g_autofree char *csv = tg_report_format(report, TG_REPORT_CSV);
    json_t *all = json_loads(json, 0, NULL);

    assert_non_null(all);
    assert_int_equal(json_array_size(json_object_get(all, "sections")), report->sections->len);
    json_decref(all);
    assert_true(g_str_has_prefix(markdown, "# Two models\n"));
    assert_non_null(strstr(markdown, "## Worst pairs"));
    assert_non_null(strstr(markdown, "are not told apart"));
    assert_non_null(strstr(latex, "\\toprule"));
    assert_non_null(strstr(latex, "\\textbf{"));
    assert_non_null(strstr(csv, "\"Most frequent errors\"\n\"truth -> prediction\",\"times\""));
    for (TgReportStyle style = TG_REPORT_HTML; style <= TG_REPORT_LATEX; style++) {
        g_autofree char *one = tg_report_format(report, style);
        g_autofree char *two = tg_report_format(again, style);

        assert_string_equal(one, two);
        assert_true(g_utf8_validate(one, -1, NULL));
        assert_true(g_str_has_suffix(one, "\n"));
    }
}

static void check_degenerate(const char *folder, const TgEvalOptions *metrics, const char *lines,
                             const char *message)
{
    g_autofree char *path = tg_results_of_lines(folder, "degenerate", lines, metrics);
    const TgReportOptions options = { .resamples = 10 };
    g_autoptr(TgReport) report = report_of(path, &options);

    for (TgReportStyle style = TG_REPORT_HTML; style <= TG_REPORT_LATEX; style++) {
        g_autofree char *text = tg_report_format(report, style);

        assert_null(strstr(text, ">nan<"));
        if (style <= TG_REPORT_MARKDOWN && strstr(text, message) == NULL)
            fail_msg("'%s' is not in the report", message);
    }
    g_unlink(path);
}

static void test_report__says_so_where_nothing_is_defined(void **state)
{
    static const TgEvalOptions drawn = { .metrics = "cdm,forte" };

    check_degenerate(*state, &how, "", "These results hold no pairs");
    check_degenerate(*state, &how, "{\"gt\": \"x\", \"pred\": \"x\", \"human\": 3}\n",
                     "fewer than 2 items");
    check_degenerate(*state, &how,
                     "{\"gt\": \"x\", \"pred\": \"x\", \"human\": 3}\n"
                     "{\"gt\": \"y\", \"pred\": \"y\", \"human\": 4}\n",
                     "all values of edit are equal");
    check_degenerate(*state, &how,
                     "{\"gt\": \"\", \"pred\": null}\n{\"gt\": \"\", \"pred\": \"x\"}\n",
                     "no prediction");
    /* metrics that draw and explain */
    check_degenerate(*state, &drawn, "", "These results hold no pairs");
    check_degenerate(*state, &drawn, "{\"gt\": \"x\", \"pred\": \"y\"}\n",
                     "Errors per 1,000 formulas");
    check_degenerate(*state, &drawn, "{\"gt\": \"x\", \"pred\": \"x\"}\n{\"gt\": \"x\"}\n",
                     "no prediction");
    check_degenerate(*state, &drawn, "{\"gt\": \"{{\", \"pred\": \"}\"}\n", "cdm");
}

static void test_report__refuses_what_it_cannot_do(void **state)
{
    g_autofree char *path = tg_results_of_lines(*state, "wrong", TWO_MODELS, &how);
    const char *const paths[] = { path, NULL };
    static const char *const pictures[] = { "worst", "best:3", "worst:-1", "worst:1001",
                                            "worst:2,,median:1" };
    TgReportStyle style;
    GError *error = NULL;

    for (guint i = 0; i < G_N_ELEMENTS(pictures); i++) {
        const TgReportOptions options = { .resamples = 10, .pictures = pictures[i] };

        assert_null(tg_report_new(paths, &options, &error));
        tg_assert_error(error, TG_ERROR_USAGE, "worst:N, median:N and disputed:N");
    }
    assert_null(tg_report_new(paths, &(TgReportOptions){ .resamples = 1000000 }, &error));
    tg_assert_error(error, TG_ERROR_USAGE, "resamples");
    assert_false(tg_report_style_of_file("report.pdf", &style, &error));
    tg_assert_error(error, TG_ERROR_USAGE, "report.pdf");
    assert_true(tg_report_style_of_file("a.b/report.tex", &style, &error));
    assert_int_equal(style, TG_REPORT_LATEX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report__overview_is_what_eval_says),
        cmocka_unit_test(test_report__counts_errors_and_faults),
        cmocka_unit_test(test_report__errors_are_of_canonical_tokens),
        cmocka_unit_test(test_report__a_lost_construct_is_one_error),
        cmocka_unit_test(test_report__counts_by_construct_and_length),
        cmocka_unit_test(test_report__chooses_pairs_without_repeats),
        cmocka_unit_test(test_report__chooses_what_two_metrics_dispute),
        cmocka_unit_test(test_report__counts_changes_between_models),
        cmocka_unit_test(test_report__headline_says_who_is_better),
        cmocka_unit_test(test_report__html_is_escaped),
        cmocka_unit_test(test_report__needs_nothing_from_elsewhere),
        cmocka_unit_test(test_report__marks_hold_for_all_tests_of_the_table),
        cmocka_unit_test(test_report__every_style),
        cmocka_unit_test(test_report__says_so_where_nothing_is_defined),
        cmocka_unit_test(test_report__refuses_what_it_cannot_do),
    };
    return cmocka_run_group_tests_name("report", tests, cli_make_scratch, cli_remove_scratch);
}
