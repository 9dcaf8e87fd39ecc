/* Boxes alone: edges of elements against the official ones, where the elements agree. */
#include <math.h>
#include <stdlib.h>

#include "tests/conformity/stages.h"
#include "tests/conformity/tally.h"
#include "tests/support/measure.h"

enum { EDGES = 4 };

static void edges_of(TgRect box, double *edge)
{
    edge[0] = box.x0;
    edge[1] = box.y0;
    edge[2] = box.x1;
    edge[3] = box.y1;
}

/* Add the differences of one formula's edges to @differences. */
static void compare_boxes(const TgCdmFormula *formula, const CdmReferenceSide *official,
                          GArray *differences)
{
    for (guint k = 0; k < formula->n_inked; k++) {
        const guint i = formula->inked[k];
        double ours[EDGES], wanted[EDGES];

        if (!official->inked[i])
            continue;
        edges_of(*cdm_box(formula, k), ours);
        edges_of(official->boxes[i], wanted);
        for (guint e = 0; e < EDGES; e++) {
            const double difference = fabs(ours[e] - wanted[e]);
            g_array_append_val(differences, difference);
        }
    }
}

gboolean conformity_same_ink(const TgCdmFormula *formula, const CdmReferenceSide *official,
                             double *largest)
{
    g_autoptr(GArray) differences = g_array_new(FALSE, FALSE, sizeof(double));

    *largest = 0;
    if (formula->elements.n != official->n_tokens)
        return FALSE;
    for (guint i = 0; i < official->n_tokens; i++)
        if (formula->elements.list[i].has_ink != official->inked[i])
            return FALSE;
    compare_boxes(formula, official, differences);
    for (guint i = 0; i < differences->len; i++)
        *largest = MAX(*largest, g_array_index(differences, double, i));
    return TRUE;
}

/* Print the distribution; whether it is as narrow as asked. */
static gboolean print_differences(GArray *differences)
{
    static const double limits[] = { 0, 1, 2, 4 };
    const double n = differences->len;
    double share[G_N_ELEMENTS(limits)] = { 0 };

    g_array_sort(differences, tg_by_value);
    for (guint i = 0; i < differences->len; i++)
        for (guint k = 0; k < G_N_ELEMENTS(limits); k++)
            share[k] += g_array_index(differences, double, i) <= limits[k];
    g_print("Boxes: %u edges, median difference %g px", differences->len,
            g_array_index(differences, double, differences->len / 2));
    for (guint k = 0; k < G_N_ELEMENTS(limits); k++)
        g_print(", within %g px %.2f %%", limits[k], 100 * share[k] / n);
    g_print("\n\n");
    return share[0] / n >= 0.985 && share[2] / n >= 0.99;
}

static void add_side(Tally *tally, GArray *differences, const ConformityPair *pair,
                     const TgCdmFormula *formula, const CdmReferenceSide *official)
{
    double largest;
    g_autofree char *cause = NULL;

    if (formula->elements.n != official->n_tokens || !official->rendered)
        return;
    compare_boxes(formula, official, differences);
    const gboolean same_ink = conformity_same_ink(formula, official, &largest);
    tally_add(tally, pair->official->kind, same_ink && largest <= 4);
    if (!same_ink)
        cause = g_strdup("other elements have ink");
    else if (largest > 4)
        cause = g_strdup_printf("an edge is off by %g px", largest);
    if (cause != NULL)
        tally_note(tally, pair->official->id, cause);
}

gboolean conformity_boxes(const GPtrArray *pairs, TgLayout *setter)
{
    g_autoptr(GArray) differences = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(Tally) tally = tally_new();

    (void) setter;
    for (guint i = 0; i < pairs->len; i++) {
        const ConformityPair *pair = pairs->pdata[i];

        add_side(tally, differences, pair, pair->ref, &pair->official->gt_side);
        add_side(tally, differences, pair, pair->hyp, &pair->official->pred_side);
    }
    tally_print(tally, "Formulas with every edge within 4 px of the official one");
    return print_differences(differences);
}
