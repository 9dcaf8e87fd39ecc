/* Tables in and out by Arrow's C interfaces, which need no library: plain structs.
 *
 * What made a stream or an array releases it: call release(), which sets itself to NULL. */
#pragma once

#include <stdint.h>

#include <texgauge/scorer.h>

G_BEGIN_DECLS

/* As https://arrow.apache.org/docs/format/CDataInterface.html has them, guarded as it says. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE           2
#define ARROW_FLAG_MAP_KEYS_SORTED    4

/** The type of a column: a table is a struct ("+s") whose children are its columns. */
struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

/** The values of a column or a table; its buffers by the type. */
struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

/* As https://arrow.apache.org/docs/format/CStreamInterface.html has it. */
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

/** A table, batch by batch. */
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

/** Which columns hold the pairs. Start from TG_ARROW_OPTIONS_INIT and set what differs. */
typedef struct {
    gsize size;             /**< of this struct, so that it can grow */
    const char *reference;  /**< column of the truths; NULL: "gt" */
    const char *prediction; /**< column of the predictions; NULL: "pred" */
    guint threads;          /**< 1: the calling thread alone; 0: one per processor */
} TgArrowOptions;

#define TG_ARROW_OPTIONS_INIT                                                                      \
    {                                                                                              \
        .size = sizeof(TgArrowOptions), .threads = 1                                               \
    }

/**
 * Score a table: a stream of pairs in, a stream of their scores out. Each batch is scored when it
 * is asked for, in pieces of 65536 rows, so that memory does not grow with the table.
 *
 * Columns of text may be utf8, large_utf8 or utf8_view, also dictionary-encoded; a column of the
 * field "b" in a struct "a" is called "a.b". A null is no truth or no prediction. Texts are treated
 * as tg_scorer_score() does. Offsets, indices and lengths are checked as far as the interface tells
 * the sizes of buffers; a table in which they are wrong ends the stream with an error.
 *
 * The result has a column of float64 for each column of the scorer, null where undefined, whose
 * values are not copied, and for each metric a column `LABEL.status` of utf8.
 *
 * @table: taken over, with success and without
 * @options: NULL for the defaults
 * @out: (out) to be released by the caller; refers to the scorer until then
 *
 * Returns: FALSE with @error set: TG_ERROR_USAGE (no such column, or it is not text),
 * TG_ERROR_INPUT (not a table, or its source failed). Later errors are told by get_last_error().
 *
 * Threads: one at a time for each stream; its batches may go to any thread.
 */
TG_API gboolean tg_scorer_score_table(TgScorer *scorer, struct ArrowArrayStream *table,
                                      const TgArrowOptions *options, struct ArrowArrayStream *out,
                                      GError **error);

G_END_DECLS
