/* Scoring pairs with a metric in tests, one by one and pooled. */
#pragma once

#include "tests/support/golden.h"

#include <texgauge/registry.h>

#include "metrics/metric.h"
#include "render/pictures/pair_picture.h"

/** A metric with what it needs to score pairs one after another. */
typedef struct {
    TgMetric *metric;
    TgEnv *env;
    TgResult *result;
    double *sum; /* of the statistics of the pairs scored so far */
} TestScorer;

static inline TestScorer test_scorer_new(const char *spec)
{
    TestScorer scorer = { tg_must(tg_metric_new(spec, &error)), tg_env_new(), NULL, NULL };

    scorer.result = tg_result_new(scorer.metric, TRUE);
    scorer.sum = g_new0(double, scorer.metric->n_stats + 1);
    return scorer;
}

static inline void test_scorer_clear(TestScorer *scorer)
{
    tg_result_free(scorer->result);
    tg_env_free(scorer->env);
    tg_metric_free(scorer->metric);
    g_free(scorer->sum);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TestScorer, test_scorer_clear)

/** Score a pair, add its statistics to the sum, and return its headline. */
static inline double test_scorer_add_refs(TestScorer *scorer, const char *const *refs, guint n_refs,
                                          const char *hyp)
{
    const TgPair pair = { "pair", refs, n_refs, hyp };
    guint n;

    tg_env_next_pair(scorer->env);
    tg_must(tg_metric_score(scorer->metric, scorer->env, &pair, scorer->result, &error));
    const double *stats = tg_result_stats(scorer->result, &n);
    for (guint i = 0; i < n; i++)
        scorer->sum[i] += stats[i];
    return tg_result_get(scorer->result, 0);
}

static inline double test_scorer_add(TestScorer *scorer, const char *ref, const char *hyp)
{
    return test_scorer_add_refs(scorer, &ref, 1, hyp);
}

/** Score a pair that may have no score. */
static inline gboolean test_scorer_try(TestScorer *scorer, const char *ref, const char *hyp,
                                       GError **error)
{
    const TgPair pair = { "pair", &ref, 1, hyp };

    tg_env_next_pair(scorer->env);
    return tg_metric_score(scorer->metric, scorer->env, &pair, scorer->result, error);
}

/**
 * Fails unless the headline of a pair is @wanted, or it has none where that is NaN, and its status,
 * or the reason, is like @status, where `*` stands for any text.
 */
static inline void tg_assert_outcome(const char *spec, const char *ref, const char *hyp,
                                     double wanted, const char *status)
{
    g_auto(TestScorer) scorer = test_scorer_new(spec);
    g_autoptr(GError) error = NULL;
    const gboolean scored = test_scorer_try(&scorer, ref, hyp, &error);
    const char *said = scored ? tg_result_status(scorer.result) : error->message;

    if (scored != !isnan(wanted) || !g_pattern_match_simple(status, said))
        fail_msg("%s, %s | %s: %s", spec, ref, hyp, said);
    if (scored)
        tg_assert_near(tg_result_get(scorer.result, 0), wanted, 1e-9);
}

/** Score a pair whose references stand in a JSON array, where null means that there is none. */
static inline double test_scorer_add_json(TestScorer *scorer, const json_t *refs, const char *hyp)
{
    g_autofree const char **list = g_new(const char *, json_array_size(refs));
    guint n = 0;

    for (size_t i = 0; i < json_array_size(refs); i++)
        if (json_is_string(json_array_get(refs, i)))
            list[n++] = json_string_value(json_array_get(refs, i));
    return test_scorer_add_refs(scorer, list, n, hyp);
}

/** The index of the column @name in the metric's table. */
static inline guint test_scorer_column(const TestScorer *scorer, const char *name)
{
    const TgColumn *columns = tg_metric_info(scorer->metric)->columns;

    for (guint i = 0; columns[i].name != NULL; i++)
        if (strcmp(columns[i].name, name) == 0)
            return i;
    fail_msg("no column '%s'", name);
    return 0;
}

/** Column @name of the pair scored last. */
static inline double test_scorer_get(const TestScorer *scorer, const char *name)
{
    return tg_result_get(scorer->result, test_scorer_column(scorer, name));
}

/** Column @name of all pairs scored so far, from their summed statistics. */
static inline double test_scorer_pool(const TestScorer *scorer, const char *name)
{
    g_autofree double *out = g_new(double, tg_metric_n_columns(scorer->metric));

    tg_metric_pool(scorer->metric, scorer->sum, out);
    return out[test_scorer_column(scorer, name)];
}

/** The headline of one pair. */
static inline double tg_score_pair(const char *spec, const char *ref, const char *hyp)
{
    g_auto(TestScorer) scorer = test_scorer_new(spec);

    return test_scorer_add(&scorer, ref, hyp);
}

/** Column @name of one pair. */
static inline double tg_score_column(const char *spec, const char *name, const char *ref,
                                     const char *hyp)
{
    g_auto(TestScorer) scorer = test_scorer_new(spec);

    test_scorer_add(&scorer, ref, hyp);
    return test_scorer_get(&scorer, name);
}

/** A column, or the headline where it is NULL, of a pair scored by a metric of its own. */
typedef struct {
    const char *spec, *column, *ref, *hyp;
    double wanted;
} TestScore;

/** Fails unless the @n pairs have the scores, whole numbers exactly, others but for rounding. */
static inline void tg_assert_scores(const TestScore *scores, guint n)
{
    for (guint i = 0; i < n; i++) {
        const TestScore *s = &scores[i];
        g_auto(TestScorer) scorer = test_scorer_new(s->spec);
        const double headline = test_scorer_add(&scorer, s->ref, s->hyp);
        const double got = s->column != NULL ? test_scorer_get(&scorer, s->column) : headline;

        if (!(fabs(got - s->wanted) <= (s->wanted == floor(s->wanted) ? 1e-12 : 1e-9)))
            fail_msg("%s, %s | %s: %.12g, not %.12g", s->spec, s->ref, s->hyp, got, s->wanted);
    }
}

/** The picture of a pair, NULL with an error where the metric has none. (transfer full) */
static inline TgPairPicture *tg_score_picture(const char *spec, const char *ref, const char *hyp,
                                              GError **error)
{
    g_auto(TestScorer) scorer = test_scorer_new(spec);
    g_autoptr(TgFonts) fonts = tg_fonts_new(NULL);
    g_autoptr(TgRenderer) renderer = tg_renderer_new(fonts);
    const TgPair pair = { "pair", &ref, 1, hyp };

    return tg_metric_picture(scorer.metric, scorer.env, renderer, &pair, error);
}

/** The tokens of a JSON array as one text, joined by spaces; to be freed. */
static inline char *tg_join_tokens(const json_t *tokens)
{
    GString *out = g_string_new(NULL);

    for (size_t i = 0; i < json_array_size(tokens); i++)
        g_string_append_printf(out, "%s%s", i > 0 ? " " : "",
                               json_string_value(json_array_get(tokens, i)));
    return g_string_free(out, FALSE);
}

/** Score all segments of a record of sacrebleu's, whose references are streams. */
static inline void test_scorer_add_corpus(TestScorer *scorer, const json_t *record)
{
    tg_golden_each(hyp, json_object_get(record, "hyps"))
    {
        json_auto_t *refs = json_array();

        tg_golden_each(stream, json_object_get(record, "refs"))
            json_array_append(refs, json_array_get(stream, hyp_at));
        test_scorer_add_json(scorer, refs, json_string_value(hyp));
    }
}
