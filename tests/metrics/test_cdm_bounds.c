/* The time and memory that hostile formulas of 10 kB can cost. */
#include "tests/support/test_support.h"

#include <sys/resource.h>

#include <texgauge/texgauge.h>

#include "core/random.h"
#include "metrics/metric.h"
#include "tests/support/cpu_time.h"

enum { LENGTH = TG_SHORTENED(10000) };

/* @before and @behind around nothing, as deep as fits. */
static char *nest(const char *before, const char *behind, guint depth)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < depth; i++)
        g_string_append(text, before);
    for (guint i = 0; i < depth; i++)
        g_string_append(text, behind);
    return g_string_free(text, FALSE);
}

/* Random pieces out of @pieces. */
static char *shuffle(const char *const *pieces, guint n_pieces, guint seed, guint n)
{
    GString *text = g_string_new(NULL);
    TgRandom random;

    tg_random_seed(&random, seed, 0);
    for (guint i = 0; i < n && text->len < LENGTH; i++)
        g_string_append(text, pieces[tg_random_below(&random, n_pieces)]);
    return g_string_free(text, FALSE);
}

static const char *const cdm_specs[] = { "cdm", "cdm:page=unlimited",
                                         "cdm:locate=raster:page=unlimited", NULL };
static const char *const picture_specs[] = { "imgedit", "mse", "ssim", NULL };

/* Score a pair by each metric in @seconds of CPU time. */
static void check_specs(const char *const *specs, double seconds, const char *ref, const char *hyp)
{
    for (; *specs != NULL; specs++) {
        g_autoptr(TgMetric) metric = tg_metric_new(*specs, NULL);
        assert_non_null(metric);
        g_autoptr(TgEnv) env = tg_env_new();
        g_autoptr(TgResult) result = tg_result_new(metric, FALSE);
        g_autoptr(GError) error = NULL;
        const TgPair pair = { "pair", &ref, 1, hyp };
        const double start = tg_cpu_seconds();

        if (!tg_metric_score(metric, env, &pair, result, &error))
            assert_true(g_error_matches(error, TG_ERROR, TG_ERROR_DATA) ||
                        g_error_matches(error, TG_ERROR, TG_ERROR_PARSE));
        tg_assert_cpu_below(start, seconds, *specs);
    }
}

/* Every metric that draws: cdm may take two seconds, pictures four. */
static void check_pair(const char *ref, const char *hyp)
{
    check_specs(cdm_specs, 2, ref, hyp);
    check_specs(picture_specs, 4, ref, hyp);
}

TEST(test_cdm_bounds__repetition)
{
    static const char *const units[] = {
        "x_",
        "x^",
        "\\hat",
        "\\left(",
        "\\label{a}x",
        "{\\rm a}",
        "a\\over{",
        "$x",
        "\\operatorname{s i n}",
        "\\begin{matrix}a\\end{matrix}",
        "\\begin{align}",
        "\\text{a b}",
        "\\mathrm{a\\hat{b}}",
        "\\def\\a{\\b\\b}\\def\\b{\\a\\a}\\a",
        "~",
        "a&",
        "a\\\\",
        "中",
        "\\rule{99pt}{9pt}",
        "\\sqrt[",
    };

    for (guint i = 0; i < G_N_ELEMENTS(units); i++) {
        g_autofree char *ref = tg_repeat(units[i], LENGTH);
        g_autofree char *hyp = tg_repeat(units[(i + 7) % G_N_ELEMENTS(units)], LENGTH);

        check_specs(cdm_specs, 2, ref, hyp);
        if (i % 2 == 0) /* each unit is one of the two sides then, and pictures treat both alike */
            check_specs(picture_specs, 4, ref, hyp);
    }
}

TEST(test_cdm_bounds__nesting)
{
    static const struct {
        const char *before, *behind;
        guint depth;
    } nests[] = {
        { "\\frac{a}{", "}", 900 },
        { "\\sqrt{", "}", 1400 },
        { "{", "}", 5000 },
        { "\\frac{a}{", "}", 200 },
        { "\\sqrt{", "}", 240 },
        { "x^{", "}", 240 },
        { "\\mathrm{\\hat{a}", "}", 600 },
        { "\\begin{matrix}", "\\end{matrix}", 380 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(nests); i++) {
        g_autofree char *ref = nest(nests[i].before, nests[i].behind, nests[i].depth);
        check_pair(ref, ref + 1);
    }
}

/* As many elements as are scored, of few names: the hardest assignments. */
TEST(test_cdm_bounds__large_assignments)
{
    static const char *const letters[] = { "a ", "b ", "c ", "d ", "e ", "f ", "g ", "h " };
    g_autofree char *ref = shuffle(letters, 8, 1, 1999), *hyp = shuffle(letters, 8, 2, 1999);

    check_pair(ref, hyp);
}

TEST(test_cdm_bounds__any_bytes)
{
    static const char *const pieces[] = {
        "\\",
        "{",
        "}",
        "^",
        "_",
        "&",
        "$",
        "%",
        "#",
        "~",
        "a",
        "1",
        " ",
        "[",
        "]",
        "\\left",
        "\\right.",
        "\\frac",
        "\\sqrt",
        "\\begin{array}{c}",
        "\\end{array}",
        "\\\\",
        "\\mathrm",
        "\\not",
        "'",
    };

    for (guint seed = 0; seed < 5; seed++) {
        g_autofree char *ref = shuffle(pieces, G_N_ELEMENTS(pieces), 2 * seed, LENGTH);
        g_autofree char *hyp = shuffle(pieces, G_N_ELEMENTS(pieces), 2 * seed + 1, LENGTH);

        check_pair(ref, hyp);
    }
}

/* Comes last: the most memory that anything above held. */
TEST(test_cdm_bounds__memory)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    if (TG_INSTRUMENTED == 1 && usage.ru_maxrss > 200 * 1024)
        fail_msg("%ld MB were in use", usage.ru_maxrss / 1024);
}
