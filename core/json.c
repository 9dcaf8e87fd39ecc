#include "core/json.h"

#include <string.h>

#include <math.h>

#include "core/number.h"
#include "core/utf8.h"

json_t *tg_json_number(double value)
{
    if (!isfinite(value))
        return json_null();
    if (value == floor(value) && fabs(value) < 1e15)
        return json_integer((json_int_t) value);
    return json_real(value);
}

json_t *tg_json_text(const char *text)
{
    if (text == NULL)
        return json_null();
    json_t *string = json_string(text);
    if (string != NULL)
        return string;
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    return json_string(valid);
}

static json_t *children(GVariant *variant)
{
    json_t *list = json_array();
    const gsize n = g_variant_n_children(variant);

    for (gsize i = 0; i < n; i++) {
        g_autoptr(GVariant) child = g_variant_get_child_value(variant, i);
        json_array_append_new(list, tg_json_variant(child));
    }
    return list;
}

static json_t *dictionary(GVariant *variant)
{
    json_t *object = json_object();
    const gsize n = g_variant_n_children(variant);

    for (gsize i = 0; i < n; i++) {
        g_autoptr(GVariant) entry = g_variant_get_child_value(variant, i);
        g_autoptr(GVariant) key = g_variant_get_child_value(entry, 0);
        g_autoptr(GVariant) value = g_variant_get_child_value(entry, 1);
        json_object_set_new(object, g_variant_get_string(key, NULL), tg_json_variant(value));
    }
    return object;
}

json_t *tg_json_variant(GVariant *variant)
{
    switch (g_variant_classify(variant)) {
    case G_VARIANT_CLASS_BOOLEAN:
        return json_boolean(g_variant_get_boolean(variant));
    case G_VARIANT_CLASS_BYTE:
        return json_integer(g_variant_get_byte(variant));
    case G_VARIANT_CLASS_INT16:
        return json_integer(g_variant_get_int16(variant));
    case G_VARIANT_CLASS_UINT16:
        return json_integer(g_variant_get_uint16(variant));
    case G_VARIANT_CLASS_INT32:
        return json_integer(g_variant_get_int32(variant));
    case G_VARIANT_CLASS_UINT32:
        return json_integer(g_variant_get_uint32(variant));
    case G_VARIANT_CLASS_INT64:
        return json_integer(g_variant_get_int64(variant));
    case G_VARIANT_CLASS_UINT64:
        return json_integer((json_int_t) g_variant_get_uint64(variant));
    case G_VARIANT_CLASS_DOUBLE:
        return tg_json_number(tg_number_round(g_variant_get_double(variant)));
    case G_VARIANT_CLASS_STRING:
        return tg_json_text(g_variant_get_string(variant, NULL));
    case G_VARIANT_CLASS_ARRAY:
        if (g_variant_is_of_type(variant, G_VARIANT_TYPE("a{s*}")))
            return dictionary(variant);
        return children(variant);
    case G_VARIANT_CLASS_VARIANT:
    case G_VARIANT_CLASS_MAYBE:
        if (g_variant_n_children(variant) == 1) {
            g_autoptr(GVariant) child = g_variant_get_child_value(variant, 0);
            return tg_json_variant(child);
        }
        return json_null();
    case G_VARIANT_CLASS_TUPLE:
        return children(variant);
    default: /* handles, object paths and signatures have no place in a detail */
        return json_null();
    }
}

static int append(const char *text, size_t size, void *data)
{
    g_string_append_len(data, text, (gssize) size);
    return 0;
}

/* The first bytes of U+007F, U+0080 to U+009F, U+061C, and U+2000 on. */
#define MAY_STEER "\x7f\xc2\xd8\xe2"

/* Write what steers terminals and the order of text from @from on as \uXXXX: the same strings, and
 * safe to look at. */
static void escape_steering(GString *out, gsize from)
{
    const char *at = out->str + from;

    at += strcspn(at, MAY_STEER);
    if (*at == '\0')
        return;
    g_autofree char *tail = g_strdup(at);
    g_string_truncate(out, (gsize) (at - out->str));
    for (at = tail; *at != '\0';) {
        const gunichar code = g_utf8_get_char(at);
        const char *end = g_utf8_next_char(at);

        end += strcspn(end, MAY_STEER);
        if (tg_is_steering(code)) {
            g_string_append_printf(out, "\\u%04X", code);
            at = g_utf8_next_char(at);
        }
        g_string_append_len(out, at, end - at);
        at = end;
    }
}

void tg_json_append(GString *out, const json_t *value)
{
    const gsize from = out->len;

    json_dump_callback(value, append, out,
                       JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(TG_DIGITS));
    escape_steering(out, from);
}
