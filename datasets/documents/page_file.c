/* The file of a page as text, and the displays in it that no protocol of pages reads. */
#include <string.h>

#include "core/files/stream.h"
#include "datasets/documents/document.h"
#include "datasets/documents/documents.h"

/* Whether a text is UTF-8, in which U+0000 may stand. */
static gboolean is_valid(const GString *text)
{
    const char *end = text->str + text->len;

    for (const char *at = text->str; at < end; at++)
        if (!g_utf8_validate(at, end - at, &at) && *at != '\0')
            return FALSE;
    return TRUE;
}

GString *tg_page_read(const char *path, char **fault)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *bytes = NULL;
    GString *text = NULL;
    gsize n;

    *fault = NULL;
    if (g_file_get_contents(path, &bytes, &n, &error)) {
        const gboolean is_wide =
            n >= 2 && (memcmp(bytes, "\xFF\xFE", 2) == 0 || memcmp(bytes, "\xFE\xFF", 2) == 0);
        /* each unit of UTF-16 gives three bytes at most */
        g_autoptr(TgStream) stream = is_wide ? tg_stream_open_bytes(path, bytes, n, 0) : NULL;
        text = is_wide ? tg_stream_read_rest(stream, 2 * n, &error)
                       : g_string_new_len(bytes, (gssize) n);
    }
    if (text == NULL)
        *fault = g_strdup_printf("%s, and counts as empty", error->message);
    else if (!is_valid(text))
        *fault = g_strdup_printf("%s: is not UTF-8; invalid bytes are read as U+FFFD", path);
    return text != NULL ? text : g_string_new(NULL);
}

static void add_count(json_t *counts, const char *opening, json_int_t n)
{
    n += json_integer_value(json_object_get(counts, opening));
    json_object_set_new(counts, opening, json_integer(n));
}

void tg_page_count_unread(const char *page, json_t *counts)
{
    static const char starts[] = "$\\<";
    static const TgWordList lists[] = { TG_WORDS_DELIMITERS, TG_WORDS_DISPLAYS, TG_WORDS_MATHML };
    guint64 missing[G_N_ELEMENTS(lists)] = { 0 };

    for (const char *at = strpbrk(page, starts); at != NULL; at = strpbrk(at, starts)) {
        const char *end = NULL;
        const TgWord *word;
        guint i = 0;
        while (i < G_N_ELEMENTS(lists) &&
               (end = tg_word_close(lists[i], at, &missing[i], &word)) == NULL)
            i++;
        if (end != NULL && lists[i] != TG_WORDS_DELIMITERS)
            add_count(counts, word->word, 1);
        at = end != NULL ? end : at + 1;
    }
}

void tg_page_add_unread(json_t *counts, const json_t *more)
{
    const char *opening;
    json_t *count;

    json_object_foreach((json_t *) more, opening, count)
    {
        add_count(counts, opening, json_integer_value(count));
    }
}

char *tg_page_unread_text(const json_t *counts)
{
    g_autoptr(GString) text = g_string_new(NULL);
    const char *opening;
    json_t *count;

    json_object_foreach((json_t *) counts, opening, count)
    {
        g_string_append_printf(text, "%s%s (%d)", text->len > 0 ? ", " : "displays in ", opening,
                               (int) json_integer_value(count));
    }
    if (text->len == 0)
        return NULL;
    g_string_append(text, ", which the protocol does not read");
    return g_string_free(g_steal_pointer(&text), FALSE);
}
