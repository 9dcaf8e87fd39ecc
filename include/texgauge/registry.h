/* The list of metrics, and the properties of an instance. */
#pragma once

#include <texgauge/metric.h>
#include <texgauge/types.h>

G_BEGIN_DECLS

/** A metric with values of its options; constant, so any thread may score with it. */
typedef struct TgMetric TgMetric;

/**
 * All registered metrics, built-in ones first, in the order of registration.
 *
 * @n: (out) how many
 *
 * Returns: (transfer container) an array to g_free(); the descriptors are static
 */
TG_API const TgMetricInfo **tg_registry_list(guint *n);

/** The metric called @name, or NULL. */
TG_API const TgMetricInfo *tg_registry_find(const char *name);

/** The plugin file that brought @info, or NULL for a built-in metric; borrowed. */
TG_API const char *tg_registry_origin(const TgMetricInfo *info);

/**
 * Load the metrics of a plugin; it stays in memory until the process ends.
 *
 * @path: shared object that exports TG_PLUGIN_SYMBOL
 *
 * Returns: TRUE, or FALSE with @error set to TG_ERROR_PLUGIN: not loadable, no such symbol, built
 * for another TG_METRIC_ABI, or a name that is taken (then nothing of it is registered)
 *
 * Threads: any; not while another thread makes metrics.
 */
TG_API gboolean tg_registry_load_plugin(const char *path, GError **error);

/**
 * Register a metric of the calling program's own.
 *
 * @info: must stay valid until the process ends
 *
 * Returns: TRUE, or FALSE with @error set to TG_ERROR_PLUGIN: incomplete, or the name is taken
 *
 * Threads: any; not while another thread makes metrics.
 */
TG_API gboolean tg_registry_add(const TgMetricInfo *info, GError **error);

/** Load every file named in the environment variable TEXGAUGE_PLUGINS (separated by ':'). */
TG_API gboolean tg_registry_load_environment(GError **error);

/** The descriptor that @metric is an instance of; static. */
TG_API const TgMetricInfo *tg_metric_info(const TgMetric *metric);

/** The name that its columns begin with: the label, or the spec if there is none. Borrowed. */
TG_API const char *tg_metric_label(const TgMetric *metric);

/**
 * How the metric computes: its name, options that are not the default, loaded files and version,
 * such as `bleu|smooth:floor|v:2`. Borrowed.
 */
TG_API const char *tg_metric_signature(const TgMetric *metric);

/** The number of columns. */
TG_API guint tg_metric_n_columns(const TgMetric *metric);
/** The full name of a column: the label for the first, `label.column` for the rest. Borrowed. */
TG_API const char *tg_metric_column_name(const TgMetric *metric, guint column);

G_END_DECLS
