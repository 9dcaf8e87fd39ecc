/*
 * A change of scores raises the metric's version: tests/golden/scores.tsv holds what every metric
 * gave in its present version. The values were computed by this library; other tests check them
 * against papers and other programs.
 *
 * test_golden_scores --update writes the file, but changes no value of a version that stands there.
 */
#include <stdio.h>

#include "tests/support/metric_support.h"

#define PAIRS  TG_SOURCE_ROOT "/tests/golden/score_pairs.tsv"
#define SCORES TG_SOURCE_ROOT "/tests/golden/scores.tsv"

/* The name of the row of all pairs' summed statistics. */
#define POOLED "(pooled)"

/* Every metric, and its options that lead to other code. */
static const char *const specs[] = {
    "bleu",
    "bleu:tokenize=words",
    "bleu:tokenize=char",
    "bleu:tokenize=codepoint",
    "bleu:tokenize=13a",
    "bleu:tokenize=alnum",
    "bleu:lowercase=yes",
    "bleu:normalize=canonical",
    "bleu:order=2",
    "bleu:weights=0.1/0.2/0.3/0.4",
    "bleu:effective-order=yes",
    "bleu:smooth=none",
    "bleu:smooth=floor",
    "bleu:smooth=add-k",
    "bleu:smooth=nltk1",
    "bleu:smooth=nltk2",
    "bleu:smooth=nltk3",
    "bleu:smooth=nltk4",
    "bleu:smooth=nltk5",
    "bleu:smooth=nltk6",
    "bleu:smooth=nltk7",
    "bleu:compat=sacrebleu-r",
    "edit",
    "edit:variant=osa",
    "edit:variant=indel",
    "edit:tokenize=codepoint",
    "edit:normalize=canonical",
    "edit-dist",
    "cer",
    "cer:edits=words",
    "wer",
    "wer:tokenize=latex",
    "edit-ops",
    "exprate",
    "exprate:normalize=canonical",
    "rouge",
    "rouge:tokenize=latex",
    "chrf",
    "chrf:word-order=2",
    "chrf:beta=1",
    "chrf:whitespace=yes",
    "chrf:eps-smoothing=yes",
    "texbleu",
    "texbleu:variant=repo",
    "texbleu:align=edit",
    "ebleu",
    "ebleu:synonyms=none",
    "ebleu:brevity=yes",
    "ebleu:compat=2014",
    "forte",
    "forte:profile=ocr",
    "render",
    "cdm",
    "cdm:page=unlimited",
    "cdm:locate=raster",
    "cdm:dialect=omnidocbench-1.5",
    "cdm:dialect=omnidocbench-1.6",
    "cdm-strict",
    "cdm-strict:style=ignore",
    "imgedit",
    "imgedit:compat=yes",
    "mse",
    "mse:margin=8",
    "ssim",
    "ssim:dpi=72",
};

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
    if (tg_metric_n_stats(scorer.metric) == 0)
        return;
    g_autofree double *pooled = g_new0(double, tg_metric_n_columns(scorer.metric));
    g_autoptr(GString) values = g_string_new(NULL);
    tg_metric_pool(scorer.metric, scorer.sum, pooled);
    append_values(values, scorer.metric, pooled, TRUE);
    g_ptr_array_add(rows, g_strdup_printf("%s\t%s\t%s\t%s", spec, version, POOLED, values->str));
}

/* The lines of a file without comments, each split at its tabs. */
static GPtrArray *read_table(const char *path)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func((GDestroyNotify) g_strfreev);
    g_autofree char *text = NULL;

    if (!g_file_get_contents(path, &text, NULL, NULL))
        return rows;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++)
        if (lines[i][0] != '\0' && lines[i][0] != '#')
            g_ptr_array_add(rows, g_strsplit(lines[i], "\t", -1));
    return rows;
}

static GPtrArray *score_all(void)
{
    g_autoptr(GPtrArray) pairs = read_table(PAIRS);
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);

    assert_true(pairs->len > 20);
    for (guint i = 0; i < G_N_ELEMENTS(specs); i++)
        append_rows(rows, specs[i], pairs);
    return rows;
}

/* ---- Comparing ----------------------------------------------------------------------------- */

enum { SPEC, VERSION, PAIR, VALUES, N_FIELDS };

static char **find_golden_row(GPtrArray *golden, char **row)
{
    for (guint i = 0; i < golden->len; i++) {
        char **other = golden->pdata[i];

        if (strcmp(other[SPEC], row[SPEC]) == 0 && strcmp(other[PAIR], row[PAIR]) == 0)
            return other;
    }
    return NULL;
}

/* Print each row whose values differ though the version is the same; returns how many. */
static guint count_changed_without_version(GPtrArray *golden, GPtrArray *rows)
{
    guint n = 0;

    for (guint i = 0; i < rows->len; i++) {
        g_auto(GStrv) row = g_strsplit(rows->pdata[i], "\t", -1);
        char **was = find_golden_row(golden, row);

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
    g_autoptr(GPtrArray) golden = read_table(SCORES);
    g_autoptr(GPtrArray) rows = score_all();

    (void) state;
    if (count_changed_without_version(golden, rows) > 0)
        fail_msg("scores changed without a new version");
    for (guint i = 0; i < rows->len; i++) {
        g_auto(GStrv) row = g_strsplit(rows->pdata[i], "\t", -1);
        char **was = find_golden_row(golden, row);

        if (was == NULL || strcmp(was[VERSION], row[VERSION]) != 0)
            fail_msg("%s, pair '%s', version %s is not in tests/golden/scores.tsv: run "
                     "tests/tools/update_scores.sh",
                     row[SPEC], row[PAIR], row[VERSION]);
    }
    assert_int_equal(golden->len, rows->len);
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

        for (guint i = 0; i < G_N_ELEMENTS(specs); i++)
            found += names_metric(specs[i], list[m]->name);
        if (found == 0)
            fail_msg("no golden scores of %s: name it in tests/metrics/test_golden_scores.c",
                     list[m]->name);
    }
}

static int update(void)
{
    g_autoptr(GPtrArray) golden = read_table(SCORES);
    g_autoptr(GPtrArray) rows = score_all();
    g_autoptr(GString) text = g_string_new(
        "# spec, version, pair of score_pairs.tsv, values: computed by texgauge itself "
        "(see README.md)\n");

    if (count_changed_without_version(golden, rows) > 0)
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

    if (argc == 2 && strcmp(argv[1], "--update") == 0)
        return update();
    return cmocka_run_group_tests_name("golden_scores", tests, NULL, NULL);
}
