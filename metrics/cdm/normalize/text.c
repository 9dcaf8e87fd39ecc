/* Text operations with the reach of the languages that the official normaliser is written in. */
#include "metrics/cdm/normalize/text.h"

#include <string.h>

gboolean tg_cdm_replace_first(GString *text, const char *from, const char *to)
{
    const char *found = strstr(text->str, from);

    if (found == NULL)
        return FALSE;
    const gssize at = found - text->str;
    g_string_erase(text, at, (gssize) strlen(from));
    g_string_insert(text, at, to);
    return TRUE;
}

gboolean tg_cdm_delete_first(GString *text, const char *open, const char *close)
{
    const char *start = strstr(text->str, open);
    const char *end = start != NULL ? strstr(start + strlen(open), close) : NULL;

    if (end == NULL)
        return FALSE;
    g_string_erase(text, start - text->str, end - start + (gssize) strlen(close));
    return TRUE;
}

/* str.isspace() of Python. */
static gboolean is_space(gunichar c)
{
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 ||
           c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

char *tg_cdm_squeeze_blanks(const char *text)
{
    g_autoptr(GString) out = g_string_sized_new(strlen(text));
    gboolean pending = FALSE;

    for (const char *p = text; *p != '\0'; p = g_utf8_next_char(p)) {
        const gunichar c = g_utf8_get_char(p);

        if (is_space(c)) {
            pending = out->len > 0;
            continue;
        }
        if (pending)
            g_string_append_c(out, ' ');
        g_string_append_unichar(out, c);
        pending = FALSE;
    }
    return g_strdup(out->str);
}

char *tg_cdm_strip(const char *text)
{
    const char *start = text, *end = text + strlen(text);

    while (*start != '\0' && is_space(g_utf8_get_char(start)))
        start = g_utf8_next_char(start);
    while (end > start && is_space(g_utf8_get_char(g_utf8_prev_char(end))))
        end = g_utf8_prev_char(end);
    return g_strndup(start, (gsize) (end - start));
}

gboolean tg_cdm_has_han(const char *text)
{
    for (const char *p = text; *p != '\0'; p = g_utf8_next_char(p)) {
        const gunichar c = g_utf8_get_char(p);

        if (c >= 0x4E00 && c <= 0x9FFF)
            return TRUE;
    }
    return FALSE;
}
