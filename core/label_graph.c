#include "core/label_graph.h"

#include <string.h>

#include "core/search.h"

/* The end of the line at @text; @next is the line after it, or NULL. */
static const char *end_of_line(const char *text, const char **next)
{
    const char *end = strchr(text, '\n');

    *next = end != NULL ? end + 1 : NULL;
    return end != NULL ? end : text + strlen(text);
}

/* O, id, label, weight, path */
static gboolean is_object(const char *line, const char *end)
{
    g_autofree char *copy = g_strndup(line, (gsize) (end - line));
    g_auto(GStrv) fields = g_strsplit(copy, ",", -1);
    char *stop;

    if (g_strv_length(fields) < 5)
        return FALSE;
    g_ascii_strtod(g_strstrip(fields[3]), &stop);
    return stop > fields[3] && *stop == '\0';
}

gboolean tg_is_label_graph(const char *text)
{
    const char *mark = strrchr(text, '\n');
    gboolean any = FALSE;

    if (strcmp(mark != NULL ? mark + 1 : text, TG_LABEL_GRAPH_MARK) == 0)
        return TRUE;
    for (const char *next = text; next != NULL;) {
        const char *line = next, *end = end_of_line(line, &next);

        line += strspn(line, " \t\r");
        const gsize n = strcspn(line, " \t\n,"); /* of the first field */
        if (line < end && *line != '#' &&
            (!tg_is_one_of(line, (gssize) n, "O R EO N E") ||
             line[n + strspn(line + n, " \t")] != ','))
            return FALSE;
        any = any || (line < end && *line == 'O' && is_object(line, end));
    }
    return any;
}

gsize tg_label_graph_size(const char *text)
{
    gsize size = 0;

    for (const char *next = text; next != NULL;) {
        const char *line = next, *end = end_of_line(line, &next);
        const char *path = end;

        line += strspn(line, " \t\r");
        while (path > line && path[-1] != ',')
            path--;
        size +=
            (gsize) ((line < end && *line == 'O' && path > line ? path : MAX(end, line)) - line);
    }
    return size;
}
