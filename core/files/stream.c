/* A file, stdin or memory as lines of text: decompressed, hashed, counted. */
#include "core/files/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "core/fail.h"
#include "core/files/decompress.h"

#define CHUNK ((gsize) 64 << 10) /* of one read, and the first size of the text buffer */
/* Compressed JSON and LaTeX are a twentieth of their size; the same line again and again less. */
#define BOMB_SIZE  ((gsize) 16 << 20)
#define BOMB_RATIO 200u

struct TgStream {
    char *name;
    gsize max_line;

    int fd;               /* -1: the bytes are in memory */
    const guint8 *memory; /* what is left of them */
    gsize n_memory;
    GChecksum *checksum;
    guint64 bytes_read;
    gboolean raw_end;

    TgDecoder *decoder; /* NULL for plain text */
    guint8 *raw;        /* compressed bytes that were read and not decoded */
    const guint8 *raw_at;
    gsize n_raw;

    char *text; /* decoded and not delivered: [start, end), and space for a NUL after it */
    gsize capacity, start, end;
    gboolean started; /* codec and byte order mark are settled */
    gboolean text_end;
    gsize line;
    gboolean line_has_end;
    guint64 offset; /* decoded bytes up to the end of the last line */
};

static TgStream *stream_new(const char *name, gsize max_line)
{
    TgStream *self = g_new0(TgStream, 1);

    self->name = g_strdup(name);
    self->max_line = max_line;
    self->fd = -1;
    self->checksum = g_checksum_new(G_CHECKSUM_SHA256);
    self->capacity = 2 * CHUNK;
    self->text = g_malloc(self->capacity + 1);
    return self;
}

TgStream *tg_stream_open(const char *path, gsize max_line, GError **error)
{
    const gboolean is_stdin = strcmp(path, "-") == 0;

    if (!is_stdin && g_file_test(path, G_FILE_TEST_IS_DIR)) {
        tg_fail_input(error, "%s: is a folder, not a file", path);
        return NULL;
    }
    const int fd = is_stdin ? STDIN_FILENO : g_open(path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0) {
        tg_fail_input(error, "%s: cannot be opened: %s", path, g_strerror(errno));
        return NULL;
    }
    TgStream *self = stream_new(is_stdin ? "stdin" : path, max_line);
    self->fd = fd;
    return self;
}

TgStream *tg_stream_open_bytes(const char *name, gconstpointer bytes, gsize n, gsize max_line)
{
    TgStream *self = stream_new(name, max_line);

    self->memory = bytes;
    self->n_memory = n;
    return self;
}

void tg_stream_free(TgStream *self)
{
    if (self == NULL)
        return;
    if (self->fd > STDIN_FILENO)
        close(self->fd);
    g_clear_pointer(&self->checksum, g_checksum_free);
    tg_decoder_free(self->decoder);
    g_free(self->raw);
    g_free(self->text);
    g_free(self->name);
    g_free(self);
}

const char *tg_stream_name(const TgStream *self)
{
    return self->name;
}

gboolean tg_stream_is_stdin(const TgStream *self)
{
    return self->fd == STDIN_FILENO;
}

gsize tg_stream_max_line(const TgStream *self)
{
    return self->max_line;
}

gsize tg_stream_line(const TgStream *self)
{
    return self->line;
}

guint64 tg_stream_bytes_read(const TgStream *self)
{
    return self->bytes_read;
}

const char *tg_stream_sha256(const TgStream *self)
{
    return self->raw_end && self->checksum != NULL ? g_checksum_get_string(self->checksum) : NULL;
}

void tg_stream_skip_hash(TgStream *self)
{
    g_clear_pointer(&self->checksum, g_checksum_free);
}

guint64 tg_stream_offset(const TgStream *self)
{
    return self->offset;
}

gboolean tg_stream_line_has_end(const TgStream *self)
{
    return self->line_has_end;
}

gboolean tg_stream_is_compressed(const TgStream *self)
{
    return self->decoder != NULL;
}

/* Raw bytes as they arrive, at most @room; 0 at the end, -1 with @error. */
static gssize read_raw(TgStream *self, gpointer out, gsize room, GError **error)
{
    gssize n;

    if (self->fd < 0) {
        n = (gssize) MIN(room, self->n_memory);
        if (n > 0)
            memcpy(out, self->memory, (gsize) n);
        self->memory += n;
        self->n_memory -= (gsize) n;
    } else {
        do {
            n = read(self->fd, out, room);
        } while (n < 0 && errno == EINTR);
    }
    if (n < 0) {
        tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": cannot be read: %s", self->name,
                      self->line + 1, g_strerror(errno));
    } else if (n == 0) {
        self->raw_end = TRUE;
    } else {
        if (self->checksum != NULL)
            g_checksum_update(self->checksum, out, n);
        self->bytes_read += (guint64) n;
    }
    return n;
}

/* Make space for at least CHUNK bytes after the text, by moving it to the front or by growing. */
static void make_room(TgStream *self)
{
    if (self->capacity - self->end >= CHUNK)
        return;
    memmove(self->text, self->text + self->start, self->end - self->start);
    self->end -= self->start;
    self->start = 0;
    if (self->capacity - self->end < CHUNK) {
        self->capacity *= 2;
        self->text = g_realloc(self->text, self->capacity + 1);
    }
}

static gboolean fill_plain(TgStream *self, GError **error)
{
    const gssize n = read_raw(self, self->text + self->end, self->capacity - self->end, error);

    if (n < 0)
        return FALSE;
    self->end += (gsize) n;
    self->text_end = n == 0;
    return TRUE;
}

static gboolean fill_decoded(TgStream *self, GError **error)
{
    for (;;) {
        g_autoptr(GError) reason = NULL;
        const gssize n =
            tg_decoder_run(self->decoder, &self->raw_at, &self->n_raw,
                           (guint8 *) self->text + self->end, self->capacity - self->end, &reason);

        if (n < 0) {
            return tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": %s", self->name, self->line + 1,
                                 reason->message);
        }
        self->end += (gsize) n;
        if (n > 0)
            return TRUE;
        if (self->n_raw > 0)
            continue; /* a member ended and left nothing behind */
        if (self->raw_end) {
            self->text_end = TRUE;
            if (tg_decoder_is_complete(self->decoder))
                return TRUE;
            g_set_error(
                error, TG_ERROR, TG_ERROR_INPUT,
                "%s:%" G_GSIZE_FORMAT ": the %s data are cut off after %" G_GUINT64_FORMAT " bytes",
                self->name, self->line + 1, tg_decoder_name(self->decoder), self->bytes_read);
            return FALSE;
        }
        const gssize n_read = read_raw(self, self->raw, CHUNK, error);
        if (n_read < 0)
            return FALSE;
        self->raw_at = self->raw;
        self->n_raw = (gsize) n_read;
    }
}

/* Whether @n bytes in memory at once are more than the file can mean: a small one may decode to
 * gigabytes. Rows that go by one after another may be as alike as they want. */
static gboolean check_ratio(const TgStream *self, gsize n, GError **error)
{
    if (self->decoder == NULL || n <= BOMB_SIZE || n / BOMB_RATIO <= self->bytes_read)
        return TRUE;
    return tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": decodes to more than %u times its size",
                         self->name, self->line + 1, BOMB_RATIO);
}

/* Append to the text what one read gives, or set text_end. */
static gboolean fill(TgStream *self, GError **error)
{
    if (!check_ratio(self, self->end - self->start, error))
        return FALSE;
    make_room(self);
    return self->decoder != NULL ? fill_decoded(self, error) : fill_plain(self, error);
}

/* One clear sentence instead of a complaint about each line. */
static gboolean refuse_utf16(const TgStream *self, GError **error)
{
    const guint8 *text = (const guint8 *) self->text;

    if (self->end < 2 ||
        !((text[0] == 0xff && text[1] == 0xfe) || (text[0] == 0xfe && text[1] == 0xff)))
        return TRUE;
    return tg_fail_input(error, "%s:1: is UTF-16; UTF-8 is needed", self->name);
}

/*
 * Settle codec and byte order mark. Reads no more than it takes to tell, so that a short first line
 * on stdin does not wait for a second.
 */
static gboolean start(TgStream *self, GError **error)
{
    static const char bom[] = "\xef\xbb\xbf";
    TgCodec codec = TG_CODEC_UNDECIDED;

    self->started = TRUE;
    while (codec == TG_CODEC_UNDECIDED && !self->text_end) {
        if (!fill_plain(self, error))
            return FALSE;
        codec = tg_codec_recognise((const guint8 *) self->text, self->end);
    }
    if (codec == TG_CODEC_GZIP || codec == TG_CODEC_ZSTD) {
        self->decoder = tg_decoder_new(codec);
        self->raw = g_malloc(self->capacity);
        memcpy(self->raw, self->text, self->end);
        self->raw_at = self->raw;
        self->n_raw = self->end;
        self->end = 0;
    }
    while (!self->text_end && self->end < 3 && memcmp(self->text, bom, self->end) == 0)
        if (!fill(self, error))
            return FALSE;
    if (self->end >= 3 && memcmp(self->text, bom, 3) == 0)
        self->offset = self->start = 3;
    return refuse_utf16(self, error);
}

gboolean tg_stream_peek(TgStream *self, const char **head, gsize *n, gboolean *whole,
                        GError **error)
{
    if (!self->started && !start(self, error))
        return FALSE;
    while (!self->text_end && self->end - self->start < TG_STREAM_PEEK)
        if (!fill(self, error))
            return FALSE;
    *head = self->text + self->start;
    *n = MIN(self->end - self->start, TG_STREAM_PEEK);
    *whole = self->text_end && *n == self->end - self->start;
    return TRUE;
}

/* Drop text up to and with the next LF, or to the end. */
static gboolean skip_line(TgStream *self, GError **error)
{
    for (;;) {
        char *from = self->text + self->start;
        const char *lf = memchr(from, '\n', self->end - self->start);

        if (lf != NULL) {
            self->start = (gsize) (lf - self->text) + 1;
            return TRUE;
        }
        self->start = self->end = 0;
        if (self->text_end)
            return TRUE;
        if (!fill(self, error))
            return FALSE;
    }
}

TgLineStatus tg_stream_read_line(TgStream *self, char **line, gsize *n, GError **error)
{
    gsize searched = 0;

    if (!self->started && !start(self, error))
        return TG_LINE_ERROR;
    for (;;) {
        char *from = self->text + self->start;
        const gsize there = self->end - self->start;
        const char *lf = memchr(from + searched, '\n', there - searched);
        const gsize length = lf != NULL ? (gsize) (lf - from) : there;

        if (length > self->max_line) {
            if (!skip_line(self, error))
                return TG_LINE_ERROR;
            self->line++;
            return TG_LINE_TOO_LONG;
        }
        if (lf != NULL || self->text_end) {
            if (lf == NULL && length == 0)
                return TG_LINE_END;
            self->start += length + (lf != NULL);
            self->offset += length + (lf != NULL);
            self->line++;
            self->line_has_end = lf != NULL;
            *line = from;
            *n = length > 0 && from[length - 1] == '\r' ? length - 1 : length;
            from[*n] = '\0';
            return TG_LINE_READ;
        }
        searched = there;
        if (!fill(self, error))
            return TG_LINE_ERROR;
    }
}

GString *tg_stream_read_rest(TgStream *self, gsize limit, GError **error)
{
    g_autoptr(GString) rest = g_string_new(NULL);

    if (!self->started && !start(self, error))
        return NULL;
    while (TRUE) {
        g_string_append_len(rest, self->text + self->start, (gssize) (self->end - self->start));
        self->start = self->end = 0;
        if (!check_ratio(self, rest->len, error))
            return NULL;
        if (rest->len > limit) {
            tg_fail_input(error,
                          "%s: is longer than the %" G_GSIZE_FORMAT
                          " bytes that are read at once; JSONL has no such limit",
                          self->name, limit);
            return NULL;
        }
        if (self->text_end)
            return g_steal_pointer(&rest);
        if (!fill(self, error))
            return NULL;
    }
}

gboolean tg_stream_finish(TgStream *self, GError **error)
{
    while (!self->raw_end)
        if (read_raw(self, self->text, self->capacity, error) < 0)
            return FALSE;
    self->start = self->end = 0;
    self->text_end = TRUE;
    return TRUE;
}
