/* TeXBLEU from token distances. */
#include "metrics/texbleu/texbleu_score.h"

#include <math.h>

/* Of equation (1). */
#define BETA 0.1

static double place_distance(const TgTexbleuRule *rule, const TgEmbedding *positions, guint32 a,
                             guint32 b)
{
    const guint32 last = tg_embedding_rows(positions) - 1;
    const double sum = tg_embedding_l1_distance(positions, MIN(a, last), MIN(b, last));
    return rule->position == TG_POSITION_MEAN ? sum / tg_embedding_dim(positions) : sum;
}

double tg_texbleu_distance(const TgTexbleuRule *rule, const TgEmbedding *tokens,
                           const TgEmbedding *positions, TgPlacedToken a, TgPlacedToken b)
{
    /* Rounding may leave a distance just below 0, of which no power should be taken. */
    const double cosine = fmax(tg_embedding_cosine_distance(tokens, a.id, b.id), 0.0);
    const double token = cosine * cosine;

    if (a.place == b.place)
        return token / 2.0;
    const double place = rule->position_scale * place_distance(rule, positions, a.place, b.place);
    return (token + tanh(BETA * place)) / 2.0;
}

/* 1 - the mean distance over all n-grams of length @order and their tokens. */
static double order_similarity(const double *distances, guint n, guint order)
{
    const guint n_grams = n - order + 1;
    double sum = 0.0;

    /* Token i is in as many n-grams as cover it. */
    for (guint i = 0; i < n; i++) {
        const guint covers = MIN(MIN(i + 1, n - i), MIN(order, n_grams));
        sum += covers * distances[i];
    }
    return 1.0 - sum / ((double) n_grams * order);
}

double tg_texbleu_score(const TgTexbleuRule *rule, const double *distances, guint n,
                        double *similarities)
{
    double sum = 0.0;
    guint n_used = 0;

    for (guint order = 1; order <= rule->order; order++) {
        double *sim = &similarities[order - 1];
        if (order > n && !rule->keep_orders) {
            *sim = NAN;
            continue;
        }
        *sim = order > n ? 0.0 : order_similarity(distances, n, order);
        n_used++;
        sum += log(fmax(*sim, rule->floor)); /* log 0 makes the score 0 */
    }
    return n > 0 && n_used > 0 ? exp(sum / n_used) : 0.0;
}
