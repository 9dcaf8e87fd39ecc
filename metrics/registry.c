/* Finding metrics by name: built-in ones, plugins, and lists that have a name. */
#include "metrics/metric.h"

#include <gmodule.h>
#include <pthread.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/output.h"

/* A registered metric and the plugin file that brought it (NULL: built in). */
typedef struct {
    const TgMetricInfo *info;
    char *origin;
} Entry;

/* The built-in metrics, declared and in the order of `texgauge metrics`. */
extern const TgMetricInfo tg_metric_bleu, tg_metric_edit, tg_metric_edit_dist, tg_metric_cer,
    tg_metric_wer, tg_metric_edit_ops, tg_metric_exprate, tg_metric_crohme_graph, tg_metric_olmocr,
    tg_metric_rouge, tg_metric_chrf, tg_metric_texbleu, tg_metric_ebleu, tg_metric_forte,
    tg_metric_render, tg_metric_cdm, tg_metric_cdm_strict, tg_metric_imgedit, tg_metric_mse,
    tg_metric_ssim;
static const TgMetricInfo *const builtin[] = {
    &tg_metric_bleu,    &tg_metric_edit,         &tg_metric_edit_dist,
    &tg_metric_cer,     &tg_metric_wer,          &tg_metric_edit_ops,
    &tg_metric_exprate, &tg_metric_crohme_graph, &tg_metric_olmocr,
    &tg_metric_rouge,   &tg_metric_chrf,         &tg_metric_texbleu,
    &tg_metric_ebleu,   &tg_metric_forte,        &tg_metric_render,
    &tg_metric_cdm,     &tg_metric_cdm_strict,   &tg_metric_imgedit,
    &tg_metric_mse,     &tg_metric_ssim,         NULL
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

static const Entry *find_entry(const char *name)
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
    const Entry *entry = find_entry(name);

    return entry != NULL ? entry->info : NULL;
}

const char *tg_registry_origin(const TgMetricInfo *info)
{
    const Entry *entry = find_entry(info->name);

    return entry != NULL ? entry->origin : NULL;
}

/* Everything that must hold before any metric of a plugin is registered. */
static gboolean check_metric(const char *path, const TgMetricInfo *info, GError **error)
{
    if (info->abi != TG_METRIC_ABI)
        return tg_fail(error, TG_ERROR_PLUGIN,
                       "%s: built for metric ABI %u, this library has %u; rebuild it", path,
                       info->abi, TG_METRIC_ABI);
    if (info->name == NULL || *info->name == '\0' || info->version == NULL ||
        info->columns == NULL || info->columns[0].name == NULL || info->score == NULL ||
        (info->n_stats == NULL) != (info->pool == NULL))
        return tg_fail(
            error, TG_ERROR_PLUGIN,
            "%s: a metric lacks its name, version, columns, score() or one of n_stats() and "
            "pool()",
            path);
    if (info->explain != TG_EXPLAIN_NONE && info->explain != TG_EXPLAIN_ELEMENTS)
        return tg_fail(error, TG_ERROR_PLUGIN,
                       "%s: the metric '%s' can be explained by its elements only", path,
                       info->name);
    if (strspn(info->name, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(info->name))
        return tg_fail(error, TG_ERROR_PLUGIN,
                       "%s: metric name '%s' may hold only a-z, 0-9 and '-'", path, info->name);
    if (find_entry(info->name) != NULL)
        return tg_fail(error, TG_ERROR_PLUGIN, "%s: the metric name '%s' is taken", path,
                       info->name);
    return TRUE;
}

gboolean tg_registry_load_plugin(const char *path, GError **error)
{
    GModule *module = g_module_open(path, G_MODULE_BIND_LOCAL);
    gpointer symbol = NULL;

    tg_run_files_note(path);
    if (module == NULL)
        return tg_fail(error, TG_ERROR_PLUGIN, "%s", g_module_error());
    if (!g_module_symbol(module, TG_PLUGIN_SYMBOL, &symbol) || symbol == NULL) {
        tg_fail(error, TG_ERROR_PLUGIN, "%s: not a plugin: no symbol '%s'", path, TG_PLUGIN_SYMBOL);
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

/* ---- Sets ------------------------------------------------------------------------------------ */

static const TgMetricSet sets[] = {
    { "default", "cdm,forte,edit,bleu,exprate", "what eval and score use by default" },
    { "text", "bleu,edit,cer,wer,exprate,rouge,chrf,texbleu,ebleu", "metrics on text" },
    { "drawn", "cdm,cdm-strict,imgedit,mse,ssim", "metrics on drawn formulas" },
    { "all", NULL, "every built-in metric" },
    { "omnidocbench", "CDM=cdm:dialect=omnidocbench-1.6,Edit_dist=edit-dist",
      "OmniDocBench's formula columns, with --mean pages" },
    { "crohme",
      "edit=edit:tokenize=words,bleu=bleu:tokenize=words:smooth=nltk4,cer=cer:edits=words,"
      "exprate=exprate:tokenize=words",
      "the figures that Uni-MuMER publishes for CROHME" },
    { "crohme-both", "tokens=exprate:tokenize=words,graphs=crohme-graph",
      "ExpRate by tokens, by label graphs with structure rate" },
    { "speech2latex",
      "cer,wer,rouge1=rouge:tokenize=alnum,chrf,chrfpp=chrf:word-order=2,"
      "bleu=bleu:tokenize=13a:smooth=none,sbleu=bleu:tokenize=13a:smooth=exp,"
      "cer_lower=cer:lowercase=yes,wer_lower=wer:lowercase=yes,"
      "rouge1_lower=rouge:tokenize=alnum:lowercase=yes,chrf_lower=chrf:lowercase=yes,"
      "chrfpp_lower=chrf:word-order=2:lowercase=yes,"
      "bleu_lower=bleu:tokenize=13a:smooth=none:lowercase=yes,"
      "sbleu_lower=bleu:tokenize=13a:smooth=exp:lowercase=yes",
      "the columns of speech2latex" },
};

const TgMetricSet *tg_metric_sets(guint *n)
{
    *n = G_N_ELEMENTS(sets);
    return sets;
}

/* (transfer full) */
static char **set_members(const TgMetricSet *set)
{
    if (set->specs != NULL)
        return g_strsplit(set->specs, ",", -1);
    char **names = g_new0(char *, G_N_ELEMENTS(builtin));
    for (guint i = 0; builtin[i] != NULL; i++)
        names[i] = g_strdup(builtin[i]->name);
    return names;
}

GPtrArray *tg_metric_sets_expand(const char *list)
{
    g_auto(GStrv) words = g_strsplit(list, ",", -1);
    GPtrArray *specs = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; words[i] != NULL; i++)
        g_strstrip(words[i]);
    for (guint i = 0; words[i] != NULL; i++) {
        guint s = 0;

        while (s < G_N_ELEMENTS(sets) && strcmp(sets[s].name, words[i]) != 0)
            s++;
        if (s == G_N_ELEMENTS(sets)) {
            g_ptr_array_add(specs, g_strdup(words[i]));
            continue;
        }
        g_auto(GStrv) members = set_members(&sets[s]);
        for (guint k = 0; members[k] != NULL; k++)
            if (!g_strv_contains((const char *const *) words, members[k]) &&
                !g_ptr_array_find_with_equal_func(specs, members[k], g_str_equal, NULL))
                g_ptr_array_add(specs, g_strdup(members[k]));
    }
    return specs;
}
