#include "eval/results/same_scoring.h"

#include <string.h>

#include "core/fail.h"
#include "metrics/metric.h"

struct TgScoring {
    char *path;
    TgScoreLayout *layout;
    json_t *options; /* NULL: none */
};

/* What of a header moves numbers beside the metrics, and what it is where the header is silent;
 * NULL: unknown. */
static const struct {
    const char *name, *preset;
} settings[] = {
    { "delimiters", "strip" }, { "clean", "none" },        { "tokens", "text" },
    { "renderer", "native" },  { "undefined", "default" }, { "pair_timeout", "none" },
    { "fonts", NULL },
};

TgScoring *tg_scoring_new(const TgResultsReader *reader, const char *path)
{
    TgScoring *scoring = g_new(TgScoring, 1);
    json_t *options = json_object_get(tg_results_header_json(reader), "options");

    *scoring = (TgScoring){ g_strdup(path), tg_score_layout_ref(tg_results_layout(reader)),
                            json_incref(options) };
    return scoring;
}

void tg_scoring_free(TgScoring *scoring)
{
    if (scoring == NULL)
        return;
    g_free(scoring->path);
    tg_score_layout_unref(scoring->layout);
    json_decref(scoring->options);
    g_free(scoring);
}

/* Columns and statistics are in the same places, so that rows can stand in one table. */
static gboolean scoring_same_shape(const TgScoreLayout *a, const TgScoreLayout *b)
{
    if (a->metrics->len != b->metrics->len)
        return FALSE;
    for (guint m = 0; m < a->metrics->len; m++) {
        const TgMetric *x = tg_score_layout_metric(a, m), *y = tg_score_layout_metric(b, m);

        if (tg_metric_info(x) != tg_metric_info(y) || tg_metric_n_stats(x) != tg_metric_n_stats(y))
            return FALSE;
    }
    return TRUE;
}

/* The setting of a header; a number in digits. (transfer full) */
static char *scoring_setting(const TgScoring *scoring, guint i)
{
    const json_t *value = json_object_get(scoring->options, settings[i].name);

    if (json_is_number(value))
        return g_strdup_printf("%.10g", json_number_value(value));
    return g_strdup(json_is_string(value) ? json_string_value(value) : settings[i].preset);
}

gboolean tg_scoring_check_settings(const TgScoring *first, const TgScoring *other, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(settings); i++) {
        const char *name = settings[i].name;
        g_autofree char *ours = scoring_setting(first, i);
        g_autofree char *theirs = scoring_setting(other, i);

        if (ours != NULL && theirs != NULL && strcmp(ours, theirs) != 0)
            return tg_fail_input(
                error,
                "%s: was scored with %s '%s', %s with '%s'; score both in the same "
                "way, or take them all the same with --force",
                other->path, name, theirs, first->path, ours);
    }
    return TRUE;
}

gboolean tg_scoring_check(const TgScoring *first, const TgScoring *other, gboolean force,
                          GError **error)
{
    if (!scoring_same_shape(first->layout, other->layout))
        return tg_fail_input(error,
                             "%s: was scored by other metrics than %s; score both with the same "
                             "--metrics",
                             other->path, first->path);
    for (guint m = 0; m < first->layout->metrics->len && !force; m++) {
        const char *ours = tg_metric_signature(tg_score_layout_metric(first->layout, m));
        const char *theirs = tg_metric_signature(tg_score_layout_metric(other->layout, m));

        if (strcmp(ours, theirs) != 0)
            return tg_fail_input(error,
                                 "%s: was scored by other metrics, options or versions than %s: %s "
                                 "is not %s; score both in the same way, or take them all the same "
                                 "with --force",
                                 other->path, first->path, theirs, ours);
    }
    return force || tg_scoring_check_settings(first, other, error);
}
