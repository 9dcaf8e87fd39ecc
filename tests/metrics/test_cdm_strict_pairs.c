/* Properties of cdm-strict on thousands of pairs: symmetry, range, identity. */
#include "tests/support/test_support.h"

#include <texgauge/texgauge.h>

#include "core/random.h"
#include "metrics/metric.h"
#include "tests/conformity/same_drawing.h"
#include "tests/support/cpu_time.h"

#define N_RANDOM_PAIRS TG_SHORTENED(10000)

static TgMetric *metric;
static TgEnv *env;

static int set_up(void **state)
{
    (void) state;
    metric = tg_metric_new("cdm-strict", NULL);
    env = tg_env_new();
    return metric != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
    (void) state;
    tg_env_free(env);
    tg_metric_free(metric);
    return 0;
}

/* A pair's F1, or NaN where it has none; @is_ok: whether both sides are without fault. */
static double f1(const char *ref, const char *hyp, gboolean *is_ok)
{
    const char *refs[] = { ref };
    const TgPair pair = { "pair", refs, 1, hyp };
    g_autoptr(TgResult) result = tg_result_new(metric, FALSE);

    *is_ok = FALSE;
    tg_env_next_pair(env);
    if (!tg_metric_score(metric, env, &pair, result, NULL))
        return NAN;
    *is_ok = strcmp(tg_result_status(result), "ok") == 0;
    return tg_result_get(result, 0);
}

/* Fails unless the pair has one score both ways round, in [0, 1], and each side equals itself. */
static void check_pair(const char *ref, const char *hyp)
{
    gboolean is_ok;
    const double there = f1(ref, hyp, &is_ok), back = f1(hyp, ref, &is_ok);
    const double self = f1(ref, ref, &is_ok);

    if (!isnan(there) && !isnan(back) && !(fabs(there - back) <= 1e-12))
        fail_msg("%.17g one way, %.17g the other: %s | %s", there, back, ref, hyp);
    if (!isnan(there) && !(there >= 0 && there <= 1))
        fail_msg("%.17g: %s | %s", there, ref, hyp);
    if (is_ok && self != 1)
        fail_msg("%.17g against itself: %s", self, ref);
}

/* ---- Random formulas ----------------------------------------------------------------------- */

static void append_formula(TgRandom *random, GString *out, guint depth);

static void append_group(TgRandom *random, GString *out, guint depth)
{
    g_string_append_c(out, '{');
    append_formula(random, out, depth);
    g_string_append_c(out, '}');
}

/* Few signs, so that there are many ways to pair them. */
static void append_sign(TgRandom *random, GString *out)
{
    static const char *const signs[] = { "a",        "b",           "\\mathbf{a}", "1",
                                         "+",        "=",           "(",           ")",
                                         "\\not=",   "\\mathbb{a}", "\\sin ",      ".",
                                         "\\alpha ", "\\mathrm{b}", "\\, ",        "\\le " };

    g_string_append(out, signs[tg_random_below(random, G_N_ELEMENTS(signs))]);
}

static void append_grid(TgRandom *random, GString *out, guint depth)
{
    static const char *const names[] = { "pmatrix", "aligned", "cases", "matrix" };
    const char *name = names[tg_random_below(random, G_N_ELEMENTS(names))];
    const guint n = 1 + tg_random_below(random, 4);

    g_string_append_printf(out, "\\begin{%s}", name);
    for (guint i = 0; i < n; i++) {
        append_formula(random, out, depth);
        g_string_append(out, tg_random_below(random, 2) == 0 ? "\\\\" : "");
        append_formula(random, out, depth);
        g_string_append(out, tg_random_below(random, 2) == 0 ? "&" : "\\\\");
        append_formula(random, out, depth);
        g_string_append(out, "\\\\");
    }
    g_string_append_printf(out, "\\end{%s}", name);
}

static void append_construct(TgRandom *random, GString *out, guint depth)
{
    static const char *const covers[] = { "\\sqrt",  "\\hat",           "\\overline",
                                          "\\boxed", "\\raisebox{1ex}", "\\underbrace" };

    switch (tg_random_below(random, 6)) {
    case 0:
        g_string_append(out, "\\frac");
        append_group(random, out, depth);
        append_group(random, out, depth);
        break;
    case 1:
        g_string_append(out, "a^");
        append_group(random, out, depth);
        break;
    case 2:
        g_string_append(out, "\\sum_");
        append_group(random, out, depth);
        break;
    case 3:
        append_grid(random, out, depth);
        break;
    default:
        g_string_append(out, covers[tg_random_below(random, G_N_ELEMENTS(covers))]);
        append_group(random, out, depth);
        break;
    }
}

static void append_formula(TgRandom *random, GString *out, guint depth)
{
    const guint n = tg_random_below(random, 4);

    for (guint i = 0; i < n; i++) {
        if (depth > 0 && tg_random_below(random, 3) == 0)
            append_construct(random, out, depth - 1);
        else
            append_sign(random, out);
    }
}

TEST(test_cdm_strict_pairs__random_ones)
{
    TgRandom random;

    tg_random_seed(&random, 4, 0);
    for (guint i = 0; i < N_RANDOM_PAIRS; i++) {
        g_autoptr(GString) ref = g_string_new("a"), hyp = g_string_new(NULL);

        append_formula(&random, ref, 3);
        append_formula(&random, ref, 3);
        append_formula(&random, hyp, 3);
        append_formula(&random, hyp, 3);
        check_pair(ref->str, hyp->str);
    }
}

/* ---- Pairs of the reference ---------------------------------------------------------------- */

/* Pairs that draw alike are exact; each exception has its reason. */
TEST(test_cdm_strict_pairs__of_the_reference)
{
    g_autoptr(GPtrArray) pairs = cdm_reference_load();

    tg_skip_without_shared("cdm-reference/dev.jsonl");
    for (guint i = 0; i < pairs->len; i++) {
        const CdmReferencePair *pair = pairs->pdata[i];
        gboolean is_ok;

        check_pair(pair->ref, pair->hyp);
        if (cdm_is_same_drawing(pair) && (f1(pair->ref, pair->hyp, &is_ok) == 1) ==
                                             (cdm_same_drawing_exception(pair->id) != NULL))
            fail_msg("%s", pair->id);
    }
}

TEST_GROUP(set_up, tear_down)
