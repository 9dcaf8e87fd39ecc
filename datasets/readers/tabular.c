#include "datasets/readers/tabular.h"

#include <string.h>

#include "core/fail.h"
#include "datasets/records/row.h"

gboolean tg_tabular_sniff(const TgSniff *sniff, const char *separator)
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

static gboolean bind_columns(TgTabular *self, gsize line, GError **error)
{
    const TgReader *reader = &self->base;
    g_autofree char *reason = NULL;

    self->n_names = self->cells->len;
    self->names = g_new0(char *, self->n_names + 1);
    for (guint i = 0; i < self->n_names; i++) {
        const TgTabularCell *cell = &g_array_index(self->cells, TgTabularCell, i);

        self->names[i] = g_strstrip(g_strndup(cell->text, cell->len));
    }
    self->columns = g_new(int, tg_field_map_n_slots(reader->fields));
    if (tg_field_map_bind(reader->fields, reader->side, self->names, self->columns, &reason))
        return TRUE;
    return tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": %s", tg_stream_name(reader->stream), line,
                         reason);
}

gboolean tg_tabular_open(TgTabular *self, TgReadCells read_cells, GError **error)
{
    TgStream *stream = self->base.stream;
    g_auto(TgRecord) header = { .file = tg_stream_name(stream) };

    self->read_cells = read_cells;
    self->cells = g_array_new(FALSE, FALSE, sizeof(TgTabularCell));
    switch (read_cells(self, &header, error)) {
    case TG_READ_LINE:
        return bind_columns(self, header.line, error);
    case TG_READ_FAULT:
        return tg_fail_input(error, "%s", header.fault);
    case TG_READ_END:
        return tg_fail_input(error,
                             "%s:%" G_GSIZE_FORMAT
                             ": the file ends before a header with the names of the columns",
                             tg_stream_name(stream), tg_stream_line(stream) + 1);
    default:
        return FALSE;
    }
}

static void fill_record(TgTabular *self, TgRecord *out)
{
    TgReader *reader = &self->base;
    const GArray *cells = self->cells;
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
        const TgTabularCell *cell = &g_array_index(cells, TgTabularCell, column);
        if (out->fault != NULL && !g_utf8_validate_len(cell->text, cell->len, NULL))
            continue;
        *value = (TgValue){ .name = self->names[column], .text = cell->text, .len = cell->len };
    }
    tg_row_fill(reader->fields, reader->side, reader->values, NULL, out);
}

gboolean tg_tabular_next(TgReader *reader, TgRecord *out, GError **error)
{
    TgTabular *self = (TgTabular *) reader;
    const TgReadStatus status = self->read_cells(self, out, error);

    if (status == TG_READ_LINE || (status == TG_READ_FAULT && self->fills_faulty))
        fill_record(self, out);
    return status == TG_READ_LINE || status == TG_READ_FAULT;
}

void tg_tabular_close(TgReader *reader)
{
    TgTabular *self = (TgTabular *) reader;

    g_clear_pointer(&self->cells, g_array_unref);
    g_strfreev(self->names);
    g_free(self->columns);
}
