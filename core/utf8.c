/* UTF-8 one character at a time: decoding, white space, lower case, what may be shown. */
#include "core/utf8.h"

#include <string.h>

guint tg_utf8_decode_long(const char *text, gsize len, gunichar *code)
{
    const gunichar found = g_utf8_get_char_validated(text, (gssize) len);
    const gboolean valid = found < (gunichar) -2;

    *code = valid ? found : TG_UTF8_INVALID;
    return valid ? (guint) g_unichar_to_utf8(found, NULL) : 1;
}

gboolean tg_is_space_long(gunichar code)
{
    return code == 0x85 || g_unichar_isspace(code);
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
            out[n++] = text[pos]; /* not UTF-8: the byte is copied */
        } else {
            n += (gsize) g_unichar_to_utf8(g_unichar_tolower(code), out + n);
        }
    }
    return n;
}

static int compare_texts(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *) a, *(const char *const *) b);
}

void tg_texts_sort(GPtrArray *texts)
{
    g_ptr_array_sort(texts, compare_texts);
}

gboolean tg_is_steering(gunichar code)
{
    if (code < 0x20 || (code >= 0x7F && code < 0xA0))
        return TRUE;
    return code == 0x061C || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

void tg_visible_append(GString *out, const char *text, const char *keep)
{
    g_autofree char *valid = g_utf8_validate(text, -1, NULL) ? NULL : g_utf8_make_valid(text, -1);

    for (const char *at = valid != NULL ? valid : text; *at != '\0'; at = g_utf8_next_char(at)) {
        const gunichar code = g_utf8_get_char(at);

        if (!tg_is_steering(code) ||
            (keep != NULL && code < 0x80 && strchr(keep, (int) code) != NULL))
            g_string_append_len(out, at, g_utf8_next_char(at) - at);
        else
            g_string_append_printf(out, "<U+%04X>", code);
    }
}

char *tg_visible(const char *text, const char *keep)
{
    GString *out = g_string_new(NULL);

    tg_visible_append(out, text, keep);
    return g_string_free(out, FALSE);
}

guint tg_columns_of_character(gunichar code)
{
    return g_unichar_iszerowidth(code) ? 0 : g_unichar_iswide(code) ? 2 : 1;
}

guint tg_columns_of(const char *text)
{
    guint n = 0;

    for (; *text != '\0'; text = g_utf8_next_char(text))
        n += tg_columns_of_character(g_utf8_get_char(text));
    return n;
}

/* The number of changes that make the short word @a of @b: a letter more, less or another, or two
 * neighbors exchanged. */
static guint word_distance(const char *a, const char *b)
{
    const gsize m = strlen(a), n = strlen(b), width = n + 1;
    g_autofree guint *costs = g_new(guint, (m + 1) * width);

    for (gsize i = 0; i <= m; i++)
        for (gsize k = 0; k <= n; k++) {
            guint *cost = &costs[i * width + k];

            if (i == 0 || k == 0) {
                *cost = (guint) (i + k);
                continue;
            }
            *cost = MIN(cost[-1], *(cost - width)) + 1;
            *cost = MIN(*cost, *(cost - width - 1) + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                *cost = MIN(*cost, *(cost - 2 * width - 2) + 1);
        }
    return costs[m * width + n];
}

const char *tg_nearest_name(const char *word, const char *const *names)
{
    const gsize length = strlen(word);
    guint best = (guint) MIN(length / 3, 2) + 1;
    const char *nearest = NULL;

    for (guint i = 0; length <= 40 && names[i] != NULL; i++) {
        const guint distance = word_distance(word, names[i]);

        if (distance < best) {
            best = distance;
            nearest = names[i];
        }
    }
    return nearest;
}
