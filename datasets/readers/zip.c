/*
 * ZIP archives in which each file NAME.txt is a formula, as HMER programs (BTTR, CoMER, TAMER,
 * ICAL) write their results: a row each, NAME is its id, and the list reader reads the text. What
 * the archive says of itself is believed only within the bytes that are there (PKWARE's
 * APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16).
 */
#include "datasets/readers/reader.h"

#include <string.h>

#include <zlib.h>

#include "core/fail.h"

#define MAX_ARCHIVE ((gsize) 256 << 20) /* bytes */
/* Formulas shrink to a third of their size. An archive that claims more than 200 times its size was
 * made to fill memory. */
#define MAX_RATIO 200u
#define MAX_ENTRY ((gsize) 1 << 20)

/* Sizes and places in the records of an archive. */
enum {
    END_SIZE = 22,      /* of the record at its end, without a comment */
    CENTRAL_SIZE = 46,  /* of an entry in its directory, without the name */
    LOCAL_SIZE = 30,    /* of what stands before an entry's bytes, without the name */
    MAX_COMMENT = 65535 /* at its end */
};

enum { STORED = 0, DEFLATED = 8 }; /* methods */

/* A file of the archive. */
typedef struct {
    char *name; /* "result.zip/img_1.txt", valid UTF-8 */
    gsize at;   /* of its bytes */
    gsize n_packed, n;
    guint method;
    guint32 crc;
} Entry;

typedef struct {
    TgReader base;
    GString *bytes;  /* of the archive */
    GArray *entries; /* Entry */
    guint next;
} ZipReader;

static guint get_u16(const char *c)
{
    return (guint) (guchar) c[0] | (guint) (guchar) c[1] << 8;
}

static guint32 get_u32(const char *c)
{
    return get_u16(c) | (guint32) get_u16(c + 2) << 16;
}

static gboolean zip_sniff(const TgSniff *sniff)
{
    return sniff->len >= 4 && memcmp(sniff->text, "PK\3\4", 4) == 0;
}

static gboolean zip_fail(const ZipReader *self, const char *what, GError **error)
{
    return tg_fail_input(error, "%s: the ZIP archive %s", self->base.stream->name, what);
}

/* Whether a file is what systems put beside those of the user. */
static gboolean is_beside(const char *name, gsize n)
{
    g_autofree char *base = n > 0 ? g_strndup(name, n) : g_strdup("/");
    const char *slash = strrchr(base, '/');

    return base[n > 0 ? n - 1 : 0] == '/' || (slash != NULL ? slash[1] : base[0]) == '.' ||
           g_str_has_prefix(base, "__MACOSX/");
}

/* An entry of the directory at @record, which has @n bytes with its name. */
static gboolean read_entry(ZipReader *self, const char *record, gsize n_name, GError **error)
{
    const GString *bytes = self->bytes;
    const char *name = record + CENTRAL_SIZE;
    const gsize at = get_u32(record + 42);
    Entry entry = { .method = get_u16(record + 10),
                    .crc = get_u32(record + 16),
                    .n_packed = get_u32(record + 20),
                    .n = get_u32(record + 24) };

    if (is_beside(name, n_name))
        return TRUE;
    g_autofree char *copy = g_strndup(name, n_name);
    g_autofree char *valid = g_utf8_make_valid(copy, -1);
    if (!g_str_has_suffix(valid, ".txt"))
        return tg_fail_input(error,
                             "%s: is a ZIP archive with '%s' in it, and only those of NAME.txt "
                             "with a formula each are read; unpack it (unzip) and give the file "
                             "or the folder inside",
                             self->base.stream->name, valid);
    if ((get_u16(record + 8) & 1) != 0)
        return zip_fail(self, "is encrypted; unpack it (unzip)", error);
    if (entry.method != STORED && entry.method != DEFLATED)
        return zip_fail(self, "is packed in another way than deflate; unpack it (unzip)", error);
    if (entry.n == G_MAXUINT32 || entry.n_packed == G_MAXUINT32 || at == G_MAXUINT32)
        return zip_fail(self, "is of the kind zip64; unpack it (unzip)", error);
    if (at > bytes->len || bytes->len - at < LOCAL_SIZE ||
        memcmp(bytes->str + at, "PK\3\4", 4) != 0)
        return zip_fail(self, "is damaged: its directory leads to no file", error);
    const char *local = bytes->str + at;
    entry.at = at + LOCAL_SIZE + get_u16(local + 26) + get_u16(local + 28);
    if (entry.at > bytes->len || entry.n_packed > bytes->len - entry.at ||
        (entry.method == STORED && entry.n != entry.n_packed))
        return zip_fail(self, "is damaged: a file in it is longer than the archive", error);
    if (entry.n > MAX_ENTRY)
        return tg_fail_input(error, "%s/%s: is longer than 1 MiB and no formula",
                             self->base.stream->name, valid);
    entry.name = g_strconcat(self->base.stream->name, "/", valid, NULL);
    g_array_append_val(self->entries, entry);
    return TRUE;
}

/* Read the directory. Files that overlap, by which a small archive claims to be a large one, are
 * longer together than the archive. */
static gboolean read_directory(ZipReader *self, GError **error)
{
    const GString *bytes = self->bytes;
    const char *end = NULL;
    guint64 n_packed = 0, n = 0;

    /* the record at the end of the archive, after which is a comment alone */
    for (gsize k = END_SIZE; end == NULL && k <= MIN(bytes->len, END_SIZE + MAX_COMMENT); k++) {
        const char *at = bytes->str + bytes->len - k;

        if (memcmp(at, "PK\5\6", 4) == 0 && get_u16(at + 20) == k - END_SIZE)
            end = at;
    }
    if (end == NULL)
        return zip_fail(self, "is cut off: its directory is missing", error);
    const guint n_entries = get_u16(end + 10);
    gsize at = get_u32(end + 16);
    if (n_entries == G_MAXUINT16 || at == G_MAXUINT32)
        return zip_fail(self, "is of the kind zip64; unpack it (unzip)", error);
    if (get_u16(end + 4) != 0 || get_u16(end + 8) != n_entries)
        return zip_fail(self, "is one part of several; join and unpack them", error);
    for (guint i = 0; i < n_entries; i++) {
        if (at > bytes->len || bytes->len - at < CENTRAL_SIZE ||
            memcmp(bytes->str + at, "PK\1\2", 4) != 0)
            return zip_fail(self, "is damaged: its directory is not where it should be", error);
        const char *record = bytes->str + at;
        const gsize n_name = get_u16(record + 28);
        if (n_name > bytes->len - at - CENTRAL_SIZE)
            return zip_fail(self, "is damaged: its directory ends within a name", error);
        if (!read_entry(self, record, n_name, error))
            return FALSE;
        at += CENTRAL_SIZE + n_name + get_u16(record + 30) + get_u16(record + 32);
    }
    for (guint i = 0; i < self->entries->len; i++) {
        n_packed += g_array_index(self->entries, Entry, i).n_packed;
        n += g_array_index(self->entries, Entry, i).n;
    }
    if (n_packed > bytes->len || n > MAX_ENTRY + (guint64) MAX_RATIO * bytes->len)
        return zip_fail(self, "is damaged: its files are longer than it can hold", error);
    return self->entries->len > 0 || zip_fail(self, "has no files", error);
}

static void clear_entry(gpointer entry)
{
    g_free(((Entry *) entry)->name);
}

static gboolean zip_open(TgReader *reader, GError **error)
{
    ZipReader *self = (ZipReader *) reader;

    self->bytes = tg_stream_read_rest(reader->stream, MAX_ARCHIVE, error);
    if (self->bytes == NULL)
        return FALSE;
    self->entries = g_array_new(FALSE, FALSE, sizeof(Entry));
    g_array_set_clear_func(self->entries, clear_entry);
    return read_directory(self, error);
}

/* The bytes of an entry. (transfer full); NULL: they are not what the directory says */
static GBytes *unpack_entry(const ZipReader *self, const Entry *entry)
{
    const char *packed = self->bytes->str + entry->at;
    g_autofree char *text = g_malloc(entry->n + 1);
    z_stream z = { .next_in = (z_const Bytef *) packed,
                   .avail_in = (guint) entry->n_packed,
                   .next_out = (Bytef *) text,
                   .avail_out = (guint) entry->n };
    gboolean good = TRUE;

    if (entry->method == STORED) {
        memcpy(text, packed, entry->n);
    } else {
        if (inflateInit2(&z, -MAX_WBITS) != Z_OK)
            g_error("zlib cannot start"); /* only without memory */
        good = inflate(&z, Z_FINISH) == Z_STREAM_END && z.avail_out == 0;
        inflateEnd(&z);
    }
    if (!good || crc32(0, (const Bytef *) text, (guint) entry->n) != entry->crc)
        return NULL;
    return g_bytes_new_take(g_steal_pointer(&text), entry->n);
}

static TgNext zip_next(TgReader *reader, TgRecord *out, GError **error)
{
    ZipReader *self = (ZipReader *) reader;

    if (self->next == self->entries->len)
        return TG_NEXT_END;
    const Entry *entry = &g_array_index(self->entries, Entry, self->next++);
    g_autoptr(GBytes) bytes = unpack_entry(self, entry);
    if (bytes == NULL)
        return tg_fail_input(error, "%s: the ZIP data are corrupt", entry->name);
    gsize n;
    const char *text = g_bytes_get_data(bytes, &n);
    TgStream *stream = tg_stream_open_bytes(entry->name, text, n, reader->stream->max_line);
    g_autoptr(TgReader) list =
        tg_reader_open(stream, tg_reader_list.name, reader->fields, reader->side, NULL, error);
    if (list == NULL)
        return TG_NEXT_ERROR;
    list->whole = TRUE;
    const TgNext next = tg_reader_next(list, out, error);
    if (next == TG_NEXT_ERROR)
        return next;
    if (next == TG_NEXT_END) /* an empty file */
        tg_row_take_formula(reader->fields, reader->side, "", 0, out);
    out->file = reader->stream->name;
    out->line = self->next;
    if (out->id == NULL) {
        out->id = g_path_get_basename(entry->name);
        out->id[strlen(out->id) - strlen(".txt")] = '\0';
    }
    return TG_NEXT_ROW;
}

static void zip_close(TgReader *reader)
{
    ZipReader *self = (ZipReader *) reader;

    g_clear_pointer(&self->entries, g_array_unref);
    if (self->bytes != NULL)
        g_string_free(self->bytes, TRUE);
}

const TgReaderClass tg_reader_zip = {
    .name = "zip",
    .sniff = zip_sniff,
    .size = sizeof(ZipReader),
    .open = zip_open,
    .next = zip_next,
    .close = zip_close,
};
