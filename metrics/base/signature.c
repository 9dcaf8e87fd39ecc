#include "metrics/base/base.h"

#include <string.h>

#include "core/option_parse.h"

/* An item of a signature. */
typedef struct {
    char *text;
    gboolean required; /* it must stand in it */
    gboolean is_file;
} Item;

static void clear_item(gpointer data)
{
    g_free(((Item *) data)->text);
}

/* @text is taken over. */
static void add_item(GArray *items, char *text, gboolean required, gboolean is_file)
{
    const Item item = { text, required, is_file };

    g_array_append_val(items, item);
}

static int compare_options(gconstpointer a, gconstpointer b)
{
    const TgOption *const *x = a, *const *y = b;

    return strcmp((*x)->name, (*y)->name);
}

/* Name, every option, required where it is not the default, files, version. A text whose min is
 * above 0 is always named: what it is by default differs between programs (Python's functions). */
static GArray *signature_items(const TgMetricInfo *info, gconstpointer instance,
                               const char *const *files)
{
    GArray *items = g_array_new(FALSE, FALSE, sizeof(Item));
    g_autofree gpointer preset = g_malloc0(MAX(info->instance_size, 1));
    g_autoptr(GPtrArray) sorted = g_ptr_array_new();

    g_array_set_clear_func(items, clear_item);
    add_item(items, g_strdup(info->name), TRUE, FALSE);
    for (const TgOption *option = info->options; option != NULL && option->name != NULL; option++)
        g_ptr_array_add(sorted, (gpointer) option);
    g_ptr_array_sort(sorted, compare_options);
    tg_options_preset(info->options, preset);
    for (guint i = 0; i < sorted->len; i++) {
        const TgOption *option = sorted->pdata[i];
        g_autofree char *value = tg_option_text(option, instance);
        g_autofree char *usual = tg_option_text(option, preset);

        const gboolean always = option->type == TG_OPTION_STRING && option->min > 0;
        add_item(items, g_strconcat(option->name, ":", value, NULL),
                 always || strcmp(value, usual) != 0, FALSE);
    }
    tg_options_clear(info->options, preset);
    for (guint i = 0; files[i] != NULL; i++)
        add_item(items, g_strdup(files[i]), TRUE, TRUE);
    add_item(items, g_strconcat("v:", info->version, NULL), TRUE, FALSE);
    return items;
}

char *tg_signature_new(const TgMetricInfo *info, gconstpointer instance, const char *const *files)
{
    g_autoptr(GArray) items = signature_items(info, instance, files);
    GString *out = g_string_new(NULL);

    for (guint i = 0; i < items->len; i++) {
        const Item *item = &g_array_index(items, Item, i);

        if (item->required)
            g_string_append_printf(out, "%s%s", i > 0 ? "|" : "", item->text);
    }
    return g_string_free(out, FALSE);
}

gboolean tg_signature_matches(const TgMetricInfo *info, gconstpointer instance,
                              const char *const *files, const char *written)
{
    g_autoptr(GArray) items = signature_items(info, instance, files);
    g_auto(GStrv) theirs = g_strsplit(written, "|", -1);
    gboolean names_defaults = FALSE;
    guint n_known = 0;

    for (guint i = 0; i < items->len; i++) {
        const Item *item = &g_array_index(items, Item, i);
        const gboolean there = g_strv_contains((const char *const *) theirs, item->text);

        n_known += there;
        names_defaults = names_defaults || (there && !item->required);
        if (!there && item->required && !(item->is_file && names_defaults))
            return FALSE;
    }
    return n_known == g_strv_length(theirs);
}
