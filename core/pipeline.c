#include "core/pipeline.h"

#include <pthread.h>

#include "core/fail.h"

typedef struct {
    gpointer item;
    gboolean done;
} Slot;

struct TgPipeline {
    TgPipelineWork work;
    TgPipelineEmit emit;
    gpointer data;
    GPtrArray *threads; /* of GThread; NULL: one thread, nothing to hand over */

    pthread_mutex_t lock;   /* guards all below */
    pthread_cond_t pushed;  /* an item came in, or none will */
    pthread_cond_t emitted; /* an item left the window */
    Slot *ring;             /* item i is ring[i % window] */
    guint window;
    guint64 n_pushed;
    guint64 n_taken;
    guint64 n_emitted;
    gboolean emitting;
    gboolean closing; /* nothing will be pushed any more */
    guint n_workers;  /* that have started */
};

/* Emit all finished items at the head; called and returns with the lock held. */
static void drain(TgPipeline *self)
{
    if (self->emitting)
        return; /* that thread will come to ours as well */
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
static gpointer work_off(gpointer user_data)
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
        drain(self);
    }
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

TgPipeline *tg_pipeline_new(guint n_threads, guint window, TgPipelineWork work, TgPipelineEmit emit,
                            gpointer data, GError **error)
{
    g_return_val_if_fail(n_threads > 0 && window > 0, NULL);

    TgPipeline *self = g_new0(TgPipeline, 1);
    GError *fault = NULL;

    self->work = work;
    self->emit = emit;
    self->data = data;
    self->window = window;
    self->ring = g_new0(Slot, window);
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->pushed, NULL);
    pthread_cond_init(&self->emitted, NULL);
    if (n_threads > 1)
        self->threads = g_ptr_array_new();
    for (guint i = 0; n_threads > 1 && i < n_threads && fault == NULL; i++) {
        GThread *thread = g_thread_try_new("texgauge", work_off, self, &fault);
        if (thread != NULL)
            g_ptr_array_add(self->threads, thread);
    }
    if (fault != NULL) {
        tg_fail(error, TG_ERROR_INTERNAL, "cannot start %u threads: %s", n_threads, fault->message);
        g_error_free(fault);
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
            g_thread_join(pipeline->threads->pdata[i]);
        g_ptr_array_unref(pipeline->threads);
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
