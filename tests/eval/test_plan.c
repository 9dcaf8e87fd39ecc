/* How many pairs a study needs: against formulas for large samples, and the data themselves. The
 * simulation of whole studies is in tests/tools/check_plan.py. */
#include "tests/support/results_support.h"

#include "eval/study/study.h"

static const TgGridForm json = { .style = TG_GRID_JSON };

/* The plan as JSON. (transfer full) */
static json_t *plan_of(const TgTable *table, const TgPlanOptions *options)
{
    g_autofree char *text = tg_must(tg_plan_format(table, options, &json, &error));
    json_t *all = json_loads(text, 0, NULL);

    assert_non_null(all);
    return all;
}

static double number_at(const json_t *all, guint row, const char *key)
{
    const json_t *value = json_object_get(json_array_get(json_object_get(all, "plan"), row), key);

    assert_true(json_is_number(value));
    return json_number_value(value);
}

static TgTable *table_of(void **state, const char *lines)
{
    static const TgEvalOptions how = { .metrics = "cer" };
    g_autofree char *path = tg_results_of_lines(*state, "rated", lines, &how);
    TgTable *table =
        tg_must(tg_table_read((const char *const[]){ path, NULL }, &(TgTableOptions){ 0 }, &error));

    assert_int_equal(g_remove(path), 0);
    return table;
}

/* ---- what is assumed ---- */

/* Spearman's formula for the mean of raters; Fisher's interval; and the difference at which
 * Williams' statistic (Steiger 1980, eq. 7) is 1.96 + 0.84 on average. */
TEST(test_plan__large_samples_follow_the_formulas)
{
    static const char *const pairs[] = { "2000", NULL };
    const TgPlanOptions options = {
        .pairs = pairs, .raters = 3, .assume = "r=.8,noise=.65,between=.9", .seed = 1
    };
    json_auto_t *all = plan_of(NULL, &options);
    const double r = 0.8 / sqrt(1 + 0.65 * 0.65 / 3), between = 0.9, n = 2000;
    const double half = 1.959964 / sqrt(n - 3);
    double difference = 0;

    for (guint step = 0; step < 50; step++) {
        const double other = r - difference, mean = r - difference / 2;
        const double det = 1 - r * r - other * other - between * between + 2 * r * other * between;

        difference = (1.959964 + 0.841621) *
                     sqrt((2 * (n - 1) / (n - 3) * det + mean * mean * pow(1 - between, 3)) /
                          ((n - 1) * (1 + between)));
    }
    tg_assert_near(number_at(all, 0, "pearson"), r, 1e-9);
    tg_assert_near(number_at(all, 0, "width"), tanh(atanh(r) + half) - tanh(atanh(r) - half), 3e-4);
    tg_assert_near(number_at(all, 0, "difference") / difference, 1, 0.03);
}

TEST(test_plan__more_pairs_or_raters_find_smaller_differences)
{
    static const char *const pairs[] = { "30", "90", "300", NULL };
    TgPlanOptions options = { .pairs = pairs, .raters = 1, .assume = "r=.7,noise=1", .seed = 2 };
    json_auto_t *one = plan_of(NULL, &options);
    options.raters = 4;
    json_auto_t *four = plan_of(NULL, &options), *again = plan_of(NULL, &options);

    for (guint i = 0; i < 3; i++) {
        assert_true(number_at(four, i, "width") < number_at(one, i, "width"));
        if (i == 0)
            continue;
        assert_true(number_at(one, i, "width") < number_at(one, i - 1, "width"));
        assert_true(number_at(four, i, "difference") < number_at(four, i - 1, "difference"));
    }
    assert_true(json_equal(four, again));
}

/* ---- what results tell ---- */

/* Two raters say 1 1, 2 2, 3 3, 4 5: alpha is 1 less .25 / (222 / 56). With as many raters as there
 * were, the correlation is that of the data. */
TEST(test_plan__noise_and_correlation_are_those_of_the_results)
{
    static const char lines[] = "{\"gt\":\"xxxx\",\"pred\":\"xyyy\",\"human\":[1,1]}\n"
                                "{\"gt\":\"xxxx\",\"pred\":\"xxxy\",\"human\":[2,2]}\n"
                                "{\"gt\":\"xxxx\",\"pred\":\"xxyy\",\"human\":[3,3]}\n"
                                "{\"gt\":\"xxxx\",\"pred\":\"xxxx\",\"human\":[4,5]}\n";
    static const char *const pairs[] = { "50", NULL };
    const double alpha = 1 - 0.25 / (222.0 / 56);
    /* of 1, 2, 3, 4.5 with 3, 1, 2, 0 errors: the deviations' products add up to 4.75, their
     * squares to 6.6875 and 5 */
    const double r = 4.75 / sqrt(6.6875 * 5);
    g_autoptr(TgTable) table = table_of(state, lines);
    json_auto_t *all = plan_of(table, &(TgPlanOptions){ .pairs = pairs, .raters = 2, .seed = 1 });

    tg_assert_near(json_number_value(json_object_get(all, "noise")), sqrt((1 - alpha) / alpha),
                   1e-9);
    tg_assert_near(number_at(all, 0, "pearson"), r, 1e-9);
}

TEST(test_plan__refuses_what_it_cannot_plan)
{
    static const char *const assumed[] = { "r=1",   "r=-.1", "noise=-1",    "noise=x",
                                           "r",     "q=.5",  "between=1.5", "r=.5,",
                                           "r=.5x", "r=nan", "noise=inf" };
    static const char *const numbers[][2] = { { "9" }, { "100001" }, { "-50" }, { "5e1" }, { "" } };
    static const char one[] = "{\"gt\":\"x\",\"pred\":\"x\",\"human\":[1]}\n"
                              "{\"gt\":\"x\",\"pred\":\"y\",\"human\":[2]}\n";
    static const char apart[] = "{\"gt\":\"x\",\"pred\":\"x\",\"human\":[1,2]}\n"
                                "{\"gt\":\"x\",\"pred\":\"y\",\"human\":[2,1]}\n";
    g_autoptr(TgTable) alone = table_of(state, one), disagree = table_of(state, apart);

    for (guint i = 0; i < G_N_ELEMENTS(assumed); i++)
        tg_assert_fails(
            tg_plan_format(NULL, &(TgPlanOptions){ .assume = assumed[i] }, &json, &error),
            TG_ERROR_USAGE, "--assume");
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        tg_assert_fails(
            tg_plan_format(NULL, &(TgPlanOptions){ .pairs = numbers[i], .assume = "r=.5,noise=0" },
                           &json, &error),
            TG_ERROR_USAGE, "--pairs");
    tg_assert_fails(tg_plan_format(NULL, &(TgPlanOptions){ .raters = 1001 }, &json, &error),
                    TG_ERROR_USAGE, "--raters");
    tg_assert_fails(tg_plan_format(NULL, &(TgPlanOptions){ .assume = "r=.5" }, &json, &error),
                    TG_ERROR_INPUT, "noise is needed");
    tg_assert_fails(tg_plan_format(alone, &(TgPlanOptions){ 0 }, &json, &error), TG_ERROR_INPUT,
                    "one rater alone");
    tg_assert_fails(tg_plan_format(disagree, &(TgPlanOptions){ 0 }, &json, &error), TG_ERROR_INPUT,
                    "do not agree");
}

TEST_GROUP(test_make_scratch, test_remove_scratch)
