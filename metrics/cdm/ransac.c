/* RANSAC over translation and scale, in rounds that each accept one more group of elements. */
#include "metrics/cdm/ransac.h"

#include <math.h>

#include "metrics/cdm/pcg64.h"

enum { MAX_ROUNDS = 5, OFFICIAL_TRIALS = 50 };

static const double tolerance_px = 20.0;

/* What one round works on: the pairs that no round before has accepted. */
typedef struct {
    const TgCdmPoint *ref, *hyp;
    const guint *left; /* their indices */
    guint n;
    TgCdmPoint centre; /* mean of their ref points */
} Round;

/* hyp = scale * (ref - centre) + centre + shift */
typedef struct {
    TgCdmPoint shift;
    double scale;
} Model;

/* How well a model fits a round, and the order among models. */
typedef struct {
    guint n_accepted;
    double squared_error; /* over all pairs of the round, accepted or not */
} Fit;

static TgCdmPoint box_middle(TgCdmPoint a, TgCdmPoint b)
{
    return (TgCdmPoint){ (a.x + b.x) / 2, (a.y + b.y) / 2 };
}

/* The root is exact to the last bit everywhere, unlike hypot(). */
static double vector_length(double dx, double dy)
{
    return sqrt(dx * dx + dy * dy);
}

/* Mean distance of two points from their middle. */
static double mean_spread(TgCdmPoint a, TgCdmPoint b)
{
    const TgCdmPoint m = box_middle(a, b);

    return (vector_length(a.x - m.x, a.y - m.y) + vector_length(b.x - m.x, b.y - m.y)) / 2;
}

static Model fit_sample(const Round *round, guint i, guint j)
{
    const guint a = round->left[i], b = round->left[j];
    const TgCdmPoint from = box_middle(round->ref[a], round->ref[b]);
    const TgCdmPoint to = box_middle(round->hyp[a], round->hyp[b]);

    /* No sample is refused: two equal ref points give a scale of about 1e11. */
    return (Model){
        .shift = { to.x - from.x, to.y - from.y },
        .scale = mean_spread(round->hyp[a], round->hyp[b]) /
                 (mean_spread(round->ref[a], round->ref[b]) + 1e-10),
    };
}

static double residual(const Round *round, Model model, guint k)
{
    const TgCdmPoint ref = round->ref[round->left[k]], hyp = round->hyp[round->left[k]];
    const double dx =
        model.scale * (ref.x - round->centre.x) + round->centre.x + model.shift.x - hyp.x;
    const double dy =
        model.scale * (ref.y - round->centre.y) + round->centre.y + model.shift.y - hyp.y;

    return vector_length(dx, dy);
}

static Fit evaluate_model(const Round *round, Model model)
{
    Fit fit = { 0, 0.0 };

    for (guint k = 0; k < round->n; k++) {
        const double r = residual(round, model, k);

        fit.n_accepted += r < tolerance_px;
        fit.squared_error += r * r;
    }
    return fit;
}

static gboolean is_better(Fit fit, Fit best)
{
    return fit.n_accepted > best.n_accepted ||
           (fit.n_accepted == best.n_accepted && fit.squared_error < best.squared_error);
}

static Model search_official(const Round *round, Fit *best_fit)
{
    Model best = { { 0, 0 }, 1 };
    TgPcg64 random;
    guint32 sample[2];

    tg_pcg64_init_42(&random);
    for (guint trial = 0; trial < OFFICIAL_TRIALS && best_fit->squared_error > 0; trial++) {
        tg_pcg64_choose_two(&random, round->n, sample);

        const Model model = fit_sample(round, sample[0], sample[1]);
        const Fit fit = evaluate_model(round, model);
        if (is_better(fit, *best_fit)) {
            best = model;
            *best_fit = fit;
        }
    }
    return best;
}

static Model search_exhaustive(const Round *round, Fit *best_fit)
{
    const guint64 n_samples = (guint64) round->n * (round->n - 1) / 2;
    const guint64 stride = (n_samples + TG_CDM_MAX_SAMPLES - 1) / TG_CDM_MAX_SAMPLES;
    Model best = { { 0, 0 }, 1 };
    guint64 number = 0;

    for (guint i = 0; i < round->n; i++)
        for (guint j = i + 1; j < round->n; j++) {
            if (number++ % stride != 0)
                continue;

            const Model model = fit_sample(round, i, j);
            const Fit fit = evaluate_model(round, model);
            if (is_better(fit, *best_fit)) {
                best = model;
                *best_fit = fit;
            }
        }
    return best;
}

static TgCdmPoint mean_ref(const TgCdmPoint *ref, const guint *left, guint n)
{
    TgCdmPoint mean = { 0, 0 };

    for (guint k = 0; k < n; k++) {
        mean.x += ref[left[k]].x;
        mean.y += ref[left[k]].y;
    }
    return (TgCdmPoint){ mean.x / n, mean.y / n };
}

/* One round: accepts pairs and takes them out of @left; FALSE when it found none. */
static gboolean accept_one_group(Round *round, TgCdmRansac method, guint *left, gboolean *accepted)
{
    Fit fit = { 0, INFINITY };
    const Model model = method == TG_CDM_RANSAC_OFFICIAL ? search_official(round, &fit)
                                                         : search_exhaustive(round, &fit);
    guint n_left = 0;

    if (fit.n_accepted == 0)
        return FALSE;
    for (guint k = 0; k < round->n; k++) {
        if (residual(round, model, k) < tolerance_px)
            accepted[left[k]] = TRUE;
        else
            left[n_left++] = left[k];
    }
    round->n = n_left;
    return TRUE;
}

void tg_cdm_check_positions(const TgCdmPoint *ref, const TgCdmPoint *hyp, guint n,
                            TgCdmRansac method, gboolean *accepted)
{
    g_autofree guint *left = g_new(guint, n);
    Round round = { .ref = ref, .hyp = hyp, .left = left, .n = n };

    for (guint k = 0; k < n; k++) {
        accepted[k] = n <= 2;
        left[k] = k;
    }
    /* One or two left over have nothing to be compared with and stay out. */
    for (guint i = 0; i < MAX_ROUNDS && round.n > 2; i++) {
        round.centre = mean_ref(ref, left, round.n);
        if (!accept_one_group(&round, method, left, accepted))
            break;
    }
}
