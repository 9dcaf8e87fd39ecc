/* Counts marks in a text, with the official program's notion of what is escaped. */
#include "metrics/cdm/tolerant/guard.h"

#include <string.h>

static gboolean braces_match(const char *line)
{
    gint depth = 0;

    for (const char *p = line; *p != '\0'; p++) {
        if (*p == '\\' && p[1] != '\0' && strchr("{}[]()", p[1]) != NULL)
            p++;
        else if (*p == '{')
            depth++;
        else if (*p == '}' && --depth < 0)
            return FALSE;
    }
    return depth == 0;
}

/* The name in `{name}` at @p. (transfer full) NULL where there is none. */
static char *name_at(const char *p)
{
    const gsize length = *p == '{' ? strcspn(p + 1, "}") : 0;

    return *p == '{' && p[1 + length] == '}' ? g_strndup(p + 1, length) : NULL;
}

static gboolean environments_match(const char *line)
{
    g_autoptr(GPtrArray) open = g_ptr_array_new_with_free_func(g_free);

    for (const char *p = strchr(line, '\\'); p != NULL; p = strchr(p + 1, '\\')) {
        if (g_str_has_prefix(p, "\\begin{")) {
            char *name = name_at(p + strlen("\\begin"));
            if (name != NULL)
                g_ptr_array_add(open, name);
        } else if (g_str_has_prefix(p, "\\end{")) {
            g_autofree char *name = name_at(p + strlen("\\end"));
            if (name == NULL)
                continue;
            if (open->len == 0 || strcmp(open->pdata[open->len - 1], name) != 0)
                return FALSE;
            g_ptr_array_set_size(open, (gint) open->len - 1);
        }
    }
    return open->len == 0;
}

static guint count(const char *line, const char *mark)
{
    guint n = 0;

    for (const char *p = strstr(line, mark); p != NULL; p = strstr(p + strlen(mark), mark))
        n++;
    return n;
}

/* Only as a whole word: not `\leftarrow`. */
static guint count_word(const char *line, const char *word)
{
    guint n = 0;

    for (const char *p = strstr(line, word); p != NULL; p = strstr(p + 1, word)) {
        const gunichar next = g_utf8_get_char(p + strlen(word));
        n += !g_unichar_isalnum(next) && next != '_';
    }
    return n;
}

static guint count_dollars(const char *line)
{
    guint n = 0;

    for (const char *p = strchr(line, '$'); p != NULL; p = strchr(p + 1, '$'))
        n += p == line || p[-1] != '\\';
    return n;
}

gboolean tg_cdm_guard_passes(const char *line)
{
    return g_utf8_strlen(line, -1) <= TG_CDM_GUARD_MAX_LENGTH && braces_match(line) &&
           environments_match(line) && count_word(line, "\\left") == count_word(line, "\\right") &&
           count(line, "\\(") == count(line, "\\)") && count(line, "\\[") == count(line, "\\]") &&
           count_dollars(line) % 2 == 0;
}
