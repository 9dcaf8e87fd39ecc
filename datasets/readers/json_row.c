/* A JSON value as a row: shared by JSONL and JSON documents. */
#include "datasets/readers/json_row.h"

#include <string.h>

#include "datasets/readers/omnidocbench.h"
#include "datasets/records/row.h"

/* The length of the constant that stands at the front of the @n bytes, 0 if none does. */
static gsize constant_length(const char *text, gsize n)
{
    static const char *const constants[] = { "NaN", "-NaN", "Infinity", "-Infinity" };

    if (text[0] != 'N' && text[0] != 'I' && text[0] != '-')
        return 0;
    for (guint i = 0; i < G_N_ELEMENTS(constants); i++) {
        const gsize length = strlen(constants[i]);
        if (n >= length && memcmp(text, constants[i], length) == 0)
            return length;
    }
    return 0;
}

GString *tg_json_replace_nan(const char *text, gsize n)
{
    GString *out = NULL;
    gboolean quoted = FALSE;
    gsize copied = 0; /* of @text */

    for (gsize i = 0; i < n; i++) {
        const gsize length = quoted ? 0 : constant_length(text + i, n - i);

        if (text[i] == '"')
            quoted = !quoted;
        else if (quoted && text[i] == '\\')
            i++;
        if (length == 0)
            continue;
        if (out == NULL)
            out = g_string_sized_new(n);
        g_string_append_len(out, text + copied, (gssize) (i - copied));
        g_string_append(out, "null");
        copied = i + length;
        i = copied - 1;
    }
    if (out != NULL)
        g_string_append_len(out, text + copied, (gssize) (n - copied));
    return out;
}

json_t *tg_json_parse(const char *text, gsize n, gsize *at, json_error_t *error)
{
    /* NUL is let in so that it costs a row and not the document; tg_row_fill() refuses it */
    const gsize flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL |
                        (at != NULL ? JSON_DISABLE_EOF_CHECK : 0);
    json_t *value = json_loadb(text, n, flags, error);

    if (value != NULL && at != NULL)
        *at = (gsize) error->position;
    return value;
}

static void take_text(TgReader *reader, json_t *value, TgRecord *out)
{
    const char *text = json_string_value(value);
    const gsize n = json_string_length(value);

    if (text == NULL)
        tg_record_set_fault(out, "the list has an element that is not text");
    else if (memchr(text, '\0', n) != NULL)
        tg_record_set_fault(out, "the formula holds a NUL character");
    else
        tg_row_take_formula(reader->fields, reader->side, text, n, out);
}

void tg_json_fill(TgReader *reader, json_t *value, TgRecord *out)
{
    json_t *item;
    gsize i;

    if (json_is_string(value)) {
        take_text(reader, value, out);
        return;
    }
    if (json_array_size(value) > 0 && reader->side != TG_FILE_HYPOTHESES) {
        json_array_foreach(value, i, item) take_text(reader, item, out);
        return;
    }
    if (json_is_null(value) && reader->side == TG_FILE_HYPOTHESES)
        return;
    if (!json_is_object(value)) {
        tg_record_set_fault(out, "the row is not a JSON object");
        return;
    }
    tg_field_map_collect(reader->fields, reader->side, value, reader->values);
    tg_row_fill(reader->fields, reader->side, reader->values, value, out);
    if (!reader->fields->mapped[TG_ROLE_ID])
        tg_omnidocbench_complete_id(value, &out->id);
}
