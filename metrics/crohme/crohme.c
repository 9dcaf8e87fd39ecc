/* crohme-graph: CROHME's figures from label graphs: expression rate, errors, structure rate,
 * symbols and relations. */
#include "metrics/crohme/crohme.h"

#include <texgauge/metric.h>

#include "core/fail.h"
#include "metrics/base/base.h"

/* Pooled counts of symbols and relations, which give recall, precision and F. */
enum {
    STAT_REF_NODES,
    STAT_HYP_NODES,
    STAT_NODES,
    STAT_LABELS,
    STAT_REF_EDGES,
    STAT_HYP_EDGES,
    STAT_EDGES,
    STAT_RELATIONS,
    N_STATS,
};

enum {
    COLUMN_EXACT,
    COLUMN_WITHIN_1,
    COLUMN_WITHIN_2,
    COLUMN_WITHIN_3,
    COLUMN_STRUCTURE,
    COLUMN_ERRORS,
    COLUMN_NODE_ERRORS,
    COLUMN_EDGE_ERRORS,
    COLUMN_CONVERTS,
    COLUMN_RATES,
};

#define RATES(name, what)                                                                             \
    { name "-recall", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_STATS, "of " what ", of all pairs" },        \
        { name "-precision", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_STATS, "of " what ", of all pairs" }, \
    {                                                                                                 \
        name "-f", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_STATS, "of " what ", of all pairs"              \
    }

static const TgColumn columns[] = {
    { "crohme-graph", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "share of equal graphs: ExpRate" },
    { "within1", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "share with at most 1 graph error" },
    { "within2", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "share with at most 2 graph errors" },
    { "within3", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "share with at most 3 graph errors" },
    { "structure", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN,
      "share of graphs that are equal but for labels: structure rate" },
    { "errors", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_SUM, "wrong nodes and relations" },
    { "node-errors", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_SUM,
      "nodes lost, added or with another label" },
    { "edge-errors", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_SUM,
      "relations lost, added or of another kind" },
    { "converts", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN,
      "share of predictions that convert to a graph" },
    RATES("symbol", "symbols by place"),
    RATES("class", "symbols by place and label"),
    RATES("relation", "relations by place"),
    RATES("relation-class", "relations by place and kind"),
    { 0 },
};

static guint crohme_n_stats(G_GNUC_UNUSED gconstpointer self)
{
    return N_STATS;
}

/* An empty side has nothing wrong, so its share is 1. */
static double share_of_whole(double part, double whole)
{
    return whole > 0 ? part / whole : 1;
}

static void crohme_pool(G_GNUC_UNUSED gconstpointer self, const double *stats, double *out)
{
    static const guint8 counts[][3] = {
        { STAT_NODES, STAT_REF_NODES, STAT_HYP_NODES },
        { STAT_LABELS, STAT_REF_NODES, STAT_HYP_NODES },
        { STAT_EDGES, STAT_REF_EDGES, STAT_HYP_EDGES },
        { STAT_RELATIONS, STAT_REF_EDGES, STAT_HYP_EDGES },
    };

    for (guint i = 0; i < G_N_ELEMENTS(counts); i++) {
        const double correct = stats[counts[i][0]], ref = stats[counts[i][1]],
                     hyp = stats[counts[i][2]];
        double *rates = &out[COLUMN_RATES + 3 * i];

        rates[0] = share_of_whole(correct, ref);
        rates[1] = share_of_whole(correct, hyp);
        rates[2] = share_of_whole(2 * correct, ref + hyp);
    }
}

static gboolean compare_pair(TgEnv *env, const TgPair *pair, TgCrohmeComparison *out,
                             GError **error)
{
    TgArena *arena = tg_env_arena(env);

    *out =
        (TgCrohmeComparison){ .paths = tg_crohme_paths_new(arena), .n_ref = tg_env_reference(env) };
    out->hyp = tg_crohme_graph(arena, out->paths, pair->hyp);
    out->ref = tg_crohme_graph(arena, out->paths, pair->refs[0]);
    if (out->ref.fault != NULL)
        return tg_fail(error, TG_ERROR_PARSE, "the reference does not convert: %s", out->ref.fault);
    out->counts = tg_crohme_compare(arena, out->paths, &out->ref, &out->hyp);
    return TRUE;
}

static void set_note(TgResult *out, const TgCrohmeComparison *comparison)
{
    static const char shared[] =
        "the reference has several symbols in one place, as tables have, of which the protocol "
        "asks for one in common: score it by forte or cdm-strict, too";
    g_autofree char *fault = g_strconcat("does not convert: ", comparison->hyp.fault, NULL);

    if (comparison->hyp.fault != NULL)
        tg_result_set_note(out, fault);
    else if (comparison->counts.shared)
        tg_result_set_note(out, shared);
}

static gboolean crohme_score(gconstpointer self, TgEnv *env, const TgPair *pair, TgResult *out,
                             GError **error)
{
    TgCrohmeComparison comparison;

    if (!compare_pair(env, pair, &comparison, error))
        return FALSE;
    const TgCrohmeCounts *counts = &comparison.counts;
    const guint errors = counts->node_errors + counts->edge_errors;
    const double stats[N_STATS] = {
        [STAT_REF_NODES] = counts->ref_nodes, [STAT_HYP_NODES] = counts->hyp_nodes,
        [STAT_NODES] = counts->nodes,         [STAT_LABELS] = counts->labels,
        [STAT_REF_EDGES] = counts->ref_edges, [STAT_HYP_EDGES] = counts->hyp_edges,
        [STAT_EDGES] = counts->edges,         [STAT_RELATIONS] = counts->relations,
    };
    double rates[G_N_ELEMENTS(columns)];

    tg_result_set_rank(out, -(double) errors);
    for (guint k = 0; k <= 3; k++)
        tg_result_set(out, COLUMN_EXACT + k, errors <= k);
    tg_result_set(out, COLUMN_STRUCTURE, counts->structure);
    tg_result_set(out, COLUMN_ERRORS, errors);
    tg_result_set(out, COLUMN_NODE_ERRORS, counts->node_errors);
    tg_result_set(out, COLUMN_EDGE_ERRORS, counts->edge_errors);
    tg_result_set(out, COLUMN_CONVERTS, comparison.hyp.fault == NULL);
    crohme_pool(self, stats, rates);
    for (guint i = COLUMN_RATES; i + 1 < G_N_ELEMENTS(columns); i++)
        tg_result_set(out, i, rates[i]);
    tg_result_set_stats(out, stats);
    set_note(out, &comparison);
    if (tg_result_wants_detail(out))
        tg_result_take_detail(out, tg_crohme_describe(&comparison));
    return TRUE;
}

static gboolean crohme_show(G_GNUC_UNUSED gconstpointer self, TgEnv *env, TgRenderer *renderer,
                            const TgPair *pair, TgPairPicture *picture, GError **error)
{
    TgCrohmeComparison comparison;

    return compare_pair(env, pair, &comparison, error) &&
           tg_crohme_show(tg_env_arena(env), picture, renderer, pair->refs[0], pair->hyp,
                          &comparison, error);
}

const TgMetricInfo tg_metric_crohme_graph = {
    .abi = TG_METRIC_ABI,
    .name = "crohme-graph",
    .version = "2",
    .summary = "CROHME's label graphs: ExpRate, errors, structure rate",
    .citation = "Zanibbi and others 2013 (LgEval); pandoc, CoMER's convert2symLG",
    .columns = columns,
    .each_reference = TRUE,
    .explain = TG_EXPLAIN_ELEMENTS,
    .n_stats = crohme_n_stats,
    .score = crohme_score,
    .show = crohme_show,
    .pool = crohme_pool,
};
