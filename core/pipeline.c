#include "core/pipeline.h"

#include <pthread.h>
#include <stdatomic.h>

/*
 * Raised when workers are sent off, read by each before it touches anything else: the edge by which
 * a pool thread, perhaps left over from an earlier pipeline, sees this one's memory. GLib's own
 * queue orders the two as well, but ThreadSanitizer cannot see that. Carries no value.
 */
static atomic_uint published;

typedef struct {
    gpointer item;
    gboolean done;
} Slot;

struct TgPipeline {
    TgPipelineWork work;
    TgPipelineEmit emit;
    gpointer data;
    GThreadPool *pool; /* NULL: one thread, nothing to hand over */

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
        self->emit(item, self->data);
        pthread_mutex_lock(&self->lock);
        self->n_emitted++;
        pthread_cond_signal(&self->emitted);
    }
    self->emitting = FALSE;
}

/* What each worker thread does: take the oldest item that nobody has, until there is none. */
static void work_off(gpointer token, gpointer user_data)
{
    TgPipeline *self = user_data;

    (void) token;
    (void) atomic_load_explicit(&published, memory_order_acquire);
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
        self->pool = g_thread_pool_new(work_off, self, (gint) n_threads, TRUE, &fault);
    if (fault != NULL) {
        g_set_error(error, TG_ERROR, TG_ERROR_INTERNAL, "cannot start %u threads: %s", n_threads,
                    fault->message);
        g_error_free(fault);
        tg_pipeline_finish(self);
        return NULL;
    }
    atomic_fetch_add_explicit(&published, 1, memory_order_release);
    for (guint i = 0; n_threads > 1 && i < n_threads; i++)
        g_thread_pool_push(self->pool, self, NULL); /* an exclusive pool has them all running */
    return self;
}

void tg_pipeline_push(TgPipeline *pipeline, gpointer item)
{
    if (pipeline->pool == NULL) {
        pipeline->work(item, 0, pipeline->data);
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
    if (pipeline->pool != NULL) {
        pthread_mutex_lock(&pipeline->lock);
        pipeline->closing = TRUE;
        pthread_cond_broadcast(&pipeline->pushed);
        pthread_mutex_unlock(&pipeline->lock);
        g_thread_pool_free(pipeline->pool, FALSE, TRUE); /* waits for the workers */
        pthread_mutex_lock(&pipeline->lock);             /* and sees all they did */
        pthread_mutex_unlock(&pipeline->lock);
    }
    pthread_cond_destroy(&pipeline->pushed);
    pthread_cond_destroy(&pipeline->emitted);
    pthread_mutex_destroy(&pipeline->lock);
    g_free(pipeline->ring);
    g_free(pipeline);
}
