/* Subword ids back to text: the decoder chain of a tokenizer file. */
#include <string.h>

#include "core/utf8.h"
#include "tokenizer/subword/bpe.h"
#include "tokenizer/subword/bpe_model.h"
#include "tokenizer/subword/byte_level.h"

static void free_string(gpointer string)
{
    g_string_free(string, TRUE);
}

static GString *new_string(const char *text, gsize len)
{
    return g_string_new_len(text, (gssize) len);
}

/* Replace all parts of the list by one string. */
static void set_single(GPtrArray *parts, GString *whole)
{
    g_ptr_array_set_size(parts, 0);
    g_ptr_array_add(parts, whole);
}

static GString *join(const GPtrArray *parts, const char *between)
{
    GString *whole = g_string_new(NULL);

    for (guint i = 0; i < parts->len; i++) {
        const GString *part = g_ptr_array_index(parts, i);
        g_string_append(whole, i > 0 ? between : "");
        g_string_append_len(whole, part->str, (gssize) part->len);
    }
    return whole;
}

/* Append the bytes that a byte-level token stands for; one with other characters stays as it is. */
static void append_token_bytes(GString *out, const GString *token)
{
    const gsize before = out->len;

    for (gsize i = 0; i < token->len;) {
        gunichar c;
        const guint size = tg_utf8_decode(token->str + i, token->len - i, &c);
        const gint byte = tg_byte_of_char(c);
        if (byte < 0) {
            g_string_truncate(out, before);
            g_string_append_len(out, token->str, (gssize) token->len);
            return;
        }
        g_string_append_c(out, (char) byte);
        i += size;
    }
}

static void decode_byte_level(GPtrArray *parts)
{
    GString *whole = g_string_new(NULL);

    for (guint i = 0; i < parts->len; i++)
        append_token_bytes(whole, g_ptr_array_index(parts, i));
    set_single(parts, whole);
}

/* Put @with for every @what in @part. */
static void replace_in(GString *part, const char *what, const char *with)
{
    const gsize size = strlen(what);
    g_autofree char *old = g_strndup(part->str, part->len);
    const gsize len = part->len;

    g_string_truncate(part, 0);
    for (gsize i = 0; i < len;) {
        if (i + size <= len && memcmp(old + i, what, size) == 0) {
            g_string_append(part, with);
            i += size;
        } else {
            g_string_append_c(part, old[i++]);
        }
    }
}

/* Each part's @pattern becomes @between, the last part's (@last) or the first part's (@first). */
static void replace_in_all(GPtrArray *parts, const char *pattern, const char *first,
                           const char *between, const char *last)
{
    for (guint i = 0; i < parts->len; i++) {
        const char *with = i == 0 && first != NULL ? first : between;
        replace_in(g_ptr_array_index(parts, i), pattern,
                   i + 1 == parts->len && last != NULL ? last : with);
    }
}

/* The byte of a token such as "<0x0A>", or -1. */
static gint fallback_byte(const GString *token)
{
    if (token->len != 6 || memcmp(token->str, "<0x", 3) != 0 || token->str[5] != '>')
        return -1;
    const gint high = g_ascii_xdigit_value(token->str[3]);
    const gint low = g_ascii_xdigit_value(token->str[4]);
    return high < 0 || low < 0 ? -1 : 16 * high + low;
}

/* A run of byte tokens: their text, or one U+FFFD a byte where they are no text. */
static void take_bytes(GPtrArray *out, GString *bytes)
{
    if (bytes->len == 0)
        return;
    if (g_utf8_validate(bytes->str, (gssize) bytes->len, NULL)) {
        g_ptr_array_add(out, new_string(bytes->str, bytes->len));
    } else {
        for (gsize i = 0; i < bytes->len; i++)
            g_ptr_array_add(out, g_string_new("\xEF\xBF\xBD"));
    }
    g_string_truncate(bytes, 0);
}

static GPtrArray *decode_byte_fallback(GPtrArray *parts)
{
    GPtrArray *out = g_ptr_array_new_with_free_func(free_string);
    GString *bytes = g_string_new(NULL);

    for (guint i = 0; i < parts->len; i++) {
        GString *part = g_ptr_array_index(parts, i);
        const gint byte = fallback_byte(part);
        if (byte >= 0) {
            g_string_append_c(bytes, (char) byte);
        } else {
            take_bytes(out, bytes);
            g_ptr_array_add(out, new_string(part->str, part->len));
        }
    }
    take_bytes(out, bytes);
    g_string_free(bytes, TRUE);
    g_ptr_array_unref(parts);
    return out;
}

/* Take up to @left and @right of the character @c off the ends of every part. */
static void strip_all(GPtrArray *parts, const char *c, guint left, guint right)
{
    const gsize size = strlen(c);

    for (guint i = 0; i < parts->len; i++) {
        GString *part = g_ptr_array_index(parts, i);
        for (guint k = 0; k < left && part->len >= size && memcmp(part->str, c, size) == 0; k++)
            g_string_erase(part, 0, (gssize) size);
        for (guint k = 0;
             k < right && part->len >= size && memcmp(part->str + part->len - size, c, size) == 0;
             k++)
            g_string_truncate(part, part->len - size);
    }
}

static GPtrArray *decode_step(const TgDecodeStep *step, GPtrArray *parts)
{
    switch (step->kind) {
    case TG_DECODE_BYTE_LEVEL:
        decode_byte_level(parts);
        break;
    case TG_DECODE_METASPACE:
        replace_in_all(parts, step->pattern, step->drop ? "" : NULL, " ", NULL);
        break;
    case TG_DECODE_SUFFIX:
        replace_in_all(parts, step->pattern, NULL, " ", "");
        break;
    case TG_DECODE_BYTE_FALLBACK:
        return decode_byte_fallback(parts);
    case TG_DECODE_FUSE:
        set_single(parts, join(parts, ""));
        break;
    case TG_DECODE_STRIP:
        strip_all(parts, step->pattern, step->left, step->right);
        break;
    case TG_DECODE_REPLACE:
        replace_in_all(parts, step->pattern, NULL, step->content, NULL);
        break;
    }
    return parts;
}

char *tg_bpe_decode(const TgBpe *bpe, const guint32 *ids, guint n, gboolean skip_special)
{
    GPtrArray *parts = g_ptr_array_new_with_free_func(free_string);

    for (guint i = 0; i < n; i++) {
        gsize len;
        const char *text = tg_bpe_token_text(bpe, ids[i], &len);
        if (text != NULL &&
            !(skip_special && g_hash_table_contains(bpe->special, GUINT_TO_POINTER(ids[i]))))
            g_ptr_array_add(parts, new_string(text, len));
    }
    for (guint i = 0; i < bpe->decoders->len; i++)
        parts = decode_step(&g_array_index(bpe->decoders, TgDecodeStep, i), parts);

    GString *whole = join(parts, bpe->decoders->len == 0 ? " " : "");
    char *text = g_utf8_make_valid(whole->str, (gssize) whole->len);
    g_string_free(whole, TRUE);
    g_ptr_array_unref(parts);
    return text;
}
