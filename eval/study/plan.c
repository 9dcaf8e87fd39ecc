/* How many pairs a study needs, by simulation. */
#include "eval/study/study.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/json.h"
#include "core/random.h"

enum { TRIALS = 4000, N_NUMBERS = 6, LEAST_PAIRS = 10, MOST_PAIRS = 100000, MOST_RATERS = 1000 };
enum { STEPS = 25, DEFAULT_RATERS = 3, MAX_PLANNED = 1000 };
#define POWER           0.8
#define DEFAULT_BETWEEN 0.8
#define HIGHEST         0.999 /* correlations beyond it leave nothing to simulate */

/* The values of --assume. */
typedef struct {
    double r, noise, between; /* NaN: not assumed */
} Assumed;

/* A metric that is planned for. */
typedef struct {
    const char *name;
    double worth;   /* correlation with what the pairs are worth */
    double between; /* with other metrics */
} Planned;

/* ---- simulation ---- */

static double draw_normal(TgRandom *random)
{
    return tg_special_normal_quantile(fmax(tg_random_double(random), 1e-16));
}

/* Chi with @df >= 2 degrees of freedom, by Marsaglia and Tsang (2000), A Simple Method for
 * Generating Gamma Variables, ACM TOMS 26(3). */
static double draw_chi(TgRandom *random, double df)
{
    const double d = df / 2 - 1.0 / 3, c = 1 / sqrt(9 * d);

    for (;;) {
        const double x = draw_normal(random), v = pow(1 + c * x, 3);

        if (v > 0 &&
            log(fmax(tg_random_double(random), 1e-300)) < x * x / 2 + d - d * v + d * log(v))
            return sqrt(2 * d * v);
    }
}

/* The lower triangles of Bartlett's decomposition for samples of @n, row by row. (transfer full) */
static double *draw_triangles(guint64 seed, guint n)
{
    double *all = g_new(double, TRIALS *N_NUMBERS), *out = all;

    for (guint t = 0; t < TRIALS; t++)
        for (guint row = 0; row < 3; row++)
            for (guint column = 0; column <= row; column++) {
                TgRandom random; /* a stream for each number: rejections shift no other */

                tg_random_seed(&random, seed ^ n, (guint64) t * N_NUMBERS + row * 3 + column);
                *out++ = column < row ? draw_normal(&random) : draw_chi(&random, n - 1.0 - row);
            }
    return all;
}

/* The sample's correlations 12, 13, 23 where those of the population are @r. */
static void sample_correlations(const double r[3], const double *triangle, double out[3])
{
    const double rest = sqrt(1 - r[0] * r[0]), third = (r[2] - r[0] * r[1]) / rest;
    const double l[3][3] = { { 1, 0, 0 },
                             { r[0], rest, 0 },
                             { r[1], third, sqrt(fmax(0, 1 - r[1] * r[1] - third * third)) } };
    const double a[3][3] = { { triangle[0], 0, 0 },
                             { triangle[1], triangle[2], 0 },
                             { triangle[3], triangle[4], triangle[5] } };
    double b[3][3] = { { 0 } }, s[3][3] = { { 0 } };

    for (guint i = 0; i < 3; i++)
        for (guint k = 0; k <= i; k++)
            for (guint j = 0; j <= k; j++)
                b[i][j] += l[i][k] * a[k][j];
    for (guint i = 0; i < 3; i++)
        for (guint k = 0; k < 3; k++)
            for (guint j = 0; j < 3; j++)
                s[i][k] += b[i][j] * b[k][j];
    out[0] = s[0][1] / sqrt(s[0][0] * s[1][1]);
    out[1] = s[0][2] / sqrt(s[0][0] * s[2][2]);
    out[2] = s[1][2] / sqrt(s[1][1] * s[2][2]);
}

static double power_of(const double r[3], const double *triangles, guint n)
{
    guint found = 0;

    for (guint t = 0; t < TRIALS; t++) {
        TgDependentTest test;
        double sample[3];

        sample_correlations(r, triangles + (gsize) t * N_NUMBERS, sample);
        tg_stats_williams(sample[0], sample[1], sample[2], n, &test);
        found += test.p_two_sided < TG_STUDY_ALPHA && sample[0] > sample[1];
    }
    return (double) found / TRIALS;
}

/* The smallest difference that is found; NaN where none that is possible is. */
static double smallest_difference(double r, double between, const double *triangles, guint n)
{
    double low = 0.0;
    double high = HIGHEST * (r - r * between + sqrt((1 - r * r) * (1 - between * between)));

    for (guint step = 0; step <= STEPS; step++) {
        const double middle = step == 0 ? high : (low + high) / 2;
        const double all[3] = { r, r - middle, between };
        const gboolean found = power_of(all, triangles, n) >= POWER;

        if (step == 0 && !found)
            return NAN;
        if (found)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static double mean_width(double r, const double *triangles, guint n, double level)
{
    const double all[3] = { r, 0, 0 };
    double sum = 0.0;

    for (guint t = 0; t < TRIALS; t++) {
        double sample[3], interval[2];

        sample_correlations(all, triangles + (gsize) t * N_NUMBERS, sample);
        tg_stats_correlation_interval(TG_PEARSON, sample[0], n, level, interval);
        sum += interval[1] - interval[0];
    }
    return sum / TRIALS;
}

/* ---- what the results tell ---- */

static gboolean parse_assumed(const char *text, Assumed *out, GError **error)
{
    static const struct {
        const char *name;
        double low, high;
    } known[] = { { "r", 0, HIGHEST }, { "noise", 0, 100 }, { "between", -HIGHEST, HIGHEST } };
    double *const values[] = { &out->r, &out->noise, &out->between };
    g_auto(GStrv) parts = g_strsplit(text != NULL ? text : "", ",", -1);

    *out = (Assumed){ NAN, NAN, NAN };
    for (guint i = 0; parts[i] != NULL; i++) {
        g_auto(GStrv) sides = g_strsplit(parts[i], "=", 2);
        gboolean good = FALSE;

        for (guint k = 0; g_strv_length(sides) == 2 && k < G_N_ELEMENTS(known); k++) {
            char *rest;

            if (strcmp(sides[0], known[k].name) != 0)
                continue;
            *values[k] = g_ascii_strtod(sides[1], &rest);
            good = rest != sides[1] && *rest == '\0' && *values[k] >= known[k].low &&
                   *values[k] <= known[k].high;
        }
        if (!good)
            return tg_fail_usage(error,
                                 "--assume takes r=R, noise=N and between=R, with commas: R below "
                                 "1, N from 0 to 100; not '%s'",
                                 parts[i]);
    }
    return TRUE;
}

/* The noise of one rater, by the agreement of a group. */
static gboolean find_noise(const TgTable *table, const TgTableGroup *group, double *noise,
                           GError **error)
{
    double alpha = NAN;

    if (group->n_raters > 1)
        tg_stats_krippendorff(group->ratings, table->n_rows, group->n_raters, TG_INTERVAL, &alpha,
                              NULL);
    *noise = sqrt((1 - alpha) / alpha);
    return (alpha > 0 && alpha <= 1) ||
           tg_fail_input(error, group->n_raters > 1
                                    ? "the raters do not agree (alpha is not above 0): give "
                                      "--assume noise=N"
                                    : "one rater alone does not tell his noise: give --assume "
                                      "noise=N");
}

/* Pearson's coefficient of a column and other values over the pairs with both; NaN of fewer than 3.
 */
static double column_correlation(const TgTable *table, const TgTableColumn *column,
                                 const double *others)
{
    g_autofree double *values = tg_table_values(table, column);
    guint n;
    const double r = tg_stats_correlate(TG_PEARSON, values, others, table->n_rows, &n);

    return n > 2 ? r : NAN;
}

/* Every first column with its correlations; those with people are freed of the raters' noise. */
static void add_metrics(GArray *out, const TgTable *table, const TgTableGroup *group,
                        const Assumed *assumed, double noise)
{
    double n_ratings = 0.0, n_rated = 0.0;

    for (guint i = 0; group != NULL && i < table->n_rows; i++) {
        n_rated += !isnan(group->mean[i]);
        for (guint r = 0; r < group->n_raters; r++)
            n_ratings += !isnan(group->ratings[(gsize) i * group->n_raters + r]);
    }
    for (guint c = 0; c < table->columns->len; c++) {
        const TgTableColumn *column = tg_table_column(table, c);
        Planned planned = { column->name, assumed->r, assumed->between };
        double sum = 0.0;
        guint n = 0;

        if (!column->is_headline)
            continue;
        if (isnan(assumed->r))
            planned.worth = column_correlation(table, column, group->mean) *
                            sqrt(1 + noise * noise * n_rated / n_ratings);
        for (guint k = 0; k < table->columns->len; k++) {
            const TgTableColumn *other = tg_table_column(table, k);
            g_autofree double *values = tg_table_values(table, other);
            const double r =
                k != c && other->is_headline ? column_correlation(table, column, values) : NAN;

            sum += isnan(r) ? 0.0 : r;
            n += !isnan(r);
        }
        if (isnan(planned.between))
            planned.between = n > 0 ? sum / n : DEFAULT_BETWEEN;
        planned.between = CLAMP(planned.between, -HIGHEST, HIGHEST);
        if (!isnan(planned.worth)) {
            planned.worth = CLAMP(planned.worth, 0.0, HIGHEST);
            g_array_append_val(out, planned);
        }
    }
}

/* ---- the table ---- */

static gboolean parse_pairs(const TgPlanOptions *options, GArray *out, GError **error)
{
    static const char *const usual[] = { "50", "100", "200", NULL };
    const char *const *texts = options->pairs != NULL ? options->pairs : usual;

    for (guint i = 0; texts[i] != NULL; i++) {
        char *rest;
        const guint64 n = g_ascii_strtoull(texts[i], &rest, 10);
        const guint number = (guint) n;

        if (*rest != '\0' || !g_ascii_isdigit(*texts[i]) || n < LEAST_PAIRS || n > MOST_PAIRS)
            return tg_fail_usage(error, "--pairs takes numbers from %d to %d, N,N; not '%s'",
                                 LEAST_PAIRS, MOST_PAIRS, texts[i]);
        g_array_append_val(out, number);
    }
    return options->raters <= MOST_RATERS ||
           tg_fail_usage(error, "--raters takes at most %d", MOST_RATERS);
}

char *tg_plan_format(const TgTable *table, const TgPlanOptions *options, const TgGridForm *form,
                     GError **error)
{
    typedef struct {
        guint pairs, raters;
        const char *metric;
        double r, width, difference, between;
    } Row;
#define OF(member) G_STRUCT_OFFSET(Row, member)
    static const TgGridColumn columns[] = {
        { "metric", "metric", "metric", TG_GRID_TEXT, OF(metric) },
        { "pairs", "pairs", "pairs", TG_GRID_COUNT, OF(pairs) },
        { "raters", "raters", "raters", TG_GRID_COUNT, OF(raters) },
        { "Pearson", "pearson", "pearson", TG_GRID_NUMBER, OF(r), 3 },
        { "width of its interval", "width", "width", TG_GRID_NUMBER, OF(width), 3 },
        { "smallest difference", "difference", "difference", TG_GRID_NUMBER, OF(difference), 3 },
        { "metrics correlate", "between", "between", TG_GRID_NUMBER, OF(between), 3 },
    };
#undef OF
    const guint raters = options->raters > 0 ? options->raters : DEFAULT_RATERS;
    const double level = options->level > 0 ? options->level : 0.95;
    const TgTableGroup *group = table != NULL && table->groups->len > 0
                                    ? tg_table_group(table, table->groups->len - 1)
                                    : NULL;
    g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autoptr(GArray) metrics = g_array_new(FALSE, FALSE, sizeof(Planned));
    g_autoptr(TgGrid) grid =
        tg_grid_new_of("How many pairs", 1, columns, G_N_ELEMENTS(columns), NULL);
    char text[32];
    Assumed assumed;
    double noise;

    if (!parse_pairs(options, pairs, error) || !parse_assumed(options->assume, &assumed, error))
        return NULL;
    noise = assumed.noise;
    if (group == NULL && (isnan(assumed.r) || isnan(assumed.noise)))
        return tg_null_input(error, "%s: give --assume r=R,noise=N%s",
                             table != NULL      ? "no human scores in these results"
                             : isnan(assumed.r) ? isnan(assumed.noise)
                                                      ? "without results r and noise are needed"
                                                      : "without results r is needed, too"
                                                : "without results noise is needed, too",
                             table != NULL ? ", or --ratings" : "");
    if (isnan(noise) && !find_noise(table, group, &noise, error))
        return NULL;
    if (table != NULL && isnan(assumed.r))
        add_metrics(metrics, table, group, &assumed, noise);
    if (!isnan(assumed.r)) {
        const Planned planned = { "(assumed)", assumed.r,
                                  isnan(assumed.between) ? DEFAULT_BETWEEN : assumed.between };

        g_array_append_val(metrics, planned);
    }
    if (metrics->len == 0 || (gsize) metrics->len * pairs->len > MAX_PLANNED)
        return tg_null_input(error, "no correlation to plan for: the metrics are constant, too few "
                                    "pairs are rated, or there are too many to simulate");
    for (guint p = 0; p < pairs->len; p++) {
        const guint n = g_array_index(pairs, guint, p);
        g_autofree double *triangles = draw_triangles(options->seed, n);

        for (guint m = 0; m < metrics->len; m++) {
            const Planned *planned = &g_array_index(metrics, Planned, m);
            const double r = planned->worth / sqrt(1 + noise * noise / raters);
            const Row row = { n,
                              raters,
                              planned->name,
                              r,
                              mean_width(r, triangles, n, level),
                              smallest_difference(r, planned->between, triangles, n),
                              planned->between };

            tg_grid_row(grid, &row, FALSE);
        }
    }
    tg_grid_note(grid,
                 "Noise of a rater, in standard deviations of what the pairs are worth: %s (%s).",
                 g_ascii_formatd(text, sizeof text, "%.3f", noise),
                 isnan(assumed.noise) ? "by Krippendorff's alpha" : "assumed");
    tg_grid_note(grid,
                 "Smallest difference: from a metric that agrees less with people and correlates "
                 "with this one as said; Williams' test finds it at 0.05 in 8 of 10 studies.");
    tg_grid_note(grid, "By %d simulated studies, seed %" G_GUINT64_FORMAT ".", TRIALS,
                 options->seed);
    if (form->style == TG_GRID_JSON)
        return tg_json_take(json_pack("{s:s, s:o, s:I, s:o, s:o}", "version", tg_version(), "noise",
                                      tg_json_number(noise), "seed", (json_int_t) options->seed,
                                      "level", tg_json_number(level), "plan",
                                      tg_grid_rows_json(grid, form)),
                            "\n");
    return tg_grid_text(grid, form);
}
