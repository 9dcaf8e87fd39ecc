/* A table of another program, by Arrow's C stream interface: rows are read where they lie. */
#include "datasets/readers/arrow.h"

#include "core/arrow/rows.h"
#include "core/fail.h"
#include "datasets/records/row.h"

typedef struct {
    TgReader base;
    TgArrowRows *rows;
    int *columns;          /* the column of each slot of the map, or -1 */
    json_t **kept;         /* [slot]: what the values of the row refer to */
    gint64 at, n_in_batch; /* of the batch at hand */
    gsize n_rows;          /* read so far */
} ArrowReader;

/* Whether a slot is of a field that is stored as it is, so that "007" stays a text. */
static gboolean is_stored(const TgFieldMap *fields, guint slot)
{
    return slot >= fields->columns.first && slot - fields->columns.first < fields->columns.n;
}

static gboolean arrow_broken(const ArrowReader *self, guint slot, GError **error)
{
    return tg_fail_input(error,
                         "%s:%" G_GSIZE_FORMAT
                         ": the column '%s' is broken: an offset or index that "
                         "leads nowhere, or a list without end",
                         tg_stream_name(self->base.stream), self->n_rows,
                         tg_arrow_rows_names(self->rows)[self->columns[slot]]);
}

/* A text in place; one that is not UTF-8 is repaired or a fault of the row. */
static gboolean read_text(ArrowReader *self, guint slot, TgValue *value, TgRecord *out)
{
    TgArrowText found;
    const char *bad;

    if (!tg_arrow_rows_text(self->rows, (guint) self->columns[slot], self->at, &found))
        return FALSE;
    if (found.text == NULL) {
        value->json = json_null();
        return TRUE;
    }
    value->text = found.text;
    value->len = found.len;
    if (g_utf8_validate_len(found.text, found.len, &bad) || *bad == '\0')
        return TRUE; /* who takes the text looks for NUL */
    if (!self->base.replace_bad_bytes)
        tg_record_set_fault(out, "field '%s' is not UTF-8", value->name);
    g_autofree char *valid = g_utf8_make_valid(found.text, (gssize) found.len);
    self->kept[slot] = json_string(valid);
    value->text = json_string_value(self->kept[slot]);
    value->len = json_string_length(self->kept[slot]);
    return TRUE;
}

static gboolean read_json(ArrowReader *self, guint slot, TgValue *value)
{
    value->json = self->kept[slot] =
        tg_arrow_rows_json(self->rows, (guint) self->columns[slot], self->at);
    value->text = json_string_value(value->json);
    value->len = json_string_length(value->json);
    return value->json != NULL;
}

static gboolean read_slot(ArrowReader *self, guint slot, TgRecord *out)
{
    TgValue *value = &self->base.values[slot];
    const int column = self->columns[slot];

    *value = (TgValue){ 0 };
    if (column < 0)
        return TRUE;
    value->name = tg_arrow_rows_names(self->rows)[column];
    return tg_arrow_rows_is_text(self->rows, (guint) column) && !is_stored(self->base.fields, slot)
               ? read_text(self, slot, value, out)
               : read_json(self, slot, value);
}

static void forget_row(ArrowReader *self)
{
    for (guint slot = 0; slot < tg_field_map_n_slots(self->base.fields); slot++)
        g_clear_pointer(&self->kept[slot], json_decref);
}

static gboolean arrow_next(TgReader *reader, TgRecord *out, GError **error)
{
    ArrowReader *self = (ArrowReader *) reader;

    if (++self->at >= self->n_in_batch) {
        self->at = 0;
        if (!tg_arrow_rows_next(self->rows, &self->n_in_batch, error) || self->n_in_batch == 0)
            return FALSE;
    }
    out->line = ++self->n_rows;
    forget_row(self);
    for (guint slot = 0; slot < tg_field_map_n_slots(reader->fields); slot++)
        if (!read_slot(self, slot, out))
            return arrow_broken(self, slot, error);
    tg_row_fill(reader->fields, reader->side, reader->values, NULL, out);
    return TRUE;
}

static void arrow_close(TgReader *reader)
{
    ArrowReader *self = (ArrowReader *) reader;

    if (self->kept != NULL)
        forget_row(self);
    g_free(self->kept);
    g_free(self->columns);
    tg_arrow_rows_free(self->rows);
}

/* Not in the table of formats: no file is of it. */
static const TgReaderClass arrow_class = {
    .name = "arrow",
    .summary = "a table in memory",
    .size = sizeof(ArrowReader),
    .next = arrow_next,
    .close = arrow_close,
};

static gboolean bind_columns(ArrowReader *self, GError **error)
{
    const TgReader *reader = &self->base;
    g_autofree char *reason = NULL;

    if (!tg_field_map_bind(reader->fields, reader->side, tg_arrow_rows_names(self->rows),
                           self->columns, &reason))
        return tg_fail_input(error, "%s: %s", tg_stream_name(reader->stream), reason);
    for (guint slot = 0; slot < tg_field_map_n_slots(reader->fields); slot++)
        if (self->columns[slot] >= 0 &&
            !tg_arrow_rows_use(self->rows, (guint) self->columns[slot], error))
            return FALSE;
    return TRUE;
}

TgReader *tg_reader_open_table(struct ArrowArrayStream *table, const char *name,
                               const TgFieldMap *fields, gboolean replace_bad_bytes, GError **error)
{
    ArrowReader *self = g_new0(ArrowReader, 1);
    g_autoptr(TgReader) reader = &self->base;
    const guint n_slots = tg_field_map_n_slots(fields);

    reader->klass = &arrow_class;
    reader->stream = tg_stream_open_bytes(name, "", 0, 1); /* it has the name */
    reader->fields = fields;
    reader->side = TG_FILE_PAIRS;
    reader->replace_bad_bytes = replace_bad_bytes;
    reader->values = g_new0(TgValue, n_slots);
    self->kept = g_new0(json_t *, n_slots);
    self->columns = g_new(int, n_slots);
    self->rows = tg_arrow_rows_open(table, error);
    return self->rows != NULL && bind_columns(self, error) ? g_steal_pointer(&reader) : NULL;
}
