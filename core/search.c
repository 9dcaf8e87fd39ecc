/* Binary search in tables of rows that are sorted by their first member. */
#include "core/search.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *text;
    gsize len;
} Text;

static int compare_text(const void *key, const void *row)
{
    const Text *text = key;
    const char *other = *(const char *const *) row;
    const int order = strncmp(text->text, other, text->len);

    return order != 0 ? order : -(other[text->len] != '\0');
}

static int compare_number(const void *key, const void *row)
{
    const guint32 number = *(const guint32 *) key, other = *(const guint32 *) row;

    return (number > other) - (number < other);
}

gconstpointer tg_row_of_text(const char *text, gsize len, gconstpointer rows, gsize n, gsize size)
{
    return bsearch(&(Text){ text, len }, rows, n, size, compare_text);
}

gconstpointer tg_row_of_number(guint32 number, gconstpointer rows, gsize n, gsize size)
{
    return bsearch(&number, rows, n, size, compare_number);
}

gboolean tg_is_one_of(const char *text, gssize len, const char *words)
{
    const gsize wanted = len < 0 ? strlen(text) : (gsize) len;

    for (gsize n; *words != '\0'; words += n + (words[n] == ' ')) {
        n = strcspn(words, " ");
        if (n == wanted && memcmp(words, text, n) == 0)
            return TRUE;
    }
    return FALSE;
}
