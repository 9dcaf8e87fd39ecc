/* Formulas that come as token ids. */
#include "datasets/records/token_ids.h"

gboolean tg_token_ids_valid(const char *text, gsize len)
{
    for (gsize i = 0; i < len; i++) {
        const gboolean minus = text[i] == '-' && i + 1 < len && g_ascii_isdigit(text[i + 1]) &&
                               (i == 0 || g_ascii_isspace(text[i - 1]));
        if (!minus && !g_ascii_isdigit(text[i]) && !g_ascii_isspace(text[i]))
            return FALSE;
    }
    return TRUE;
}

gboolean tg_token_ids_is_list(const json_t *list)
{
    json_t *item;
    gsize i;

    json_array_foreach(list, i, item) if (!json_is_integer(item)) return FALSE;
    return json_is_array(list);
}

char *tg_token_ids_join(const json_t *list)
{
    GString *text = g_string_new(NULL);
    json_t *item;
    gsize i;

    json_array_foreach(list, i, item) g_string_append_printf(
        text, "%s%" JSON_INTEGER_FORMAT, i > 0 ? " " : "", json_integer_value(item));
    return g_string_free(text, FALSE);
}
