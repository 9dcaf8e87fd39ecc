#include "tests/support/golden.h"

#include "eval/stats/stats.h"

static const TgRatingLevel levels[] = { TG_NOMINAL, TG_ORDINAL, TG_INTERVAL };
static const char *const level_keys[] = { "nominal", "ordinal", "interval" };

static void assert_alphas(const double *ratings, guint n_units, guint n_raters,
                          const double *wanted, double tolerance)
{
    for (guint i = 0; i < G_N_ELEMENTS(levels); i++) {
        double alpha;

        tg_must(tg_stats_krippendorff(ratings, n_units, n_raters, levels[i], &alpha, &error));
        tg_assert_near(alpha, wanted[i], tolerance);
    }
}

/* Krippendorff (2011), section C: four observers, twelve units, gaps; alpha .743 .815 .849. */
TEST(test_stats_agreement__krippendorffs_own_table)
{
    enum { UNITS = 12, OBSERVERS = 4, GAP = 0 };
    static const guint8 table[UNITS][OBSERVERS] = {
        { 1, 1, GAP, 1 }, { 2, 2, 3, 2 },   { 3, 3, 3, 3 },     { 3, 3, 3, 3 },
        { 2, 2, 2, 2 },   { 1, 2, 3, 4 },   { 4, 4, 4, 4 },     { 1, 1, 2, 1 },
        { 2, 2, 2, 2 },   { GAP, 5, 5, 5 }, { GAP, GAP, 1, 1 }, { GAP, GAP, 3, GAP },
    };
    double ratings[UNITS * OBSERVERS];

    for (guint i = 0; i < UNITS * OBSERVERS; i++) {
        const guint8 value = table[i / OBSERVERS][i % OBSERVERS];

        ratings[i] = value == GAP ? NAN : value;
    }
    assert_alphas(ratings, UNITS, OBSERVERS, (double[]){ 0.743, 0.815, 0.849 }, 0.0005);
}

/*
 * Units (0,0) (0,1): three 0, one 1; observed disagreement 2/4, expected 2*3*1/(4*3): alpha 0. Only
 * two values, so all levels are the same.
 */
TEST(test_stats_agreement__alpha_by_hand)
{
    assert_alphas((double[]){ 0, 0, 0, 1 }, 2, 2, (double[]){ 0, 0, 0 }, 1e-15);
    assert_alphas((double[]){ 0, 0, 1, 1 }, 2, 2, (double[]){ 1, 1, 1 }, 1e-15);
}

static void assert_icc(const double *ratings, guint n, guint k, const json_t *wanted)
{
    double icc[TG_N_ICC_FIGURES];

    assert_true(tg_stats_icc(ratings, n, k, icc));
    const struct {
        const char *key;
        double value;
    } members[] = {
        { "MSR", icc[TG_MS_ROWS] },     { "MSW", icc[TG_MS_WITHIN] },
        { "MSC", icc[TG_MS_COLUMNS] },  { "MSE", icc[TG_MS_ERROR] },
        { "icc_1_1", icc[TG_ICC_1_1] }, { "icc_1_k", icc[TG_ICC_1_K] },
        { "icc_2_1", icc[TG_ICC_2_1] }, { "icc_2_k", icc[TG_ICC_2_K] },
        { "icc_3_1", icc[TG_ICC_3_1] }, { "icc_3_k", icc[TG_ICC_3_K] },
    };

    for (guint i = 0; i < G_N_ELEMENTS(members); i++)
        tg_assert_near(members[i].value, tg_golden_number(wanted, members[i].key), 1e-10);
}

/* Shrout and Fleiss (1979), table 2 and table 4. */
TEST(test_stats_agreement__shrout_and_fleiss_table)
{
    static const double table[] = { 9, 2, 5, 8, 6,  1, 3, 2, 8, 4, 6, 8,
                                    7, 1, 2, 6, 10, 5, 6, 9, 6, 2, 4, 7 };
    double icc[TG_N_ICC_FIGURES];

    assert_true(tg_stats_icc(table, 6, 4, icc));
    const double cases[][2] = {
        { icc[TG_ICC_1_1], 0.17 },  { icc[TG_ICC_2_1], 0.29 },   { icc[TG_ICC_3_1], 0.71 },
        { icc[TG_ICC_1_K], 0.44 },  { icc[TG_ICC_2_K], 0.62 },   { icc[TG_ICC_3_K], 0.91 },
        { icc[TG_MS_ROWS], 11.24 }, { icc[TG_MS_WITHIN], 6.26 }, { icc[TG_MS_COLUMNS], 32.49 },
        { icc[TG_MS_ERROR], 1.02 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        tg_assert_near(cases[i][0], cases[i][1], 0.005 / MAX(1, cases[i][1]));
}

/* The rows of a JSON table with NaN where a row is shorter, (transfer full). */
static double *read_table(const json_t *rows, guint *n, guint *k)
{
    double *table;

    *n = json_array_size(rows);
    *k = 0;
    for (guint i = 0; i < *n; i++)
        *k = MAX(*k, json_array_size(json_array_get(rows, i)));
    table = g_new(double, *n **k);
    for (guint i = 0; i < *n; i++) {
        for (guint j = 0; j < *k; j++) {
            const json_t *value = json_array_get(json_array_get(rows, i), j);

            table[i * *k + j] = value != NULL ? json_number_value(value) : NAN;
        }
    }
    return table;
}

static void check_alpha(const json_t *units, const json_t *alpha)
{
    guint n, k;
    g_autofree double *ratings = read_table(units, &n, &k);
    double wanted[3];

    for (guint i = 0; i < 3; i++)
        wanted[i] = tg_golden_number(alpha, level_keys[i]);
    assert_alphas(ratings, n, k, wanted, 1e-12);
}

TEST(test_stats_agreement__shared_small_tables)
{
    json_auto_t *golden = tg_golden_shared("reference/text/agreement-small.json");
    tg_golden_each(units, json_object_get(golden, "krippendorff"))
        check_alpha(json_object_get(units, "units"), json_object_get(units, "alpha"));
    tg_golden_each(record, json_object_get(golden, "icc"))
    {
        guint n, k;
        g_autofree double *ratings = read_table(json_object_get(record, "X"), &n, &k);

        assert_icc(ratings, n, k, record);
    }
}

TEST(test_stats_agreement__shared_study)
{
    json_auto_t *study = tg_golden_shared("reference/text/study-stats.json");
    guint n, k;

    const json_t *scores = json_object_get(study, "human_scores");
    check_alpha(scores, json_object_get(study, "krippendorff"));
    g_autofree double *ratings = read_table(scores, &n, &k);
    assert_icc(ratings, n, k, json_object_get(study, "icc"));
}

/* Means of the other two: 2.5 1.5 2.5 2.5; ranks 3 1 3 3 against 1.5 1.5 3.5 3.5. */
TEST(test_stats_agreement__rater_against_the_rest_by_hand)
{
    static const double ratings[] = { 1, 2, 3, 1, 2, 1, 3, NAN, 2.5, 3, 5, 0, 4, NAN, NAN };
    double out[3];

    tg_stats_rater_against_rest(TG_SPEARMAN, ratings, 5, 3, out);
    tg_assert_near(out[0], 1 / sqrt(3), 1e-12);
    tg_stats_rater_against_rest(TG_PEARSON, (double[]){ 1, 2, 2, 4, NAN, 5 }, 3, 2, out);
    tg_assert_near(out[0], 1.0, 1e-15);
    tg_assert_near(out[1], 1.0, 1e-15);
    tg_stats_rater_against_rest(TG_PEARSON, (double[]){ 1, 2, 1, 4 }, 2, 2, out);
    assert_true(isnan(out[0]) && isnan(out[1]));
}

TEST(test_stats_agreement__undefined_cases)
{
    static const double gaps[] = { 1, NAN, NAN, 2 }, equal[] = { 0.1, 0.1, 0.1, 0.1 };
    double alpha;
    double icc[TG_N_ICC_FIGURES];

    for (guint i = 0; i < G_N_ELEMENTS(levels); i++) {
        tg_assert_fails(tg_stats_krippendorff(gaps, 2, 2, levels[i], &alpha, &error), TG_ERROR_DATA,
                        "two ratings");
        assert_true(isnan(alpha));
        tg_assert_fails(tg_stats_krippendorff(equal, 2, 2, levels[i], &alpha, &error),
                        TG_ERROR_DATA, "all 4 ratings are equal");
        tg_assert_fails(tg_stats_krippendorff(NULL, 0, 2, levels[i], &alpha, &error), TG_ERROR_DATA,
                        "two ratings");
    }
    assert_false(tg_stats_icc(gaps, 2, 2, icc));  /* a rating is missing */
    assert_false(tg_stats_icc(equal, 2, 2, icc)); /* nothing varies */
    assert_false(tg_stats_icc((double[]){ 1, 2 }, 1, 2, icc));
}
