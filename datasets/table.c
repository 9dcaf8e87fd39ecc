/* Tables with a header: shared by CSV and TSV. */
#include "datasets/table.h"

#include <string.h>

#include "core/fail.h"
#include "datasets/row.h"

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

gboolean tg_table_open(TgTable *self, const TgReader *reader, const TgCell *cells, guint n,
                       gsize line, GError **error)
{
    g_autofree char *reason = NULL;

    self->n_names = n;
    self->names = g_new0(char *, n + 1);
    for (guint i = 0; i < n; i++)
        self->names[i] = g_strstrip(g_strndup(cells[i].text, cells[i].len));
    self->columns = g_new(int, tg_field_map_n_slots(reader->fields));
    if (tg_field_map_bind(reader->fields, reader->side, self->names, self->columns, &reason))
        return TRUE;
    return tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": %s", tg_stream_name(reader->stream), line,
                         reason);
}

void tg_table_fill(const TgTable *self, TgReader *reader, const TgCell *cells, guint n,
                   TgRecord *out)
{
    const guint n_slots = tg_field_map_n_slots(reader->fields);

    if (n != self->n_names)
        tg_record_set_fault(out, "%u column%s, and the header has %u", n, n == 1 ? "" : "s",
                            self->n_names);
    for (guint slot = 0; slot < n_slots; slot++) {
        const int column = self->columns[slot];
        TgValue *value = &reader->values[slot];

        *value = (TgValue){ 0 };
        if (column < 0 || (guint) column >= n)
            continue;
        if (out->fault != NULL && !g_utf8_validate_len(cells[column].text, cells[column].len, NULL))
            continue;
        *value = (TgValue){ .name = self->names[column],
                            .text = cells[column].text,
                            .len = cells[column].len };
    }
    tg_row_fill(reader->fields, reader->side, reader->values, NULL, out);
}

void tg_table_close(TgTable *self)
{
    g_strfreev(self->names);
    g_free(self->columns);
}

gboolean tg_table_fail_empty(const TgReader *reader, GError **error)
{
    return tg_fail_input(error,
                         "%s:%" G_GSIZE_FORMAT
                         ": the file ends before a header with the names of the columns",
                         tg_stream_name(reader->stream), tg_stream_line(reader->stream) + 1);
}
