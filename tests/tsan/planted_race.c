/*
 * A data race on purpose: two workers of a pipeline write the same number without a lock. Built to
 * show that the ThreadSanitizer job can find one in code that runs on our threads.
 */
#include "core/pipeline.h"

#include <stdio.h>

static long counter;

static void work(gpointer item, guint worker, gpointer data)
{
    (void) item;
    (void) worker;
    g_usleep(1); /* or on a busy machine one worker does all the work */
    for (int i = 0; i < 1000; i++)
        (*(volatile long *) data)++;
}

static void emit(gpointer item, gpointer data)
{
    (void) item;
    (void) data;
}

int main(void)
{
    TgPipeline *pipeline = tg_pipeline_new(2, 8, work, emit, &counter, NULL);

    for (guint i = 0; i < 1000; i++)
        tg_pipeline_push(pipeline, pipeline);
    tg_pipeline_finish(pipeline);
    printf("counted %ld\n", counter);
    return 0;
}
