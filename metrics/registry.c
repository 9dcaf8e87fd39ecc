#include <texgauge/registry.h>

#include <gmodule.h>
#include <pthread.h>
#include <string.h>

#include "core/fail.h"
#include "metrics/builtin.h"

/* A registered metric and the plugin file that brought it (NULL: built in). */
typedef struct {
    const TgMetricInfo *info;
    char *origin;
} Entry;

/* The built-in metrics, in the order of `texgauge metrics`: one word each in metrics/builtin.h. */
static const TgMetricInfo *const builtin[] = {
#define X(name) &tg_metric_##name,
    TG_BUILTIN_METRICS(X)
#undef X
        NULL,
};

static GArray *all_entries;

static void make_entries(void)
{
    all_entries = g_array_new(FALSE, TRUE, sizeof(Entry));
    for (guint i = 0; builtin[i] != NULL; i++) {
        const Entry entry = { builtin[i], NULL };
        g_array_append_val(all_entries, entry);
    }
}

static GArray *registry(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_entries);
    return all_entries;
}

static const Entry *find(const char *name)
{
    GArray *entries = registry();

    for (guint i = 0; i < entries->len; i++) {
        const Entry *entry = &g_array_index(entries, Entry, i);
        if (strcmp(entry->info->name, name) == 0)
            return entry;
    }
    return NULL;
}

const TgMetricInfo **tg_registry_list(guint *n)
{
    GArray *entries = registry();
    const TgMetricInfo **list = g_new(const TgMetricInfo *, entries->len + 1);

    for (guint i = 0; i < entries->len; i++)
        list[i] = g_array_index(entries, Entry, i).info;
    list[entries->len] = NULL;
    *n = entries->len;
    return list;
}

const TgMetricInfo *tg_registry_find(const char *name)
{
    const Entry *entry = find(name);

    return entry != NULL ? entry->info : NULL;
}

const char *tg_registry_origin(const TgMetricInfo *info)
{
    const Entry *entry = find(info->name);

    return entry != NULL ? entry->origin : NULL;
}

/* Everything that must hold before any metric of a plugin is registered. */
static gboolean check_metric(const char *path, const TgMetricInfo *info, GError **error)
{
    if (info->abi != TG_METRIC_ABI)
        return tg_fail(error, TG_ERROR_PLUGIN,
                       "%s: built for metric ABI %u, this library has %u; build it again", path,
                       info->abi, TG_METRIC_ABI);
    if (info->name == NULL || *info->name == '\0' || info->version == NULL ||
        info->columns == NULL || info->columns[0].name == NULL || info->score == NULL ||
        (info->n_stats == NULL) != (info->pool == NULL)) {
        g_set_error(
            error, TG_ERROR, TG_ERROR_PLUGIN,
            "%s: a metric lacks its name, version, columns, score() or one of n_stats() and "
            "pool()",
            path);
        return FALSE;
    }
    if (strspn(info->name, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(info->name))
        return tg_fail(error, TG_ERROR_PLUGIN,
                       "%s: metric name '%s' may hold only a-z, 0-9 and '-'", path, info->name);
    if (find(info->name) != NULL)
        return tg_fail(error, TG_ERROR_PLUGIN, "%s: the metric name '%s' is taken", path,
                       info->name);
    return TRUE;
}

gboolean tg_registry_load_plugin(const char *path, GError **error)
{
    GModule *module = g_module_open(path, G_MODULE_BIND_LOCAL);
    gpointer symbol = NULL;

    if (module == NULL)
        return tg_fail(error, TG_ERROR_PLUGIN, "%s", g_module_error());
    if (!g_module_symbol(module, TG_PLUGIN_SYMBOL, &symbol) || symbol == NULL) {
        g_set_error(error, TG_ERROR, TG_ERROR_PLUGIN, "%s: not a plugin: no symbol '%s'", path,
                    TG_PLUGIN_SYMBOL);
        g_module_close(module);
        return FALSE;
    }

    const TgMetricInfo *const *list = symbol;
    for (guint i = 0; list[i] != NULL; i++)
        if (!check_metric(path, list[i], error)) {
            g_module_close(module);
            return FALSE;
        }
    g_module_make_resident(module); /* descriptors are used until the process ends */
    for (guint i = 0; list[i] != NULL; i++) {
        const Entry entry = { list[i], g_strdup(path) };
        g_array_append_val(registry(), entry);
    }
    return TRUE;
}

gboolean tg_registry_add(const TgMetricInfo *info, GError **error)
{
    const Entry entry = { info, NULL };

    if (!check_metric("the metric's descriptor", info, error))
        return FALSE;
    g_array_append_val(registry(), entry);
    return TRUE;
}

gboolean tg_registry_load_environment(GError **error)
{
    const char *paths = g_getenv("TEXGAUGE_PLUGINS");
    g_auto(GStrv) list = g_strsplit(paths != NULL ? paths : "", G_SEARCHPATH_SEPARATOR_S, -1);

    for (guint i = 0; list[i] != NULL; i++)
        if (*list[i] != '\0' && !tg_registry_load_plugin(list[i], error))
            return FALSE;
    return TRUE;
}
