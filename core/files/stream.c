/* A file, stdin or memory as lines of text: decompressed, hashed, counted. */
#include "core/files/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include <zlib.h>
#include <zstd.h>

#include "core/fail.h"
#include "core/files/output.h"

#define CHUNK ((gsize) 64 << 10) /* the size of one read, and the first size of the text buffer */
/* Compressed JSON and LaTeX are about 1/20 of their size, repeated lines even less, so that larger
 * ratios are suspicious. */
#define BOMB_SIZE  ((gsize) 16 << 20)
#define BOMB_RATIO 200u

/* ---- gzip (zlib), zstd (libzstd) and UTF-16 by one interface ---- */

typedef enum {
    CODEC_NONE,
    CODEC_GZIP,
    CODEC_ZSTD,
    CODEC_UTF16,
    CODEC_UNDECIDED, /* the bytes so far begin a magic number */
} Codec;

static const char *const codec_names[] = { "", "gzip", "zstd", "UTF-16" };
G_STATIC_ASSERT(G_N_ELEMENTS(codec_names) == CODEC_UTF16 + 1);

/* The bytes that a file begins with, the first one under a mask. */
static const struct {
    Codec codec;
    guint8 n, mask, bytes[4];
} magics[] = {
    { CODEC_GZIP, 2, 0xff, { 0x1f, 0x8b } },
    { CODEC_ZSTD, 4, 0xff, { 0x28, 0xb5, 0x2f, 0xfd } },
    { CODEC_ZSTD, 4, 0xf0, { 0x50, 0x2a, 0x4d, 0x18 } }, /* a skippable frame */
    { CODEC_UTF16, 2, 0xff, { 0xff, 0xfe } },            /* byte order marks */
    { CODEC_UTF16, 2, 0xff, { 0xfe, 0xff } },
};

typedef struct TgDecoder {
    Codec codec;
    gboolean complete; /* no byte is read yet, or a member has just ended */
    z_stream gzip;
    ZSTD_DStream *zstd;
    gboolean is_big;  /* UTF-16 with the high byte first */
    guint8 *raw;      /* bytes that were read, a part of which may be decoded */
    ZSTD_inBuffer in; /* the place in them, for all codecs */
} Decoder;

static Decoder *decoder_new(Codec codec)
{
    Decoder *self = g_new0(Decoder, 1);

    self->codec = codec;
    self->complete = TRUE;
    if (codec == CODEC_GZIP) {
        if (inflateInit2(&self->gzip, MAX_WBITS + 16) != Z_OK)
            /* out of memory, or zlib is another version than at build time */
            g_error("zlib cannot start");
    } else if (codec == CODEC_ZSTD) {
        self->zstd = ZSTD_createDStream();
    }
    return self;
}

static gssize run_gzip(Decoder *self, guint8 *out, gsize n_out, GError **error)
{
    z_stream *z = &self->gzip;
    ZSTD_inBuffer *in = &self->in;
    const guint n = (guint) MIN(in->size - in->pos, G_MAXINT);

    /* zeros, which tapes and block devices put after the last member */
    if (self->complete && self->raw[in->pos] == 0) {
        while (in->pos < in->size && self->raw[in->pos] == 0)
            in->pos++;
        return 0;
    }
    if (self->complete && n > 0)
        inflateReset(z); /* another member follows */
    z->next_in = self->raw + in->pos;
    z->avail_in = n;
    z->next_out = out;
    z->avail_out = (guint) MIN(n_out, G_MAXINT);
    const int status = inflate(z, Z_NO_FLUSH);

    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
        tg_fail_input(error, "the gzip data are corrupt (%s)",
                      z->msg != NULL ? z->msg : "a preset dictionary is needed");
        return -1;
    }
    in->pos += n - z->avail_in;
    self->complete = status == Z_STREAM_END;
    return z->next_out - out;
}

static gssize run_zstd(Decoder *self, guint8 *out, gsize n_out, GError **error)
{
    ZSTD_outBuffer output = { out, n_out, 0 };
    const size_t status = ZSTD_decompressStream(self->zstd, &output, &self->in);

    if (ZSTD_isError(status)) {
        tg_fail_input(error, "the zstd data are corrupt (%s)", ZSTD_getErrorName(status));
        return -1;
    }
    self->complete = status == 0;
    return (gssize) output.pos;
}

/* Decode UTF-16. Half of a surrogate pair at the end waits for the other one. */
static gssize run_utf16(Decoder *self, guint8 *out, gsize n_out, GError **error)
{
    ZSTD_inBuffer *in = &self->in;
    /* a unit of UTF-16 gives three bytes at most */
    const gsize n = MIN((in->size - in->pos) / 2, n_out / 3);
    g_autofree gunichar2 *units = g_new(gunichar2, n + 1);
    glong n_read, n_written;

    memcpy(units, self->raw + in->pos, 2 * n);
    for (gsize i = 0; i < n; i++)
        units[i] = self->is_big ? GUINT16_FROM_BE(units[i]) : GUINT16_FROM_LE(units[i]);
    g_autofree char *text = g_utf16_to_utf8(units, (glong) n, &n_read, &n_written, NULL);
    if (text == NULL || (n_read == 0 && n > 1)) {
        tg_fail_input(error, "the UTF-16 data are corrupt (a NUL character, or half of a "
                             "surrogate pair)");
        return -1;
    }
    memcpy(out, text, (gsize) n_written);
    in->pos += 2 * (gsize) n_read;
    self->complete = in->pos == in->size;
    return n_written;
}

/*
 * Decode as much as fits into @out. Several members (gzip) or frames (zstd) in a row are one text.
 * A zstd window larger than 128 MiB is rejected, so that a small file cannot ask for all memory.
 *
 * Returns: the number of bytes written, 0 when more input is needed; or -1 with TG_ERROR_INPUT
 * (corrupt data; the message names no file)
 */
static gssize decoder_run(Decoder *self, guint8 *out, gsize n_out, GError **error)
{
    if (self->complete && self->in.pos == self->in.size)
        return 0;
    return self->codec == CODEC_GZIP   ? run_gzip(self, out, n_out, error)
           : self->codec == CODEC_ZSTD ? run_zstd(self, out, n_out, error)
                                       : run_utf16(self, out, n_out, error);
}

/* ---- streams ---- */

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

    if (!is_stdin && g_file_test(path, G_FILE_TEST_IS_DIR))
        return tg_null_input(error, "%s: is a folder, not a file", path);
    const int fd = is_stdin ? STDIN_FILENO : g_open(path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return tg_null_input(error, "%s: cannot be opened: %s", path, g_strerror(errno));
    TgStream *self = stream_new(is_stdin ? "stdin" : path, max_line);
    self->fd = fd;
    tg_run_files_note(path);
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
    if (self->decoder != NULL) {
        if (self->decoder->codec == CODEC_GZIP)
            inflateEnd(&self->decoder->gzip);
        else if (self->decoder->codec == CODEC_ZSTD)
            ZSTD_freeDStream(self->decoder->zstd);
        g_free(self->decoder->raw);
        g_free(self->decoder);
    }
    g_free(self->text);
    g_free(self->name);
    g_free(self);
}

const char *tg_stream_sha256(const TgStream *self)
{
    return self->raw_end && self->checksum != NULL ? g_checksum_get_string(self->checksum) : NULL;
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

    self->text_end = n == 0;
    self->end += (gsize) MAX(n, 0);
    return n >= 0;
}

static gboolean fill_decoded(TgStream *self, GError **error)
{
    Decoder *decoder = self->decoder;
    ZSTD_inBuffer *in = &decoder->in;

    for (;;) {
        const gsize before = in->pos;
        const gssize n = decoder_run(decoder, (guint8 *) self->text + self->end,
                                     self->capacity - self->end, error);

        if (n < 0) {
            g_prefix_error(error, "%s:%" G_GSIZE_FORMAT ": ", self->name, self->line + 1);
            return FALSE;
        }
        self->end += (gsize) n;
        if (n > 0)
            return TRUE;
        if (in->pos < in->size && in->pos > before)
            continue; /* a member ended and left no bytes */
        if (self->raw_end) {
            self->text_end = TRUE;
            return decoder->complete ||
                   tg_fail_input(error,
                                 "%s:%" G_GSIZE_FORMAT
                                 ": the %s data are cut off after %" G_GUINT64_FORMAT " bytes",
                                 self->name, self->line + 1, codec_names[decoder->codec],
                                 self->bytes_read);
        }
        /* half of a character is kept for the next read */
        const gsize rest = in->size - in->pos;
        memmove(decoder->raw, decoder->raw + in->pos, rest);
        const gssize n_read = read_raw(self, decoder->raw + rest, CHUNK, error);
        if (n_read < 0)
            return FALSE;
        *in = (ZSTD_inBuffer){ decoder->raw, rest + (gsize) n_read, 0 };
    }
}

/* Fail if @n bytes in memory at once are far more than the file can mean, because a small file may
 * decode to gigabytes. Rows that are read one after another may repeat as often as they want. */
static gboolean check_ratio(const TgStream *self, gsize n, GError **error)
{
    if (self->decoder == NULL || n <= BOMB_SIZE || n / BOMB_RATIO <= self->bytes_read)
        return TRUE;
    return tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": decodes to more than %u times its size",
                         self->name, self->line + 1, BOMB_RATIO);
}

/* Append the text of one read, or set text_end. */
static gboolean fill_text(TgStream *self, GError **error)
{
    if (!check_ratio(self, self->end - self->start, error))
        return FALSE;
    make_room(self);
    return self->decoder != NULL ? fill_decoded(self, error) : fill_plain(self, error);
}

/* The codec whose magic number begins the text; CODEC_UNDECIDED if more bytes must decide. */
static Codec match_codec(const TgStream *self)
{
    const guint8 *text = (const guint8 *) self->text;

    for (guint i = 0; i < G_N_ELEMENTS(magics); i++) {
        const gboolean is_utf16 = magics[i].codec == CODEC_UTF16;
        const gsize n = MIN(self->end, magics[i].n);

        if (n > 0 && ((text[0] & magics[i].mask) != magics[i].bytes[0] ||
                      memcmp(text + 1, magics[i].bytes + 1, n - 1) != 0))
            continue;
        /* four bytes distinguish UTF-16 from UTF-32 */
        if (n < magics[i].n || (is_utf16 && self->end < 4 && !self->text_end))
            return CODEC_UNDECIDED;
        if (!is_utf16 || self->end < 4 || text[2] != '\0' || text[3] != '\0')
            return magics[i].codec;
    }
    return CODEC_NONE;
}

/*
 * Find the codec and the byte order mark. No more bytes are read than are needed to decide, so that
 * a short first line on stdin does not wait for a second line.
 */
static gboolean start_text(TgStream *self, GError **error)
{
    static const char bom[] = "\xef\xbb\xbf";
    Codec codec = CODEC_UNDECIDED;

    self->started = TRUE;
    while (codec == CODEC_UNDECIDED && !self->text_end) {
        if (!fill_plain(self, error))
            return FALSE;
        codec = match_codec(self);
    }
    if (codec != CODEC_NONE && codec != CODEC_UNDECIDED) {
        guint8 *raw = memcpy(g_malloc(self->capacity), self->text, self->end);

        self->decoder = decoder_new(codec);
        self->decoder->raw = raw;
        self->decoder->is_big = raw[0] == 0xfe;
        /* a mark of byte order is no text */
        self->decoder->in = (ZSTD_inBuffer){ raw, self->end, codec == CODEC_UTF16 ? 2 : 0 };
        self->end = 0;
        self->text_end = FALSE;
    }
    while (!self->text_end && self->end < 3 && memcmp(self->text, bom, self->end) == 0)
        if (!fill_text(self, error))
            return FALSE;
    if (self->end >= 3 && memcmp(self->text, bom, 3) == 0)
        self->offset = self->start = 3;
    /* UTF-32 gets one clear message instead of a complaint about each line. */
    if (self->end >= 4 &&
        (memcmp(self->text, "\xff\xfe\0\0", 4) == 0 || memcmp(self->text, "\0\0\xfe\xff", 4) == 0))
        return tg_fail_input(error, "%s:1: is UTF-32; UTF-8 is needed", self->name);
    if (self->end >= 2 &&
        (memcmp(self->text, "\xff\xfe", 2) == 0 || memcmp(self->text, "\xfe\xff", 2) == 0))
        return tg_fail_input(error, "%s:1: is UTF-16 that is compressed; UTF-8 is needed",
                             self->name);
    return TRUE;
}

gboolean tg_stream_peek(TgStream *self, const char **head, gsize *n, gboolean *whole,
                        GError **error)
{
    if (!self->started && !start_text(self, error))
        return FALSE;
    while (!self->text_end && self->end - self->start < TG_STREAM_PEEK)
        if (!fill_text(self, error))
            return FALSE;
    *head = self->text + self->start;
    *n = MIN(self->end - self->start, TG_STREAM_PEEK);
    *whole = self->text_end && *n == self->end - self->start;
    return TRUE;
}

/* Drop text up to and including the next LF, or to the end. */
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
        if (!fill_text(self, error))
            return FALSE;
    }
}

TgLineStatus tg_stream_read_line(TgStream *self, char **line, gsize *n, GError **error)
{
    gsize searched = 0;

    if (!self->started && !start_text(self, error))
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
        if (!fill_text(self, error))
            return TG_LINE_ERROR;
    }
}

GString *tg_stream_read_rest(TgStream *self, gsize limit, GError **error)
{
    g_autoptr(GString) rest = g_string_new(NULL);

    if (!self->started && !start_text(self, error))
        return NULL;
    while (TRUE) {
        g_string_append_len(rest, self->text + self->start, (gssize) (self->end - self->start));
        self->start = self->end = 0;
        if (!check_ratio(self, rest->len, error))
            return NULL;
        if (rest->len > limit)
            return tg_null_input(error,
                                 "%s: is longer than the %" G_GSIZE_FORMAT
                                 " bytes that are read at once; JSONL has no such limit",
                                 self->name, limit);
        if (self->text_end)
            return g_steal_pointer(&rest);
        if (!fill_text(self, error))
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
