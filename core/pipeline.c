#include "core/pipeline.h"

#include <pthread.h>

#include <sys/resource.h>

#include "core/fail.h"

/* ---- threads ---- */

/* Set here because defaults differ: glibc takes the limit of the calling process, musl 128 KiB.
 * Only pages that are used take memory. */
#define THREAD_STACK ((gsize) 8 << 20)

/* 0, or the error of pthread_create(). */
static int start_thread(pthread_t *thread, void *(*work)(void *), gpointer data)
{
    pthread_attr_t own;

    pthread_attr_init(&own);
    pthread_attr_setstacksize(&own, THREAD_STACK);
    const int fault = pthread_create(thread, &own, work, data);
    pthread_attr_destroy(&own);
    return fault;
}

gboolean tg_run_where_stack_suffices(void *(*work)(void *), gpointer data)
{
    struct rlimit limit;
    pthread_t thread;

    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur >= 2 * TG_STACK_NEEDED) {
        work(data);
        return TRUE;
    }
    return start_thread(&thread, work, data) == 0 && pthread_join(thread, NULL) == 0;
}

/* ---- a pipeline ---- */

typedef struct {
    gpointer item;
    gboolean done;
} Slot;

struct TgPipeline {
    TgPipelineWork work;
    TgPipelineEmit emit;
    gpointer data;
    GArray *threads; /* pthread_t; NULL: the calling thread does all the work */

    pthread_mutex_t lock;   /* guards the members below */
    pthread_cond_t pushed;  /* signaled when an item came in, or when no more will come */
    pthread_cond_t emitted; /* signaled when an item left the window */
    Slot *ring;             /* item i is ring[i % window] */
    guint window;
    guint64 n_pushed;
    guint64 n_taken;
    guint64 n_emitted;
    gboolean emitting;
    gboolean closing; /* nothing will be pushed any more */
    guint n_workers;  /* number of workers that have started */
};

/* Emit all finished items at the head; called and returns with the lock held. */
static void emit_finished_items(TgPipeline *self)
{
    if (self->emitting)
        return; /* the emitting thread will also emit the item of this thread */
    self->emitting = TRUE;
    while (self->n_emitted < self->n_taken && self->ring[self->n_emitted % self->window].done) {
        gpointer item = self->ring[self->n_emitted % self->window].item;

        pthread_mutex_unlock(&self->lock);
        if (self->emit != NULL)
            self->emit(item, self->data);
        pthread_mutex_lock(&self->lock);
        self->n_emitted++;
        pthread_cond_signal(&self->emitted);
    }
    self->emitting = FALSE;
}

/* A worker thread takes the oldest item that no thread has, until none is left. */
static void *process_items(void *user_data)
{
    TgPipeline *self = user_data;

    pthread_mutex_lock(&self->lock);
    const guint number = self->n_workers++;
    for (;;) {
        while (self->n_taken == self->n_pushed && !self->closing)
            pthread_cond_wait(&self->pushed, &self->lock);
        if (self->n_taken == self->n_pushed)
            break;
        Slot *slot = &self->ring[self->n_taken++ % self->window];
        gpointer item = slot->item;

        pthread_mutex_unlock(&self->lock);
        self->work(item, number, self->data);
        pthread_mutex_lock(&self->lock);
        slot->done = TRUE;
        emit_finished_items(self);
    }
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

TgPipeline *tg_pipeline_new(guint n_threads, guint window, TgPipelineWork work, TgPipelineEmit emit,
                            gpointer data, GError **error)
{
    g_return_val_if_fail(n_threads > 0 && window > 0, NULL);

    TgPipeline *self = g_new0(TgPipeline, 1);
    int fault = 0;

    self->work = work;
    self->emit = emit;
    self->data = data;
    self->window = window;
    self->ring = g_new0(Slot, window);
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->pushed, NULL);
    pthread_cond_init(&self->emitted, NULL);
    if (n_threads > 1)
        self->threads = g_array_new(FALSE, FALSE, sizeof(pthread_t));
    for (guint i = 0; n_threads > 1 && i < n_threads && fault == 0; i++) {
        pthread_t thread;

        fault = start_thread(&thread, process_items, self);
        if (fault == 0)
            g_array_append_val(self->threads, thread);
    }
    if (fault != 0) {
        tg_fail(error, TG_ERROR_INTERNAL, "cannot start %u threads: %s", n_threads,
                g_strerror(fault));
        tg_pipeline_finish(self);
        return NULL;
    }
    return self;
}

void tg_pipeline_push(TgPipeline *pipeline, gpointer item)
{
    if (pipeline->threads == NULL) {
        pipeline->work(item, 0, pipeline->data);
        if (pipeline->emit != NULL)
            pipeline->emit(item, pipeline->data);
        return;
    }

    pthread_mutex_lock(&pipeline->lock);
    while (pipeline->n_pushed - pipeline->n_emitted >= pipeline->window)
        pthread_cond_wait(&pipeline->emitted, &pipeline->lock);
    pipeline->ring[pipeline->n_pushed++ % pipeline->window] = (Slot){ item, FALSE };
    pthread_cond_signal(&pipeline->pushed);
    pthread_mutex_unlock(&pipeline->lock);
}

void tg_pipeline_finish(TgPipeline *pipeline)
{
    if (pipeline->threads != NULL) {
        pthread_mutex_lock(&pipeline->lock);
        pipeline->closing = TRUE;
        pthread_cond_broadcast(&pipeline->pushed);
        pthread_mutex_unlock(&pipeline->lock);
        for (guint i = 0; i < pipeline->threads->len; i++)
            pthread_join(g_array_index(pipeline->threads, pthread_t, i), NULL);
        g_array_unref(pipeline->threads);
    }
    pthread_cond_destroy(&pipeline->pushed);
    pthread_cond_destroy(&pipeline->emitted);
    pthread_mutex_destroy(&pipeline->lock);
    g_free(pipeline->ring);
    g_free(pipeline);
}

gboolean tg_pipeline_each(const GPtrArray *items, guint n_threads, TgPipelineWork work,
                          TgPipelineEmit done, gpointer data, GError **error)
{
    const guint n = MIN(n_threads > 0 ? n_threads : g_get_num_processors(), MAX(items->len, 1));
    TgPipeline *pipeline = tg_pipeline_new(n, 2 * n, work, done, data, error);

    if (pipeline == NULL)
        return FALSE;
    for (guint i = 0; i < items->len; i++)
        tg_pipeline_push(pipeline, items->pdata[i]);
    tg_pipeline_finish(pipeline);
    return TRUE;
}
