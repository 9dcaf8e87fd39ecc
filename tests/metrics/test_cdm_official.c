/* The metric cdm on pairs whose official scores are known (tests/golden/cdm-official.tsv). */
#include "tests/support/golden_rows.h"
#include "tests/support/metric_support.h"

enum { DIALECT, GT, PRED, RECALL, PRECISION, F1, CASE, N_FIELDS };

static gboolean is_near(const TestScorer *scorer, guint column, const char *wanted)
{
    return fabs(tg_result_get(scorer->result, column) - g_ascii_strtod(wanted, NULL)) <=
           0.0005 + 1e-9; /* rounding */
}

/* Whether the metric says what the official program says. */
static gboolean agrees(TestScorer *scorer, char *const *fields)
{
    const gboolean scored = test_scorer_try(scorer, fields[GT], fields[PRED], NULL);

    if (strcmp(fields[F1], "-") == 0)
        return !scored;
    return scored && is_near(scorer, 0, fields[F1]) && is_near(scorer, 1, fields[PRECISION]) &&
           is_near(scorer, 2, fields[RECALL]);
}

TEST(test_cdm_official__scores_are_reproduced)
{
    static const struct {
        const char *dialect;
        guint n_pairs;
    } dialects[] = { { "unimernet", 102 }, { "omnidocbench-1.6", 9 }, { "omnidocbench-1.5", 7 } };
    g_autoptr(GPtrArray) rows = tg_golden_rows("cdm-official.tsv", N_FIELDS);

    for (guint d = 0; d < G_N_ELEMENTS(dialects); d++) {
        g_autofree char *spec = g_strconcat("cdm:dialect=", dialects[d].dialect, NULL);
        g_auto(TestScorer) scorer = test_scorer_new(spec);
        guint n = 0;

        for (guint i = 0; i < rows->len; i++) {
            char **fields = rows->pdata[i];

            if (strcmp(fields[DIALECT], dialects[d].dialect) != 0)
                continue;
            n++;
            if (!agrees(&scorer, fields))
                fail_msg("%s | %s: %g, officially %s", fields[GT], fields[PRED],
                         tg_result_get(scorer.result, 0), fields[F1]);
        }
        assert_int_equal(n, dialects[d].n_pairs);
    }
}
