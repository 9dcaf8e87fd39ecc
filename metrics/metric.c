/* Instances of metrics: spec -> options -> scores, with what every metric has in common. */
#include "metrics/metric.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/datadir.h"
#include "core/number.h"
#include "core/option_parse.h"
#include "metrics/base/base.h"

/* ---- specs ---- */

/* Cut `[label=]name[:option=value...]`; a part without '=' is the tail of the value before it. */
static GPtrArray *split_spec(const char *spec, char **label)
{
    g_auto(GStrv) raw = g_strsplit(spec, ":", -1);
    GPtrArray *parts = g_ptr_array_new_with_free_func(g_free);
    const char *name = raw[0] != NULL ? raw[0] : "";
    const char *equals = strchr(name, '=');

    *label = equals != NULL ? g_strndup(name, (gsize) (equals - name)) : NULL;
    g_ptr_array_add(parts, g_strdup(equals != NULL ? equals + 1 : name));
    for (guint i = 1; raw[0] != NULL && raw[i] != NULL; i++) {
        if (strchr(raw[i], '=') != NULL || parts->len == 1) {
            g_ptr_array_add(parts, g_strdup(raw[i]));
            continue;
        }
        char *whole = g_strconcat(parts->pdata[parts->len - 1], ":", raw[i], NULL);
        g_free(parts->pdata[parts->len - 1]);
        parts->pdata[parts->len - 1] = whole;
    }
    return parts;
}

/* Call the metric @label, and its columns after it. */
static void set_label(TgMetric *self, const char *label)
{
    g_free(self->label);
    self->label = g_strdup(label);
    g_clear_pointer(&self->column_names, g_ptr_array_unref);
    self->column_names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; self->info->columns[i].name != NULL; i++)
        g_ptr_array_add(self->column_names,
                        i == 0 ? g_strdup(self->label)
                               : g_strconcat(self->label, ".", self->info->columns[i].name, NULL));
}

const TgMetricInfo *tg_metric_find_info(const char *name, GError **error)
{
    const TgMetricInfo *info = tg_registry_find(name);

    if (info == NULL) {
        guint n;
        g_autofree const TgMetricInfo **all = tg_registry_list(&n);
        g_autofree const char **names = g_new0(const char *, n + 1);

        for (guint i = 0; i < n; i++)
            names[i] = all[i]->name;
        tg_fail_unknown(error, "metric", name, names);
    }
    return info;
}

static int compare_options(gconstpointer a, gconstpointer b)
{
    const TgOption *const *x = a, *const *y = b;

    return strcmp((*x)->name, (*y)->name);
}

/*
 * "name|option:value|file:hash|v:version": the options that are not the default, presets as init()
 * settled them, in alphabetical order; then the files. A text whose min is above 0 is always named:
 * what it is by default differs between programs (Python's functions).
 */
static char *signature_of(const TgMetricInfo *info, gconstpointer instance, char *const *files)
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

TgMetric *tg_metric_new(const char *spec, GError **error)
{
    g_return_val_if_fail(spec != NULL, NULL);

    g_autofree char *label = NULL;
    g_autoptr(GPtrArray) parts = split_spec(spec, &label);
    const TgMetricInfo *info = tg_metric_find_info(parts->pdata[0], error);

    if (info == NULL)
        return NULL;
    if (label != NULL && (*label == '\0' || strpbrk(label, ".\"\\") != NULL))
        return tg_null_usage(error, "'%s': a label must not be empty or hold '.', '\"' or '\\'",
                             spec);

    g_autoptr(TgMetric) self = g_new0(TgMetric, 1);
    self->info = info;
    self->spec = g_strdup(spec);
    self->instance = g_malloc0(MAX(info->instance_size, 1));
    tg_options_preset(info->options, self->instance);
    g_autofree char *owner = g_strdup_printf("metric '%s'", self->info->name);

    for (guint i = 1; i < parts->len; i++) {
        const char *part = parts->pdata[i];
        const char *equals = strchr(part, '=');
        g_autofree char *name = equals != NULL ? g_strndup(part, (gsize) (equals - part)) : NULL;

        if (equals == NULL)
            return tg_null_usage(error, "%s: '%s' is not option=value", owner, part);
        if (!tg_options_set(self->info->options, self->instance, owner, name, equals + 1, error))
            return NULL;
    }
    tg_used_files_begin();
    const gboolean good = info->init == NULL || info->init(self->instance, error);
    self->files = tg_used_files_end();
    if (!good)
        return NULL;
    /* The signature is made now because init() may have settled options that were left open. */
    self->signature = signature_of(info, self->instance, self->files);
    self->n_stats = info->n_stats != NULL ? info->n_stats(self->instance) : 0;
    set_label(self, label != NULL ? label : parts->len > 1 ? spec : info->name);
    return g_steal_pointer(&self);
}

TgMetric *tg_metric_new_as(const char *spec, const char *label, GError **error)
{
    TgMetric *self = tg_metric_new(spec, error);

    if (self != NULL)
        set_label(self, label);
    return self;
}

const TgTextInput *tg_metric_text_input(const TgMetric *metric)
{
    return metric->info->init == tg_text_input_init ? metric->instance : NULL;
}

void tg_metric_free(TgMetric *metric)
{
    if (metric == NULL)
        return;
    if (metric->info->clear != NULL)
        metric->info->clear(metric->instance);
    tg_options_clear(metric->info->options, metric->instance);
    g_free(metric->instance);
    g_free(metric->label);
    g_free(metric->spec);
    g_free(metric->signature);
    g_strfreev(metric->files);
    g_clear_pointer(&metric->column_names, g_ptr_array_unref);
    g_free(metric);
}

/* Check that no two columns have the same name. */
static gboolean check_column_names(const GPtrArray *metrics, GError **error)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < metrics->len; i++) {
        const TgMetric *metric = metrics->pdata[i];

        for (guint k = 0; k < metric->column_names->len; k++) {
            if (g_hash_table_add(seen, metric->column_names->pdata[k]))
                continue;
            return tg_fail_usage(
                error,
                k == 0 ? "two metrics are called '%s'; give one a label: other=%s"
                       : "two columns are called '%s'; give a metric a label: other=%s",
                (const char *) metric->column_names->pdata[k], metric->info->name);
        }
    }
    return TRUE;
}

GPtrArray *tg_metric_new_list(const char *specs, GError **error)
{
    g_autoptr(GPtrArray) list = tg_metric_sets_expand(specs);
    g_autoptr(GPtrArray) metrics = g_ptr_array_new_with_free_func((GDestroyNotify) tg_metric_free);

    for (guint i = 0; i < list->len; i++) {
        TgMetric *metric = tg_metric_new(list->pdata[i], error);
        if (metric == NULL)
            return NULL;
        g_ptr_array_add(metrics, metric);
    }
    if (metrics->len == 0)
        return tg_null_usage(error, "no metric given");
    return check_column_names(metrics, error) ? g_steal_pointer(&metrics) : NULL;
}

const TgMetricInfo *tg_metric_info(const TgMetric *metric)
{
    return metric->info;
}

const char *tg_metric_label(const TgMetric *metric)
{
    return metric->label;
}

const char *tg_metric_signature(const TgMetric *metric)
{
    return metric->signature;
}

guint tg_metric_n_columns(const TgMetric *metric)
{
    return metric->column_names->len;
}

const char *tg_metric_column_name(const TgMetric *metric, guint column)
{
    g_return_val_if_fail(column < metric->column_names->len, NULL);
    return metric->column_names->pdata[column];
}

TgResult *tg_result_new(const TgMetric *metric, gboolean want_detail)
{
    TgResult *result = g_new0(TgResult, 1);

    result->n_columns = tg_metric_n_columns(metric);
    result->n_stats = metric->n_stats;
    result->wants_detail = want_detail;
    result->values = g_new0(double, result->n_columns + result->n_stats);
    tg_result_reset(result);
    return result;
}

/* ---- scores ---- */

/* A metric that breaks its own contract is a fault of the metric, not of the pair. */
static gboolean check_result(const TgMetric *metric, const TgResult *out, GError **error)
{
    gboolean is_empty = metric->n_stats == 0 && strcmp(tg_result_status(out), "ok") == 0;
    guint n_stats;

    if (metric->n_stats > 0 && tg_result_stats(out, &n_stats) == NULL)
        return tg_fail(error, TG_ERROR_INTERNAL, "metric '%s' set no statistics",
                       metric->info->name);
    if (out->is_broken)
        return tg_fail(
            error, TG_ERROR_INTERNAL,
            "metric '%s' set a value that is not finite, or a column that it does not have",
            metric->info->name);
    for (guint i = 0; i < tg_metric_n_columns(metric); i++) {
        const TgColumn *column = &metric->info->columns[i];
        const double value = tg_result_get(out, i);

        is_empty = is_empty && isnan(value);
        if (!isnan(value) && (value < column->min || value > column->max))
            return tg_fail(error, TG_ERROR_INTERNAL,
                           "metric '%s': column '%s' is %.10g, outside [%g, %g]",
                           metric->info->name, column->name, value, column->min, column->max);
    }
    if (is_empty)
        return tg_fail(error, TG_ERROR_INTERNAL, "metric '%s' set neither a value nor a reason",
                       metric->info->name);
    return TRUE;
}

gboolean tg_metric_score(const TgMetric *metric, TgEnv *env, const TgPair *pair, TgResult *out,
                         GError **error)
{
    g_return_val_if_fail(pair->n_refs > 0 && pair->hyp != NULL, FALSE);

    tg_env_next_pair(env);
    return tg_metric_score_same_pair(metric, env, pair, out, error);
}

/* @pair with reference number @index alone. */
static TgPair with_reference(TgEnv *env, const TgPair *pair, guint index)
{
    TgPair one = *pair;

    one.refs += index;
    one.n_refs = 1;
    tg_env_set_reference(env, index);
    return one;
}

/* Call score() with each reference by itself, and at last with the best one, so that all that the
 * metric leaves is of that one; details are made of it alone. @out: also tells which one it is */
static gboolean score_references(const TgMetric *metric, TgEnv *env, const TgPair *pair,
                                 TgResult *out, GError **error)
{
    const TgMetricInfo *info = metric->info;
    const gboolean lower = info->columns[0].direction == TG_LOWER_IS_BETTER;
    const gboolean wants_detail = out->wants_detail;
    g_autoptr(GError) first = NULL;
    double best = NAN;
    gboolean any = FALSE;

    out->reference = 0;
    out->wants_detail = FALSE;
    for (guint r = 0; r < pair->n_refs; r++) {
        const TgPair one = with_reference(env, pair, r);
        g_autoptr(GError) fault = NULL;

        tg_result_reset(out);
        if (!info->score(metric->instance, env, &one, out, &fault)) {
            if (!g_error_matches(fault, TG_ERROR, TG_ERROR_PARSE)) {
                out->wants_detail = wants_detail;
                g_propagate_error(error, g_steal_pointer(&fault));
                return FALSE;
            }
            if (first == NULL)
                first = g_steal_pointer(&fault);
            continue;
        }
        const double rank = !isnan(out->rank) ? out->rank : lower ? -out->headline : out->headline;
        if (!any || rank > best || (isnan(best) && !isnan(rank))) {
            best = rank;
            out->reference = r;
        }
        any = TRUE;
    }
    out->wants_detail = wants_detail;
    if (!any) {
        g_propagate_error(error, g_steal_pointer(&first));
        return FALSE;
    }
    const TgPair one = with_reference(env, pair, out->reference);
    tg_result_reset(out);
    return info->score(metric->instance, env, &one, out, error);
}

gboolean tg_metric_score_same_pair(const TgMetric *metric, TgEnv *env, const TgPair *pair,
                                   TgResult *out, GError **error)
{
    const gboolean each = metric->info->each_reference && pair->n_refs > 1;
    GError *fault = NULL;

    tg_result_reset(out);
    out->reference = 0;
    tg_env_set_reference(env, 0);
    if (each ? score_references(metric, env, pair, out, &fault)
             : metric->info->score(metric->instance, env, pair, out, &fault))
        return check_result(metric, out, error);
    if (fault == NULL)
        fault = g_error_new(TG_ERROR, TG_ERROR_INTERNAL, "metric '%s' failed without a reason",
                            metric->info->name);
    tg_result_reset(out);
    g_propagate_error(error, fault);
    return FALSE;
}

TgPairPicture *tg_metric_picture(const TgMetric *metric, TgEnv *env, TgRenderer *renderer,
                                 const TgPair *pair, GError **error)
{
    g_autoptr(TgPairPicture) picture = tg_pair_picture_new();

    g_return_val_if_fail(pair->n_refs > 0 && pair->hyp != NULL, NULL);
    if (metric->info->show == NULL)
        return tg_null_usage(error, "the metric '%s' draws no pictures", metric->info->name);
    tg_env_next_pair(env);
    g_autoptr(TgResult) result = tg_result_new(metric, FALSE);
    TgPair shown = *pair;
    if (metric->info->each_reference) {
        /* Without a score show() says why; the first reference stands for all. */
        if (!tg_metric_score_same_pair(metric, env, pair, result, NULL))
            result->reference = 0;
        shown = with_reference(env, pair, result->reference);
    }
    if (!metric->info->show(metric->instance, env, renderer, &shown, picture, error))
        return NULL;
    return g_steal_pointer(&picture);
}

void tg_metric_pool(const TgMetric *metric, const double *stats, double *out)
{
    const guint n = metric->column_names->len;

    if (metric->info->pool != NULL)
        metric->info->pool(metric->instance, stats, out);
    for (guint i = 0; i < n; i++)
        out[i] = metric->info->pool != NULL && metric->info->columns[i].pooling == TG_POOL_STATS
                     ? tg_number_round(out[i])
                     : NAN;
}
