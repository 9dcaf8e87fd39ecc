/* Lists of metrics that have a name: "text", "drawn", those of published tables. */
#pragma once

#include <glib.h>

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
