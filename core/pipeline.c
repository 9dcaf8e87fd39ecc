#include "core/pipeline.h"

#include <pthread.h>
#include <stdatomic.h>

/*
 * Raised by every push, read by every worker before it touches anything of a pipeline: the edge by
 * which a pool thread, perhaps left over from an earlier pipeline, sees this one's memory. GLib's
 * own queue orders the two as well, but ThreadSanitizer cannot see that. Carries no value.
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
    pthread_cond_t emitted; /* an item left the window */
    Slot *ring;             /* item number i stands in ring[i % window] */
    guint window;
    guint64 n_pushed;
    guint64 n_taken;
    guint64 n_emitted;
    gboolean emitting;
    guint *idle; /* stack of worker numbers that are free */
    guint n_idle;
};

/* Emit all finished items at the head; called and left with the lock held. */
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
    pthread_cond_signal(&self->emitted); /* finish() waits for this too */
}

/* One call per pushed item. Which item a call takes does not matter, as long as it is the oldest.
 */
static void work_on_next(gpointer token, gpointer user_data)
{
    TgPipeline *self = user_data;

    (void) token;
    (void) atomic_load_explicit(&published, memory_order_acquire);
    pthread_mutex_lock(&self->lock);
    Slot *slot = &self->ring[self->n_taken++ % self->window];
    const guint worker = self->idle[--self->n_idle];
    gpointer item = slot->item;
    pthread_mutex_unlock(&self->lock);

    self->work(item, worker, self->data);

    pthread_mutex_lock(&self->lock);
    self->idle[self->n_idle++] = worker;
    slot->done = TRUE;
    drain(self);
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
    self->idle = g_new0(guint, n_threads);
    self->n_idle = n_threads;
    for (guint i = 0; i < n_threads; i++)
        self->idle[i] = n_threads - 1 - i;
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->emitted, NULL);
    if (n_threads > 1)
        self->pool = g_thread_pool_new(work_on_next, self, (gint) n_threads, TRUE, &fault);
    if (fault != NULL) {
        g_set_error(error, TG_ERROR, TG_ERROR_INTERNAL, "cannot start %u threads: %s", n_threads,
                    fault->message);
        g_error_free(fault);
        tg_pipeline_finish(self);
        return NULL;
    }
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
    pthread_mutex_unlock(&pipeline->lock);
    atomic_fetch_add_explicit(&published, 1, memory_order_release);
    g_thread_pool_push(pipeline->pool, pipeline, NULL);
}

void tg_pipeline_finish(TgPipeline *pipeline)
{
    if (pipeline->pool != NULL) {
        pthread_mutex_lock(&pipeline->lock);
        while (pipeline->n_emitted < pipeline->n_pushed || pipeline->emitting)
            pthread_cond_wait(&pipeline->emitted, &pipeline->lock);
        pthread_mutex_unlock(&pipeline->lock);
        g_thread_pool_free(pipeline->pool, FALSE, TRUE);
    }
    pthread_cond_destroy(&pipeline->emitted);
    pthread_mutex_destroy(&pipeline->lock);
    g_free(pipeline->ring);
    g_free(pipeline->idle);
    g_free(pipeline);
}
