/* The official program's matching costs, and the assignment that makes their sum least. */
#include "metrics/cdm/match.h"

#include <math.h>

#include "core/deadline.h"
#include "metrics/algorithms/algorithms.h"
#include "metrics/cdm/equivalence.h"

/* What the costs need of one element: numbers stand for names, so comparing them is cheap. */
typedef struct {
    guint name, canonical;
    TgRect relative; /* its box, in parts of the picture's width and height */
} Element;

/* Gives equal strings equal numbers; owns the strings. */
static guint number_of(GHashTable *numbers, char *string)
{
    const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, string));

    if (known > 0) {
        g_free(string);
        return known;
    }
    const guint next = g_hash_table_size(numbers) + 1;
    g_hash_table_insert(numbers, string, GUINT_TO_POINTER(next));
    return next;
}

static Element *describe_match(const TgCdmDrawing *drawing, GHashTable *names,
                               GHashTable *canonicals, TgCdmVocabulary vocabulary)
{
    Element *elements = g_new(Element, drawing->n);

    for (guint i = 0; i < drawing->n; i++) {
        const TgRect box = drawing->boxes[i];

        elements[i] = (Element){
            .name = number_of(names, g_strdup(drawing->tokens[i])),
            .canonical =
                number_of(canonicals, tg_cdm_canonical_token(drawing->tokens[i], vocabulary)),
            .relative = { box.x0 / drawing->width_px, box.y0 / drawing->height_px,
                          box.x1 / drawing->width_px, box.y1 / drawing->height_px },
        };
    }
    return elements;
}

static double token_cost(const TgCdmDialect *dialect, const Element *a, const Element *b)
{
    if (a->name == b->name)
        return 0.0;
    return a->canonical == b->canonical ? dialect->same_symbol_cost : TG_CDM_COST_OTHER_TOKEN;
}

static double position_cost(const Element *a, const Element *b)
{
    return (fabs(a->relative.x0 - b->relative.x0) + fabs(a->relative.y0 - b->relative.y0) +
            fabs(a->relative.x1 - b->relative.x1) + fabs(a->relative.y1 - b->relative.y1)) /
           4;
}

/* Each index is divided on its own: among assignments that cost the same but for rounding, this
 * is what makes the official choice. */
static double order_cost(guint i, guint n_ref, guint j, guint n_hyp)
{
    return fabs((double) i / n_ref - (double) j / n_hyp);
}

guint tg_cdm_match(const TgCdmDrawing *ref, const TgCdmDrawing *hyp, const TgCdmDialect *dialect,
                   TgCdmMatch *matches)
{
    const gboolean own = dialect->order == TG_CDM_ORDER_OWN;
    const guint longer = MAX(ref->n, hyp->n), n_ref = own ? ref->n : longer,
                n_hyp = own ? hyp->n : longer;
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) canonicals = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autofree Element *a = describe_match(ref, names, canonicals, dialect->vocabulary);
    g_autofree Element *b = describe_match(hyp, names, canonicals, dialect->vocabulary);
    g_autofree double *cost = g_new(double, (gsize) ref->n * hyp->n);
    g_autofree guint *partner = g_new(guint, ref->n);
    guint n = 0;

    for (guint i = 0; i < ref->n && !tg_too_long(hyp->n); i++)
        for (guint j = 0; j < hyp->n; j++)
            cost[(gsize) i * hyp->n + j] = token_cost(dialect, &a[i], &b[j]) +
                                           TG_CDM_COST_POSITION * position_cost(&a[i], &b[j]) +
                                           TG_CDM_COST_ORDER * order_cost(i, n_ref, j, n_hyp);
    if (tg_too_long(0)) /* costs are missing */
        return 0;
    tg_assignment_solve(cost, ref->n, hyp->n, partner);
    for (guint i = 0; i < ref->n; i++)
        if (partner[i] != TG_UNASSIGNED)
            matches[n++] = (TgCdmMatch){
                .ref = i,
                .hyp = partner[i],
                .token = token_cost(dialect, &a[i], &b[partner[i]]),
                .position = position_cost(&a[i], &b[partner[i]]),
                .order = order_cost(i, n_ref, partner[i], n_hyp),
            };
    return n;
}
