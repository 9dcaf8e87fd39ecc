/* RANSAC over translation and scale, in rounds that each accept one more group of elements. */
#include <math.h>

#include "core/deadline.h"
#include "metrics/cdm/cdm.h"

/* ---- samples: the two draws that the official sampler needs of numpy's PCG64 ---- */

#define JOIN(high, low) ((TgUint128) G_GUINT64_CONSTANT(high) << 64 | G_GUINT64_CONSTANT(low))

void tg_pcg64_init(TgPcg64 *random, guint seed)
{
    /* The results of numpy's SeedSequence for the seeds. */
    static const TgPcg64 seed_42 = {
        .state = JOIN(0xcea44f6798798f2a, 0xacbc7c9d68860ac8),
        .increment = JOIN(0xfa505436c9a8416e, 0x66caf2e28d25abff),
    };
    static const TgPcg64 seed_2026 = {
        .state = JOIN(0x8b4e2f84ea4132eb, 0x2d429278cd96cb05),
        .increment = JOIN(0xbec6782ecb0472d8, 0xdd766bd09854840b),
    };

    g_return_if_fail(seed == 42 || seed == 2026);
    *random = seed == 42 ? seed_42 : seed_2026;
}

static guint64 pcg64_next64(TgPcg64 *random)
{
    random->state =
        random->state * JOIN(0x2360ed051fc65da4, 0x4385df649fccf645) + random->increment;
    const guint64 high = (guint64) (random->state >> 64), low = (guint64) random->state;
    const guint turn = high >> 58;

    return (high ^ low) >> turn | (high ^ low) << (-turn & 63);
}

static guint32 pcg64_next32(TgPcg64 *random)
{
    if (random->has_kept) {
        random->has_kept = FALSE;
        return random->kept;
    }

    const guint64 both = pcg64_next64(random);
    random->kept = (guint32) (both >> 32);
    random->has_kept = TRUE;
    return (guint32) both;
}

/* An unbiased number in 0..@max, by Lemire's multiplication on 32 bits as numpy draws it; 0 for
 * @max 0, which uses up no random number. @max is below 2^32 - 1. Source: O'Neill (2014), PCG,
 * HMC-CS-2014-0905; Lemire (2019), ACM TOMACS 29(1). */
static guint32 pcg64_bounded(TgPcg64 *random, guint32 max)
{
    if (max == 0)
        return 0;

    const guint32 n = max + 1, biased_below = (guint32) (-n) % n;
    guint64 product;
    do
        product = (guint64) pcg64_next32(random) * n;
    while ((guint32) product < biased_below);
    return (guint32) (product >> 32);
}

static gboolean pcg64_is_chosen(const guint32 *chosen, guint count, guint32 number)
{
    for (guint i = 0; i < count; i++)
        if (chosen[i] == number)
            return TRUE;
    return FALSE;
}

/* Floyd's sampling, then a shuffle from the back. */
void tg_pcg64_choose(TgPcg64 *random, guint32 n, guint count, guint32 *chosen)
{
    for (guint i = 0; i < count; i++) {
        const guint32 last = n - count + i, drawn = pcg64_bounded(random, last);

        chosen[i] = pcg64_is_chosen(chosen, i, drawn) ? last : drawn;
    }
    for (guint i = count - 1; i > 0; i--) {
        const guint32 other = pcg64_bounded(random, i), kept = chosen[i];

        chosen[i] = chosen[other];
        chosen[other] = kept;
    }
}

/* ---- rounds ---- */

/* A pair that no round before has accepted. */
typedef struct {
    TgCdmPoint ref, hyp;
    TgCdmPoint centered; /* ref relative to the center of its round */
    guint index;
} Left;

typedef struct {
    const TgCdmRansacRules *rules;
    Left *left;
    guint n;
    TgCdmPoint center; /* mean of the ref points left */
} Round;

/* hyp = scale * (ref - center) + center + shift */
typedef struct {
    TgCdmPoint shift;
    double scale;
} Model;

/* How well a model fits a round; models are compared by it. */
typedef struct {
    guint n_accepted;
    double error; /* as the rules sum it */
} Fit;

/* The root is exact to the last bit everywhere, unlike hypot(). */
static double vector_length(double dx, double dy)
{
    return sqrt(dx * dx + dy * dy);
}

/* No sample is refused: equal ref points give a scale of about 1e11. */
static Model fit_sample(const Round *round, const guint32 *sample, guint n)
{
    TgCdmPoint from = { 0, 0 }, to = { 0, 0 };
    double spread_from = 0, spread_to = 0;

    for (guint i = 0; i < n; i++) {
        const Left *pair = &round->left[sample[i]];

        from = (TgCdmPoint){ from.x + pair->ref.x, from.y + pair->ref.y };
        to = (TgCdmPoint){ to.x + pair->hyp.x, to.y + pair->hyp.y };
    }
    from = (TgCdmPoint){ from.x / n, from.y / n };
    to = (TgCdmPoint){ to.x / n, to.y / n };
    for (guint i = 0; i < n; i++) {
        const Left *pair = &round->left[sample[i]];

        spread_from += vector_length(pair->ref.x - from.x, pair->ref.y - from.y);
        spread_to += vector_length(pair->hyp.x - to.x, pair->hyp.y - to.y);
    }
    return (Model){
        .shift = { to.x - from.x, to.y - from.y },
        .scale = spread_to / n / (spread_from / n + 1e-10),
    };
}

static double model_residual(const Round *round, Model model, guint k)
{
    const Left *pair = &round->left[k];
    const double dx =
        model.scale * pair->centered.x + round->center.x + model.shift.x - pair->hyp.x;
    const double dy =
        model.scale * pair->centered.y + round->center.y + model.shift.y - pair->hyp.y;

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
        const double r = model_residual(round, model, k);
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

/* Where all errors are summed, none at all ends the search. So does a model that accepts all pairs:
 * only another such model could be better, and it would accept the same ones. */
static Model search_model(const Round *round, Fit *best_fit)
{
    const TgCdmRansacRules *rules = round->rules;
    Model best = { { 0, 0 }, 1 };
    TgPcg64 random;
    guint32 sample[TG_PCG64_MAX_CHOSEN];

    tg_pcg64_init(&random, rules->seed);
    for (guint trial = 0; trial < rules->n_trials && !tg_deadline_spend(round->n); trial++) {
        if (best_fit->n_accepted == round->n || (!rules->sums_inliers && best_fit->error <= 0))
            break;
        tg_pcg64_choose(&random, round->n, rules->n_sample, sample);
        const Model model = fit_sample(round, sample, rules->n_sample);
        const Fit fit = evaluate_model(round, model, *best_fit);

        if (fit.n_accepted > best_fit->n_accepted ||
            (fit.n_accepted == best_fit->n_accepted && fit.error < best_fit->error)) {
            best = model;
            *best_fit = fit;
        }
    }
    return best;
}

/* One round: accepts pairs and takes them out of those left; FALSE when it found none. */
static gboolean accept_one_group(Round *round, gboolean *accepted)
{
    Fit fit = { 0, INFINITY };
    guint n_left = 0;

    round->center = (TgCdmPoint){ 0, 0 };
    for (guint k = 0; k < round->n; k++) {
        round->center.x += round->left[k].ref.x;
        round->center.y += round->left[k].ref.y;
    }
    round->center = (TgCdmPoint){ round->center.x / round->n, round->center.y / round->n };
    for (guint k = 0; k < round->n; k++) {
        Left *pair = &round->left[k];

        pair->centered =
            (TgCdmPoint){ pair->ref.x - round->center.x, pair->ref.y - round->center.y };
    }
    const Model model = search_model(round, &fit);
    if (fit.n_accepted == 0)
        return FALSE;
    for (guint k = 0; k < round->n; k++) {
        if (model_residual(round, model, k) < round->rules->tolerance_px)
            accepted[round->left[k].index] = TRUE;
        else
            round->left[n_left++] = round->left[k];
    }
    round->n = n_left;
    return TRUE;
}

void tg_cdm_check_positions(const TgCdmPoint *ref, const TgCdmPoint *hyp, guint n,
                            const TgCdmRansacRules *rules, gboolean *accepted)
{
    g_autofree Left *left = g_new(Left, n);
    Round round = { .rules = rules, .left = left, .n = n };

    for (guint k = 0; k < n; k++) {
        accepted[k] = n <= rules->n_sample;
        left[k] = (Left){ .ref = ref[k], .hyp = hyp[k], .index = k };
    }
    /* Pairs left over that are no more than a sample have nothing to be compared with, so they stay
     * out. */
    for (guint i = 0; i < rules->max_rounds && round.n > rules->n_sample; i++)
        if (!accept_one_group(&round, accepted))
            break;
}
