#include "metrics/base/base.h"

#include <string.h>

#include "core/option_parse.h"

static int compare_options(gconstpointer a, gconstpointer b)
{
    const TgOption *const *x = a, *const *y = b;

    return strcmp((*x)->name, (*y)->name);
}

/* A text whose min is above 0 is always named: what it is by default differs between programs
 * (Python's functions). */
char *tg_signature_new(const TgMetricInfo *info, gconstpointer instance, const char *const *files)
{
    GString *out = g_string_new(info->name);
    g_autofree gpointer preset = g_malloc0(MAX(info->instance_size, 1));
    g_autoptr(GPtrArray) sorted = g_ptr_array_new();

    for (const TgOption *option = info->options; option != NULL && option->name != NULL; option++)
        g_ptr_array_add(sorted, (gpointer) option);
    g_ptr_array_sort(sorted, compare_options);
    tg_options_preset(info->options, preset);
    for (guint i = 0; i < sorted->len; i++) {
        const TgOption *option = sorted->pdata[i];
        g_autofree char *value = tg_option_text(option, instance);
        g_autofree char *usual = tg_option_text(option, preset);

        if ((option->type == TG_OPTION_STRING && option->min > 0) || strcmp(value, usual) != 0)
            g_string_append_printf(out, "|%s:%s", option->name, value);
    }
    tg_options_clear(info->options, preset);
    for (guint i = 0; files[i] != NULL; i++)
        g_string_append_printf(out, "|%s", files[i]);
    g_string_append_printf(out, "|v:%s", info->version);
    return g_string_free(out, FALSE);
}
