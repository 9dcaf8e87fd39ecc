/* Work on many threads with results in the order of the input. No other code of the project starts
 * threads. */
#pragma once

#include <texgauge/types.h>

/**
 * The stack in bytes that a thread needs to score or draw the deepest formulas, because formulas
 * are bounded in depth. The threads of pipelines have more.
 */
#define TG_STACK_NEEDED ((gsize) 512 << 10)

/** Run @work in the calling thread, the first of the process, if that may use twice the stack that
 * is needed, else in one with a stack as those of pipelines; FALSE: no thread could be started. */
gboolean tg_run_where_stack_suffices(void *(*work)(void *), gpointer data);

/**
 * A bounded queue of items: pushed by one thread, processed by several, emitted one at a time in
 * the order they were pushed. It uses POSIX mutexes and conditions, which ThreadSanitizer
 * understands, unlike the locks inside an uninstrumented GLib. Its threads end with it, so that a
 * process may fork later; GThreadPool would leave threads.
 */
typedef struct TgPipeline TgPipeline;

/**
 * @worker: a number in [0, n_threads). Concurrent calls have different numbers, so that each can
 * index the data of its thread.
 */
typedef void (*TgPipelineWork)(gpointer item, guint worker, gpointer data);

/** Takes ownership of the item. Never runs at the same time as another emit of the same pipeline.
 */
typedef void (*TgPipelineEmit)(gpointer item, gpointer data);

/**
 * @n_threads: 1: the pushing thread does the work, and no other is started
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
 * Work on every item of a list that the caller keeps, and call @done (may be NULL) with each item
 * in order.
 *
 * @n_threads: 0: one per processor
 *
 * Returns: FALSE as tg_pipeline_new()
 */
gboolean tg_pipeline_each(const GPtrArray *items, guint n_threads, TgPipelineWork work,
                          TgPipelineEmit done, gpointer data, GError **error);

/* ---- reports of the progress of a long work ---- */

/** Called with the number of steps of @stage, @done of @total (0: not known), that are done; often,
 * so that it must be quick. */
typedef void (*TgListenFunc)(const char *stage, guint64 done, guint64 total, gpointer data);

/** The function to call; all zero: none. */
typedef struct {
    TgListenFunc tell;
    gpointer data;
} TgListener;

/** @listener: NULL: none */
static inline void tg_listener_tell(const TgListener *listener, const char *stage, guint64 done,
                                    guint64 total)
{
    if (listener != NULL && listener->tell != NULL)
        listener->tell(stage, done, total, listener->data);
}

/** Progress of a run. */
typedef struct {
    guint64 rows;     /**< scored so far */
    guint64 failures; /**< rows with a pair whose status in some metric is not "ok" */
    /** bytes as the inputs lie on disk; for pages: the number of pages begun */
    guint64 bytes_read;
    guint64 bytes_total; /**< 0 where the size is not known (a pipe) */
} TgProgress;
