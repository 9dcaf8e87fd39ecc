/* All stages together: the metric's scores against the official ones. */
#include <math.h>

#include "tests/conformity/cdm_examples.h"
#include "tests/conformity/stages.h"
#include "tests/conformity/tally.h"

static const double rounding = 0.0005 + 1e-9;

gboolean conformity_both_drawn(const CdmReferencePair *pair)
{
    return pair->gt_side.rendered && pair->pred_side.rendered;
}

/* The first stage at which a pair differs, which is the cause of its other score. */
static char *find_cause(const ConformityPair *pair)
{
    double ref, hyp;

    if (pair->ref->elements.n != pair->official->gt_side.n_tokens ||
        pair->hyp->elements.n != pair->official->pred_side.n_tokens)
        return g_strdup("elements");
    if (!conformity_same_ink(pair->ref, &pair->official->gt_side, &ref) ||
        !conformity_same_ink(pair->hyp, &pair->official->pred_side, &hyp))
        return g_strdup("layout: other elements have ink");
    if (ref > 2 || hyp > 2)
        return g_strdup_printf("layout: an edge is off by %g px", MAX(ref, hyp));
    return g_strdup_printf("seed: boxes agree to %g px, assignment or samples turn on less",
                           MAX(ref, hyp));
}

/* Mid-ranks, for Spearman's coefficient. */
static void rank(const double *values, guint n, double *ranks)
{
    for (guint i = 0; i < n; i++) {
        ranks[i] = 0.5;
        for (guint k = 0; k < n; k++)
            ranks[i] += values[k] < values[i] ? 1.0 : values[k] == values[i] ? 0.5 : 0.0;
    }
}

double conformity_pearson(const double *x, const double *y, guint n)
{
    double sx = 0, sy = 0, xx = 0, yy = 0, xy = 0;

    for (guint i = 0; i < n; i++) {
        sx += x[i] / n;
        sy += y[i] / n;
    }
    for (guint i = 0; i < n; i++) {
        xx += (x[i] - sx) * (x[i] - sx);
        yy += (y[i] - sy) * (y[i] - sy);
        xy += (x[i] - sx) * (y[i] - sy);
    }
    return xy / sqrt(xx * yy);
}

typedef struct {
    guint n, n_near, n_exact;
    double *ours, *wanted;
} Agreement;

static gboolean print_agreement(const Agreement *agreement)
{
    const guint n = agreement->n;
    g_autofree double *rank_ours = g_new(double, n), *rank_wanted = g_new(double, n);

    rank(agreement->ours, n, rank_ours);
    rank(agreement->wanted, n, rank_wanted);
    const double r = conformity_pearson(agreement->ours, agreement->wanted, n);
    const double rho = conformity_pearson(rank_ours, rank_wanted, n);
    g_print("Without broken: within 0.02 %.2f %%, Pearson %.4f, Spearman %.4f, exact agrees on "
            "%.2f %%\n\n",
            100.0 * agreement->n_near / n, r, rho, 100.0 * agreement->n_exact / n);
    return agreement->n_near >= 0.985 * n && r >= 0.995 && rho >= 0.995 &&
           agreement->n_exact >= 0.99 * n;
}

gboolean conformity_cdm(const GPtrArray *pairs, TgLayout *setter)
{
    g_autoptr(Tally) sound = tally_new(), broken = tally_new();
    g_autofree double *ours = g_new(double, pairs->len), *wanted = g_new(double, pairs->len);
    Agreement agreement = { .ours = ours, .wanted = wanted };

    (void) setter;
    for (guint i = 0; i < pairs->len; i++) {
        const ConformityPair *pair = pairs->pdata[i];
        const double official = pair->official->f1, f1 = pair->score.f1;
        const gboolean is_broken = strcmp(pair->official->kind, "broken") == 0;

        if (!conformity_both_drawn(pair->official))
            continue;
        const gboolean agrees = fabs(f1 - official) <= rounding;
        tally_add(is_broken ? broken : sound, pair->official->kind, agrees);
        if (!agrees) {
            g_autofree char *cause = find_cause(pair);
            g_autofree char *note = g_strdup_printf("%.3f, official %.3f; %s", f1, official, cause);
            tally_note(is_broken ? broken : sound, pair->official->id, note);
        }
        if (is_broken)
            continue;
        agreement.n_near += fabs(f1 - official) <= 0.02;
        agreement.n_exact += (f1 == 1) == (official == 1);
        ours[agreement.n] = f1;
        wanted[agreement.n++] = official;
    }
    tally_print(broken, "Scores of malformed predictions");
    tally_print(sound, "Scores");
    return print_agreement(&agreement) && tally_share(sound) >= 0.95;
}

static TgCdmScore score_vector(TgLayout *setter, const CdmVector *vector, gboolean *has_ink)
{
    g_autoptr(TgCdmFormula) ref = cdm_draw(setter, vector->ref, TG_CDM_PAGE_OFFICIAL, 5000);
    g_autoptr(TgCdmFormula) hyp = cdm_draw(setter, vector->hyp, TG_CDM_PAGE_OFFICIAL, 5000);

    *has_ink = ref != NULL && ref->n_inked > 0;
    return ref != NULL && hyp != NULL ? cdm_score(ref, hyp) : (TgCdmScore){ 0 };
}

gboolean conformity_vectors(const GPtrArray *pairs, TgLayout *setter)
{
    g_autoptr(GPtrArray) vectors = cdm_vectors_load();
    g_autoptr(Tally) tally = tally_new();

    (void) pairs;
    for (guint i = 0; vectors != NULL && i < vectors->len; i++) {
        const CdmVector *vector = vectors->pdata[i];
        gboolean has_ink;
        const TgCdmScore score = score_vector(setter, vector, &has_ink);
        const gboolean agrees = isnan(vector->f1)
                                    ? !has_ink
                                    : fabs(score.f1 - vector->f1) <= rounding &&
                                          fabs(score.recall - vector->recall) <= rounding &&
                                          fabs(score.precision - vector->precision) <= rounding;

        tally_add(tally, isnan(vector->f1) ? "left out" : "scored", agrees);
        if (!agrees) {
            g_autofree char *id = g_strdup_printf("%s | %s", vector->ref, vector->hyp);
            g_autofree char *note = g_strdup_printf("F1 %.3f, official %.3f", score.f1, vector->f1);
            tally_note(tally, id, note);
        }
    }
    tally_print(tally, "Scored pairs of the specification");
    return tally_share(tally) >= 0.95;
}
