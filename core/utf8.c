/* UTF-8 one character at a time, and what counts as white space. */
#include "core/utf8.h"

#include <string.h>

/* Bytes of a character by its first byte, and the smallest code point that needs so many. */
static guint expected_length(guchar first, gunichar *least)
{
    if (first >= 0xC2 && first <= 0xDF) {
        *least = 0x80;
        return 2;
    }
    if (first >= 0xE0 && first <= 0xEF) {
        *least = 0x800;
        return 3;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        *least = 0x10000;
        return 4;
    }
    return 1; /* a continuation byte, or a byte that never occurs */
}

guint tg_utf8_decode_long(const char *text, gsize len, gunichar *code)
{
    const guchar *byte = (const guchar *) text;
    gunichar least = 0;
    const guint length = expected_length(byte[0], &least);

    *code = TG_UTF8_INVALID;
    if (length == 1 || length > len)
        return 1;

    gunichar value = byte[0] & (0x7Fu >> length);
    for (guint i = 1; i < length; i++) {
        if ((byte[i] & 0xC0u) != 0x80u)
            return 1;
        value = value << 6 | (byte[i] & 0x3Fu);
    }
    if (value < least || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
        return 1;
    *code = value;
    return length;
}

gboolean tg_is_space_long(gunichar code)
{
    switch (code) {
    case 0x0085:
    case 0x00A0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202F:
    case 0x205F:
    case 0x3000:
        return TRUE;
    default:
        return code >= 0x2000 && code <= 0x200A;
    }
}

gsize tg_utf8_lower(const char *text, gsize len, char *out)
{
    gsize n = 0;
    guint length;

    for (gsize pos = 0; pos < len; pos += length) {
        gunichar code;

        length = tg_utf8_decode(text + pos, len - pos, &code);
        if (code < 0x80) {
            out[n++] = g_ascii_tolower((gchar) code);
        } else if (code == 0x0130) {
            memcpy(out + n, "i\xCC\x87", 3);
            n += 3;
        } else if (length == 1) {
            out[n++] = text[pos]; /* not UTF-8: kept */
        } else {
            n += (gsize) g_unichar_to_utf8(g_unichar_tolower(code), out + n);
        }
    }
    return n;
}
