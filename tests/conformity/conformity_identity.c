/* A formula equals itself: every metric that draws gives its best value to identical pairs, for
 * every formula that renders, of all files of the shared reference data. */
#include <stdio.h>
#include <stdlib.h>

#include <texgauge/texgauge.h>

#include "datasets/source.h"
#include "metrics/metric.h"
#include "tests/support/test_support.h"

#define MAX_PRINTED 20

static const struct {
    const char *spec;
    double best;
} wanted[] = {
    { "cdm", 1 },        { "cdm:page=unlimited", 1 }, { "cdm-strict", 1 }, { "imgedit:dpi=72", 0 },
    { "mse:dpi=72", 0 }, { "ssim:dpi=72", 1 },
};

typedef struct {
    TgMetric *metrics[G_N_ELEMENTS(wanted)];
    TgResult *results[G_N_ELEMENTS(wanted)];
    guint n_scored[G_N_ELEMENTS(wanted)], n_wrong[G_N_ELEMENTS(wanted)];
    TgEnv *env;
    GHashTable *seen;
} Check;

static void check_init(Check *check)
{
    *check = (Check){ .env = tg_env_new(),
                      .seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL) };
    for (guint m = 0; m < G_N_ELEMENTS(wanted); m++) {
        GError *error = NULL;
        check->metrics[m] = tg_metric_new(wanted[m].spec, &error);
        if (check->metrics[m] == NULL)
            g_error("%s", error->message);
        check->results[m] = tg_result_new(check->metrics[m], FALSE);
    }
}

static void check_clear(Check *check)
{
    for (guint m = 0; m < G_N_ELEMENTS(wanted); m++) {
        tg_result_free(check->results[m]);
        tg_metric_free(check->metrics[m]);
    }
    tg_env_free(check->env);
    g_hash_table_unref(check->seen);
}

/* A formula without ink has no score, or the status says so; so it does where cdm-strict meets
 * errors, which match nothing by their nature. */
static void check_formula(Check *check, const char *latex)
{
    const TgPair pair = { "", &latex, 1, latex };

    if (latex == NULL || !g_hash_table_add(check->seen, g_strdup(latex)))
        return;
    for (guint m = 0; m < G_N_ELEMENTS(wanted); m++) {
        g_autoptr(GError) error = NULL;

        if (!tg_metric_score(check->metrics[m], check->env, &pair, check->results[m], &error))
            continue;
        const char *status = tg_result_status(check->results[m]);
        const double value = tg_result_get(check->results[m], 0);
        if (strcmp(status, "ok") != 0)
            continue;
        check->n_scored[m]++;
        if (fabs(value - wanted[m].best) <= 1e-12)
            continue;
        if (++check->n_wrong[m] <= MAX_PRINTED)
            printf("%s: %g for %.200s\n", wanted[m].spec, value, latex);
    }
}

static void check_file(Check *check, const char *path)
{
    const char *inputs[] = { path, NULL };
    const TgSourceOptions options = {
        .refs_only = g_str_has_suffix(path, ".txt"),
        .allow_duplicates = TRUE,
    };
    g_autoptr(TgSource) source = tg_source_open(inputs, &options, NULL);
    const guint n_before = g_hash_table_size(check->seen);
    g_auto(TgRecord) record = { 0 };

    while (source != NULL && tg_source_next(source, &record, NULL) == TG_NEXT_ROW) {
        for (guint r = 0; record.fault == NULL && r < record.refs->len; r++)
            check_formula(check, record.refs->pdata[r]);
        if (record.fault == NULL)
            check_formula(check, record.hyp);
    }
    printf("%6u new formulas in %s\n", g_hash_table_size(check->seen) - n_before, path);
}

static gboolean holds_formulas(const char *name)
{
    return (g_str_has_suffix(name, ".json") || g_str_has_suffix(name, ".jsonl") ||
            g_str_has_suffix(name, ".csv") || g_str_has_suffix(name, ".txt")) &&
           !g_str_has_suffix(name, ".published.txt");
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *) a, *(char *const *) b);
}

/* The names in a folder, in the same order everywhere. */
static GPtrArray *list_folder(const char *path)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    const char *name;

    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL)
        g_ptr_array_add(names, g_strdup(name));
    g_ptr_array_sort(names, compare_names);
    return names;
}

static void check_folder(Check *check, const char *path)
{
    g_autoptr(GPtrArray) names = list_folder(path);

    for (guint i = 0; i < names->len; i++) {
        g_autofree char *inner = g_build_filename(path, names->pdata[i], NULL);

        if (g_file_test(inner, G_FILE_TEST_IS_REGULAR) && holds_formulas(inner))
            check_file(check, inner);
    }
}

int main(void)
{
    static const char *const folders[] = { "cdm-reference",     "data/im2latex",
                                           "data/uni-mumer",    "data/speech2latex",
                                           "data/omnidocbench", "data/pdf-parse-bench" };
    g_autofree char *shared = tg_shared_path("");
    gboolean good = TRUE;
    Check check;

    if (shared == NULL)
        return tg_skip_program_without_shared();
    check_init(&check);
    for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *path = g_build_filename(shared, folders[i], NULL);
        check_folder(&check, path);
    }
    for (guint m = 0; m < G_N_ELEMENTS(wanted); m++) {
        printf("%-24s %u formulas with ink, %u not equal to themselves\n", wanted[m].spec,
               check.n_scored[m], check.n_wrong[m]);
        good = good && check.n_wrong[m] == 0 && check.n_scored[m] > 1000;
    }
    check_clear(&check);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
