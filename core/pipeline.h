/* Work on many threads, results in the order of the input: the one place where threads meet. */
#pragma once

#include <texgauge/types.h>

/**
 * The stack in bytes that the deepest formulas need in a thread that scores or draws them: bounds
 * on depth keep them below it. The threads of pipelines have more.
 */
#define TG_STACK_NEEDED ((gsize) 512 << 10)

/** Whether the stack of the calling thread, if it is the first one, may grow to twice what is
 * needed. */
gboolean tg_stack_suffices(void);

/** Run @work in a thread with as large a stack as those of pipelines; FALSE: none could be started.
 */
gboolean tg_run_on_own_stack(void *(*work)(void *), gpointer data);

/**
 * A bounded queue of items: pushed by one thread, processed by several, emitted one at a time in
 * the order they were pushed. It uses POSIX mutexes and conditions, which ThreadSanitizer
 * understands, unlike the locks inside an uninstrumented GLib. Its threads end with it: none is
 * left for a process that forks later, as GThreadPool would leave some.
 */
typedef struct TgPipeline TgPipeline;

/**
 * @worker: number in [0, n_threads); concurrent calls have different ones, so it can index
 * data of a thread
 */
typedef void (*TgPipelineWork)(gpointer item, guint worker, gpointer data);

/** Takes ownership of the item. Never runs at the same time as another emit of the same pipeline.
 */
typedef void (*TgPipelineEmit)(gpointer item, gpointer data);

/**
 * @n_threads: 1 works on the pushing thread, without any other
 * @window: how many items may be in flight; bounds the memory
 *
 * Returns: (transfer full) the pipeline, or NULL with TG_ERROR_INTERNAL (no thread could be
 * started)
 */
TgPipeline *tg_pipeline_new(guint n_threads, guint window, TgPipelineWork work, TgPipelineEmit emit,
                            gpointer data, GError **error);

/** Add an item; waits while the window is full. */
void tg_pipeline_push(TgPipeline *pipeline, gpointer item);

/** Wait until everything is emitted, end the threads, free the pipeline. */
void tg_pipeline_finish(TgPipeline *pipeline);

/**
 * Work on every item of a list, which stays the caller's, and then tell @done (may be NULL), in
 * order.
 *
 * @n_threads: 0: one per processor
 *
 * Returns: FALSE as tg_pipeline_new()
 */
gboolean tg_pipeline_each(const GPtrArray *items, guint n_threads, TgPipelineWork work,
                          TgPipelineEmit done, gpointer data, GError **error);

/* ---- who is told how far a long work is ---- */

/** Told that @done of @total steps of @stage are done; often, so it must be quick. */
typedef void (*TgListenFunc)(const char *stage, guint done, guint total, gpointer data);

/** Whom to tell; all zero: nobody. */
typedef struct {
    TgListenFunc tell;
    gpointer data;
} TgListener;

static inline void tg_listener_tell(const TgListener *listener, const char *stage, guint done,
                                    guint total)
{
    if (listener->tell != NULL)
        listener->tell(stage, done, total, listener->data);
}

/** Progress of a run. */
typedef struct {
    guint64 rows;        /**< scored so far */
    guint64 failures;    /**< of these, pairs with a status other than "ok" in some metric */
    guint64 bytes_read;  /**< of the inputs as they lie on disk; of pages: how many are begun */
    guint64 bytes_total; /**< 0 where it is not known (a pipe) */
} TgProgress;
