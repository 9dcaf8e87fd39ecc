/* Our marks against the ink boxes that TeX's output has. */
#include "tests/conformity/positions.h"

#include <math.h>

#include "render/paint/drawing.h"
#include "tests/support/measure.h"
#include "tokenizer/latex/parse.h"

#define PX_PER_SP  (200 / (72.27 * 65536))
#define ALONE_PX   32.0 /* the cost of a mark without partner */
#define N_COLUMNS  4
#define EDGES_EACH 4

static void row_free(gpointer data)
{
    PositionsRow *row = data;

    g_free(row->set);
    g_free(row->id);
    g_free(row->formula);
    g_array_unref(row->boxes);
    g_free(row);
}

static GArray *read_boxes(const char *text)
{
    GArray *boxes = g_array_new(FALSE, FALSE, sizeof(TgRect));
    char *at = (char *) text;

    while (*at != '\0') {
        double edges[EDGES_EACH];
        for (guint k = 0; k < EDGES_EACH; k++) {
            edges[k] = (double) g_ascii_strtoll(at, &at, 10) / 100;
            at += *at != '\0';
        }
        const TgRect box = { edges[0], edges[1], edges[2], edges[3] };
        g_array_append_val(boxes, box);
    }
    return boxes;
}

GPtrArray *positions_load(const char *path, GError **error)
{
    g_autofree char *text = NULL;
    GPtrArray *rows = NULL;

    if (!g_file_get_contents(path, &text, NULL, error))
        return NULL;

    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    rows = g_ptr_array_new_with_free_func(row_free);
    for (guint i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++) {
        g_auto(GStrv) cells = g_strsplit(lines[i], "\t", N_COLUMNS);
        g_assert_cmpuint(g_strv_length(cells), ==, N_COLUMNS);
        PositionsRow *row = g_new0(PositionsRow, 1);

        row->set = g_strdup(cells[0]);
        row->id = g_strdup(cells[1]);
        row->formula = g_strdup(cells[2]);
        row->boxes = read_boxes(cells[3]);
        g_ptr_array_add(rows, row);
    }
    return rows;
}

void positions_tally_init(PositionsTally *tally)
{
    *tally = (PositionsTally){ .edges = g_array_new(FALSE, FALSE, sizeof(double)),
                               .far = g_array_new(FALSE, FALSE, sizeof(PositionsPair)) };
}

void positions_tally_clear(PositionsTally *tally)
{
    g_clear_pointer(&tally->edges, g_array_unref);
    g_clear_pointer(&tally->far, g_array_unref);
}

/* ---- Pairing --------------------------------------------------------------------------------- */

static void differences(const TgRect *a, const TgRect *b, double *edges)
{
    edges[0] = fabs(a->x0 - b->x0);
    edges[1] = fabs(a->y0 - b->y0);
    edges[2] = fabs(a->x1 - b->x1);
    edges[3] = fabs(a->y1 - b->y1);
}

static double pair_cost(const TgRect *a, const TgRect *b)
{
    double edges[EDGES_EACH];

    differences(a, b, edges);
    return edges[0] + edges[1] + edges[2] + edges[3];
}

/* The cost of pairing the two before the ends the other way round: accents and their letters. */
static double swapped_cost(const TgRect *a, const TgRect *b)
{
    return pair_cost(&a[-1], &b[-2]) + pair_cost(&a[-2], &b[-1]);
}

/* The least cost of pairing the first i of @a with the first j of @b, at [i * (m + 1) + j]. */
static double *pairing_costs(const TgRect *a, gsize n, const TgRect *b, gsize m)
{
    double *cost = g_new(double, (n + 1) * (m + 1));

    for (gsize i = 0; i <= n; i++) {
        for (gsize j = 0; j <= m; j++) {
            double *here = &cost[i * (m + 1) + j];
            const double *above = here - (m + 1);
            *here = i == 0 && j == 0 ? 0 : INFINITY;
            if (i > 0)
                *here = MIN(*here, above[0] + ALONE_PX);
            if (j > 0)
                *here = MIN(*here, here[-1] + ALONE_PX);
            if (i > 0 && j > 0)
                *here = MIN(*here, above[-1] + pair_cost(&a[i - 1], &b[j - 1]));
            if (i > 1 && j > 1)
                *here = MIN(*here, above[-(gssize) m - 3] + swapped_cost(&a[i], &b[j]));
        }
    }
    return cost;
}

static void add_pair(PositionsTally *tally, const TgRect *ours, const TgRect *tex)
{
    const PositionsPair pair = { TRUE, TRUE, *ours, *tex };
    double edges[EDGES_EACH];
    gboolean far = FALSE;

    differences(ours, tex, edges);
    for (guint k = 0; k < EDGES_EACH; k++)
        far = far || edges[k] > POSITIONS_FAR_PX;
    g_array_append_vals(tally->edges, edges, EDGES_EACH);
    if (far)
        g_array_append_val(tally->far, pair);
}

static void add_alone(PositionsTally *tally, const TgRect *ours, const TgRect *tex)
{
    PositionsPair pair = { .has_ours = ours != NULL, .has_tex = tex != NULL };

    if (ours != NULL)
        pair.ours = *ours;
    if (tex != NULL)
        pair.tex = *tex;
    tally->n_alone++;
    g_array_append_val(tally->far, pair);
}

/* Pair marks that the order of drawing left without partner with the nearest ones. */
static void add_rest(PositionsTally *tally, GArray *a, GArray *b)
{
    for (guint i = 0; i < a->len; i++) {
        const TgRect *box = &g_array_index(a, TgRect, i);
        double least = ALONE_PX;
        guint best = b->len;

        for (guint j = 0; j < b->len; j++) {
            const double cost = pair_cost(box, &g_array_index(b, TgRect, j));
            if (cost < least) {
                least = cost;
                best = j;
            }
        }
        if (best < b->len) {
            add_pair(tally, box, &g_array_index(b, TgRect, best));
            g_array_remove_index(b, best);
        } else {
            add_alone(tally, box, NULL);
        }
    }
    for (guint j = 0; j < b->len; j++)
        add_alone(tally, NULL, &g_array_index(b, TgRect, j));
}

static void add_pairs(PositionsTally *tally, const TgRect *a, gsize n, const TgRect *b, gsize m)
{
    const gsize columns = m;
    g_autofree double *cost = pairing_costs(a, n, b, m);
    g_autoptr(GArray) rest_a = g_array_new(FALSE, FALSE, sizeof(TgRect));
    g_autoptr(GArray) rest_b = g_array_new(FALSE, FALSE, sizeof(TgRect));

    while (n > 0 || m > 0) {
        const double *here = &cost[n * (columns + 1) + m];
        const double *above = n > 0 ? here - (columns + 1) : NULL;
        if (n > 0 && m > 0 && *here >= above[-1] + pair_cost(&a[n - 1], &b[m - 1]))
            add_pair(tally, &a[--n], &b[--m]);
        else if (n > 1 && m > 1 &&
                 *here >= above[-(gssize) columns - 3] + swapped_cost(&a[n], &b[m])) {
            add_pair(tally, &a[n - 1], &b[m - 2]);
            add_pair(tally, &a[n - 2], &b[m - 1]);
            n -= 2;
            m -= 2;
        } else if (n > 0 && *here >= above[0] + ALONE_PX)
            g_array_append_val(rest_a, a[--n]);
        else
            g_array_append_val(rest_b, b[--m]);
    }
    add_rest(tally, rest_a, rest_b);
}

gboolean positions_compare(TgLayout *layout, const PositionsRow *row, PositionsTally *tally)
{
    static const TgParseOptions options = { .strict = TRUE, .source = TG_SOURCE_MATH };
    g_autoptr(TgTree) tree = tg_tree_parse(row->formula, strlen(row->formula), &options, NULL);
    const TgItem *box = tree != NULL ? tg_layout_tree(layout, tree, TG_DISPLAY, NULL) : NULL;
    g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(TgMark));

    if (box == NULL || !tg_flatten(box, marks, NULL))
        return FALSE;

    g_autofree TgRect *ours = g_new(TgRect, marks->len + 1);
    for (guint i = 0; i < marks->len; i++)
        ours[i] = tg_mark_ink(&g_array_index(marks, TgMark, i), PX_PER_SP);
    add_pairs(tally, ours, marks->len, (const TgRect *) (const void *) row->boxes->data,
              row->boxes->len);
    tally->n_formulas++;
    tally->n_marks += row->boxes->len;
    return TRUE;
}

/* ---- Figures --------------------------------------------------------------------------------- */

double positions_within(const PositionsTally *tally, double px)
{
    const double n = (double) tally->edges->len + EDGES_EACH * (double) tally->n_alone;
    guint inside = 0;

    for (guint i = 0; i < tally->edges->len; i++)
        inside += g_array_index(tally->edges, double, i) <= px;
    return n > 0 ? inside / n : 1;
}

double positions_median(PositionsTally *tally)
{
    g_array_sort(tally->edges, tg_by_value);
    return tally->edges->len > 0 ? g_array_index(tally->edges, double, tally->edges->len / 2) : NAN;
}

double positions_largest(const PositionsTally *tally)
{
    double largest = 0;

    for (guint i = 0; i < tally->edges->len; i++)
        largest = MAX(largest, g_array_index(tally->edges, double, i));
    return largest;
}
