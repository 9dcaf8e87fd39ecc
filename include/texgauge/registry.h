/* Which metrics there are, and instances of them. */
#pragma once

#include <texgauge/env.h>
#include <texgauge/metric.h>
#include <texgauge/result.h>
#include <texgauge/types.h>

G_BEGIN_DECLS

/** A metric with its options settled; constant, so any thread may score with it. */
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

/** Load every file named in the environment variable TEXGAUGE_PLUGINS (separated by ':'). */
TG_API gboolean tg_registry_load_environment(GError **error);

/**
 * Make an instance from a spec: `name`, `name:option=value:option=value`, or either behind
 * `label=` to name its columns. A part without '=' belongs to the value before it, so values may
 * hold ':'.
 *
 * Returns: (transfer full) the metric, or NULL with @error set to TG_ERROR_USAGE (unknown metric
 * or option, trailing text, out of range) or what the metric's init() reported
 */
TG_API TgMetric *tg_metric_new(const char *spec, GError **error);
TG_API void tg_metric_free(TgMetric *metric);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgMetric, tg_metric_free)

/**
 * Make all metrics of a comma-separated list of specs. Where a metric occurs more than once, its
 * instances without a label are called after their specs, as "bleu:order=2"; two of the same label
 * are an error.
 *
 * Returns: (transfer full) (element-type TgMetric) owning array, or NULL with @error
 */
TG_API GPtrArray *tg_metric_new_list(const char *specs, GError **error);

TG_API const TgMetricInfo *tg_metric_info(const TgMetric *metric);

/** What its columns are called after: the label, else the metric's name. Borrowed. */
TG_API const char *tg_metric_label(const TgMetric *metric);

/** The spec that it was made from. Borrowed. */
TG_API const char *tg_metric_spec(const TgMetric *metric);

/**
 * What stands beside a score so that it can be repeated: name, every option with its value,
 * version, as `bleu|order:4|smooth:exp|tokenize:latex|v:1`. Borrowed.
 */
TG_API const char *tg_metric_signature(const TgMetric *metric);

TG_API guint tg_metric_n_columns(const TgMetric *metric);
TG_API guint tg_metric_n_stats(const TgMetric *metric);

/** The full name of a column: the label for the first, `label.column` for the rest. Borrowed. */
TG_API const char *tg_metric_column_name(const TgMetric *metric, guint column);

/** An empty result for @metric; @want_detail asks for the detail too. (transfer full) */
TG_API TgResult *tg_result_new(const TgMetric *metric, gboolean want_detail);

/** Make @result empty again, to be used for the next pair. */
TG_API void tg_result_reset(TgResult *result);

/**
 * Score one pair. The result's numbers are rounded to 10 significant digits, as they are written.
 *
 * @env: of the calling thread; what it kept for an earlier pair is dropped
 *
 * Returns: TRUE with @out filled, or FALSE with @error set: TG_ERROR_DATA and TG_ERROR_PARSE are
 * facts about this pair, every other code is a fault
 */
TG_API gboolean tg_metric_score(const TgMetric *metric, TgEnv *env, const TgPair *pair,
                                TgResult *out, GError **error);

/** Whether the metric can show how it scores a pair. */
TG_API gboolean tg_metric_has_picture(const TgMetric *metric);

/**
 * Show how a pair is scored; tg_pair_picture_encode() makes a file of it.
 *
 * @env: of the calling thread; what it kept for an earlier pair is dropped
 * @renderer: of the calling thread
 *
 * Returns: (transfer full) the picture, or NULL with @error set to
 *   TG_ERROR_USAGE  the metric has no pictures
 *   or as tg_metric_score() does; a pair without a score may well have a picture
 */
TG_API TgPairPicture *tg_metric_picture(const TgMetric *metric, TgEnv *env, TgRenderer *renderer,
                                        const TgPair *pair, GError **error);

/**
 * Values of a set of pairs from the sum of their statistics.
 *
 * @stats: tg_metric_n_stats() numbers
 * @out: tg_metric_n_columns() numbers; NaN for columns that are not pooled so
 */
TG_API void tg_metric_pool(const TgMetric *metric, const double *stats, double *out);

G_END_DECLS
