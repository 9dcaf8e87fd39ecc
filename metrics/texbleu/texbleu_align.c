/* Pairing the tokens of two formulas for TeXBLEU by an optimal alignment. */
#include "metrics/texbleu/texbleu_align.h"

#include <math.h>
#include <string.h>

#include "core/deadline.h"

/* A sequence as indices into its distinct ids: formulas repeat themselves. */
typedef struct {
    guint32 *distinct;
    guint n_distinct;
    guint32 *index; /* of each token */
} Distinct;

static gint compare_ids(gconstpointer a, gconstpointer b)
{
    const guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

    return x < y ? -1 : x > y;
}

static Distinct find_distinct(TgEnv *env, const guint32 *ids, guint n)
{
    Distinct out = { tg_env_scratch(env, n * sizeof(guint32)), 0,
                     tg_env_scratch(env, n * sizeof(guint32)) };

    memcpy(out.distinct, ids, n * sizeof *ids);
    qsort(out.distinct, n, sizeof *ids, compare_ids);
    for (guint i = 0; i < n; i++)
        if (i == 0 || out.distinct[i] != out.distinct[i - 1])
            out.distinct[out.n_distinct++] = out.distinct[i];
    for (guint i = 0; i < n; i++) {
        const guint32 *at =
            bsearch(&ids[i], out.distinct, out.n_distinct, sizeof *ids, compare_ids);
        out.index[i] = (guint32) (at - out.distinct);
    }
    return out;
}

/* Token distances of all distinct ids: [ref][hyp]. */
static double *pair_costs(TgEnv *env, const TgTexbleuRule *rule, const TgEmbedding *tokens,
                          const Distinct *ref, const Distinct *hyp)
{
    double *costs = tg_env_scratch(env, (gsize) ref->n_distinct * hyp->n_distinct * sizeof *costs);

    for (guint i = 0; i < ref->n_distinct && !tg_too_long(20 * (gsize) hyp->n_distinct); i++)
        for (guint j = 0; j < hyp->n_distinct; j++)
            costs[(gsize) i * hyp->n_distinct + j] =
                tg_texbleu_distance(rule, tokens, NULL, (TgPlacedToken){ ref->distinct[i], 0 },
                                    (TgPlacedToken){ hyp->distinct[j], 0 });
    return costs;
}

typedef enum { STEP_PAIR, STEP_REF, STEP_HYP } Step;

/* Fill steps[n_ref + 1][n_hyp + 1]: by which step the least cost of each prefix pair is reached. */
static void fill_steps(TgEnv *env, const Distinct *ref, guint n_ref, const Distinct *hyp,
                       guint n_hyp, const double *costs, double gap, guint8 *steps)
{
    double *row = tg_env_scratch(env, ((gsize) n_hyp + 1) * sizeof *row);

    for (guint j = 0; j <= n_hyp; j++) {
        row[j] = j * gap;
        steps[j] = STEP_HYP;
    }
    for (guint i = 1; i <= n_ref && !tg_too_long(n_hyp); i++) {
        const double *cost = costs + (gsize) ref->index[i - 1] * hyp->n_distinct;
        double diagonal = row[0];
        row[0] = i * gap;
        steps += n_hyp + 1;
        steps[0] = STEP_REF;
        for (guint j = 1; j <= n_hyp; j++) {
            const double pair = diagonal + cost[hyp->index[j - 1]];
            const double skip_ref = row[j] + gap, skip_hyp = row[j - 1] + gap;
            const double skip = fmin(skip_ref, skip_hyp);
            diagonal = row[j];
            row[j] = fmin(pair, skip);
            steps[j] = pair <= skip ? STEP_PAIR : skip_ref <= skip_hyp ? STEP_REF : STEP_HYP;
        }
    }
}

const TgTexbleuColumn *tg_texbleu_align(TgEnv *env, const TgTexbleuRule *rule,
                                        const TgEmbedding *tokens, const guint32 *ref_ids,
                                        guint n_ref, const guint32 *hyp_ids, guint n_hyp,
                                        double gap, guint *n, GError **error)
{
    const gsize n_cells = ((gsize) n_ref + 1) * ((gsize) n_hyp + 1);

    if (n_cells > TG_TEXBLEU_MAX_CELLS) {
        g_set_error(error, TG_ERROR, TG_ERROR_DATA,
                    "too long to align: %u tokens with %u; align=none takes any length", n_ref,
                    n_hyp);
        return NULL;
    }
    const Distinct ref = find_distinct(env, ref_ids, n_ref);
    const Distinct hyp = find_distinct(env, hyp_ids, n_hyp);
    const double *costs = pair_costs(env, rule, tokens, &ref, &hyp);
    guint8 *steps = tg_env_scratch(env, n_cells);
    const guint capacity = n_ref + n_hyp;
    TgTexbleuColumn *columns = tg_env_scratch(env, (capacity + 1) * sizeof *columns);
    guint i = n_ref, j = n_hyp, at = capacity;

    fill_steps(env, &ref, n_ref, &hyp, n_hyp, costs, gap, steps);
    while ((i > 0 || j > 0) && !tg_too_long(1)) {
        const Step step = (Step) steps[(gsize) i * (n_hyp + 1) + j];
        i -= step != STEP_HYP;
        j -= step != STEP_REF;
        columns[--at] = (TgTexbleuColumn){ step != STEP_HYP ? (gint32) i : TG_TEXBLEU_NONE,
                                           step != STEP_REF ? (gint32) j : TG_TEXBLEU_NONE };
    }
    *n = capacity - at;
    return columns + at;
}
