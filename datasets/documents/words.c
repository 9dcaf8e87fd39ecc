/* Lists of words (page_words.tsv), and functions on texts that all files of this folder use. */
#include "datasets/documents/document.h"

#include <pthread.h>
#include <string.h>

#include "core/utf8.h"

static const TgWord words[] = {
#include "page_words.inc"
    { TG_N_WORD_LISTS, NULL, NULL },
};

static const TgWord *first_words[TG_N_WORD_LISTS + 1];

static void index_words(void)
{
    for (guint i = G_N_ELEMENTS(words); i-- > 0;) /* the words of a list stand together */
        first_words[words[i].list] = &words[i];
}

const TgWord *tg_words(TgWordList list)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, index_words);
    return first_words[list];
}

const TgWord *tg_word_named(TgWordList list, const char *name, gsize n)
{
    for (const TgWord *word = tg_words(list); word->list == list; word++)
        if (strlen(word->word) == n && memcmp(word->word, name, n) == 0)
            return word;
    return NULL;
}

const TgWord *tg_word_at(TgWordList list, const char *at)
{
    for (const TgWord *word = tg_words(list); word->list == list; word++)
        if (g_str_has_prefix(at, word->word))
            return word;
    return NULL;
}

const TgWord *tg_word_in(TgWordList list, const char *text)
{
    for (const TgWord *word = tg_words(list); word->list == list; word++)
        if (strstr(text, word->word) != NULL)
            return word;
    return NULL;
}

void tg_words_replace(TgWordList list, GString *text)
{
    for (const TgWord *word = tg_words(list); word->list == list; word++)
        tg_text_replace(text, word->word, word->with);
}

const char *tg_word_close(TgWordList list, const char *at, guint64 *missing, const TgWord **found)
{
    guint64 bit = 1;

    *found = NULL;
    for (const TgWord *word = tg_words(list); word->list == list; word++, bit <<= 1) {
        if (!g_str_has_prefix(at, word->word))
            continue;
        const char *end =
            (*missing & bit) == 0 ? strstr(at + strlen(word->word), word->with) : NULL;
        *found = end != NULL || *found == NULL ? word : *found;
        if (end != NULL)
            return end + strlen(word->with);
        *missing |= bit;
    }
    return NULL;
}

/* ---- texts ---- */

gboolean tg_is_markdown_file(const char *path)
{
    g_autofree char *lower = g_ascii_strdown(path, -1);

    return g_str_has_suffix(lower, ".md") || g_str_has_suffix(lower, ".mmd") ||
           g_str_has_suffix(lower, ".markdown");
}

char *tg_without_extension(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot != NULL && dot > path && strchr(dot, '/') == NULL
               ? g_strndup(path, (gsize) (dot - path))
               : g_strdup(path);
}

gboolean tg_text_is_longer(const char *text, glong most)
{
    while (*text != '\0' && most >= 0) {
        text = g_utf8_next_char(text);
        most--;
    }
    return most < 0;
}

gboolean tg_is_blank_at(const char *at)
{
    return tg_is_space(g_utf8_get_char(at));
}

const char *tg_skip_blanks(const char *at)
{
    while (tg_is_blank_at(at))
        at = g_utf8_next_char(at);
    return at;
}

const char *tg_skip_blanks_back(const char *start, const char *end)
{
    while (end > start && tg_is_blank_at(g_utf8_prev_char(end)))
        end = g_utf8_prev_char(end);
    return end;
}

void tg_text_trim(GString *text)
{
    const char *start = tg_skip_blanks(text->str);

    g_string_truncate(text,
                      (gsize) (tg_skip_blanks_back(start, text->str + text->len) - text->str));
    g_string_erase(text, 0, start - text->str);
}

GString *tg_text_trimmed(const char *start, const char *end)
{
    GString *text = g_string_new_len(start, end - start);

    tg_text_trim(text);
    return text;
}

void tg_text_fold(GString *text, const char *between)
{
    gsize out = 0;
    gboolean gap = FALSE;

    for (const char *p = text->str, *next; *p != '\0'; p = next) {
        next = g_utf8_next_char(p);
        if (tg_is_blank_at(p)) {
            gap = out > 0;
            continue;
        }
        for (const char *c = between; gap && *c != '\0'; c++)
            /* @between is no longer than the white space that it replaces */
            text->str[out++] = *c;
        gap = FALSE;
        while (p < next)
            text->str[out++] = *p++;
    }
    g_string_truncate(text, out);
}

static const char *append_word(const char *after, GString *out, gpointer word)
{
    g_string_append(out, word);
    return after;
}

void tg_text_replace(GString *text, const char *word, const char *with)
{
    tg_text_replace_command(text, word, append_word, (gpointer) with);
}

void tg_text_cut_spaces(GString *text, TgWordList spaces)
{
    gsize before;

    do {
        before = text->len;
        g_string_truncate(
            text, (gsize) (tg_skip_blanks_back(text->str, text->str + text->len) - text->str));
        for (const TgWord *space = tg_words(spaces); space->list == spaces; space++)
            if (g_str_has_suffix(text->str, space->word))
                g_string_truncate(text, text->len - strlen(space->word));
    } while (text->len < before);
}

const char *tg_flat_group(const char *open)
{
    const char *close = *open == '{' ? open + 1 + strcspn(open + 1, "{}") : open;

    return *open == '{' && *close == '}' ? close : NULL;
}

void tg_text_replace_command(GString *text, const char *command, TgCommandFunc replace,
                             gpointer data)
{
    const char *at = strstr(text->str, command), *from = text->str;

    if (at == NULL)
        return;
    g_autoptr(GString) out = g_string_sized_new(text->len);
    for (; at != NULL; at = strstr(from, command)) {
        const char *after = at + strlen(command);
        g_string_append_len(out, from, at - from);
        from = replace(after, out, data);
        if (from == NULL) {
            g_string_append(out, command);
            from = after;
        }
    }
    g_string_append(out, from);
    g_string_assign(text, out->str);
}

const char *tg_search(TgSearch *search, const char *from)
{
    if (search->asked && (search->found == NULL || search->found >= from))
        return search->found;
    search->asked = TRUE;
    return search->found = strstr(from, search->word);
}

/* See tg_text_replace_enclosed(). */
typedef struct {
    TgSearch closes, lines;
    gboolean in_line;
    const char *around;
} Enclosed;

static const char *append_enclosed(const char *content, GString *out, gpointer data)
{
    Enclosed *self = data;
    const char *end = tg_search(&self->closes, content);
    const char *line = self->in_line ? tg_search(&self->lines, content) : NULL;

    if (end == NULL || (line != NULL && line < end))
        return NULL;
    if (self->around != NULL) {
        g_string_append(out, self->around);
        g_string_append_len(out, content, end - content);
        g_string_append(out, self->around);
    }
    return end + strlen(self->closes.word);
}

void tg_text_replace_enclosed(GString *text, const char *open, const char *close, gboolean in_line,
                              const char *around)
{
    Enclosed enclosed = { { .word = close }, { .word = "\n" }, in_line, around };

    tg_text_replace_command(text, open, append_enclosed, &enclosed);
}

guint tg_count_words(const char *text, guint least)
{
    guint n = 0;

    for (const char *end; *text != '\0'; text = MAX(end, text + 1)) {
        end = text + strspn(text, G_CSET_A_2_Z G_CSET_a_2_z);
        n += end - text >= (glong) least;
    }
    return n;
}

guint tg_count_any(const char *text, const char *bytes)
{
    guint n = 0;

    for (; *text != '\0'; text++)
        n += strchr(bytes, *text) != NULL;
    return n;
}

guint tg_count_commands(const char *text)
{
    guint n = 0;

    for (; *text != '\0'; text++)
        n += text[0] == '\\' && g_ascii_isalpha(text[1]);
    return n;
}

gboolean tg_is_digit_at(const char *at)
{
    return g_ascii_isdigit(*at) || ((guchar) *at >= 0x80 && g_unichar_type(g_utf8_get_char(at)) ==
                                                                G_UNICODE_DECIMAL_NUMBER);
}
