/* Delimiters, fences and tags, in the official program's order. */
#include "metrics/cdm/tolerant/wrappers.h"

#include <string.h>

static void keep(TgCdmText *text, gsize start, gsize end)
{
    tg_cdm_text_splice(text, end, text->string->len, "");
    tg_cdm_text_splice(text, 0, start, "");
    tg_cdm_text_strip(text);
}

static gboolean delete_pair(TgCdmText *text, const char *open, const char *close)
{
    const gsize length = text->string->len, a = strlen(open), b = strlen(close);

    if (length < a + b || !g_str_has_prefix(text->string->str, open) ||
        !g_str_has_suffix(text->string->str, close))
        return FALSE;
    keep(text, a, length - b);
    return TRUE;
}

void tg_cdm_delete_delimiters(TgCdmText *text)
{
    tg_cdm_text_strip(text);
    while (delete_pair(text, "$$", "$$") || delete_pair(text, "\\[", "\\]") ||
           delete_pair(text, "\\(", "\\)") || delete_pair(text, "$", "$"))
        continue;
}

void tg_cdm_delete_fence(TgCdmText *text)
{
    static const char fence[] = "```latex";
    const char *string = text->string->str, *open = g_strrstr(string, fence);
    const char *start = open != NULL ? open + strlen(fence) : string;
    const char *end = strstr(start, "```");

    tg_cdm_text_splice(text, end != NULL ? (gsize) (end - string) : text->string->len,
                       text->string->len, "");
    tg_cdm_text_splice(text, 0, (gsize) (start - string), "");
}

static void delete_dollars(TgCdmText *text)
{
    const char *string = text->string->str;
    const gsize start = strspn(string, "$");
    gsize end = text->string->len;

    while (end > start && string[end - 1] == '$')
        end--;
    keep(text, start, end);
}

void tg_cdm_delete_wrappers(TgCdmText *text)
{
    tg_cdm_text_strip(text);
    delete_dollars(text);
    delete_dollars(text);
    delete_pair(text, "\\[", "\\]");
    delete_pair(text, "\\(", "\\)");
    tg_cdm_delete_tags(text);
    tg_cdm_text_strip(text);
}

/* ---- tags ---- */

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " \t\n\r\f\v");
}

/* Where the group at @p ends, counting braces, escaped ones too; NULL where it does not. */
static const char *group_end(const char *p)
{
    gint depth = 0;

    for (; *p != '\0'; p++) {
        depth += (*p == '{') - (*p == '}');
        if (depth == 0)
            return p + 1;
    }
    return NULL;
}

/* The end of what goes with the `\tag` at @p; @p where it stays. */
static const char *tag_end(const char *p, gboolean *never_closed)
{
    const char *word_end = p + strlen("\\tag"), *group = skip_blanks(word_end);

    if (g_ascii_isalpha(*word_end))
        return p;
    if (*group == '*')
        group = skip_blanks(group + 1);
    if (*group != '{')
        return p;
    const char *end = *never_closed ? NULL : group_end(group);
    *never_closed = end == NULL;
    return end != NULL ? end : word_end;
}

void tg_cdm_delete_tags(TgCdmText *text)
{
    const char *string = text->string->str, *rest = string;
    const char *found = strstr(string, "\\tag");
    gboolean never_closed = FALSE;

    if (found != NULL) {
        g_autoptr(TgCdmText) out = tg_cdm_text_new_like(text);
        for (; found != NULL; found = strstr(MAX(found + 1, rest), "\\tag")) {
            const char *end = tag_end(found, &never_closed);

            if (end == found)
                continue;
            tg_cdm_text_copy(out, text, (gsize) (rest - string), (gsize) (found - string));
            rest = end;
        }
        tg_cdm_text_copy(out, text, (gsize) (rest - string), text->string->len);
        tg_cdm_text_swap(text, out);
    }
    tg_cdm_text_replace(text, "\\notag", "", 0);
    tg_cdm_text_replace(text, "\\nonumber", "", 0);
}
