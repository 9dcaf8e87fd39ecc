#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/results_support.h"
#include <texgauge/scorer.h>

#define METRICS "edit,bleu,exprate,forte,cdm"

static TgScorer *make(const char *metrics, const TgScorerOptions *options)
{
    return tg_must(tg_scorer_new(metrics, options, &error));
}

static TgBatch *score(TgScorer *scorer, const TgPair *pairs, gsize n, guint threads)
{
    const TgBatchOptions options = { .size = sizeof options, .threads = threads };

    return tg_must(tg_scorer_score(scorer, pairs, n, &options, &error));
}

static TgBatch *score_one(TgScorer *scorer, const char *ref, const char *hyp)
{
    return score(scorer, &(TgPair){ NULL, &ref, 1, hyp }, 1, 1);
}

TEST(test_scorer__delimiters_come_off_as_in_files)
{
    g_autoptr(TgScorer) strip = make("edit", NULL);
    const TgScorerOptions options = { .size = sizeof options, .keep_delimiters = TRUE };
    g_autoptr(TgScorer) keep = make("edit", &options);
    g_autoptr(TgBatch) stripped = score_one(strip, "$x^2$", "x^2");
    g_autoptr(TgBatch) kept = score_one(keep, "$x^2$", "x^2");

    tg_assert_near(tg_batch_column(stripped, 0)[0], 1.0, 0);
    tg_assert_near(tg_batch_column(kept, 0)[0], 0.6, 0); /* 2 of 5 tokens */
}

TEST(test_scorer__a_buffer_may_be_used_again)
{
    char hyp[] = "a+b";
    g_autoptr(TgScorer) scorer = make("edit", NULL);
    g_autoptr(TgBatch) first = score_one(scorer, "a+b", hyp);

    hyp[2] = 'c';
    g_autoptr(TgBatch) second = score_one(scorer, "a+b", hyp);
    tg_assert_near(tg_batch_column(first, 0)[0], 1.0, 0);
    tg_assert_near(tg_batch_column(second, 0)[0], 2.0 / 3, 1e-9);
}

/* A model that runs away gains nothing from running farther: of 100 characters, none is right. */
TEST(test_scorer__runaway_predictions_count_as_worst)
{
    static const gsize lengths[] = { 6000, TG_TEXT_MAX, TG_TEXT_MAX + 1, 2 * TG_TEXT_MAX };
    g_autofree char *ref = g_strnfill(100, 'a');
    g_autoptr(TgScorer) scorer = make("cer,edit,wer,bleu,exprate", NULL);
    double before = 0;

    for (guint i = 0; i < G_N_ELEMENTS(lengths); i++) {
        g_autofree char *hyp = g_strnfill(lengths[i], 'b');
        g_autoptr(TgBatch) batch = score_one(scorer, ref, hyp);
        const double cer = tg_batch_column(batch, 0)[0];

        tg_assert_near(cer, (double) MIN(lengths[i], TG_TEXT_MAX) / 100, 1e-9);
        assert_true(cer >= before);
        before = cer;
        assert_int_equal(strstr(tg_batch_status(batch, 0, 0), "too long") != NULL,
                         lengths[i] > TG_TEXT_MAX);
    }
}

TEST(test_scorer__what_cannot_be_scored_has_a_status)
{
    const char *const refs[] = { "a", "a", "a", "a" };
    const TgPair pairs[] = {
        { "ok", &refs[0], 1, "a" },
        { "no prediction", &refs[1], 1, NULL },
        { "no reference", NULL, 0, "a" },
        { "bytes", &refs[3], 1, "\xff" },
    };
    g_autoptr(TgScorer) scorer = make("edit", NULL);
    g_autoptr(TgBatch) batch = score(scorer, pairs, G_N_ELEMENTS(pairs), 1);
    const double *values = tg_batch_column(batch, 0);

    assert_string_equal(tg_batch_status(batch, 0, 0), "ok");
    assert_string_equal(tg_batch_status(batch, 1, 0), "no prediction");
    assert_string_equal(tg_batch_status(batch, 2, 0), "no reference");
    assert_string_equal(tg_batch_status(batch, 3, 0), "a formula is not UTF-8");
    tg_assert_near(values[1], 0, 0); /* the worst: as an empty prediction */
    assert_true(isnan(values[2]) && isnan(values[3]));
    tg_assert_near(tg_batch_pooled(batch, 0), 0.5, 0);
}

TEST(test_scorer__undefined_skip_and_stop)
{
    const char *ref = "a";
    const TgPair pair = { "7", &ref, 1, NULL };
    TgScorerOptions options = { .size = sizeof options, .undefined = TG_UNDEFINED_SKIP };
    g_autoptr(TgScorer) skip = make("edit", &options);
    g_autoptr(TgBatch) batch = score(skip, &pair, 1, 1);
    assert_true(isnan(tg_batch_column(batch, 0)[0]));
    options.undefined = TG_UNDEFINED_STOP;
    g_autoptr(TgScorer) stop = make("edit", &options);
    tg_assert_fails(tg_scorer_score(stop, &pair, 1, NULL, &error), TG_ERROR_INPUT, "");
}

/* 500 pairs that differ, every seventh without prediction. */
static void make_pairs(TgPair *pairs, char **texts, guint n)
{
    for (guint i = 0; i < n; i++) {
        texts[2 * i] = g_strdup_printf("\\frac{a_{%u}}{b}+%u", i % 13, i);
        texts[2 * i + 1] = g_strdup_printf("\\frac{a_%u}{%s}+%u", i % 11, i % 3 ? "b" : "c", i);
        pairs[i] = (TgPair){ NULL, (const char *const *) &texts[2 * i], 1,
                             i % 7 == 0 ? NULL : texts[2 * i + 1] };
    }
}

TEST(test_scorer__equals_a_run_over_files_on_any_number_of_threads)
{
    enum { N = 500 };
    TgPair pairs[N];
    g_auto(GStrv) texts = g_new0(char *, 2 * N + 1);
    GString *lines = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    g_autofree char *path = NULL;
    const int fd = g_file_open_tmp("scorer-XXXXXX.jsonl", &path, &error);

    assert_true(fd >= 0);
    close(fd);
    make_pairs(pairs, texts, N);
    for (guint i = 0; i < N; i++) {
        g_autofree char *ref = g_strescape(texts[2 * i], NULL);
        g_autofree char *hyp = g_strescape(texts[2 * i + 1], NULL);
        if (pairs[i].hyp == NULL)
            g_string_append_printf(lines, "{\"gt\":\"%s\",\"pred\":null}\n", ref);
        else
            g_string_append_printf(lines, "{\"gt\":\"%s\",\"pred\":\"%s\"}\n", ref, hyp);
    }
    assert_true(g_file_set_contents(path, lines->str, -1, &error));
    g_string_free(lines, TRUE);

    const char *const inputs[] = { path, NULL };
    const TgEvalOptions run = { .metrics = METRICS, .inputs = inputs, .threads = 1 };
    g_autoptr(TgSummary) summary = tg_eval_run(&run, NULL, &error);
    g_autoptr(TgScorer) scorer = make(METRICS, NULL);
    g_autoptr(TgBatch) one = score(scorer, pairs, N, 1);
    g_autoptr(TgBatch) three = score(scorer, pairs, N, 3);

    assert_non_null(summary);
    for (guint c = 0; c < tg_scorer_n_columns(scorer); c++) {
        const char *name = tg_scorer_column_name(scorer, c);
        const double wanted = test_summary_value(summary, NULL, NULL, name);

        tg_assert_near(tg_batch_pooled(one, c), wanted, 0);
        tg_assert_near(tg_batch_pooled(three, c), wanted, 0);
        assert_memory_equal(tg_batch_column(one, c), tg_batch_column(three, c), N * sizeof(double));
    }
    g_unlink(path);
}

/* As data loaders do: the child process has the scorer, but none of its threads. */
TEST(test_scorer__scores_in_a_fork)
{
    enum { N = 200 };
    TgPair pairs[N];
    g_auto(GStrv) texts = g_new0(char *, 2 * N + 1);
    g_autoptr(TgScorer) scorer = make(METRICS, NULL);
    int status = 0;

    make_pairs(pairs, texts, N);
    g_autoptr(TgBatch) before = score(scorer, pairs, N, 2);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60); /* a child that waits for a lost thread */
        g_autoptr(TgBatch) after = tg_scorer_score(
            scorer, pairs, N, &(TgBatchOptions){ .size = sizeof(TgBatchOptions), .threads = 2 },
            NULL);
        _exit(after == NULL || memcmp(tg_batch_column(before, 0), tg_batch_column(after, 0),
                                      N * sizeof(double)) != 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static gboolean stop_at_once(gsize n_done, gsize n_pairs, gpointer data)
{
    (void) n_done;
    assert_int_equal(n_pairs, *(gsize *) data);
    return FALSE;
}

TEST(test_scorer__progress_cancels)
{
    const char *ref = "a";
    TgPair pairs[200];
    gsize n = G_N_ELEMENTS(pairs);
    g_autoptr(TgScorer) scorer = make("edit", NULL);
    for (gsize i = 0; i < n; i++)
        pairs[i] = (TgPair){ NULL, &ref, 1, "b" };
    for (guint threads = 1; threads <= 2; threads++) {
        const TgBatchOptions options = {
            .size = sizeof options, .threads = threads, .progress = stop_at_once, .data = &n
        };
        tg_assert_fails(tg_scorer_score(scorer, pairs, n, &options, &error), TG_ERROR_CANCELLED,
                        "");
    }
}

TEST(test_scorer__options_of_an_older_program_are_taken)
{
    /* A program that was built before `detail` and what follows it. */
    TgScorerOptions options = { .size = G_STRUCT_OFFSET(TgScorerOptions, detail), .detail = TRUE };
    g_autoptr(TgScorer) old = make("cer", &options);
    g_autoptr(TgBatch) without = score_one(old, "a", "b");

    assert_null(tg_batch_detail(without, 0, 0));
}

TEST(test_scorer__an_unknown_metric_is_refused)
{
    tg_assert_fails(tg_scorer_new("blue", NULL, &error), TG_ERROR_USAGE, "");
}

TEST(test_scorer__no_pairs_make_an_empty_batch)
{
    g_autoptr(TgScorer) scorer = make("edit", NULL);
    g_autoptr(TgBatch) batch = score(scorer, NULL, 0, 0);

    assert_int_equal(tg_batch_n_pairs(batch), 0);
    assert_true(isnan(tg_batch_pooled(batch, 0)));
}
