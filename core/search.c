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
