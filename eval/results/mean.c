#include "eval/results/mean.h"

#include <string.h>

#include "core/fail.h"

static const char *const mean_names[] = { "pairs", "pages", "subsets" };

const char *tg_mean_name(TgMeanOver over)
{
    return mean_names[over];
}

gboolean tg_mean_parse(const char *text, TgMean *out, GError **error)
{
    *out = (TgMean){ TG_MEAN_PAIRS, NULL };
    if (text == NULL)
        return TRUE;
    const char *equals = strchr(text, '=');
    const gsize n = equals != NULL ? (gsize) (equals - text) : strlen(text);
    for (guint i = 0; i < G_N_ELEMENTS(mean_names); i++) {
        if (strlen(mean_names[i]) != n || strncmp(text, mean_names[i], n) != 0)
            continue;
        if (equals != NULL && (i == TG_MEAN_PAIRS || equals[1] == '\0'))
            break;
        *out = (TgMean){ (TgMeanOver) i, equals != NULL ? g_strdup(equals + 1) : NULL };
        return TRUE;
    }
    return tg_fail_usage(
        error, "--mean takes pairs, pages, subsets, pages=FIELD or subsets=FIELD, not '%s'", text);
}

void tg_mean_clear(TgMean *mean)
{
    g_clear_pointer(&mean->field, g_free);
}

void tg_mean_fail_unnamed(const TgMean *mean, GError **error)
{
    const char *over = tg_mean_name(mean->over);
    g_autofree char *one = g_strndup(over, strlen(over) - 1);

    if (mean->field != NULL)
        g_set_error(error, TG_ERROR, TG_ERROR_INPUT, "no pair has a %s in its field '%s'", one,
                    mean->field);
    else
        g_set_error(error, TG_ERROR, TG_ERROR_INPUT,
                    "no pair names its %s; name the field: --mean %s=FIELD", one, over);
}

static void add_value(GStrvBuilder *list, const json_t *value)
{
    if (json_is_string(value) && json_string_length(value) > 0) {
        g_strv_builder_add(list, json_string_value(value));
    } else if (json_is_boolean(value)) {
        g_strv_builder_add(list, json_is_true(value) ? "true" : "false");
    } else if (json_is_number(value)) {
        char text[G_ASCII_DTOSTR_BUF_SIZE];

        g_strv_builder_add(list,
                           g_ascii_formatd(text, sizeof text, "%.10g", json_number_value(value)));
    }
}

char **tg_attribute_values(const json_t *value)
{
    g_autoptr(GStrvBuilder) list = g_strv_builder_new();

    add_value(list, value);
    for (gsize i = 0; i < json_array_size(value); i++)
        add_value(list, json_array_get(value, i));
    return g_strv_builder_end(list);
}

static char *mean_stored(const json_t *value)
{
    g_auto(GStrv) values = tg_attribute_values(value);

    return g_strdup(values[0]);
}

/* The page of "IMAGE#BLOCK". */
static char *mean_page_of_id(const char *id)
{
    const char *end = id != NULL ? strrchr(id, '#') : NULL;

    if (end == NULL || end == id)
        return NULL;
    char *page = g_strndup(id, (gsize) (end - id));
    char *part = strrchr(page, '_');
    if (!g_str_has_suffix(page, ".jpg") && !g_str_has_suffix(page, ".png") && part != NULL)
        *part = '\0';
    return page;
}

char *tg_mean_group(const TgMean *mean, const char *id, const char *subset, const json_t *stored)
{
    if (mean->field != NULL)
        return mean_stored(json_object_get(stored, mean->field));
    if (mean->over == TG_MEAN_SUBSETS)
        return g_strdup(subset);
    return mean->over == TG_MEAN_PAGES ? mean_page_of_id(id) : NULL;
}
