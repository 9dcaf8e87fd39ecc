/* From two drawings to F1, precision and recall. */
#include "metrics/cdm/score.h"

double tg_cdm_round(double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    return g_ascii_strtod(g_ascii_formatd(text, sizeof text, "%.3f", value), NULL);
}

static TgCdmPoint box_centre(TgRect box)
{
    return (TgCdmPoint){ (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 };
}

/* All pairs take part in the position check, also those of different symbols. */
static void check_positions(const TgCdmDrawing *ref, const TgCdmDrawing *hyp,
                            const TgCdmMatch *matches, guint n, const TgCdmRansacRules *rules,
                            TgCdmRansac method, gboolean *in_place)
{
    g_autofree TgCdmPoint *from = g_new(TgCdmPoint, n);
    g_autofree TgCdmPoint *to = g_new(TgCdmPoint, n);

    for (guint k = 0; k < n; k++) {
        from[k] = box_centre(ref->boxes[matches[k].ref]);
        to[k] = box_centre(hyp->boxes[matches[k].hyp]);
    }
    tg_cdm_check_positions(from, to, n, rules, method, in_place);
}

static double count_share(guint part, guint whole)
{
    return whole > 0 ? tg_cdm_round((double) part / whole) : 0.0;
}

TgCdmScore tg_cdm_score(const TgCdmDrawing *ref, const TgCdmDrawing *hyp,
                        const TgCdmDialect *dialect, TgCdmRansac method, TgCdmMatch *matches,
                        TgCdmVerdict *verdicts)
{
    const guint room = MIN(ref->n, hyp->n);
    g_autofree TgCdmMatch *own_matches = matches == NULL ? g_new(TgCdmMatch, room) : NULL;
    g_autofree gboolean *in_place = g_new(gboolean, room);
    TgCdmMatch *pairs = matches != NULL ? matches : own_matches;
    const guint n = tg_cdm_match(ref, hyp, dialect, pairs);
    guint n_accepted = 0;

    check_positions(ref, hyp, pairs, n, &dialect->ransac, method, in_place);
    for (guint k = 0; k < n; k++) {
        const TgCdmVerdict verdict = !in_place[k] ? TG_CDM_MISPLACED
                                     : pairs[k].token >= TG_CDM_COST_OTHER_TOKEN
                                         ? TG_CDM_OTHER_TOKEN
                                         : TG_CDM_ACCEPTED;
        n_accepted += verdict == TG_CDM_ACCEPTED;
        if (verdicts != NULL)
            verdicts[k] = verdict;
    }
    return (TgCdmScore){
        .n_accepted = n_accepted,
        .n_ref = ref->n,
        .n_hyp = hyp->n,
        .f1 = count_share(2 * n_accepted, ref->n + hyp->n),
        .precision = count_share(n_accepted, hyp->n),
        .recall = count_share(n_accepted, ref->n),
    };
}
