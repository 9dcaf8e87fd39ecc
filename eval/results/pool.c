/* The values of sets of pairs: exact sums, resamples with their intervals, and the names of groups.
 */
#include "eval/results/pool.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/hash.h"
#include "metrics/metric.h"

/* ---- a column of the numbers of pairs ---- */

TgPoolColumn *tg_pool_columns(const TgScoreLayout *layout, const double *numbers, gsize step)
{
    TgPoolColumn *columns = g_new(TgPoolColumn, MAX(layout->n_columns, 1));
    const double *stats = numbers + layout->n_columns, *has_stats = stats + layout->n_stats;

    for (guint m = 0; m < layout->metrics->len; m++)
        for (guint c = layout->first_column[m]; c < layout->first_column[m + 1]; c++)
            columns[c] = (TgPoolColumn){ .metric = layout->metrics->pdata[m],
                                         .index = c - layout->first_column[m],
                                         .pooling = layout->columns[c]->pooling,
                                         .values = numbers + c,
                                         .stats = stats + layout->first_stat[m],
                                         .has_stats = has_stats + m,
                                         .step = step };
    return columns;
}

/* How many numbers a pair adds to a column: its value, or the metric's statistics; then a count. */
static guint pool_width(const TgPoolColumn *column)
{
    return column->pooling == TG_POOL_STATS ? column->metric->n_stats + 1 : 2;
}

/* Add the numbers of a pair to @sum; a pair that does not count adds nothing. */
static void add_pair(const TgPoolColumn *column, guint row, double *sum)
{
    const gsize at = row * column->step;

    if (column->pooling != TG_POOL_STATS) {
        const double value = column->values[at];

        sum[0] += isnan(value) ? 0 : value;
        sum[1] += !isnan(value);
        return;
    }
    for (guint i = 0; i < column->metric->n_stats; i++)
        sum[i] += column->stats[at + i];
    sum[column->metric->n_stats] += column->has_stats[at];
}

/* The value of a set from the sum of what its pairs add. */
static double pool_sum(const TgPoolColumn *column, const double *sum)
{
    if (sum[pool_width(column) - 1] == 0)
        return NAN;
    if (column->pooling == TG_POOL_STATS) {
        g_autofree double *values = g_new(double, tg_metric_n_columns(column->metric));

        tg_metric_pool(column->metric, sum, values);
        return values[column->index];
    }
    return tg_number_round(column->pooling == TG_POOL_SUM ? sum[0] : sum[0] / sum[1]);
}

/* ---- sums ---- */

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
        sums->n_failed[m] += !tg_status_is_ok(scores->status[m]);
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

void tg_sums_values(const TgSums *sums, const TgScoreLayout *layout, double *out)
{
    g_autofree double *row = g_new(double, layout->width + 1);
    g_autofree TgPoolColumn *columns = tg_pool_columns(layout, row, layout->width);
    g_autofree double *total = g_new(double, layout->width + 1);

    for (guint i = 0; i < layout->width; i++)
        row[i] = tg_exact_sum_value(&sums->row[i]);
    for (guint c = 0; c < layout->n_columns; c++) {
        add_pair(&columns[c], 0, memset(total, 0, pool_width(&columns[c]) * sizeof *total));
        if (columns[c].pooling != TG_POOL_STATS)
            total[1] = (double) sums->n_defined[c];
        out[c] = pool_sum(&columns[c], total);
    }
}

/* ---- samples ---- */

void tg_selection_clear(TgSelection *selection)
{
    g_clear_pointer(&selection->rows, g_free);
    g_clear_pointer(&selection->groups, g_free);
}

/* The value of a sample from the sum of its rows; a TgPoolFunc. */
static double pool_sample(const double *sum, gpointer data)
{
    const TgSample *sample = data;

    if (!sample->is_mean)
        return pool_sum(&sample->column, sum);
    return sum[1] > 0 ? tg_number_round(sum[0] / sum[1]) : NAN;
}

void tg_sample_init(TgSample *out, const TgPoolColumn *column, const TgSelection *selection)
{
    const gboolean of_subsets = selection->unit == TG_MEAN_SUBSETS && selection->n_groups > 1;
    const gboolean of_groups = selection->unit == TG_MEAN_PAGES || of_subsets;
    const guint width = pool_width(column), n = of_groups ? selection->n_groups : selection->n;
    gboolean is_defined = TRUE;
    double *rows = g_new0(double, (gsize) n *width + 1);

    for (guint i = 0; i < selection->n; i++)
        add_pair(column, selection->rows[i],
                 rows + (gsize) (of_groups ? selection->groups[i] : i) * width);
    *out = (TgSample){ .column = *column, .rows = rows };
    out->additive = (TgAdditive){ rows, n, width, pool_sample, out };
    if (!of_groups || column->pooling == TG_POOL_SUM)
        return;
    /* The value of each page or subset, and 1: where it has none, it adds nothing. */
    out->rows = g_new0(double, 2 * (gsize) n + 1);
    for (guint i = 0; i < n; i++) {
        const double value = pool_sum(column, rows + (gsize) i * width);

        out->rows[2 * i] = isnan(value) ? 0 : value;
        out->rows[2 * i + 1] = !isnan(value);
        is_defined = is_defined && (!of_subsets || !isnan(value));
    }
    if (!is_defined)
        memset(out->rows, 0, 2 * (gsize) n * sizeof *out->rows);
    g_free(rows);
    out->is_mean = TRUE;
    out->additive.rows = out->rows;
    out->additive.n_stats = 2;
}

double tg_sample_value(const TgSample *sample, guint i)
{
    return pool_sample(sample->rows + (gsize) i * sample->additive.n_stats, (gpointer) sample);
}

void tg_sample_clear(TgSample *sample)
{
    g_clear_pointer(&sample->rows, g_free);
}

double tg_pool(const TgPoolColumn *column, const TgSelection *selection)
{
    if (selection->unit != TG_MEAN_PAIRS && column->pooling != TG_POOL_SUM) {
        g_auto(TgSample) sample = { 0 };

        tg_sample_init(&sample, column, selection);
        return tg_additive_statistic(NULL, sample.additive.n, &sample.additive);
    }
    const guint width = pool_width(column);
    g_autofree TgExactSum *sums = g_new0(TgExactSum, width);
    g_autofree double *pair = g_new(double, width);

    for (guint i = 0; i < selection->n; i++) {
        add_pair(column, selection->rows[i], memset(pair, 0, width * sizeof *pair));
        for (guint k = 0; k < width; k++)
            tg_exact_sum_add(&sums[k], pair[k]);
    }
    for (guint k = 0; k < width; k++)
        pair[k] = tg_exact_sum_value(&sums[k]);
    return pool_sum(column, pair);
}

/* ---- intervals ---- */

#define TAIL 0.025 /* beyond each end of a 95 % interval */

/* Columns that share their draws: more of them save little time, and each needs memory. */
enum { COLUMNS_AT_ONCE = 8 };

void tg_pool_measure(const TgPoolColumn *columns, guint n_columns, const TgSelection *selection,
                     guint resamples, guint64 seed, double *replicates, double *values,
                     double (*intervals)[2])
{
    g_autofree double *drawn = g_new(double, (gsize) COLUMNS_AT_ONCE *resamples + 1);

    for (guint first = 0; first < n_columns; first += COLUMNS_AT_ONCE) {
        const guint n = MIN(n_columns - first, COLUMNS_AT_ONCE);
        TgSample samples[COLUMNS_AT_ONCE];
        TgAdditive systems[COLUMNS_AT_ONCE];

        for (guint i = 0; i < n; i++) {
            tg_sample_init(&samples[i], &columns[first + i], selection);
            systems[i] = samples[i].additive;
        }
        if (intervals != NULL)
            tg_additive_replicate(systems, n, resamples, seed, drawn);
        for (guint i = 0; i < n; i++) {
            const double *own = drawn + (gsize) i * resamples;

            if (values != NULL)
                values[first + i] = tg_additive_statistic(NULL, systems[i].n, &systems[i]);
            if (intervals != NULL)
                tg_bootstrap_percentile(own, resamples, TAIL, intervals[first + i]);
            for (guint k = 0; replicates != NULL && k < resamples; k++)
                replicates[(gsize) (first + i) * resamples + k] += own[k];
            tg_sample_clear(&samples[i]);
        }
    }
}

void tg_pool_measure_mean(const double *replicates, const TgScoreLayout *layout, guint resamples,
                          guint n_sets, double (*intervals)[2])
{
    g_autofree double *mean = g_new(double, resamples);

    for (guint c = 0; c < layout->n_columns; c++) {
        const guint divisor = layout->columns[c]->pooling == TG_POOL_SUM ? 1 : n_sets;

        for (guint k = 0; k < resamples; k++)
            mean[k] = replicates[(gsize) c * resamples + k] / divisor;
        tg_bootstrap_percentile(mean, resamples, TAIL, intervals[c]);
    }
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
G_STATIC_ASSERT(G_N_ELEMENTS(mean_names) == TG_MEAN_SUBSETS + 1);

const char *tg_mean_name(TgMeanUnit unit)
{
    return mean_names[unit];
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
        *out = (TgMean){ (TgMeanUnit) i, g_strdup(parts[1]) };
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
    const char *unit = tg_mean_name(mean->unit);
    g_autofree char *one = g_strndup(unit, strlen(unit) - 1);

    if (mean->field != NULL)
        return tg_fail_input(error, "no pair has a %s in its field '%s'", one, mean->field);
    return tg_fail_input(error, "no pair names its %s; name the field: --mean %s=FIELD", one, unit);
}

/* A text, a number, true or false; NULL for anything else. (transfer full) */
static char *text_of(const json_t *value)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];

    if (json_is_number(value))
        return g_strdup(g_ascii_formatd(digits, sizeof digits, "%.10g", json_number_value(value)));
    if (json_is_boolean(value))
        return g_strdup(json_is_true(value) ? "true" : "false");
    return json_string_length(value) > 0 ? g_strdup(json_string_value(value)) : NULL;
}

char **tg_attribute_values(const json_t *value)
{
    const gsize n = json_is_array(value) ? json_array_size(value) : 1;

    if (json_string_length(value) > 0)
        return g_strsplit(json_string_value(value), "; ", -1);
    GPtrArray *list = g_ptr_array_new();
    for (gsize i = 0; i < n; i++) {
        char *text = text_of(json_is_array(value) ? json_array_get(value, i) : value);

        if (text != NULL)
            g_ptr_array_add(list, text);
    }
    g_ptr_array_add(list, NULL);
    return (char **) g_ptr_array_free(list, FALSE);
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

        return text_of(json_is_array(value) ? json_array_get(value, 0) : value);
    }
    if (mean->unit == TG_MEAN_SUBSETS)
        return g_strdup(subset);
    if (mean->unit != TG_MEAN_PAGES)
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
