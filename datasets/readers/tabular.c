/* Tables with a header: shared by CSV and TSV. */
#include "datasets/readers/tabular.h"

#include <string.h>

#include "core/fail.h"
#include "datasets/records/row.h"

gboolean tg_table_sniff(const TgSniff *sniff, const char *separator)
{
    g_auto(GStrv) names = g_strsplit(sniff->line, separator, -1);

    if (names[0] == NULL || names[1] == NULL)
        return FALSE;
    for (guint i = 0; names[i] != NULL; i++) {
        char *name = g_strstrip(names[i]);
        const gsize n = strlen(name);

        if (n > 1 && name[0] == '"' && name[n - 1] == '"') {
            name[n - 1] = '\0';
            name++;
        }
        if (tg_field_map_knows(sniff->fields, sniff->side, name))
            return TRUE;
    }
    return FALSE;
}

static gboolean bind_columns(TgTable *self, const TgReader *reader, const GArray *cells, gsize line,
                             GError **error)
{
    g_autofree char *reason = NULL;

    self->n_names = cells->len;
    self->names = g_new0(char *, cells->len + 1);
    for (guint i = 0; i < cells->len; i++) {
        const TgCell *cell = &g_array_index(cells, TgCell, i);

        self->names[i] = g_strstrip(g_strndup(cell->text, cell->len));
    }
    self->columns = g_new(int, tg_field_map_n_slots(reader->fields));
    if (tg_field_map_bind(reader->fields, reader->side, self->names, self->columns, &reason))
        return TRUE;
    return tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": %s", tg_stream_name(reader->stream), line,
                         reason);
}

gboolean tg_table_open(TgTable *self, const TgReader *reader, TgReadStatus status,
                       const GArray *cells, const TgRecord *header, GError **error)
{
    switch (status) {
    case TG_READ_LINE:
        return bind_columns(self, reader, cells, header->line, error);
    case TG_READ_FAULT:
        return tg_fail_input(error, "%s", header->fault);
    case TG_READ_END:
        return tg_fail_input(error,
                             "%s:%" G_GSIZE_FORMAT
                             ": the file ends before a header with the names of the columns",
                             tg_stream_name(reader->stream), tg_stream_line(reader->stream) + 1);
    default:
        return FALSE;
    }
}

void tg_table_fill(const TgTable *self, TgReader *reader, const GArray *cells, TgRecord *out)
{
    const guint n_slots = tg_field_map_n_slots(reader->fields);

    if (cells->len != self->n_names)
        tg_record_set_fault(out, "%u column%s, and the header has %u", cells->len,
                            cells->len == 1 ? "" : "s", self->n_names);
    for (guint slot = 0; slot < n_slots; slot++) {
        const int column = self->columns[slot];
        TgValue *value = &reader->values[slot];

        *value = (TgValue){ 0 };
        if (column < 0 || (guint) column >= cells->len)
            continue;
        const TgCell *cell = &g_array_index(cells, TgCell, column);
        if (out->fault != NULL && !g_utf8_validate_len(cell->text, cell->len, NULL))
            continue;
        *value = (TgValue){ .name = self->names[column], .text = cell->text, .len = cell->len };
    }
    tg_row_fill(reader->fields, reader->side, reader->values, NULL, out);
}

void tg_table_close(TgTable *self)
{
    g_strfreev(self->names);
    g_free(self->columns);
}
