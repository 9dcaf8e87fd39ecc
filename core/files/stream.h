/* A file, stdin or memory as lines of text: decompressed, hashed, counted. */
#pragma once

#include <texgauge/types.h>

/** Decoded bytes that tg_stream_peek() can show. */
#define TG_STREAM_PEEK ((gsize) 64 << 10)

/** A file while it is read. Users may read the first members, and drop the checksum before the
 * first line. */
typedef struct {
    char *name;     /**< for messages: the path, or "stdin" */
    gsize max_line; /**< the longest line in bytes, without its end */
    gsize line; /**< number of the line that was read (or was too long) last, from 1; at first 0 */
    gboolean line_has_end; /**< that line had its end: without one it is the last, or was cut off */
    guint64 offset;        /**< decoded bytes up to its end, where no line was too long */
    guint64 bytes_read;    /**< raw ones, so far */

    int fd;               /* -1: the bytes are in memory */
    const guint8 *memory; /* what is left of them */
    gsize n_memory;
    GChecksum *checksum; /* NULL: nobody asks for it */
    gboolean raw_end;

    struct TgDecoder *decoder; /* NULL for plain text; known once a line is read */
    guint8 *raw;               /* compressed bytes that were read and not decoded */
    const guint8 *raw_at;
    gsize n_raw;

    char *text; /* decoded and not delivered: [start, end), and space for a NUL after it */
    gsize capacity, start, end;
    gboolean started; /* codec and byte order mark are settled */
    gboolean text_end;
} TgStream;

typedef enum {
    TG_LINE_READ,
    TG_LINE_TOO_LONG, /**< longer than the limit: counted and skipped */
    TG_LINE_END,
    TG_LINE_ERROR,
} TgLineStatus;

/**
 * Open @path ("-" is stdin) for reading. gzip and zstd are recognized by their magic numbers and
 * decoded, UTF-16 by its byte order mark; that of UTF-8 is dropped. Nothing is read yet.
 *
 * @max_line: the longest line in bytes, without its end
 *
 * Returns: (transfer full), or NULL with TG_ERROR_INPUT naming the file
 */
TgStream *tg_stream_open(const char *path, gsize max_line, GError **error);

/** The same over @n @bytes in memory, which must outlive the stream. */
TgStream *tg_stream_open_bytes(const char *name, gconstpointer bytes, gsize n, gsize max_line);

/**
 * Look at the beginning without consuming it: only before the first line is read, and not for
 * stdin, where it would wait.
 *
 * @head: (out) text, not ended by NUL, valid until the next call
 * @n: (out) its length: TG_STREAM_PEEK at most
 * @whole: (out) whether that is all there is
 *
 * Returns: FALSE with TG_ERROR_INPUT
 */
gboolean tg_stream_peek(TgStream *self, const char **head, gsize *n, gboolean *whole,
                        GError **error);

/**
 * Read the next line, without its LF or CRLF; the last one needs none. On stdin it is returned as
 * soon as it was written. Memory grows with the longest line only.
 *
 * @line: (out) ended by NUL, may hold others; may be changed in place; valid until the next call
 *
 * TG_LINE_ERROR has @error set to TG_ERROR_INPUT: "FILE:LINE: ...".
 */
TgLineStatus tg_stream_read_line(TgStream *self, char **line, gsize *n, GError **error);

/**
 * Read all the rest as one text, of @limit bytes at most.
 *
 * Returns: (transfer full) the text, ended by NUL; or NULL with TG_ERROR_INPUT
 */
GString *tg_stream_read_rest(TgStream *self, gsize limit, GError **error);

/** Read the raw bytes to their end, so that the hash covers the whole file. */
gboolean tg_stream_finish(TgStream *self, GError **error);

/** SHA-256 of the raw bytes in hexadecimal once all are read, before that NULL. Borrowed. */
const char *tg_stream_sha256(const TgStream *self);

void tg_stream_free(TgStream *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgStream, tg_stream_free)
