#include "tests/support/results_support.h"

#include <jansson.h>
#include <string.h>

#include "eval/report/report.h"
#include "eval/run/run.h"

static int make_scratch(void **state)
{
    *state = cli_scratch();
    return 0;
}

static int remove_scratch(void **state)
{
    cli_scratch_free(*state);
    return 0;
}

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

static void test_report__counts_confusions_and_faults(void **state)
{
    g_autofree char *path = tg_results_of_lines(*state, "confusions", TWO_MODELS, &how);
    const TgReportOptions options = { .resamples = 10, .pictures = "" };
    g_autoptr(TgReport) report = report_of(path, &options);
    json_t *confusions = table_of(report, "confusions", 1); /* a's stand first */
    json_t *rendering = table_of(report, "rendering", 0);

    assert_string_equal(text_at(confusions, 0, 0), "z");
    assert_string_equal(text_at(confusions, 0, 1), "2");
    tg_assert_near(number_at(confusions, 0, 2), 2, 0);
    tg_assert_near(number_at(confusions, 0, 3), 1.0, 1e-12);
    assert_string_equal(text_at(rendering, 1, 0), "b");
    tg_assert_near(number_at(rendering, 1, 3), 2, 0); /* \frac{a}{ is not closed */
    json_decref(confusions);
    json_decref(rendering);
}

static void assert_image(const TgReportPicture *picture, guint i, const char *title,
                         const char *begin)
{
    const TgReportImage *image = picture->images->pdata[i];
    gsize n;
    const char *bytes = g_bytes_get_data(image->bytes, &n);

    assert_string_equal(image->title, title);
    assert_true(n > strlen(begin) && memcmp(bytes, begin, strlen(begin)) == 0);
}

static void test_report__draws_the_pairs_that_are_asked_for(void **state)
{
    g_autofree char *path = tg_results_of_lines(*state, "pictures", TWO_MODELS, &how);
    const TgReportOptions options = { .resamples = 10,
                                      .pictures = "worst:2,median:1,disputed:2,worst:0" };
    g_autoptr(TgReport) report = report_of(path, &options);
    const TgReportSection *worst = find_section(report, "worst");
    const TgReportPicture *first;

    assert_non_null(worst);
    assert_int_equal(worst->pictures->len, 2);
    assert_int_equal(find_section(report, "median")->pictures->len, 1);
    assert_int_equal(find_section(report, "disputed")->pictures->len, 2);
    first = worst->pictures->pdata[0];
    assert_string_equal(report->table->rows[first->row].id, "1"); /* edit 2/3 twice, then order */
    assert_int_equal(first->images->len, 2);
    assert_image(first, 0, "truth", "<?xml");
    assert_image(first, 1, "prediction", "<?xml");
    assert_null(first->fault);
}

/* Metrics that can show a pair do, instead of plain drawings. */
static void test_report__metrics_show_the_pairs(void **state)
{
    const TgEvalOptions both = { .metrics = "edit,look=cdm,forte" };
    g_autofree char *path = tg_results_of_lines(*state, "shown", TWO_MODELS, &both);
    const TgReportOptions options = { .resamples = 10, .pictures = "worst:1" };
    g_autoptr(TgReport) report = report_of(path, &options);
    const TgReportPicture *first = find_section(report, "worst")->pictures->pdata[0];

    assert_int_equal(first->images->len, 2);
    assert_image(first, 0, "look", "\x89PNG");
    assert_image(first, 1, "forte", "\x89PNG");
}

/* b reads z as 2 in both pairs: two look-alikes in three formulas. a's one letter is a third. */
static void test_report__counts_errors_by_class(void **state)
{
    const TgEvalOptions both = { .metrics = "forte,cdm" };
    g_autofree char *path = tg_results_of_lines(*state, "errors", TWO_MODELS, &both);
    const TgReportOptions options = { .resamples = 10, .pictures = "" };
    g_autoptr(TgReport) report = report_of(path, &options);
    json_t *scores = table_of(report, "errors", 0);
    json_t *profile = table_of(report, "errors", 1);
    json_t *substitutions = table_of(report, "errors", 3); /* a's stand before */
    json_t *seen = table_of(report, "matches", 1);

    tg_assert_near(number_at(scores, 0, 2), 1.0 / 3, 1e-9); /* errors: a letter in three pairs */
    tg_assert_near(number_at(scores, 0, 3), 2.0 / 3, 1e-9); /* exact */
    tg_assert_near(number_at(scores, 1, 3), 0, 0);
    assert_string_equal(text_at(profile, 1, 0), "letter");
    tg_assert_near(number_at(profile, 1, 1), 1000.0 / 3, 1e-6);
    assert_string_equal(text_at(profile, 5, 0), "look-alike");
    tg_assert_near(number_at(profile, 5, 1), 0, 0);
    tg_assert_near(number_at(profile, 5, 2), 2000.0 / 3, 1e-6);
    assert_string_equal(text_at(substitutions, 0, 0), "z");
    assert_string_equal(text_at(substitutions, 0, 1), "2");
    tg_assert_near(number_at(substitutions, 0, 2), 2, 0);
    assert_string_equal(text_at(seen, 0, 0), "z");
    assert_string_equal(text_at(seen, 0, 1), "2");
    json_decref(scores);
    json_decref(profile);
    json_decref(substitutions);
    json_decref(seen);
}

/* Pairs without an error have no lines; the page has those of the others. */
static void test_report__says_what_forte_found(void **state)
{
    const TgEvalOptions both = { .metrics = "mine=forte" };
    g_autofree char *path = tg_results_of_lines(*state, "found", TWO_MODELS, &both);
    const TgReportOptions options = { .resamples = 10, .pictures = "worst:6" };
    g_autoptr(TgReport) report = report_of(path, &options);
    g_autofree char *html = tg_report_format(report, TG_REPORT_HTML);

    assert_string_equal(report->edits_by, "mine");
    assert_null(report->edits[0]);
    assert_string_equal(report->edits[2][0], "letter: b -> c, counts 1");
    assert_null(report->edits[2][1]);
    assert_non_null(strstr(html, "<li>letter: b -&gt; c, counts 1</li>"));
    assert_non_null(strstr(html, "[\"look-alike: z -\\u003e 2, counts 0.5\"]"));
}

static void test_report__plots_have_words_too(void **state)
{
    g_autofree char *path = tg_results_of_lines(*state, "plots", TWO_MODELS, &how);
    const TgReportOptions options = { .resamples = 10, .pictures = "" };
    g_autoptr(TgReport) report = report_of(path, &options);
    guint n_plots = 0;

    for (guint i = 0; i < report->sections->len; i++) {
        const TgReportSection *section = report->sections->pdata[i];

        for (guint p = 0; p < section->plots->len; p++, n_plots++)
            assert_non_null(strstr(((TgReportPlot *) section->plots->pdata[p])->alt, "n = "));
    }
    /* two distributions of two metrics, one against the other, both against people and length */
    assert_int_equal(n_plots, 4 + 1 + 2 + 2);
    assert_non_null(find_section(report, "study"));
    assert_int_equal(find_section(report, "agreement")->grids->len, 2);
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
    assert_int_equal(scripts, 2); /* the data and the page's own */
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
    assert_non_null(strstr(latex, "\\toprule"));
    assert_non_null(strstr(latex, "\\textbf{"));
    assert_non_null(strstr(csv, "\"Most frequent confusions of b\"\n\"truth\",\"prediction\""));
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
                     "Errors per 1,000 formulas by forte");
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
        cmocka_unit_test(test_report__counts_confusions_and_faults),
        cmocka_unit_test(test_report__draws_the_pairs_that_are_asked_for),
        cmocka_unit_test(test_report__metrics_show_the_pairs),
        cmocka_unit_test(test_report__counts_errors_by_class),
        cmocka_unit_test(test_report__says_what_forte_found),
        cmocka_unit_test(test_report__plots_have_words_too),
        cmocka_unit_test(test_report__html_is_escaped),
        cmocka_unit_test(test_report__needs_nothing_from_elsewhere),
        cmocka_unit_test(test_report__marks_hold_for_all_tests_of_the_table),
        cmocka_unit_test(test_report__every_style),
        cmocka_unit_test(test_report__says_so_where_nothing_is_defined),
        cmocka_unit_test(test_report__refuses_what_it_cannot_do),
    };
    return cmocka_run_group_tests_name("report", tests, make_scratch, remove_scratch);
}
