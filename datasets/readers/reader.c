#include "datasets/readers/reader.h"

#include <string.h>

gboolean tg_reader_next(TgReader *self, TgRecord *out, GError **error)
{
    tg_record_reset(out);
    out->file = tg_stream_name(self->stream);
    out->line = tg_stream_line(self->stream) + 1;
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

char *tg_reader_check_text(const TgReader *self, const char *line, gsize n)
{
    const char *bad;

    if (g_utf8_validate_len(line, n, &bad))
        return NULL;
    const gsize number = tg_stream_line(self->stream), at = (gsize) (bad - line) + 1;
    if (*bad == '\0')
        return g_strdup_printf("byte %" G_GSIZE_FORMAT " of line %" G_GSIZE_FORMAT " is NUL", at,
                               number);
    return g_strdup_printf("byte %" G_GSIZE_FORMAT " of line %" G_GSIZE_FORMAT
                           " (0x%02X) is not UTF-8",
                           at, number, (guint) (guchar) *bad);
}

TgReadStatus tg_reader_read_raw(TgReader *self, TgRecord *out, char **line, gsize *n,
                                GError **error)
{
    const TgLineStatus status = tg_stream_read_line(self->stream, line, n, error);

    if (status == TG_LINE_END)
        return TG_READ_END;
    if (status == TG_LINE_ERROR)
        return TG_READ_ERROR;
    out->line = tg_stream_line(self->stream);
    if (status == TG_LINE_READ)
        return TG_READ_LINE;
    tg_record_set_fault(out, "the line is longer than %" G_GSIZE_FORMAT " bytes",
                        tg_stream_max_line(self->stream));
    return TG_READ_FAULT;
}

TgReadStatus tg_reader_read_line(TgReader *self, TgRecord *out, char **line, gsize *n,
                                 GError **error)
{
    const TgReadStatus status = tg_reader_read_raw(self, out, line, n, error);

    if (status != TG_READ_LINE)
        return status;
    g_autofree char *what = tg_reader_check_text(self, *line, *n);
    if (what == NULL)
        return TG_READ_LINE;
    tg_record_set_fault(out, "%s", what);
    return TG_READ_FAULT;
}
