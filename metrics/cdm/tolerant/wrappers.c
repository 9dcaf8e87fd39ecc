/* Delimiters, fences and tags, in the official program's order. */
#include "metrics/cdm/tolerant/wrappers.h"

#include <string.h>

#include "tokenizer/macros/lexer.h"

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

void tg_cdm_delete_tags(TgCdmText *text)
{
    const char *string = text->string->str, *rest = string;
    const char *found = strstr(string, "\\tag");
    gboolean never_closed = FALSE;

    if (found != NULL) {
        g_autoptr(TgCdmText) out = tg_cdm_text_new_like(text);
        for (; found != NULL; found = strstr(MAX(found + 1, rest), "\\tag")) {
            const char *end = tg_source_command_end(found, "\\tag", &never_closed);

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
