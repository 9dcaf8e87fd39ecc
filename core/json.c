#include "core/json.h"

#include <string.h>

#include <math.h>
#include <zlib.h>

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

json_t *tg_json_texts(const GPtrArray *texts)
{
    json_t *list = json_array();

    for (guint i = 0; i < texts->len; i++)
        json_array_append_new(list, tg_json_text(texts->pdata[i]));
    return list;
}

static json_t *json_of_children(GVariant *variant)
{
    json_t *list = json_array();
    const gsize n = g_variant_n_children(variant);

    for (gsize i = 0; i < n; i++) {
        g_autoptr(GVariant) child = g_variant_get_child_value(variant, i);
        json_array_append_new(list, tg_json_variant(child));
    }
    return list;
}

json_t *tg_json_variant(GVariant *variant)
{
    const char *key;

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
        if (g_variant_is_of_type(variant, G_VARIANT_TYPE("a{s*}"))) {
            json_t *object = json_object();
            GVariantIter entries;
            GVariant *value;

            g_variant_iter_init(&entries, variant);
            while (g_variant_iter_loop(&entries, "{&s@*}", &key, &value))
                json_object_set_new(object, key, tg_json_variant(value));
            return object;
        }
        return json_of_children(variant);
    case G_VARIANT_CLASS_VARIANT:
    case G_VARIANT_CLASS_MAYBE:
        if (g_variant_n_children(variant) == 1) {
            g_autoptr(GVariant) child = g_variant_get_child_value(variant, 0);
            return tg_json_variant(child);
        }
        return json_null();
    case G_VARIANT_CLASS_TUPLE:
        return json_of_children(variant);
    default: /* handles, object paths and signatures do not occur in a detail */
        return json_null();
    }
}

/* Whether a byte stands for itself in a string: no quote, no control character, and not the first
 * byte of one of U+007F to U+00BF, U+0600 to U+063F and U+2000 to U+2FFF, which may steer terminals
 * and the order of text. */
static gboolean is_plain(guchar c)
{
    return c < 0x7f ? c >= 0x20 && c != '"' && c != '\\'
                    : c != 0x7f && c != 0xc2 && c != 0xd8 && c != 0xe2;
}

/* Control characters are written as \uXXXX, so that no terminal obeys them; the string stays the
 * same. */
static void append_string(GString *out, const char *text, gsize n)
{
    static const char special[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";

    g_string_append_c(out, '"');
    for (const char *at = text, *end = text + n; at < end;) {
        const char *plain = at;
        while (at < end && is_plain((guchar) *at))
            at++;
        g_string_append_len(out, plain, at - plain);
        if (at == end)
            break;
        const gunichar code = g_utf8_get_char(at);
        const char *next = g_utf8_next_char(at);
        const char *found = code < 0x80 ? memchr(special, (int) code, strlen(special)) : NULL;

        if (found != NULL) {
            g_string_append_c(out, '\\');
            g_string_append_c(out, letters[found - special]);
        } else if (tg_is_steering(code)) {
            g_string_append_printf(out, "\\u%04X", code);
        } else {
            g_string_append_len(out, at, next - at);
        }
        at = next;
    }
    g_string_append_c(out, '"');
}

void tg_json_append_text(GString *out, const char *text)
{
    if (text == NULL) {
        g_string_append(out, "null");
    } else if (g_utf8_validate(text, -1, NULL)) {
        append_string(out, text, strlen(text));
    } else {
        g_autofree char *valid = g_utf8_make_valid(text, -1);
        append_string(out, valid, strlen(valid));
    }
}

void tg_json_append_number(GString *out, double value)
{
    /* most values take this branch, because printf() is slow */
    if (value >= 0 && value < 10 && value == floor(value)) {
        g_string_append_c(out, (char) ('0' + (gint) value));
    } else if (fabs(value) >= 1e-4 && fabs(value) < 1e8) {
        char text[32];
        tg_number_format(value, text);
        g_string_append(out, text);
    } else if (value == floor(value) && fabs(value) < 1e15) {
        g_string_append_printf(out, "%" G_GINT64_FORMAT, (gint64) value);
    } else {
        json_auto_t *number = tg_json_number(value);
        tg_json_append(out, number);
    }
}

void tg_json_append_key(GString *out, const char *name)
{
    if (out->len > 0 && out->str[out->len - 1] != '{')
        g_string_append_c(out, ',');
    append_string(out, name, strlen(name));
    g_string_append_c(out, ':');
}

void tg_json_append(GString *out, const json_t *value)
{
    /* jansson has no function that reads a member without the right to change it */
    json_t *any = (json_t *) value, *child;
    const char *key;
    char text[64];
    size_t i;

    if (json_is_string(value)) {
        append_string(out, json_string_value(value), json_string_length(value));
    } else if (json_is_object(value)) {
        g_string_append_c(out, '{');
        json_object_foreach(any, key, child)
        {
            tg_json_append_key(out, key);
            tg_json_append(out, child);
        }
        g_string_append_c(out, '}');
    } else if (json_is_array(value)) {
        g_string_append_c(out, '[');
        json_array_foreach(value, i, child)
        {
            if (i > 0)
                g_string_append_c(out, ',');
            tg_json_append(out, child);
        }
        g_string_append_c(out, ']');
    } else {
        i = json_dumpb(value, text, sizeof text, JSON_ENCODE_ANY | JSON_REAL_PRECISION(TG_DIGITS));
        g_string_append_len(out, text, (gssize) i);
    }
}

char *tg_json_take(json_t *value, const char *end)
{
    GString *out = g_string_new(NULL);

    tg_json_append(out, value);
    json_decref(value);
    return g_string_free(g_string_append(out, end), FALSE);
}

/* ---- checksums of lines ---- */

/* The last member of a line, and the end of the line. */
static const char seal_end[] = ",\"crc\":\"01234567\"}";
/* SEAL: bytes of that end; SEAL_DIGITS: digits of the checksum */
enum { SEAL = sizeof seal_end - 1, SEAL_DIGITS = 8 };

void tg_seal_append(TgSeal *seal, const char *object, gsize n, GString *out)
{
    seal->crc = (guint32) crc32_z(seal->crc, (const Bytef *) object, n - 1);
    g_string_append_len(out, object, (gssize) n - 1);
    g_string_append_len(out, seal_end, SEAL_DIGITS);
    for (guint i = 0; i < SEAL_DIGITS; i++)
        g_string_append_c(out, "0123456789abcdef"[seal->crc >> (28 - 4 * i) & 15]);
    g_string_append(out, "\"}\n");
}

void tg_seal_check(TgSeal *seal, char *line, gsize *n)
{
    char *end = *n > SEAL ? line + *n - SEAL : line, *digits = end + SEAL_DIGITS;

    seal->fits = *n > SEAL && memcmp(end, seal_end, SEAL_DIGITS) == 0 &&
                 memcmp(digits + SEAL_DIGITS, "\"}", 2) == 0;
    if (!seal->fits)
        return;
    const guint32 right = (guint32) crc32_z(seal->crc, (const Bytef *) line, (gsize) (end - line));
    seal->crc = 0;
    /* small letters alone, so that each checksum has one spelling */
    for (guint i = 0; i < SEAL_DIGITS; i++) {
        seal->fits = seal->fits && g_ascii_isxdigit(digits[i]) && !g_ascii_isupper(digits[i]);
        seal->crc = seal->crc << 4 | ((guint32) g_ascii_xdigit_value(digits[i]) & 15);
    }
    seal->fits = seal->fits && seal->crc == right;
    *end = '}';
    end[1] = '\0';
    *n -= SEAL - 1;
}

static void note_first(TgDamage *damage, gsize line)
{
    if (damage->first == 0)
        damage->first = line;
}

void tg_damage_add_row(TgDamage *damage, guint64 row, gboolean fits, gsize line)
{
    if (row > damage->expected_row) {
        damage->n_missing += (row - damage->expected_row) / MAX(damage->step, 1);
        note_first(damage, line);
    } else {
        tg_damage_add_line(damage, fits, line);
    }
    damage->n_rows++;
    damage->expected_row = row + damage->step;
}

void tg_damage_add_line(TgDamage *damage, gboolean fits, gsize line)
{
    if (fits)
        return;
    damage->n_changed++;
    note_first(damage, line);
}

void tg_damage_add_end(TgDamage *damage, guint64 n_whole, gboolean fits, gsize line)
{
    damage->has_end = TRUE;
    damage->n_whole = n_whole;
    if (n_whole > damage->n_rows + damage->n_missing) {
        damage->n_missing = n_whole - damage->n_rows;
        note_first(damage, line);
    } else {
        tg_damage_add_line(damage, fits, line);
    }
}

void tg_damage_add_no_end(TgDamage *damage, gsize line)
{
    damage->lacks_end = TRUE;
    note_first(damage, line + 1);
}

char *tg_damage_text(const TgDamage *damage, const char *path)
{
    GString *out = g_string_new(NULL);
    const char *between = "";

    if (damage->first == 0)
        return g_string_free(out, TRUE);
    g_string_append_printf(out, "%s: ", path);
    if (damage->n_changed > 0) {
        g_string_append_printf(out, "%" G_GUINT64_FORMAT " %s changed after the run",
                               damage->n_changed,
                               damage->n_changed == 1 ? "line was" : "lines were");
        between = ", ";
    }
    if (damage->n_missing > 0) {
        g_string_append_printf(out, "%s%" G_GUINT64_FORMAT, between, damage->n_missing);
        if (damage->n_whole > 0)
            g_string_append_printf(out, " of %" G_GUINT64_FORMAT, damage->n_whole);
        g_string_append_printf(out, " %s %s missing",
                               MAX(damage->n_missing, damage->n_whole) == 1 ? "row" : "rows",
                               damage->n_missing == 1 ? "is" : "are");
        between = ", ";
    }
    if (damage->lacks_end)
        g_string_append_printf(out,
                               "%sthe last line is missing: the run was interrupted, or rows were "
                               "cut off after row %" G_GUINT64_FORMAT,
                               between, damage->expected_row - damage->step);
    g_string_append_printf(out, "; first: line %" G_GSIZE_FORMAT, damage->first);
    return g_string_free(out, FALSE);
}

gboolean tg_seal_is_results(const char *line)
{
    return g_str_has_prefix(line, "{\"texgauge_results\":") ||
           (strstr(line, ",\"shard\":{\"index\":") != NULL && strstr(line, ",\"crc\":\"") != NULL);
}
