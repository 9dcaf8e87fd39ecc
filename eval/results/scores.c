/* The numbers of pairs, and how those of a set are pooled. */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/hash.h"
#include "core/json.h"
#include "core/number.h"
#include "eval/results/results.h"
#include "metrics/metric.h"

TgScoreLayout *tg_score_layout_new(GPtrArray *metrics)
{
    TgScoreLayout *layout = g_new0(TgScoreLayout, 1);

    g_atomic_ref_count_init(&layout->n_owners);
    layout->metrics = metrics;
    layout->first_column = g_new0(guint, metrics->len + 1);
    layout->first_stat = g_new0(guint, metrics->len + 1);
    for (guint i = 0; i < metrics->len; i++) {
        layout->n_columns += tg_metric_n_columns(metrics->pdata[i]);
        layout->n_stats += ((const TgMetric *) metrics->pdata[i])->n_stats;
        layout->first_column[i + 1] = layout->n_columns;
        layout->first_stat[i + 1] = layout->n_stats;
    }
    layout->width = layout->n_columns + layout->n_stats + metrics->len;
    layout->columns = g_new(const TgColumn *, MAX(layout->n_columns, 1));
    layout->names = g_new(const char *, MAX(layout->n_columns, 1));
    layout->keys = g_new0(char *, layout->n_columns + 1);
    for (guint m = 0; m < metrics->len; m++)
        for (guint i = layout->first_column[m], k = 0; i < layout->first_column[m + 1]; i++, k++) {
            GString *key = g_string_new(NULL);
            layout->columns[i] = &tg_metric_info(metrics->pdata[m])->columns[k];
            layout->names[i] = tg_metric_column_name(metrics->pdata[m], k);
            tg_json_append_key(key, layout->names[i]);
            layout->keys[i] = g_string_free(key, FALSE);
        }
    return layout;
}

TgScoreLayout *tg_score_layout_ref(TgScoreLayout *layout)
{
    g_atomic_ref_count_inc(&layout->n_owners);
    return layout;
}

void tg_score_layout_unref(TgScoreLayout *layout)
{
    if (layout == NULL || !g_atomic_ref_count_dec(&layout->n_owners))
        return;
    g_ptr_array_unref(layout->metrics);
    g_free(layout->first_column);
    g_free(layout->first_stat);
    g_free(layout->columns);
    g_free(layout->names);
    g_strfreev(layout->keys);
    g_free(layout);
}

gboolean tg_score_layout_is_headline(const TgScoreLayout *layout, guint column)
{
    for (guint m = 0; m < layout->metrics->len; m++)
        if (layout->first_column[m] == column)
            return TRUE;
    return FALSE;
}

gboolean tg_score_layout_is_share(const TgScoreLayout *layout, guint column)
{
    const TgColumn *info = layout->columns[column];

    return info->pooling != TG_POOL_SUM && info->direction == TG_HIGHER_IS_BETTER &&
           (info->as_percent || info->max == 1.0);
}

gint tg_score_layout_find_column(const TgScoreLayout *layout, const char *name)
{
    for (guint i = 0; i < layout->n_columns; i++)
        if (strcmp(layout->names[i], name) == 0)
            return (gint) i;
    return -1;
}

/* ---- signatures ---- */

json_t *tg_signatures_json(const TgScoreLayout *layout)
{
    json_t *out = json_object();

    for (guint m = 0; m < layout->metrics->len; m++)
        json_object_set_new(out, tg_metric_label(layout->metrics->pdata[m]),
                            json_string(tg_metric_signature(layout->metrics->pdata[m])));
    return out;
}

/* Whether an item of a signature is "FILE:3c45fc0e2ee0". */
static gboolean is_checksum(const char *item)
{
    enum { DIGITS = 12 };
    const char *colon = strrchr(item, ':');

    return colon != NULL && strlen(colon + 1) == DIGITS &&
           strspn(colon + 1, "0123456789abcdef") == DIGITS;
}

json_t *tg_remarks_json(const GPtrArray *remarks)
{
    return remarks->len > 0 ? tg_json_texts(remarks) : NULL;
}

void tg_signatures_note(TgGrid *grid, const TgScoreLayout *layout, const GPtrArray *remarks)
{
    g_autoptr(GString) list = g_string_new(NULL);

    for (guint m = 0; m < layout->metrics->len; m++) {
        const TgMetric *metric = layout->metrics->pdata[m];
        const char *label = tg_metric_label(metric);

        g_string_append(list, m > 0 ? "; " : "");
        if (strcmp(label, metric->spec) != 0)
            g_string_append_printf(list, "%s = ", label);
        /* "bleu smooth:nltk4 v2" of "bleu|smooth:nltk4|v:2" */
        g_auto(GStrv) items = g_strsplit(tg_metric_signature(metric), "|", -1);
        g_string_append(list, items[0]);
        for (guint i = 1; items[0] != NULL && items[i] != NULL; i++) {
            if (items[i + 1] == NULL && g_str_has_prefix(items[i], "v:"))
                g_string_append_printf(list, " v%s", items[i] + 2);
            else if (!is_checksum(items[i]))
                g_string_append_printf(list, " %s", items[i]);
        }
    }
    if (list->len > 0)
        tg_grid_note(grid, "Metrics: %s.", list->str);
    for (guint i = 0; remarks != NULL && i < remarks->len; i++)
        tg_grid_note(grid, "%s.", (const char *) remarks->pdata[i]);
}

/* ---- a pair ---- */

void tg_scores_init(TgScores *scores, const TgScoreLayout *layout)
{
    const guint n = layout->metrics->len;

    scores->columns = g_new(double, MAX(layout->width, 1));
    scores->stats = scores->columns + layout->n_columns;
    scores->has_stats = scores->stats + layout->n_stats;
    scores->status = g_new0(char *, n);
    scores->note = g_new0(char *, n);
    scores->detail = g_new0(GVariant *, n);
    tg_scores_reset(scores, layout);
}

void tg_scores_reset(TgScores *scores, const TgScoreLayout *layout)
{
    for (guint i = 0; i < layout->width; i++)
        scores->columns[i] = i < layout->n_columns ? NAN : 0;
    for (guint i = 0; i < layout->metrics->len; i++) {
        g_clear_pointer(&scores->status[i], g_free);
        g_clear_pointer(&scores->note[i], g_free);
        g_clear_pointer(&scores->detail[i], g_variant_unref);
    }
}

void tg_scores_clear(TgScores *scores, const TgScoreLayout *layout)
{
    tg_scores_reset(scores, layout);
    g_free(scores->columns);
    g_free(scores->status);
    g_free(scores->note);
    g_free(scores->detail);
}

void tg_scores_take(TgScores *scores, const TgScoreLayout *layout, guint metric,
                    const TgResult *result)
{
    const guint first = layout->first_column[metric];
    guint n_stats;
    const double *stats = tg_result_stats(result, &n_stats);
    const char *status = tg_result_status(result);

    for (guint i = first; i < layout->first_column[metric + 1]; i++)
        scores->columns[i] = tg_result_get(result, i - first);
    if (stats != NULL)
        memcpy(scores->stats + layout->first_stat[metric], stats, n_stats * sizeof(double));
    scores->has_stats[metric] = stats != NULL;
    if (strcmp(status, "ok") != 0)
        tg_scores_set_status(scores, metric, status);
    g_free(scores->note[metric]);
    scores->note[metric] = g_strdup(result->note);
    if (result->detail != NULL)
        scores->detail[metric] = g_variant_ref(result->detail);
}

void tg_scores_set_status(TgScores *scores, guint metric, const char *status)
{
    g_free(scores->status[metric]);
    scores->status[metric] = g_strdup(status);
}

/* ---- sets ---- */

TgSums *tg_sums_new(const TgScoreLayout *layout)
{
    TgSums *sums = g_new0(TgSums, 1);

    sums->n_defined = g_new0(guint64, MAX(layout->n_columns, 1));
    sums->n_failed = g_new0(guint64, layout->metrics->len);
    sums->row = g_new0(TgExactSum, MAX(layout->width, 1));
    return sums;
}

void tg_sums_free(TgSums *sums)
{
    if (sums == NULL)
        return;
    g_free(sums->n_defined);
    g_free(sums->n_failed);
    g_free(sums->row);
    g_free(sums);
}

void tg_sums_add(TgSums *sums, const TgScoreLayout *layout, const TgScores *scores)
{
    sums->n_pairs++;
    for (guint i = 0; i < layout->width; i++) {
        const double value = scores->columns[i];

        if (isnan(value))
            continue;
        if (i < layout->n_columns)
            sums->n_defined[i]++;
        if (value != 0)
            tg_exact_sum_add(&sums->row[i], value);
    }
    for (guint m = 0; m < layout->metrics->len; m++)
        sums->n_failed[m] += scores->status[m] != NULL;
}

void tg_sums_merge(TgSums *sums, const TgScoreLayout *layout, const TgSums *other)
{
    sums->n_pairs += other->n_pairs;
    for (guint i = 0; i < layout->n_columns; i++)
        sums->n_defined[i] += other->n_defined[i];
    for (guint m = 0; m < layout->metrics->len; m++)
        sums->n_failed[m] += other->n_failed[m];
    for (guint i = 0; i < layout->width; i++)
        for (guint k = 0; k < other->row[i].n; k++)
            tg_exact_sum_add(&sums->row[i], other->row[i].part[k]);
}

guint64 tg_sums_n_undefined(const TgSums *sums, const TgScoreLayout *layout, guint metric)
{
    const TgExactSum *has_stats = &sums->row[layout->n_columns + layout->n_stats + metric];

    if (((const TgMetric *) layout->metrics->pdata[metric])->n_stats > 0)
        return sums->n_pairs - (guint64) tg_exact_sum_value(has_stats);
    return sums->n_pairs - sums->n_defined[layout->first_column[metric]];
}

void tg_pool(const TgScoreLayout *layout, const double *row, const guint64 *n_defined,
             gboolean of_pages, double *out)
{
    const double *stats = row + layout->n_columns, *has_stats = stats + layout->n_stats;

    for (guint m = 0; m < layout->metrics->len; m++) {
        const guint first = layout->first_column[m], end = layout->first_column[m + 1];
        const TgMetric *metric = layout->metrics->pdata[m];

        for (guint i = first; i < end; i++)
            out[i] = NAN;
        if (has_stats[m] > 0 && !of_pages)
            tg_metric_pool(metric, stats + layout->first_stat[m], out + first);
        for (guint i = first; i < end; i++) {
            const TgPooling pooling = tg_metric_info(metric)->columns[i - first].pooling;

            if (pooling == TG_POOL_STATS && !of_pages)
                continue;
            out[i] = n_defined[i] == 0
                         ? NAN
                         : tg_number_round(pooling == TG_POOL_SUM ? row[i]
                                                                  : row[i] / (double) n_defined[i]);
        }
    }
}

void tg_sums_values(const TgSums *sums, const TgScoreLayout *layout, double *out)
{
    g_autofree double *row = g_new(double, MAX(layout->width, 1));

    for (guint i = 0; i < layout->width; i++)
        row[i] = tg_exact_sum_value(&sums->row[i]);
    tg_pool(layout, row, sums->n_defined, FALSE, out);
}

/* FNV-1a: intervals that are printed depend on it, so it is not tg_hash_bytes(). */
guint64 tg_subset_seed(guint64 seed, const char *subset)
{
    guint64 hash = G_GUINT64_CONSTANT(0xcbf29ce484222325);

    for (; *subset != '\0'; subset++)
        hash = (hash ^ (guchar) *subset) * G_GUINT64_CONSTANT(0x100000001b3);
    return seed + tg_hash_u64(hash);
}

/* ---- means ---- */

static const char *const mean_names[] = { "pairs", "pages", "subsets" };

const char *tg_mean_name(TgMeanOver over)
{
    return mean_names[over];
}

gboolean tg_mean_parse(const char *text, TgMean *out, GError **error)
{
    *out = (TgMean){ TG_MEAN_PAIRS, NULL };
    if (text == NULL)
        return TRUE;
    g_auto(GStrv) parts = g_strsplit(text, "=", 2);
    for (guint i = 0; parts[0] != NULL && i < G_N_ELEMENTS(mean_names); i++) {
        if (strcmp(parts[0], mean_names[i]) != 0 ||
            (parts[1] != NULL && (i == TG_MEAN_PAIRS || *parts[1] == '\0')))
            continue;
        *out = (TgMean){ (TgMeanOver) i, g_strdup(parts[1]) };
        return TRUE;
    }
    return tg_fail_usage(
        error, "--mean takes pairs, pages, subsets, pages=FIELD or subsets=FIELD, not '%s'", text);
}

void tg_mean_clear(TgMean *mean)
{
    g_clear_pointer(&mean->field, g_free);
}

gboolean tg_mean_fail_unnamed(const TgMean *mean, GError **error)
{
    const char *over = tg_mean_name(mean->over);
    g_autofree char *one = g_strndup(over, strlen(over) - 1);

    if (mean->field != NULL)
        return tg_fail_input(error, "no pair has a %s in its field '%s'", one, mean->field);
    return tg_fail_input(error, "no pair names its %s; name the field: --mean %s=FIELD", one, over);
}

static void add_value(GStrvBuilder *list, const json_t *value)
{
    if (json_is_string(value) && json_string_length(value) > 0) {
        g_strv_builder_add(list, json_string_value(value));
    } else if (json_is_boolean(value)) {
        g_strv_builder_add(list, json_is_true(value) ? "true" : "false");
    } else if (json_is_number(value)) {
        char text[G_ASCII_DTOSTR_BUF_SIZE];

        g_strv_builder_add(list,
                           g_ascii_formatd(text, sizeof text, "%.10g", json_number_value(value)));
    }
}

char **tg_attribute_values(const json_t *value)
{
    g_autoptr(GStrvBuilder) list = g_strv_builder_new();

    if (json_is_string(value) && json_string_length(value) > 0)
        return g_strsplit(json_string_value(value), "; ", -1);
    add_value(list, value);
    for (gsize i = 0; i < json_array_size(value); i++)
        add_value(list, json_array_get(value, i));
    return g_strv_builder_end(list);
}

/* The page of "IMAGE#BLOCK". */
static char *page_of_id(const char *id)
{
    const char *end = id != NULL ? strrchr(id, '#') : NULL;

    if (end == NULL || end == id)
        return NULL;
    char *page = g_strndup(id, (gsize) (end - id));
    char *part = strrchr(page, '_');
    if (!g_str_has_suffix(page, ".jpg") && !g_str_has_suffix(page, ".png") && part != NULL)
        *part = '\0';
    return page;
}

char *tg_mean_group(const TgMean *mean, const char *id, const char *subset, const json_t *stored)
{
    if (mean->field != NULL) {
        const json_t *value = json_object_get(stored, mean->field);
        g_autoptr(GStrvBuilder) name = g_strv_builder_new();

        add_value(name, json_is_array(value) ? json_array_get(value, 0) : value);
        g_auto(GStrv) names = g_strv_builder_end(name);
        return g_strdup(names[0]);
    }
    if (mean->over == TG_MEAN_SUBSETS)
        return g_strdup(subset);
    if (mean->over != TG_MEAN_PAGES)
        return NULL;
    const json_t *page = json_object_get(stored, "page");
    const gsize n = json_string_length(page);
    return n > 0 && id != NULL && strncmp(id, json_string_value(page), n) == 0 && id[n] == '#'
               ? g_strdup(json_string_value(page))
               : page_of_id(id);
}

void tg_page_counts_add(TgPageCounts *counts, const json_t *stored)
{
    const json_int_t unused = json_integer_value(json_object_get(stored, "page_unused"));
    const char *match = json_string_value(json_object_get(stored, "match"));

    counts->is_known |= match != NULL;
    counts->n_missed += g_strcmp0(match, "missed") == 0;
    counts->n_unused = MAX(counts->n_unused, (guint64) MAX(unused, 0));
}

const json_t *tg_page_elsewhere(const json_t *stored)
{
    return json_object_get(stored, "page_elsewhere");
}

void tg_page_counts_merge(TgPageCounts *counts, const TgPageCounts *other)
{
    counts->is_known |= other->is_known;
    counts->n_missed += other->n_missed;
    counts->n_unused = MAX(counts->n_unused, other->n_unused);
}
