#include "tests/support/test_support.h"

#include "eval/run/run.h"

#include "eval/results/results.h"
#include "metrics/metric.h"
#include "tests/support/results_support.h"

/* A layout of one averaged and one pooled metric, and the files that a run of it would leave. */
typedef struct {
    char *folder;
    TgScoreLayout *layout;
} Fixture;

static int set_up(void **state)
{
    Fixture *fixture = g_new0(Fixture, 1);

    fixture->folder = cli_scratch();
    fixture->layout = tg_score_layout_new(tg_metric_new_list("exprate,cer", NULL));
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *fixture = *state;

    cli_scratch_free(fixture->folder);
    tg_score_layout_unref(fixture->layout);
    g_free(fixture);
    return 0;
}

static char *header(const Fixture *fixture, guint shard, guint n_shards)
{
    const char *const inputs[] = { "a.jsonl", NULL };
    const TgResultsInfo info = { fixture->layout, inputs, "strip", "default", shard, n_shards };

    return tg_results_header(&info);
}

static char *row(const Fixture *fixture, gsize number, double edits)
{
    GString *out = g_string_new(NULL);
    TgRecord record = { 0 };
    TgScores scores;

    tg_record_reset(&record);
    record.row = number;
    record.id = g_strdup_printf("id \"%" G_GSIZE_FORMAT "\"", number);
    record.subset = g_strdup("\xce\xb1");
    record.hyp = g_strdup("\\frac{a}{b}");
    g_ptr_array_add(record.refs, g_strdup("a/b"));
    tg_scores_init(&scores, fixture->layout);
    scores.columns[0] = 0;
    scores.columns[fixture->layout->first_column[1]] = edits / 10;
    scores.stats[fixture->layout->first_stat[1]] = edits;
    scores.stats[fixture->layout->first_stat[1] + 1] = 10;
    scores.has_stats[1] = TRUE;
    tg_scores_set_status(&scores, 0, "as a test");
    tg_results_append_row(out, fixture->layout, &record, &scores);
    tg_record_clear(&record);
    tg_scores_clear(&scores, fixture->layout);
    return g_string_free(out, FALSE);
}

static char *footer(guint64 n_rows)
{
    const TgSourceInput input = { "a.jsonl", "jsonl", "00ff" };

    return tg_results_footer(n_rows, &input, 1);
}

/* Write @text, which is freed, into a file of the scratch folder. */
static char *put(const Fixture *fixture, const char *name, char *text)
{
    char *path = g_build_filename(fixture->folder, name, NULL);

    assert_true(g_file_set_contents(path, text, -1, NULL));
    g_free(text);
    return path;
}

static char *whole_file(const Fixture *fixture)
{
    g_autofree char *head = header(fixture, 1, 1);
    g_autofree char *one = row(fixture, 1, 3), *two = row(fixture, 2, 4), *end = footer(2);

    return g_strconcat(head, "\n", one, two, end, "\n", NULL);
}

/* Read what is left, which must be without an error; the number of rows. */
static guint count_rows(TgResultsReader *reader)
{
    GError *error = NULL;
    const TgResultsRow *got;

    for (guint n = 0;; n++) {
        tg_results_next(reader, &got, &error);
        tg_assert_no_error(error);
        if (got == NULL)
            return n;
    }
}

TEST(test_results__written_is_what_is_read)
{
    const Fixture *fixture = *state;
    g_autofree char *path = put(fixture, "whole.jsonl", whole_file(fixture));
    GError *error = NULL;
    const TgResultsRow *got;
    g_autoptr(TgResultsReader) reader = tg_results_open(path, &error);

    tg_assert_no_error(error);
    assert_int_equal(tg_results_layout(reader)->n_columns, fixture->layout->n_columns);
    assert_true(tg_results_next(reader, &got, &error));
    assert_int_equal(got->row, 1);
    assert_string_equal(got->id, "id \"1\"");
    assert_null(got->model);
    assert_string_equal(got->subset, "\xce\xb1");
    assert_string_equal(got->scores.status[0], "as a test");
    assert_null(got->scores.status[1]);
    tg_assert_near(got->scores.columns[fixture->layout->first_column[1]], 0.3, 0.0);
    assert_true(isnan(got->scores.columns[1])); /* exprate.1 was left undefined */
    assert_false(got->scores.has_stats[0]);
    assert_true(got->scores.has_stats[1]);
    assert_true(tg_results_next(reader, &got, &error));
    assert_null(tg_results_footer_json(reader));
    assert_int_equal(count_rows(reader), 0);
    assert_non_null(tg_results_footer_json(reader));
}

/* Cut anywhere behind the header, a file reads as far as its last whole line, without an error. */
TEST(test_results__any_cut_is_an_interruption)
{
    const Fixture *fixture = *state;
    g_autofree char *whole = whole_file(fixture);
    const gsize head = (gsize) (strchr(whole, '\n') - whole) + 1;

    for (gsize len = head; len < strlen(whole); len++) {
        g_autofree char *path = put(fixture, "cut.jsonl", g_strndup(whole, len));
        g_autoptr(TgResultsReader) reader = tg_results_open(path, NULL);
        guint n_lines = 0;

        tg_results_allow_interrupted(reader);
        for (gsize i = head; i < len; i++)
            n_lines += whole[i] == '\n';
        assert_int_equal(count_rows(reader), n_lines);
        assert_null(tg_results_footer_json(reader));
        assert_true(tg_results_offset(reader) <= len);
        assert_int_equal(whole[tg_results_offset(reader) - 1], '\n');
    }
}

static void expect_merge_error(const Fixture *fixture, char *text, const char *part)
{
    g_autofree char *path = put(fixture, "bad.jsonl", text);
    const char *const paths[] = { path, NULL };
    GError *error = NULL;

    assert_null(tg_eval_merge(paths, NULL, &error));
    tg_assert_error(error, TG_ERROR_INPUT, part);
}

/* The whole file with the first @from put as @to. */
static char *changed(const Fixture *fixture, const char *from, const char *to)
{
    g_autofree char *whole = whole_file(fixture);
    const char *at = strstr(whole, from);

    assert_non_null(at);
    g_autofree char *before = g_strndup(whole, (gsize) (at - whole));
    return g_strconcat(before, to, at + strlen(from), NULL);
}

TEST(test_results__damage_is_an_error_with_its_line)
{
    const Fixture *fixture = *state;

    expect_merge_error(fixture, g_strdup(""), "not a results file");
    expect_merge_error(fixture, g_strdup("{\"a\":1}\n"), "not a results file");
    expect_merge_error(fixture, changed(fixture, "\"rows\":2", "\"rows\":3"), "has lost rows");
    expect_merge_error(fixture, changed(fixture, "|v:", "|v:9"), "score again to compare");
    expect_merge_error(fixture, changed(fixture, "\"spec\":\"cer\"", "\"spec\":\"cerr\""),
                       "unknown metric 'cerr'");
    expect_merge_error(fixture, changed(fixture, "\"row\":2", "\"row\":0"), "bad.jsonl:3: no row");
    expect_merge_error(fixture, changed(fixture, "{\"row\":2", "{row:2"), "bad.jsonl:3: ");
    expect_merge_error(fixture, changed(fixture, "[3,10", "[3,10,1"), "wrong number of statistics");
    expect_merge_error(fixture, changed(fixture, "\"exprate\":0,", ""), "a score is missing");
    expect_merge_error(fixture, changed(fixture, "\"of\":1", "\"of\":2000000000"),
                       "the header names shard 1 of 2000000000");
    expect_merge_error(fixture, changed(fixture, "{\"end\":true", "{\"end\":false"), "no row");
}

/* What joining, editing and sorting files by hand leaves; every reader says so. */
TEST(test_results__rows_are_all_there_once)
{
    const Fixture *fixture = *state;
    g_autofree char *whole = whole_file(fixture), *head = header(fixture, 1, 1);
    g_autofree char *one = row(fixture, 1, 3), *two = row(fixture, 2, 4), *end = footer(2);

    expect_merge_error(fixture, g_strconcat(whole, whole, NULL), "goes on behind its last line");
    expect_merge_error(fixture, g_strconcat(head, "\n", one, whole, NULL),
                       "bad.jsonl:3: another results file begins here");
    expect_merge_error(fixture, g_strconcat(head, "\n", two, end, "\n", NULL),
                       "bad.jsonl:2: row 1 is missing");
    expect_merge_error(fixture, g_strconcat(head, "\n", one, end, "\n", NULL), "has lost rows");
    expect_merge_error(fixture, g_strconcat(head, "\n", one, one, end, "\n", NULL),
                       "bad.jsonl:3: row 1 comes twice, or out of order");
    expect_merge_error(fixture, g_strconcat(head, "\n", two, one, end, "\n", NULL), "missing");
}

TEST(test_results__scores_are_within_their_range)
{
    const Fixture *fixture = *state;

    expect_merge_error(fixture, changed(fixture, "\"exprate\":0,", "\"exprate\":1.5,"),
                       "bad.jsonl:2: the score 'exprate' is 1.5, outside [0, 1]");
    expect_merge_error(fixture, changed(fixture, "\"exprate\":0,", "\"exprate\":-1,"), "outside");
    expect_merge_error(fixture, changed(fixture, "\"exprate\":0,", "\"exprate\":\"0\","),
                       "the score 'exprate' is not a number");
    expect_merge_error(fixture, changed(fixture, "[3,10", "[\"3\",10"),
                       "a statistic is not a number");
    expect_merge_error(fixture, changed(fixture, "\"cer\":\"ok\"", "\"other\":\"ok\""),
                       "the status of 'cer' is missing");
    expect_merge_error(fixture, changed(fixture, "\"stats\":{\"cer\":", "\"stats\":{\"other\":"),
                       "statistics are missing");
}

/* ext4 and XFS leave zeros where a file grew and its bytes had not arrived. */
TEST(test_results__a_tail_of_zeros_is_an_interruption)
{
    const Fixture *fixture = *state;
    g_autofree char *whole = whole_file(fixture);
    g_autofree char *path = g_build_filename(fixture->folder, "zeros.jsonl", NULL);
    const gsize rows = (gsize) (strstr(whole, "{\"end\"") - whole);
    g_autofree char *bytes = g_malloc0(rows + 5000);

    memcpy(bytes, whole, rows);
    assert_true(g_file_set_contents(path, bytes, (gssize) rows + 5000, NULL));
    g_autoptr(TgResultsReader) reader = tg_results_open(path, NULL);
    tg_results_allow_interrupted(reader);
    assert_int_equal(count_rows(reader), 2);
    assert_int_equal(tg_results_offset(reader), rows);
    assert_null(tg_results_footer_json(reader));
}

TEST(test_results__shards_must_be_of_one_input)
{
    const Fixture *fixture = *state;
    g_autofree char *head1 = header(fixture, 1, 2), *head2 = header(fixture, 2, 2);
    g_autofree char *one = row(fixture, 1, 3), *two = row(fixture, 2, 4), *end = footer(1);
    g_autofree char *path1 =
        put(fixture, "1.jsonl", g_strconcat(head1, "\n", one, end, "\n", NULL));
    g_autofree char *path2 =
        put(fixture, "2.jsonl", g_strconcat(head2, "\n", two, end, "\n", NULL));
    const char *const paths[] = { path2, path1, NULL };
    GError *error = NULL;
    g_autoptr(TgSummary) summary = tg_eval_merge(paths, NULL, &error);

    tg_assert_no_error(error);
    g_autoptr(GPtrArray) rows = tg_summary_rows(summary);
    assert_int_equal(((const TgSummaryRow *) rows->pdata[0])->n_pairs, 2);
    tg_assert_near(test_summary_value(summary, NULL, NULL, "cer"), 7.0 / 20, 1e-9);

    g_autofree char *text = NULL;
    assert_true(g_file_get_contents(path2, &text, NULL, NULL));
    memcpy(strstr(text, "00ff"), "11ff", 4);
    assert_true(g_file_set_contents(path2, text, -1, NULL));
    assert_null(tg_eval_merge(paths, NULL, &error));
    tg_assert_error(error, TG_ERROR_INPUT, "inputs with other contents");
}

TEST_GROUP(set_up, tear_down)
