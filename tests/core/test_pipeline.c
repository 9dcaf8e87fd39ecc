#include "tests/support/test_support.h"

#include "core/pipeline.h"

enum { N_ITEMS = 5000, WINDOW = 16 };

typedef struct {
    guint values[N_ITEMS];
    guint n_emitted;
    guint worker_calls[4];
} Trace;

static void square(gpointer item, guint worker, gpointer data)
{
    Trace *trace = data;
    guint *number = item;

    trace->worker_calls[worker]++; /* one thread per number at a time, so no lock is needed */
    if (*number % 7 == 0)
        g_usleep(50); /* finish out of order now and then */
    number[1] = *number * *number;
}

static void collect(gpointer item, gpointer data)
{
    Trace *trace = data;
    g_autofree guint *number = item;

    trace->values[trace->n_emitted++] = number[1];
}

static void run(guint n_threads)
{
    g_autofree Trace *trace = g_new0(Trace, 1);
    GError *error = NULL;
    TgPipeline *pipeline = tg_pipeline_new(n_threads, WINDOW, square, collect, trace, &error);
    guint calls = 0;

    tg_assert_no_error(error);
    for (guint i = 0; i < N_ITEMS; i++) {
        guint *number = g_new0(guint, 2);
        *number = i;
        tg_pipeline_push(pipeline, number);
    }
    tg_pipeline_finish(pipeline);
    assert_int_equal(trace->n_emitted, N_ITEMS);
    for (guint i = 0; i < N_ITEMS; i++)
        assert_int_equal(trace->values[i], i * i);
    for (guint i = 0; i < 4; i++)
        calls += trace->worker_calls[i];
    assert_int_equal(calls, N_ITEMS);
}

TEST(test_pipeline__emits_in_order_on_any_number_of_threads)
{
    for (guint n_threads = 1; n_threads <= 4; n_threads++)
        run(n_threads);
}

TEST(test_pipeline__finishes_without_items)
{
    for (guint n_threads = 1; n_threads <= 2; n_threads++)
        tg_pipeline_finish(tg_pipeline_new(n_threads, 1, square, collect, NULL, NULL));
}

static void note_worker(gpointer item, guint worker, gpointer data)
{
    (void) data;
    *(guint *) item = worker + 1;
    g_usleep(100);
}

TEST(test_pipeline__each_takes_no_more_threads_than_it_may)
{
    guint workers[50] = { 0 };
    g_autoptr(GPtrArray) items = g_ptr_array_new();

    for (guint i = 0; i < G_N_ELEMENTS(workers); i++)
        g_ptr_array_add(items, &workers[i]);
    assert_true(tg_pipeline_each(items, 3, note_worker, NULL, NULL, NULL));
    for (guint i = 0; i < G_N_ELEMENTS(workers); i++)
        assert_in_range(workers[i], 1, 3);
}

static guint count_threads(void)
{
    g_autoptr(GDir) tasks = g_dir_open("/proc/self/task", 0, NULL);
    guint n = 0;

    while (tasks != NULL && g_dir_read_name(tasks) != NULL)
        n++;
    return n;
}

TEST(test_pipeline__its_threads_end_with_it)
{
    const guint before = count_threads();

    run(3);
    /* A joined thread leaves /proc a moment after the join. */
    for (guint i = 0; i < 1000 && count_threads() > before; i++)
        g_usleep(5000);
    assert_int_equal(count_threads(), before);
}
