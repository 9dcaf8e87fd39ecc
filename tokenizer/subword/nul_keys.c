#include "tokenizer/subword/nul_keys.h"

#include <string.h>

#define NUL_ESCAPE     "\\u0000"
#define NUL_ESCAPE_LEN 6

/* Private use characters of the last plane, from the end: hardly any tokenizer has one of them. */
#define FIRST_STAND_IN 0x10FFFDu
#define N_STAND_INS    16

/* Whether the bytes of @c stand in @json, or its escape as a pair of surrogates. */
static gboolean nul_keys_occurs(const char *json, gsize len, gunichar c)
{
    char bytes[7] = { 0 }, escape[16];
    const guint32 rest = c - 0x10000;

    g_unichar_to_utf8(c, bytes);
    g_snprintf(escape, sizeof escape, "\\u%04x\\u%04x", 0xD800 + (rest >> 10),
               0xDC00 + (rest & 0x3FF));
    if (g_strstr_len(json, (gssize) len, bytes) != NULL)
        return TRUE;
    for (gsize i = 0; i + 12 <= len; i++)
        if (json[i] == '\\' && g_ascii_strncasecmp(json + i, escape, 12) == 0)
            return TRUE;
    return FALSE;
}

static gboolean nul_keys_choose(const char *json, gsize len, char stand_in[7])
{
    for (guint i = 0; i < N_STAND_INS; i++) {
        const gunichar c = FIRST_STAND_IN - i;

        if (nul_keys_occurs(json, len, c))
            continue;
        stand_in[g_unichar_to_utf8(c, stand_in)] = '\0';
        return TRUE;
    }
    return FALSE;
}

/* The place behind the string that starts at the quote @i; @has_nul: whether it holds a NUL. */
static gsize nul_keys_skip_string(const char *json, gsize len, gsize i, gboolean *has_nul)
{
    *has_nul = FALSE;
    for (i++; i < len && json[i] != '"'; i++) {
        if (json[i] != '\\')
            continue;
        if (len - i >= NUL_ESCAPE_LEN && memcmp(json + i, NUL_ESCAPE, NUL_ESCAPE_LEN) == 0)
            *has_nul = TRUE;
        i++; /* whatever is escaped, even a quote or a backslash */
    }
    return MIN(i + 1, len);
}

/* Whether a string that ends before @i is a key: a colon comes next. */
static gboolean nul_keys_is_key(const char *json, gsize len, gsize i)
{
    while (i < len && strchr(" \t\r\n", json[i]) != NULL && json[i] != '\0')
        i++;
    return i < len && json[i] == ':';
}

/* Append the string from @start to @end with the character for its NULs. */
static void nul_keys_append(GString *out, const char *json, gsize start, gsize end,
                            const char *stand_in)
{
    for (gsize i = start; i < end; i++) {
        if (json[i] != '\\') {
            g_string_append_c(out, json[i]);
        } else if (end - i >= NUL_ESCAPE_LEN && memcmp(json + i, NUL_ESCAPE, NUL_ESCAPE_LEN) == 0) {
            g_string_append(out, stand_in);
            i += NUL_ESCAPE_LEN - 1;
        } else {
            g_string_append_len(out, json + i, (gssize) MIN(2, end - i));
            i++;
        }
    }
}

char *tg_nul_keys_replace(const char *json, gsize len, gsize *out_len, char stand_in[7])
{
    g_autoptr(GString) out = NULL;
    gsize copied = 0;

    *stand_in = '\0';
    for (gsize i = 0; i < len;) {
        const gsize start = i;
        gboolean has_nul;

        if (json[i] != '"') {
            i++;
            continue;
        }
        i = nul_keys_skip_string(json, len, i, &has_nul);
        if (!has_nul || !nul_keys_is_key(json, len, i))
            continue;
        if (out == NULL && !nul_keys_choose(json, len, stand_in))
            return NULL;
        if (out == NULL)
            out = g_string_sized_new(len);
        g_string_append_len(out, json + copied, (gssize) (start - copied));
        nul_keys_append(out, json, start, i, stand_in);
        copied = i;
    }
    if (out == NULL)
        return NULL;
    g_string_append_len(out, json + copied, (gssize) (len - copied));
    *out_len = out->len;
    return g_string_free(g_steal_pointer(&out), FALSE);
}

char *tg_nul_keys_restore(const char *key, const char *stand_in, gsize *len)
{
    g_autoptr(GString) out = g_string_new(NULL);
    const char *found;

    while (*stand_in != '\0' && (found = strstr(key, stand_in)) != NULL) {
        g_string_append_len(out, key, found - key);
        g_string_append_c(out, '\0');
        key = found + strlen(stand_in);
    }
    g_string_append(out, key);
    *len = out->len;
    return g_string_free(g_steal_pointer(&out), FALSE);
}
