#include "datasets/readers/reader.h"

#include <string.h>
#include <unistd.h>

#include "core/fail.h"

/* ---- which format a file has ---- */

/* In the order in which they are asked; the last one accepts any text. */
static const TgReaderClass *const formats[] = {
    &tg_reader_label_graph, &tg_reader_jsonl,    &tg_reader_json, &tg_reader_csv,
    &tg_reader_tsv,         &tg_reader_captions, &tg_reader_list,
};

/* More control characters than a text with a mishap in it would have. */
static gboolean is_binary(const char *text, gsize len)
{
    gsize n = 0;

    for (gsize i = 0; i < len; i++)
        n += (guchar) text[i] < 0x20 && !g_ascii_isspace(text[i]);
    return n > 8 + len / 100;
}

static const TgReaderClass *recognize(TgStream *stream, const TgFieldMap *fields, TgFileSide side,
                                      GError **error)
{
    static const char *const documents[] = { "md", "markdown", "mmd", "tex", "latex", NULL };
    static const char *const packed[] = { ".gz", ".zst", ".zstd" };
    const char *name = stream->name;
    TgSniff sniff = { .fields = fields, .side = side };

    if (!tg_stream_peek(stream, &sniff.text, &sniff.len, &sniff.whole, error))
        return NULL;
    if (is_binary(sniff.text, sniff.len))
        return tg_null_input(
            error, "%s: not a text file in a known format (if it is one, name the format)", name);
    /* the suffix in lower case, without what says that it is compressed */
    g_autofree char *base = g_path_get_basename(name);
    g_autofree char *lower = g_ascii_strdown(base, -1);
    for (guint i = 0; i < G_N_ELEMENTS(packed); i++)
        if (g_str_has_suffix(lower, packed[i])) {
            lower[strlen(lower) - strlen(packed[i])] = '\0';
            break;
        }
    const char *dot = strrchr(lower, '.');
    sniff.suffix = dot != NULL ? dot + 1 : "";
    const char *from = sniff.text, *end = sniff.text + sniff.len;
    while (from < end && g_ascii_isspace(*from))
        from++;
    const char *lf = memchr(from, '\n', (gsize) (end - from));
    g_autofree char *line = g_strchomp(g_strndup(from, (gsize) ((lf != NULL ? lf : end) - from)));
    sniff.line = line;
    /* Formulas in running text are no rows: the beginning of a paper, or the name of one. */
    if (g_strv_contains(documents, sniff.suffix) || g_str_has_prefix(line, "\\documentclass"))
        return tg_null_input(error,
                             "%s: is a document: 'texgauge documents' extracts and pairs its "
                             "formulas (a list of formulas: --format list)",
                             name);
    for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
        if (formats[i]->sniff(&sniff))
            return formats[i];
    g_return_val_if_reached(NULL);
}

static const TgReaderClass *find_format(const char *format, GError **error)
{
    g_autoptr(GString) known = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
        if (strcmp(formats[i]->name, format) == 0)
            return formats[i];
        g_string_append_printf(known, "%s%s", i > 0 ? ", " : "", formats[i]->name);
    }
    return tg_null_usage(error, "unknown format '%s' (%s)", format, known->str);
}

TgReader *tg_reader_open(TgStream *stream, const char *format, const TgFieldMap *fields,
                         TgFileSide side, GError **error)
{
    g_autoptr(TgStream) owned = stream;
    const gboolean named = format != NULL && strcmp(format, "auto") != 0;
    const gboolean is_stdin = stream->fd == STDIN_FILENO;
    const TgReaderClass *klass = named      ? find_format(format, error)
                                 : is_stdin ? &tg_reader_jsonl
                                            : recognize(stream, fields, side, error);

    if (klass == NULL)
        return NULL;
    g_autoptr(TgReader) self = g_malloc0(klass->size);
    self->klass = klass;
    self->stream = g_steal_pointer(&owned);
    self->fields = fields;
    self->side = side;
    self->values = g_new0(TgValue, tg_field_map_n_slots(fields));
    if (klass->open != NULL && !klass->open(self, error))
        return NULL;
    return g_steal_pointer(&self);
}

gboolean tg_reader_next(TgReader *self, TgRecord *out, GError **error)
{
    tg_record_reset(out);
    out->file = self->stream->name;
    out->line = self->stream->line + 1;
    return self->klass->next(self, out, error);
}

void tg_reader_free(TgReader *self)
{
    if (self == NULL)
        return;
    if (self->klass->close != NULL)
        self->klass->close(self);
    tg_stream_free(self->stream);
    g_free(self->values);
    g_free(self);
}

/* ---- lines ---- */

gboolean tg_reader_check_text(const TgReader *self, const char *line, gsize n, TgRecord *out)
{
    const char *bad;

    if (g_utf8_validate_len(line, n, &bad))
        return TRUE;
    const gsize number = self->stream->line, at = (gsize) (bad - line) + 1;
    if (*bad == '\0')
        tg_record_set_fault(out, "byte %" G_GSIZE_FORMAT " of line %" G_GSIZE_FORMAT " is NUL", at,
                            number);
    else
        tg_record_set_fault(
            out, "byte %" G_GSIZE_FORMAT " of line %" G_GSIZE_FORMAT " (0x%02X) is not UTF-8", at,
            number, (guint) (guchar) *bad);
    return FALSE;
}

TgReadStatus tg_reader_read_raw(TgReader *self, TgRecord *out, char **line, gsize *n,
                                GError **error)
{
    const TgLineStatus status = tg_stream_read_line(self->stream, line, n, error);

    if (status == TG_LINE_END)
        return TG_READ_END;
    if (status == TG_LINE_ERROR)
        return TG_READ_ERROR;
    out->line = self->stream->line;
    if (status == TG_LINE_READ)
        return TG_READ_LINE;
    tg_record_set_fault(out, "the line is longer than %" G_GSIZE_FORMAT " bytes",
                        self->stream->max_line);
    return TG_READ_FAULT;
}

TgReadStatus tg_reader_read_line(TgReader *self, TgRecord *out, char **line, gsize *n,
                                 GError **error)
{
    const TgReadStatus status = tg_reader_read_raw(self, out, line, n, error);

    if (status != TG_READ_LINE)
        return status;
    return tg_reader_check_text(self, *line, *n, out) ? TG_READ_LINE : TG_READ_FAULT;
}
