/*
 * A change of scores raises the metric's version: tests/golden/scores.tsv holds what every metric
 * gave in its present version. The values were computed by this library; other tests check them
 * against papers and other programs.
 *
 * test_golden_scores --update [SPEC...] writes the file, with further specs if they are given, but
 * changes no value of a version that stands there.
 */
#include <stdio.h>

#include "tests/support/golden_rows.h"
#include "tests/support/metric_support.h"

#define SCORES TG_SOURCE_ROOT "/tests/golden/scores.tsv"

/* The name of the row of all pairs' summed statistics. */
#define POOLED "(pooled)"

/* The rows of the file, and their specs: every metric, and its options that lead to other code. */
static GPtrArray *golden, *specs;
enum { N_SPECS = 67 };
enum { SPEC, VERSION, PAIR, VALUES, N_FIELDS };

static void read_golden(void)
{
    golden = tg_golden_rows("scores.tsv", N_FIELDS);
    specs = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < golden->len; i++) {
        char **row = golden->pdata[i];

        if (!g_ptr_array_find_with_equal_func(specs, row[SPEC], g_str_equal, NULL))
            g_ptr_array_add(specs, g_strdup(row[SPEC]));
    }
}

/* ---- Scoring ------------------------------------------------------------------------------- */

static void append_values(GString *out, const TgMetric *metric, const double *values,
                          gboolean pooled)
{
    const TgColumn *columns = tg_metric_info(metric)->columns;
    const char *separator = "";

    for (guint i = 0; columns[i].name != NULL; i++) {
        char text[G_ASCII_DTOSTR_BUF_SIZE];

        if (pooled && columns[i].pooling != TG_POOL_STATS)
            continue;
        /* adding 0 makes -0 a plain 0 */
        g_ascii_formatd(text, sizeof text, "%.10g", values[i] + 0.0);
        g_string_append_printf(out, "%s%s=%s", separator, columns[i].name, text);
        separator = " ";
    }
}

/* Score @fields (id, prediction, truths) and add the statistics to those of @scorer. */
static char *score_pair_of_fields(TestScorer *scorer, char **fields)
{
    const TgPair pair = { fields[0], (const char *const *) fields + 2, g_strv_length(fields) - 2,
                          fields[1] };
    const guint n_columns = tg_metric_n_columns(scorer->metric);
    g_autofree double *values = g_new(double, n_columns);
    g_autoptr(GError) error = NULL;
    GString *out = g_string_new(NULL);
    guint n;

    tg_env_next_pair(scorer->env);
    tg_result_reset(scorer->result);
    if (!tg_metric_score(scorer->metric, scorer->env, &pair, scorer->result, &error)) {
        assert_true(g_error_matches(error, TG_ERROR, TG_ERROR_DATA) ||
                    g_error_matches(error, TG_ERROR, TG_ERROR_PARSE));
        return g_string_free(g_string_append(out, "no score"), FALSE);
    }
    const double *stats = tg_result_stats(scorer->result, &n);
    for (guint i = 0; i < n; i++)
        scorer->sum[i] += stats[i];
    for (guint i = 0; i < n_columns; i++)
        values[i] = tg_result_get(scorer->result, i);
    append_values(out, scorer->metric, values, FALSE);
    return g_string_free(out, FALSE);
}

/* The rows "spec, version, pair, values" of one spec. */
static void append_rows(GPtrArray *rows, const char *spec, GPtrArray *pairs)
{
    g_auto(TestScorer) scorer = test_scorer_new(spec);
    const char *version = tg_metric_info(scorer.metric)->version;

    for (guint i = 0; i < pairs->len; i++) {
        char **fields = pairs->pdata[i];
        g_autofree char *values = score_pair_of_fields(&scorer, fields);

        g_ptr_array_add(rows, g_strdup_printf("%s\t%s\t%s\t%s", spec, version, fields[0], values));
    }
    if (scorer.metric->n_stats == 0)
        return;
    g_autofree double *pooled = g_new0(double, tg_metric_n_columns(scorer.metric));
    g_autoptr(GString) values = g_string_new(NULL);
    tg_metric_pool(scorer.metric, scorer.sum, pooled);
    append_values(values, scorer.metric, pooled, TRUE);
    g_ptr_array_add(rows, g_strdup_printf("%s\t%s\t%s\t%s", spec, version, POOLED, values->str));
}

static GPtrArray *score_all(void)
{
    g_autoptr(GPtrArray) pairs = tg_golden_rows("score_pairs.tsv", 0);
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);

    assert_true(pairs->len > 20);
    for (guint i = 0; i < specs->len; i++)
        append_rows(rows, specs->pdata[i], pairs);
    return rows;
}

/* ---- Comparing ----------------------------------------------------------------------------- */

static char **find_golden_row(char **row)
{
    for (guint i = 0; i < golden->len; i++) {
        char **other = golden->pdata[i];

        if (strcmp(other[SPEC], row[SPEC]) == 0 && strcmp(other[PAIR], row[PAIR]) == 0)
            return other;
    }
    return NULL;
}

/* Print each row whose values differ though the version is the same; returns how many. */
static guint count_changed_without_version(GPtrArray *rows)
{
    guint n = 0;

    for (guint i = 0; i < rows->len; i++) {
        g_auto(GStrv) row = g_strsplit(rows->pdata[i], "\t", -1);
        char **was = find_golden_row(row);

        if (was == NULL || strcmp(was[VERSION], row[VERSION]) != 0 ||
            strcmp(was[VALUES], row[VALUES]) == 0)
            continue;
        n++;
        print_error("%s, pair '%s', version %s:\n  was %s\n  is  %s\n  raise the version of "
                    "%.*s, note it in CHANGELOG.md and run tests/tools/update_scores.sh\n",
                    row[SPEC], row[PAIR], row[VERSION], was[VALUES], row[VALUES],
                    (int) strcspn(row[SPEC], ":"), row[SPEC]);
    }
    return n;
}

static void test_golden_scores__a_change_raises_the_version(void **state)
{
    g_autoptr(GPtrArray) rows = score_all();

    (void) state;
    if (count_changed_without_version(rows) > 0)
        fail_msg("scores changed without a new version");
    for (guint i = 0; i < rows->len; i++) {
        g_auto(GStrv) row = g_strsplit(rows->pdata[i], "\t", -1);
        char **was = find_golden_row(row);

        if (was == NULL || strcmp(was[VERSION], row[VERSION]) != 0)
            fail_msg("%s, pair '%s', version %s is not in tests/golden/scores.tsv: run "
                     "tests/tools/update_scores.sh",
                     row[SPEC], row[PAIR], row[VERSION]);
    }
    assert_int_equal(golden->len, rows->len);
    assert_int_equal(specs->len, N_SPECS); /* none is lost */
}

static gboolean names_metric(const char *spec, const char *name)
{
    return g_str_has_prefix(spec, name) && strchr(":", spec[strlen(name)]) != NULL;
}

static void test_golden_scores__of_every_metric(void **state)
{
    guint n;
    g_autofree const TgMetricInfo **list = tg_registry_list(&n);

    (void) state;
    for (guint m = 0; m < n; m++) {
        guint found = 0;

        for (guint i = 0; i < specs->len; i++)
            found += names_metric(specs->pdata[i], list[m]->name);
        if (found == 0)
            fail_msg("no golden scores of %s: run tests/tools/update_scores.sh BUILD_FOLDER %s",
                     list[m]->name, list[m]->name);
    }
}

static int update(void)
{
    g_autoptr(GPtrArray) rows = score_all();
    g_autoptr(GString) text = g_string_new(
        "# spec, version, pair of score_pairs.tsv, values: computed by texgauge itself "
        "(see README.md)\n");

    if (count_changed_without_version(rows) > 0)
        return 1;
    for (guint i = 0; i < rows->len; i++)
        g_string_append_printf(text, "%s\n", (const char *) rows->pdata[i]);
    return g_file_set_contents(SCORES, text->str, (gssize) text->len, NULL) ? 0 : 1;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_scores__a_change_raises_the_version),
        cmocka_unit_test(test_golden_scores__of_every_metric),
    };

    read_golden();
    if (argc >= 2 && strcmp(argv[1], "--update") == 0) {
        for (int i = 2; i < argc; i++)
            g_ptr_array_add(specs, g_strdup(argv[i]));
        return update();
    }
    const int failed = cmocka_run_group_tests_name("golden_scores", tests, NULL, NULL);
    g_ptr_array_unref(golden);
    g_ptr_array_unref(specs);
    return failed;
}
