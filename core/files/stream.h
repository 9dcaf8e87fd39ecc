/* A file, stdin or memory as lines of text: decompressed, hashed, counted. */
#pragma once

#include <texgauge/types.h>

/** Decoded bytes that tg_stream_peek() can show. */
#define TG_STREAM_PEEK ((gsize) 64 << 10)

/** A file while it is read. Code outside of stream.c may read the members above fd, and may drop
 * the checksum before the first line. */
typedef struct {
    char *name;     /**< for messages: the path, or "stdin" */
    gsize max_line; /**< the longest line in bytes, without its end */
    gsize line; /**< number of the last line that was read or was too long, from 1; at first 0 */
    /** whether that line had its LF; a line without LF is the last, or the file was cut off */
    gboolean line_has_end;
    /** decoded bytes up to the end of that line, where no line was too long */
    guint64 offset;
    guint64 bytes_read; /**< raw bytes read so far */

    int fd;               /* -1: the bytes are in memory */
    const guint8 *memory; /* the bytes that are left in memory */
    gsize n_memory;
    GChecksum *checksum; /* NULL: no caller wants it */
    gboolean raw_end;

    struct TgDecoder *decoder; /* NULL for plain text; known once a line is read */

    /* decoded text that was not delivered: [start, end), and space for a NUL after it */
    char *text;
    gsize capacity, start, end;
    gboolean started; /* codec and byte order mark are known */
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
 * decoded, UTF-16 by its byte order mark; the byte order mark of UTF-8 is dropped. Nothing is read
 * yet.
 *
 * @max_line: the longest line in bytes, without its end
 *
 * Returns: (transfer full), or NULL with TG_ERROR_INPUT naming the file
 */
TgStream *tg_stream_open(const char *path, gsize max_line, GError **error);

/** The same for @n @bytes in memory, which must outlive the stream. */
TgStream *tg_stream_open_bytes(const char *name, gconstpointer bytes, gsize n, gsize max_line);

/**
 * Look at the beginning without consuming it: allowed only before the first line is read, and not
 * for stdin, because it would wait for input.
 *
 * @head: (out) text, not ended by NUL, valid until the next call
 * @n: (out) its length: TG_STREAM_PEEK at most
 * @whole: (out) whether @head is the whole text
 *
 * Returns: FALSE with TG_ERROR_INPUT
 */
gboolean tg_stream_peek(TgStream *self, const char **head, gsize *n, gboolean *whole,
                        GError **error);

/**
 * Read the next line, without its LF or CRLF; the last line needs no LF. A line of stdin is
 * returned as soon as it was written. Memory grows with the longest line only.
 *
 * @line: (out) ended by NUL, and may contain NUL; the caller may change it; valid until the next
 *   call
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

/** Read the raw bytes to the end, so that the hash covers the whole file. */
gboolean tg_stream_finish(TgStream *self, GError **error);

/** SHA-256 of the raw bytes in hexadecimal once all are read; NULL before. Borrowed. */
const char *tg_stream_sha256(const TgStream *self);

void tg_stream_free(TgStream *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgStream, tg_stream_free)
