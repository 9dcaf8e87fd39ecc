/* Instances of metrics: made from specs, scoring one pair at a time. */
#pragma once

#include <texgauge/registry.h>

#include "metrics/base/base.h"
#include "metrics/text/text.h"

struct TgMetric {
    const TgMetricInfo *info;
    gpointer instance;
    char *label;
    char *spec;
    char *signature;
    char **files; /* that init() loaded: tg_used_files_end() */
    GPtrArray *column_names;
    guint n_stats;
};

/** The metric called @name; NULL with TG_ERROR_USAGE that lists those there are. */
const TgMetricInfo *tg_metric_find_info(const char *name, GError **error);

/**
 * Make an instance from a spec: `name`, `name:option=value:option=value`, or either after
 * `label=` to name its columns. Without a label they are called after the spec, whatever other
 * metrics there are. A part without '=' belongs to the value before it, so values may hold ':'.
 *
 * Returns: (transfer full) the metric, or NULL with @error set to TG_ERROR_USAGE (unknown metric
 * or option, trailing text, out of range) or what the metric's init() reported
 */
TgMetric *tg_metric_new(const char *spec, GError **error);
void tg_metric_free(TgMetric *metric);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgMetric, tg_metric_free)

/**
 * Make all metrics of a comma-separated list of specs; two columns of the same name are an error.
 *
 * Returns: (transfer full) (element-type TgMetric) owning array, or NULL with @error
 */
GPtrArray *tg_metric_new_list(const char *specs, GError **error);

/** An empty result for @metric; @want_detail asks for the detail too. (transfer full) */
TgResult *tg_result_new(const TgMetric *metric, gboolean want_detail);

/**
 * Score one pair. The result's numbers are rounded to 10 significant digits, as they are written.
 *
 * @env: of the calling thread; what it kept for an earlier pair is dropped
 *
 * Returns: TRUE with @out filled, or FALSE with @error set: TG_ERROR_DATA and TG_ERROR_PARSE are
 * facts about this pair, every other code is a fault
 */
gboolean tg_metric_score(const TgMetric *metric, TgEnv *env, const TgPair *pair, TgResult *out,
                         GError **error);

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
TgPairPicture *tg_metric_picture(const TgMetric *metric, TgEnv *env, TgRenderer *renderer,
                                 const TgPair *pair, GError **error);

/**
 * Values of a set of pairs from the sum of their statistics.
 *
 * @stats: metric->n_stats numbers
 * @out: tg_metric_n_columns() numbers; NaN for columns that are not pooled so
 */
void tg_metric_pool(const TgMetric *metric, const double *stats, double *out);

/** How a metric of text makes tokens, NULL for other metrics; borrowed. */
const TgTextInput *tg_metric_text_input(const TgMetric *metric);

/** tg_metric_new() with a label of the caller's choice, which may hold what users' labels may not.
 */
TgMetric *tg_metric_new_as(const char *spec, const char *label, GError **error);

/**
 * tg_metric_score() for a further metric of the same pair: what @env made for the ones before
 * (tokens, drawings) is used again. The caller calls tg_env_next_pair() between pairs.
 */
gboolean tg_metric_score_same_pair(const TgMetric *metric, TgEnv *env, const TgPair *pair,
                                   TgResult *out, GError **error);

/* ---- Lists of metrics that have a name: "text", "drawn", those of published tables ----------- */

/** A named list. */
typedef struct {
    const char *name;
    const char *specs;   /**< comma-separated; NULL: every built-in metric */
    const char *summary; /**< half a sentence for lists of sets */
} TgMetricSet;

/** All sets, @n (out) of them; static. */
const TgMetricSet *tg_metric_sets(guint *n);

/**
 * The specs in @list (comma-separated), with the metrics of a set in the place of its name. What a
 * set adds and the list has already is left out. (transfer full) (element-type utf8)
 */
GPtrArray *tg_metric_sets_expand(const char *list);
