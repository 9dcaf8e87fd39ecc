/* The metric cdm on pairs whose official scores are known (tests/golden/cdm-official.tsv). */
#include "tests/support/test_support.h"

#include <texgauge/texgauge.h>

#include "metrics/metric.h"

enum { DIALECT, GT, PRED, RECALL, PRECISION, F1, CASE, N_FIELDS };

static const double rounding = 0.0005 + 1e-9;

typedef struct {
    TgMetric *metric;
    TgEnv *env;
    TgResult *result;
} Scorer;

static gboolean is_near(const Scorer *scorer, guint column, const char *wanted)
{
    return fabs(tg_result_get(scorer->result, column) - g_ascii_strtod(wanted, NULL)) <= rounding;
}

/* Whether the metric says what the official program says. */
static gboolean agrees(const Scorer *scorer, char *const *fields)
{
    const char *refs[] = { fields[GT] };
    const TgPair pair = { "pair", refs, 1, fields[PRED] };
    const gboolean scored =
        tg_metric_score(scorer->metric, scorer->env, &pair, scorer->result, NULL);

    if (strcmp(fields[F1], "-") == 0)
        return !scored;
    return scored && is_near(scorer, 0, fields[F1]) && is_near(scorer, 1, fields[PRECISION]) &&
           is_near(scorer, 2, fields[RECALL]);
}

static char **read_lines(void)
{
    g_autofree char *text = NULL;

    assert_true(
        g_file_get_contents(TG_SOURCE_ROOT "/tests/golden/cdm-official.tsv", &text, NULL, NULL));
    return g_strsplit(text, "\n", -1);
}

/* @dialect: its scores must all be those of its program; there are @n_pairs. */
static void assert_reproduced(char *const *lines, const char *dialect, guint n_pairs)
{
    g_autofree char *spec = g_strdup_printf("cdm:dialect=%s", dialect);
    g_autoptr(TgMetric) metric = tg_metric_new(spec, NULL);
    assert_non_null(metric);
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(TgResult) result = tg_result_new(metric, FALSE);
    const Scorer scorer = { metric, env, result };
    guint n = 0, n_equal = 0;

    for (guint i = 0; lines[i] != NULL; i++) {
        g_auto(GStrv) fields = g_strsplit(lines[i], "\t", -1);

        if (lines[i][0] == '#' || lines[i][0] == '\0' || strcmp(fields[DIALECT], dialect) != 0)
            continue;
        assert_int_equal(g_strv_length(fields), N_FIELDS);
        n++;
        if (agrees(&scorer, fields))
            n_equal++;
        else
            print_message("# %s | %s: %g, officially %s\n", fields[GT], fields[PRED],
                          tg_result_get(result, 0), fields[F1]);
    }
    assert_int_equal(n, n_pairs);
    assert_int_equal(n_equal, n_pairs);
}

TEST(test_cdm_official__scores_are_reproduced)
{
    g_auto(GStrv) lines = read_lines();

    assert_reproduced(lines, "unimernet", 102);
    assert_reproduced(lines, "omnidocbench-1.6", 9);
    assert_reproduced(lines, "omnidocbench-1.5", 7);
}
