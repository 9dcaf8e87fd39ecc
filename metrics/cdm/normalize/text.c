/* A text with the origin of every byte; the text operations of all stages. */
#include "metrics/cdm/normalize/normalize.h"

#include <string.h>

#include "core/deadline.h"

/* The smallest range with the bytes of both. */
static TgCdmRange join_ranges(TgCdmRange a, TgCdmRange b)
{
    if (a.end == a.start || b.end == b.start)
        return a.end > a.start ? a : b;
    return (TgCdmRange){ MIN(a.start, b.start), MAX(a.end, b.end) };
}

/* ---- texts and their origins ---- */

static TgCdmText *new_text(const char *string, gboolean traced)
{
    TgCdmText *text = g_new(TgCdmText, 1);

    text->string = g_string_new(string);
    text->origins = traced ? g_array_sized_new(FALSE, FALSE, sizeof(TgCdmRange), 256) : NULL;
    return text;
}

TgCdmText *tg_cdm_text_new(const char *latex, gboolean traced)
{
    TgCdmText *text = new_text(latex, traced);

    for (const char *p = latex; traced && *p != '\0';) {
        const char *end = g_utf8_next_char(p);
        const TgCdmRange character = { (guint32) (p - latex), (guint32) (end - latex) };

        for (; p < end; p++)
            g_array_append_val(text->origins, character);
    }
    return text;
}

TgCdmText *tg_cdm_text_new_like(const TgCdmText *text)
{
    return new_text(NULL, text->origins != NULL);
}

void tg_cdm_text_free(TgCdmText *text)
{
    if (text == NULL)
        return;
    g_string_free(text->string, TRUE);
    g_clear_pointer(&text->origins, g_array_unref);
    g_free(text);
}

void tg_cdm_text_swap(TgCdmText *text, TgCdmText *other)
{
    const TgCdmText before = *text;

    *text = *other;
    *other = before;
}

TgCdmRange tg_cdm_text_origin(const TgCdmText *text, gsize start, gsize end)
{
    TgCdmRange sum = tg_cdm_no_origin;

    for (gsize i = start; text->origins != NULL && i < end; i++)
        sum = join_ranges(sum, g_array_index(text->origins, TgCdmRange, i));
    return sum;
}

/*
 * The origins of @string in the place of bytes @start to @end: byte by byte where it differs from
 * them in spaces only, else all of them for every byte. (transfer full)
 */
static TgCdmRange *trace_origins(const TgCdmText *text, gsize start, gsize end, const char *string)
{
    const char *old = text->string->str;
    TgCdmRange *origins = g_new(TgCdmRange, strlen(string) + 1);
    gsize i = start, n = 0;

    for (; string[n] != '\0'; n++) {
        while (string[n] != ' ' && i < end && old[i] == ' ')
            i++;
        if (i < end && old[i] == string[n])
            origins[n] = g_array_index(text->origins, TgCdmRange, i++);
        else if (string[n] == ' ')
            origins[n] = tg_cdm_no_origin;
        else
            break;
    }
    i += strspn(old + i, " ");
    if (string[n] != '\0' || i < end) {
        const TgCdmRange all = tg_cdm_text_origin(text, start, end);

        for (n = 0; string[n] != '\0'; n++)
            origins[n] = all;
    }
    return origins;
}

void tg_cdm_text_copy(TgCdmText *out, const TgCdmText *from, gsize start, gsize end)
{
    g_string_append_len(out->string, from->string->str + start, (gssize) (end - start));
    if (out->origins != NULL && end > start)
        g_array_append_vals(out->origins, &g_array_index(from->origins, TgCdmRange, start),
                            (guint) (end - start));
}

void tg_cdm_text_put(TgCdmText *out, const char *string, const TgCdmText *from, gsize start,
                     gsize end)
{
    g_string_append(out->string, string);
    if (out->origins != NULL) {
        g_autofree TgCdmRange *origins = trace_origins(from, start, end, string);
        g_array_append_vals(out->origins, origins, (guint) strlen(string));
    }
}

void tg_cdm_text_append(TgCdmText *out, const char *string, TgCdmRange origin)
{
    g_string_append(out->string, string);
    if (out->origins == NULL)
        return;
    guint i = out->origins->len;
    g_array_set_size(out->origins, MAX(i, (guint) out->string->len));
    for (; i < out->origins->len; i++)
        g_array_index(out->origins, TgCdmRange, i) = origin;
}

void tg_cdm_text_splice(TgCdmText *text, gsize start, gsize end, const char *string)
{
    if (text->origins != NULL) {
        g_autofree TgCdmRange *origins = trace_origins(text, start, end, string);

        if (end > start)
            g_array_remove_range(text->origins, (guint) start, (guint) (end - start));
        g_array_insert_vals(text->origins, (guint) start, origins, (guint) strlen(string));
    }
    g_string_erase(text->string, (gssize) start, (gssize) (end - start));
    g_string_insert(text->string, (gssize) start, string);
}

void tg_cdm_text_keep(TgCdmText *text, gsize start, gsize end)
{
    tg_cdm_text_splice(text, end, text->string->len, "");
    tg_cdm_text_splice(text, 0, start, "");
}

/* ---- operations ---- */

gboolean tg_cdm_text_replace(TgCdmText *text, const char *from, const char *to, guint limit)
{
    const char *start = text->string->str, *rest = start, *found = strstr(start, from);

    if (found == NULL)
        return FALSE;
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(text);
    for (guint n = 0; found != NULL && (limit == 0 || n < limit) && !tg_deadline_spend(10); n++) {
        const gsize at = (gsize) (found - start), end = at + strlen(from);

        tg_cdm_text_copy(out, text, (gsize) (rest - start), at);
        tg_cdm_text_put(out, to, text, at, end);
        rest = start + end;
        found = strstr(rest, from);
    }
    tg_cdm_text_copy(out, text, (gsize) (rest - start), text->string->len);
    tg_cdm_text_swap(text, out);
    return TRUE;
}

gboolean tg_cdm_text_delete_first(TgCdmText *text, const char *open, const char *close)
{
    const char *string = text->string->str, *start = strstr(string, open);
    const char *end = start != NULL ? strstr(start + strlen(open), close) : NULL;

    if (end == NULL)
        return FALSE;
    tg_cdm_text_splice(text, (gsize) (start - string), (gsize) (end - string) + strlen(close), "");
    return TRUE;
}

const GRegex *tg_cdm_regex(const char *pattern)
{
    /* Each thread has its own, because a lock would stay locked in a process that was forked. */
    static GPrivate of_thread = G_PRIVATE_INIT((GDestroyNotify) g_hash_table_unref);
    GHashTable *regexes = g_private_get(&of_thread); /* by pattern */

    if (regexes == NULL) {
        regexes =
            g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_regex_unref);
        g_private_set(&of_thread, regexes);
    }
    GRegex *regex = g_hash_table_lookup(regexes, pattern);
    if (regex == NULL) {
        regex = g_regex_new(pattern, G_REGEX_DOTALL | G_REGEX_OPTIMIZE, 0, NULL);
        g_hash_table_insert(regexes, g_strdup(pattern), regex);
    }
    return regex;
}

gboolean tg_cdm_text_replace_around(TgCdmText *text, const GRegex *regex, gint group,
                                    const char *before, const char *after)
{
    g_autoptr(GMatchInfo) info = NULL;
    gint start, end, inner_start, inner_end, done = 0;

    if (!g_regex_match(regex, text->string->str, 0, &info))
        return FALSE;
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(text);
    do {
        g_match_info_fetch_pos(info, 0, &start, &end);
        g_match_info_fetch_pos(info, group, &inner_start, &inner_end);
        tg_cdm_text_copy(out, text, (gsize) done, (gsize) start);
        tg_cdm_text_put(out, before, text, (gsize) start, (gsize) inner_start);
        tg_cdm_text_copy(out, text, (gsize) inner_start, (gsize) inner_end);
        tg_cdm_text_put(out, after, text, (gsize) inner_end, (gsize) end);
        done = end;
    } while (g_match_info_next(info, NULL));
    tg_cdm_text_copy(out, text, (gsize) done, text->string->len);
    tg_cdm_text_swap(text, out);
    return TRUE;
}

gboolean tg_cdm_is_space(gunichar c)
{
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 ||
           c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

static const char *skip_spaces(const char *p)
{
    while (*p != '\0' && tg_cdm_is_space(g_utf8_get_char(p)))
        p = g_utf8_next_char(p);
    return p;
}

void tg_cdm_text_squeeze(TgCdmText *text)
{
    const char *string = text->string->str;
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(text);

    for (const char *p = skip_spaces(string), *end; *p != '\0'; p = skip_spaces(end)) {
        for (end = p; *end != '\0' && !tg_cdm_is_space(g_utf8_get_char(end));)
            end = g_utf8_next_char(end);
        if (out->string->len > 0)
            tg_cdm_text_append(out, " ", tg_cdm_no_origin);
        tg_cdm_text_copy(out, text, (gsize) (p - string), (gsize) (end - string));
    }
    tg_cdm_text_swap(text, out);
}

TgCdmRange tg_cdm_strip(const char *string, TgCdmRange at)
{
    const char *start = string + at.start, *end = string + at.end;

    while (start < end && tg_cdm_is_space(g_utf8_get_char(start)))
        start = g_utf8_next_char(start);
    while (end > start && tg_cdm_is_space(g_utf8_get_char(g_utf8_prev_char(end))))
        end = g_utf8_prev_char(end);
    return (TgCdmRange){ (guint32) (start - string), (guint32) (end - string) };
}

void tg_cdm_text_strip(TgCdmText *text)
{
    const TgCdmRange rest =
        tg_cdm_strip(text->string->str, (TgCdmRange){ 0, (guint32) text->string->len });

    tg_cdm_text_keep(text, rest.start, rest.end);
}

/* ---- what the readers share ---- */

void tg_cdm_add_names(GHashTable **table, const char *names, gconstpointer value)
{
    g_autofree GStrv list = g_strsplit(names, " ", -1);

    if (*table == NULL)
        *table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; list[i] != NULL; i++)
        g_hash_table_insert(*table, list[i], (gpointer) value);
}

GPtrArray *tg_cdm_pool_list(TgCdmPool *pool)
{
    GPtrArray *list = g_ptr_array_new();

    if (pool->lists == NULL)
        pool->lists = g_ptr_array_new_with_free_func((GDestroyNotify) g_ptr_array_unref);
    g_ptr_array_add(pool->lists, list);
    return list;
}

void tg_cdm_pool_clear(TgCdmPool *pool)
{
    g_clear_pointer(&pool->lists, g_ptr_array_unref);
    tg_arena_clear(&pool->arena);
}
