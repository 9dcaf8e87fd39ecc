/* RANSAC over translation and scale, in rounds that each accept one more group of elements. */
#include "metrics/cdm/ransac.h"

#include <math.h>

#include "core/deadline.h"
#include "metrics/cdm/pcg64.h"

/* The pairs that no round before has accepted. Their ref points are relative to their mean. */
typedef struct {
    const TgCdmRansacRules *rules;
    const TgCdmPoint *ref, *hyp; /* of all pairs */
    guint *left;                 /* indices of those left */
    guint n;
    TgCdmPoint centre;                   /* mean of the ref points left */
    double *ref_x, *ref_y, *to_x, *to_y; /* of those left, for the innermost loop */
} Round;

/* hyp = scale * (ref - centre) + centre + shift */
typedef struct {
    TgCdmPoint shift;
    double scale;
} Model;

/* How well a model fits a round, and the order among models. */
typedef struct {
    guint n_accepted;
    double error; /* as the rules sum it */
} Fit;

/* The root is exact to the last bit everywhere, unlike hypot(). */
static double vector_length(double dx, double dy)
{
    return sqrt(dx * dx + dy * dy);
}

static TgCdmPoint mean_point(const TgCdmPoint *points, const guint *which, guint n)
{
    TgCdmPoint mean = { 0, 0 };

    for (guint k = 0; k < n; k++) {
        mean.x += points[which[k]].x;
        mean.y += points[which[k]].y;
    }
    return (TgCdmPoint){ mean.x / n, mean.y / n };
}

/* Mean distance of points from their mean. */
static double mean_spread(const TgCdmPoint *points, const guint *which, guint n, TgCdmPoint mean)
{
    double sum = 0;

    for (guint k = 0; k < n; k++)
        sum += vector_length(points[which[k]].x - mean.x, points[which[k]].y - mean.y);
    return sum / n;
}

static Model fit_sample(const Round *round, const guint32 *sample, guint n)
{
    guint which[TG_PCG64_MAX_CHOSEN];

    for (guint i = 0; i < n; i++)
        which[i] = round->left[sample[i]];
    const TgCdmPoint from = mean_point(round->ref, which, n), to = mean_point(round->hyp, which, n);
    /* No sample is refused: equal ref points give a scale of about 1e11. */
    return (Model){
        .shift = { to.x - from.x, to.y - from.y },
        .scale = mean_spread(round->hyp, which, n, to) /
                 (mean_spread(round->ref, which, n, from) + 1e-10),
    };
}

static double residual(const Round *round, Model model, guint k)
{
    const double dx =
        model.scale * round->ref_x[k] + round->centre.x + model.shift.x - round->to_x[k];
    const double dy =
        model.scale * round->ref_y[k] + round->centre.y + model.shift.y - round->to_y[k];

    return vector_length(dx, dy);
}

/* A fit that cannot become better than @best any more is given up. */
static Fit evaluate_model(const Round *round, Model model, Fit best)
{
    const double tolerance_px = round->rules->tolerance_px;
    const gboolean sums_inliers = round->rules->sums_inliers;
    const guint may_miss = round->n - MIN(best.n_accepted, round->n);
    Fit fit = { 0, 0.0 };

    for (guint k = 0; k < round->n; k++) {
        const double r = residual(round, model, k);
        const gboolean accepted = r < tolerance_px;

        fit.n_accepted += accepted;
        if (sums_inliers)
            fit.error += accepted ? r : 0.0;
        else
            fit.error += r * r;
        if (k + 1 - fit.n_accepted > may_miss)
            return (Fit){ 0, INFINITY };
    }
    return fit;
}

static gboolean is_better(Fit fit, Fit best)
{
    return fit.n_accepted > best.n_accepted ||
           (fit.n_accepted == best.n_accepted && fit.error < best.error);
}

static void try_sample(const Round *round, const guint32 *sample, guint n, Model *best,
                       Fit *best_fit)
{
    const Model model = fit_sample(round, sample, n);
    const Fit fit = evaluate_model(round, model, *best_fit);

    if (is_better(fit, *best_fit)) {
        *best = model;
        *best_fit = fit;
    }
}

/* Where all errors are summed, none at all ends the search. */
static Model search_official(const Round *round, Fit *best_fit)
{
    const TgCdmRansacRules *rules = round->rules;
    Model best = { { 0, 0 }, 1 };
    TgPcg64 random;
    guint32 sample[TG_PCG64_MAX_CHOSEN];

    tg_pcg64_init(&random, rules->seed);
    for (guint trial = 0; trial < rules->n_trials && !tg_too_long(round->n); trial++) {
        if (!rules->sums_inliers && best_fit->error <= 0)
            break;
        tg_pcg64_choose(&random, round->n, rules->n_sample, sample);
        try_sample(round, sample, rules->n_sample, &best, best_fit);
    }
    return best;
}

static Model search_exhaustive(const Round *round, Fit *best_fit)
{
    const guint64 n_samples = (guint64) round->n * (round->n - 1) / 2;
    const guint64 stride = (n_samples + TG_CDM_MAX_SAMPLES - 1) / TG_CDM_MAX_SAMPLES;
    Model best = { { 0, 0 }, 1 };
    guint64 number = 0;

    for (guint32 i = 0; i < round->n; i++)
        for (guint32 j = i + 1; j < round->n; j++)
            if (number++ % stride == 0) {
                if (tg_too_long(round->n))
                    return best;
                try_sample(round, (const guint32[]){ i, j }, 2, &best, best_fit);
            }
    return best;
}

static void begin_round(Round *round)
{
    round->centre = mean_point(round->ref, round->left, round->n);
    for (guint k = 0; k < round->n; k++) {
        const TgCdmPoint ref = round->ref[round->left[k]], hyp = round->hyp[round->left[k]];

        round->ref_x[k] = ref.x - round->centre.x;
        round->ref_y[k] = ref.y - round->centre.y;
        round->to_x[k] = hyp.x;
        round->to_y[k] = hyp.y;
    }
}

/* One round: accepts pairs and takes them out of those left; FALSE when it found none. */
static gboolean accept_one_group(Round *round, TgCdmRansac method, gboolean *accepted)
{
    Fit fit = { 0, INFINITY };
    guint n_left = 0;

    begin_round(round);
    const Model model = method == TG_CDM_RANSAC_OFFICIAL ? search_official(round, &fit)
                                                         : search_exhaustive(round, &fit);
    if (fit.n_accepted == 0)
        return FALSE;
    for (guint k = 0; k < round->n; k++) {
        if (residual(round, model, k) < round->rules->tolerance_px)
            accepted[round->left[k]] = TRUE;
        else
            round->left[n_left++] = round->left[k];
    }
    round->n = n_left;
    return TRUE;
}

void tg_cdm_check_positions(const TgCdmPoint *ref, const TgCdmPoint *hyp, guint n,
                            const TgCdmRansacRules *rules, TgCdmRansac method, gboolean *accepted)
{
    g_autofree guint *left = g_new(guint, n);
    g_autofree double *numbers = g_new(double, 4 * (gsize) MAX(n, 1));
    Round round = {
        .rules = rules,
        .ref = ref,
        .hyp = hyp,
        .left = left,
        .n = n,
        .ref_x = numbers,
        .ref_y = numbers + n,
        .to_x = numbers + 2 * (gsize) n,
        .to_y = numbers + 3 * (gsize) n,
    };

    for (guint k = 0; k < n; k++) {
        accepted[k] = n <= rules->n_sample;
        left[k] = k;
    }
    /* So few that are left over have nothing to be compared with and stay out. */
    for (guint i = 0; i < rules->max_rounds && round.n > rules->n_sample; i++)
        if (!accept_one_group(&round, method, accepted))
            break;
}
