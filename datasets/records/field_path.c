#include "datasets/records/field_path.h"

#include <string.h>

#include "core/number.h"

/* Split at the dots that stand in no brackets. (transfer full) */
static char **split_steps(const char *text)
{
    g_autoptr(GStrvBuilder) steps = g_strv_builder_new();
    const char *start = text, *c = text;
    guint depth = 0;

    for (; *c != '\0'; c++) {
        if (*c == '[')
            depth++;
        else if (*c == ']' && depth > 0)
            depth--;
        if (*c != '.' || depth > 0)
            continue;
        g_autofree char *step = g_strndup(start, (gsize) (c - start));
        g_strv_builder_add(steps, step);
        start = c + 1;
    }
    g_strv_builder_add(steps, start);
    return g_strv_builder_end(steps);
}

TgFieldPath *tg_field_path_new(const char *text)
{
    TgFieldPath *path = g_new(TgFieldPath, 1);

    path->text = g_strdup(text);
    path->steps = split_steps(text);
    return path;
}

void tg_field_path_free(gpointer data)
{
    TgFieldPath *path = data;

    g_free(path->text);
    g_strfreev(path->steps);
    g_free(path);
}

/* Whether @value is the text, or the number, that is written as @wanted. */
static gboolean is_written_as(const json_t *value, const char *wanted)
{
    double number;

    if (json_is_string(value))
        return strcmp(json_string_value(value), wanted) == 0;
    return json_is_number(value) && tg_number_parse(wanted, &number) &&
           json_number_value(value) == number;
}

/* MEMBER[KEY=VALUE]; NULL where @step is not of this form, or nothing fits. */
static json_t *find_item(json_t *object, const char *step)
{
    const char *open = strchr(step, '['), *equals = open != NULL ? strchr(open, '=') : NULL;
    const gsize n = strlen(step);
    json_t *item;
    gsize i;

    if (equals == NULL || step[n - 1] != ']')
        return NULL;
    g_autofree char *member = g_strndup(step, (gsize) (open - step));
    g_autofree char *key = g_strndup(open + 1, (gsize) (equals - open - 1));
    g_autofree char *wanted = g_strndup(equals + 1, (gsize) (step + n - 1 - equals - 1));
    json_t *list = *member != '\0' ? json_object_get(object, member) : object;

    json_array_foreach(list, i,
                       item) if (is_written_as(json_object_get(item, key), wanted)) return item;
    return NULL;
}

static json_t *take_step(json_t *value, const char *step)
{
    guint64 index;

    if (json_is_array(value) && g_ascii_string_to_unsigned(step, 10, 0, G_MAXUINT32, &index, NULL))
        return json_array_get(value, (size_t) index);
    json_t *member = json_object_get(value, step);
    return member != NULL ? member : find_item(value, step);
}

json_t *tg_field_path_walk(const TgFieldPath *path, json_t *object)
{
    json_t *value = json_object_get(object, path->text);

    if (value != NULL)
        return value;
    value = object;
    for (guint i = 0; value != NULL && path->steps[i] != NULL; i++)
        value = take_step(value, path->steps[i]);
    return value;
}
