/* Tables in memory: scored batch by batch, evaluated as files are, and results as a table. */
#include "tests/support/test_support.h"

#include <glib/gstdio.h>
#include <string.h>

#include <texgauge/arrow.h>

#include "core/arrow/rows.h"
#include "eval/results/frame.h"
#include "eval/run/run.h"
#include "tests/support/arrow_tables.h"

/* Two batches: ("$x^2$", "x^2"), ("ab", "a"), then (null, "a"), ("a", null), ("a", bytes that are
 * no UTF-8). */
static const gint32 gt1_ends[] = { 0, 5, 7 }, pred1_ends[] = { 0, 3, 4 };
static const gint32 gt2_ends[] = { 0, 0, 1, 2 }, pred2_ends[] = { 0, 1, 1, 2 };
static const guint8 gt2_valid[] = { 0x6 }, pred2_valid[] = { 0x5 };
static const double marks1[] = { 1, 2 }, marks2[] = { 3, 4, (double) NAN };

static const TgTestColumn gt1 = { .name = "gt",
                                  .format = "u",
                                  .length = 2,
                                  .n_buffers = 3,
                                  .buffers = { NULL, gt1_ends, "$x^2$ab" } };
static const TgTestColumn pred1 = { .name = "pred",
                                    .format = "u",
                                    .length = 2,
                                    .n_buffers = 3,
                                    .buffers = { NULL, pred1_ends, "x^2a" } };
static const TgTestColumn mark1 = {
    .name = "mark", .format = "g", .length = 2, .n_buffers = 2, .buffers = { NULL, marks1 }
};
static const TgTestColumn gt2 = { .name = "gt",
                                  .format = "u",
                                  .length = 3,
                                  .null_count = 1,
                                  .n_buffers = 3,
                                  .buffers = { gt2_valid, gt2_ends, "aa" } };
static const TgTestColumn pred2 = { .name = "pred",
                                    .format = "u",
                                    .length = 3,
                                    .null_count = 1,
                                    .n_buffers = 3,
                                    .buffers = { pred2_valid, pred2_ends, "a\xFF" } };
static const TgTestColumn mark2 = {
    .name = "mark", .format = "g", .length = 3, .n_buffers = 2, .buffers = { NULL, marks2 }
};
static const TgTestColumn batch1 = { .format = "+s",
                                     .length = 2,
                                     .n_buffers = 1,
                                     .n_children = 3,
                                     .children = { &gt1, &pred1, &mark1 } };
static const TgTestColumn batch2 = { .format = "+s",
                                     .length = 3,
                                     .n_buffers = 1,
                                     .n_children = 3,
                                     .children = { &gt2, &pred2, &mark2 } };
static const TgTestColumn *const batches[] = { &batch1, &batch2 };

static TgScorer *make_scorer(const char *metrics)
{
    g_autoptr(GError) error = NULL;
    TgScorer *scorer = tg_scorer_new(metrics, NULL, &error);

    tg_assert_no_error(error);
    return scorer;
}

static void next_batch(struct ArrowArrayStream *stream, struct ArrowArray *batch)
{
    const int status = stream->get_next(stream, batch);

    if (status != 0)
        fail_msg("%d: %s", status, stream->get_last_error(stream));
}

static void assert_status(const struct ArrowArray *batch, gint64 column, gint row,
                          const char *wanted)
{
    const gint32 *ends = batch->children[column]->buffers[1];
    const char *texts = batch->children[column]->buffers[2];

    assert_int_equal(ends[row + 1] - ends[row], strlen(wanted));
    assert_memory_equal(texts + ends[row], wanted, strlen(wanted));
}

static void test_arrow_tables__scores_of_a_table(void **state)
{
    g_autoptr(TgScorer) scorer = make_scorer("edit");
    struct ArrowArrayStream table, scores;
    struct ArrowSchema schema;
    struct ArrowArray batch;
    g_autoptr(GError) error = NULL;

    (void) state;
    tg_test_arrow_stream(&table, batches, 2, NULL);
    assert_true(tg_scorer_score_table(scorer, &table, NULL, &scores, &error));
    assert_null(table.release);
    g_clear_pointer(&scorer, tg_scorer_unref); /* the stream keeps it */

    assert_int_equal(scores.get_schema(&scores, &schema), 0);
    assert_string_equal(schema.format, "+s");
    assert_int_equal(schema.n_children, 5); /* edit has four columns */
    assert_string_equal(schema.children[0]->name, "edit");
    assert_string_equal(schema.children[0]->format, "g");
    assert_string_equal(schema.children[4]->name, "edit.status");
    assert_string_equal(schema.children[4]->format, "u");
    schema.release(&schema);

    next_batch(&scores, &batch);
    assert_int_equal(batch.length, 2);
    const double *values = batch.children[0]->buffers[1];
    tg_assert_near(values[0], 1, 0);
    tg_assert_near(values[1], 0.5, 0);
    assert_status(&batch, 4, 0, "ok");
    batch.release(&batch);

    next_batch(&scores, &batch);
    assert_int_equal(batch.length, 3);
    assert_int_equal(batch.children[0]->null_count, 2); /* no truth, no UTF-8 */
    assert_int_equal(*(const guint8 *) batch.children[0]->buffers[0], 0x2);
    tg_assert_near(((const double *) batch.children[0]->buffers[1])[1], 0, 0);
    assert_status(&batch, 4, 0, "no truth");
    assert_status(&batch, 4, 1, "no prediction");
    assert_status(&batch, 4, 2, "a formula is not UTF-8");
    batch.release(&batch);

    next_batch(&scores, &batch);
    assert_null(batch.release);
    scores.release(&scores);
    assert_int_equal(tg_test_arrow_n_live(), 0);
}

static void test_arrow_tables__a_column_outlives_its_batch_and_its_stream(void **state)
{
    g_autoptr(TgScorer) scorer = make_scorer("edit");
    struct ArrowArrayStream table, scores;
    struct ArrowArray batch;
    g_autoptr(GError) error = NULL;

    (void) state;
    tg_test_arrow_stream(&table, batches, 2, NULL);
    assert_true(tg_scorer_score_table(scorer, &table, NULL, &scores, &error));
    next_batch(&scores, &batch);
    struct ArrowArray moved = *batch.children[0];
    batch.children[0]->release = NULL;
    batch.release(&batch);
    scores.release(&scores);
    tg_assert_near(((const double *) moved.buffers[1])[1], 0.5, 0);
    moved.release(&moved);
    assert_int_equal(tg_test_arrow_n_live(), 0);
}

/* 150,000 rows in one batch, every third of which is right. */
static void test_arrow_tables__a_large_batch_comes_in_pieces(void **state)
{
    enum { N = 150000 };
    g_autofree gint32 *ends = g_new(gint32, N + 1);
    g_autofree char *truths = g_malloc(N), *answers = g_malloc(N);
    struct ArrowArrayStream table, scores;
    struct ArrowArray batch;
    g_autoptr(TgScorer) scorer = make_scorer("exprate");
    g_autoptr(GError) error = NULL;
    const TgArrowOptions options = {
        .size = sizeof options, .reference = "t", .prediction = "p", .threads = 2
    };
    gint64 n = 0, n_right = 0;

    (void) state;
    memset(truths, 'a', N);
    for (gint i = 0; i < N; i++)
        answers[i] = i % 3 == 0 ? 'a' : 'b';
    for (gint i = 0; i <= N; i++)
        ends[i] = i;
    const TgTestColumn t = {
        .name = "t", .format = "u", .length = N, .n_buffers = 3, .buffers = { NULL, ends, truths }
    };
    const TgTestColumn p = {
        .name = "p", .format = "u", .length = N, .n_buffers = 3, .buffers = { NULL, ends, answers }
    };
    const TgTestColumn whole = {
        .format = "+s", .length = N, .n_buffers = 1, .n_children = 2, .children = { &t, &p }
    };
    const TgTestColumn *const one = &whole;

    tg_test_arrow_stream(&table, &one, 1, NULL);
    assert_true(tg_scorer_score_table(scorer, &table, &options, &scores, &error));
    for (;;) {
        next_batch(&scores, &batch);
        if (batch.release == NULL)
            break;
        assert_true(batch.length <= 65536);
        for (gint64 i = 0; i < batch.length; i++) {
            const double value = ((const double *) batch.children[0]->buffers[1])[i];
            const double wanted = (n + i) % 3 == 0 ? 1 : 0;

            if (value != wanted)
                fail_msg("row %d has %g", (int) (n + i), value);
            n_right += value > 0;
        }
        n += batch.length;
        batch.release(&batch);
    }
    scores.release(&scores);
    assert_int_equal(n, N);
    assert_int_equal(n_right, 50000);
}

static void assert_no_scores(const TgArrowOptions *options, TgErrorCode code, const char *part)
{
    g_autoptr(TgScorer) scorer = make_scorer("edit");
    struct ArrowArrayStream table, scores;
    g_autoptr(GError) error = NULL;

    tg_test_arrow_stream(&table, batches, 2, NULL);
    assert_false(tg_scorer_score_table(scorer, &table, options, &scores, &error));
    tg_assert_error(error, code, part);
    assert_int_equal(tg_test_arrow_n_live(), 0);
}

static void test_arrow_tables__columns_that_are_not_there(void **state)
{
    (void) state;
    assert_no_scores(&(TgArrowOptions){ .size = sizeof(TgArrowOptions), .reference = "truth" },
                     TG_ERROR_USAGE, "no column 'truth'");
    assert_no_scores(&(TgArrowOptions){ .size = sizeof(TgArrowOptions), .prediction = "mark" },
                     TG_ERROR_USAGE, "'mark' of the table is not text");
}

static void test_arrow_tables__a_failing_source_is_told(void **state)
{
    g_autoptr(TgScorer) scorer = make_scorer("edit");
    struct ArrowArrayStream table, scores;
    struct ArrowArray batch;
    g_autoptr(GError) error = NULL;

    (void) state;
    tg_test_arrow_stream(&table, batches, 1, "the disk is gone");
    assert_true(tg_scorer_score_table(scorer, &table, NULL, &scores, &error));
    next_batch(&scores, &batch);
    batch.release(&batch);
    assert_int_not_equal(scores.get_next(&scores, &batch), 0);
    assert_non_null(strstr(scores.get_last_error(&scores), "the disk is gone"));
    scores.release(&scores);
    assert_int_equal(tg_test_arrow_n_live(), 0);
}

/* ---- runs, and their results ---- */

static char *results_path(void)
{
    g_autofree char *folder = g_dir_make_tmp("tables-XXXXXX", NULL);

    return g_build_filename(folder, "results.jsonl", NULL);
}

static void remove_results(const char *path)
{
    g_autofree char *folder = g_path_get_dirname(path);

    g_remove(path);
    g_rmdir(folder);
}

static void evaluate(const char *path, const char *const *columns, const char *const *human)
{
    struct ArrowArrayStream table;
    g_autoptr(GError) error = NULL;
    const TgEvalOptions options = {
        .metrics = "edit",
        .table = &table,
        .columns = columns,
        .human = human,
        .output = path,
        .threads = 1,
    };

    tg_test_arrow_stream(&table, batches, 2, NULL);
    g_autoptr(TgSummary) summary = tg_eval_run(&options, NULL, &error);
    tg_assert_no_error(error);
    assert_non_null(summary);
    assert_int_equal(tg_test_arrow_n_live(), 0);
}

static void test_arrow_tables__a_run_reads_rows_as_from_a_file(void **state)
{
    static const char *const columns[] = { "mark", NULL }, *const human[] = { "us=mark", NULL };
    g_autofree char *path = results_path(), *text = NULL;

    (void) state;
    evaluate(path, columns, human);
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    assert_non_null(strstr(lines[0], "\"inputs\":[\"data\"]"));
    assert_non_null(strstr(lines[1], "{\"row\":1,\"id\":null,\"model\":null,\"subset\":null,"
                                     "\"gt\":[\"x^2\"],\"pred\":\"x^2\",\"human\":{\"us\":[1]},"
                                     "\"stored\":{\"mark\":1.0},\"scores\":{\"edit\":1,"));
    assert_non_null(strstr(lines[3], "\"gt\":[],\"pred\":\"a\""));
    assert_non_null(strstr(lines[3], "data:3: "));
    assert_non_null(strstr(lines[4], "\"pred\":null"));
    assert_non_null(strstr(lines[4], "\"status\":{\"edit\":\"no prediction\"}"));
    assert_non_null(strstr(lines[5], "\"human\":{},\"stored\":{\"mark\":null}"));
    assert_non_null(strstr(lines[5], "field 'pred' is not UTF-8"));
    assert_string_equal(lines[6], "{\"end\":true,\"rows\":5,\"inputs\":[{\"file\":\"data\","
                                  "\"format\":\"arrow\",\"sha256\":null}]}");
    remove_results(path);
}

static void assert_frame_value(const TgArrowRows *rows, const char *name, gint64 row,
                               const char *wanted)
{
    char **names = tg_arrow_rows_names(rows);
    guint column = 0;

    while (names[column] != NULL && strcmp(names[column], name) != 0)
        column++;
    assert_non_null(names[column]);
    json_t *json = tg_arrow_rows_json(rows, column, row);
    g_autofree char *text = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);
    assert_string_equal(text, wanted);
    json_decref(json);
}

static void test_arrow_tables__results_are_a_frame(void **state)
{
    static const char *const columns[] = { "mark", NULL };
    static const char *const wanted[] = {
        "row",         "id",          "model", "subset",        "gt",
        "pred",        "mark",        "edit",  "edit.distance", "edit.normalized",
        "edit.corpus", "edit.status", NULL,
    };
    g_autofree char *path = results_path();
    struct ArrowArrayStream stream;
    g_autoptr(GError) error = NULL;
    gint64 n;

    (void) state;
    evaluate(path, columns, NULL);
    assert_true(tg_results_frame(path, &stream, &error));
    remove_results(path); /* it is open */
    g_autoptr(TgArrowRows) rows = tg_arrow_rows_open(&stream, &error);
    tg_assert_no_error(error);
    for (guint i = 0; wanted[i] != NULL; i++) {
        assert_string_equal(tg_arrow_rows_names(rows)[i], wanted[i]);
        assert_true(tg_arrow_rows_use(rows, i, &error));
    }
    assert_true(tg_arrow_rows_next(rows, &n, &error));
    assert_int_equal(n, 5);
    assert_frame_value(rows, "row", 4, "5");
    assert_frame_value(rows, "id", 0, "null");
    assert_frame_value(rows, "gt", 1, "[\"ab\"]");
    assert_frame_value(rows, "gt", 2, "[]");
    assert_frame_value(rows, "pred", 0, "\"x^2\"");
    assert_frame_value(rows, "pred", 3, "null");
    assert_frame_value(rows, "mark", 3, "4.0");
    assert_frame_value(rows, "mark", 4, "null");
    assert_frame_value(rows, "edit", 1, "0.5");
    assert_frame_value(rows, "edit", 2, "null");
    assert_frame_value(rows, "edit.status", 3, "\"no prediction\"");
    assert_true(tg_arrow_rows_next(rows, &n, &error));
    assert_int_equal(n, 0);
}

static void test_arrow_tables__a_missing_column_ends_the_run(void **state)
{
    static const char *const maps[] = { "pred=answer", NULL };
    struct ArrowArrayStream table;
    g_autoptr(GError) error = NULL;
    const TgEvalOptions options = { .metrics = "edit", .table = &table, .maps = maps };

    (void) state;
    tg_test_arrow_stream(&table, batches, 2, NULL);
    assert_null(tg_eval_run(&options, NULL, &error));
    tg_assert_error(error, TG_ERROR_INPUT, "no column 'answer' (columns: gt, pred, mark)");
    assert_int_equal(tg_test_arrow_n_live(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrow_tables__scores_of_a_table),
        cmocka_unit_test(test_arrow_tables__a_column_outlives_its_batch_and_its_stream),
        cmocka_unit_test(test_arrow_tables__a_large_batch_comes_in_pieces),
        cmocka_unit_test(test_arrow_tables__columns_that_are_not_there),
        cmocka_unit_test(test_arrow_tables__a_failing_source_is_told),
        cmocka_unit_test(test_arrow_tables__a_run_reads_rows_as_from_a_file),
        cmocka_unit_test(test_arrow_tables__results_are_a_frame),
        cmocka_unit_test(test_arrow_tables__a_missing_column_ends_the_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
