/* How near our glyphs and rules come to TeX's, edge by edge: usage conformity_positions TABLE. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/conformity/positions.h"

#define MAX_MEDIAN_PX 0.5
#define MIN_WITHIN_1  0.95
#define MIN_WITHIN_2  0.99

static void print_tally(const char *name, PositionsTally *tally)
{
    printf("%-16s %8u %7u %8.3f %8.2f %% %8.2f %% %8.2f %% %8.2f %6u\n", name, tally->n_formulas,
           tally->n_marks, positions_median(tally), 100 * positions_within(tally, 0.5),
           100 * positions_within(tally, 1), 100 * positions_within(tally, 2),
           positions_largest(tally), tally->n_alone);
}

static void add(PositionsTally *sum, const PositionsTally *part)
{
    sum->n_formulas += part->n_formulas;
    sum->n_marks += part->n_marks;
    sum->n_alone += part->n_alone;
    g_array_append_vals(sum->edges, part->edges->data, part->edges->len);
}

static void print_box(const char *whose, gboolean is_there, const TgRect *box)
{
    if (is_there)
        printf("  %s %8.2f %8.2f %8.2f %8.2f", whose, box->x0, box->y0, box->x1, box->y1);
    else
        printf("  %s %35s", whose, "none");
}

/* One formula that differs visibly, for those who mend things: `--list`. */
static void print_row(const PositionsRow *row, PositionsTally *tally)
{
    if (tally->far->len == 0)
        return;
    printf("%s\t%s\t%.2f px\t%u alone\t%s\n", row->set, row->id, positions_largest(tally),
           tally->n_alone, row->formula);
    for (guint i = 0; i < tally->far->len; i++) {
        const PositionsPair *pair = &g_array_index(tally->far, PositionsPair, i);
        print_box("TeX", pair->has_tex, &pair->tex);
        print_box("ours", pair->has_ours, &pair->ours);
        printf("\n");
    }
}

/* All rows of a set, from row @i on; returns the first row after them. */
static guint compare_set(TgLayout *layout, const GPtrArray *rows, guint i, gboolean list,
                         PositionsTally *all, guint *n_failed)
{
    const char *set = ((PositionsRow *) rows->pdata[i])->set;
    PositionsTally tally;

    positions_tally_init(&tally);
    for (; i < rows->len; i++) {
        const PositionsRow *row = rows->pdata[i];
        if (strcmp(row->set, set) != 0)
            break;
        PositionsTally one;
        positions_tally_init(&one);
        if (!positions_compare(layout, row, &one)) {
            printf("%s %s is not set: %s\n", row->set, row->id, row->formula);
            (*n_failed)++;
        }
        if (list)
            print_row(row, &one);
        add(&tally, &one);
        positions_tally_clear(&one);
    }
    print_tally(set, &tally);
    add(all, &tally);
    positions_tally_clear(&tally);
    return i;
}

int main(int argc, char **argv)
{
    const gboolean list = argc > 2 && strcmp(argv[2], "--list") == 0;
    GError *error = NULL;

    if (argc < 2) {
        fprintf(stderr, "usage: conformity_positions TABLE [--list]\n");
        return 2;
    }
    g_autoptr(GPtrArray) rows = positions_load(argv[1], &error);
    g_autoptr(TgFonts) fonts = rows != NULL ? tg_fonts_new(&error) : NULL;
    if (fonts == NULL) {
        fprintf(stderr, "%s\n", error->message);
        g_clear_error(&error);
        return EXIT_FAILURE;
    }
    g_autoptr(TgLayout) layout = tg_layout_new(fonts);
    PositionsTally all;
    guint n_failed = 0;

    positions_tally_init(&all);
    printf("%-16s %8s %7s %8s %10s %10s %10s %8s %6s\n", "edges of", "formulas", "marks", "median",
           "<= .5 px", "<= 1 px", "<= 2 px", "largest", "alone");
    for (guint i = 0; i < rows->len;)
        i = compare_set(layout, rows, i, list, &all, &n_failed);
    print_tally("all", &all);
    const gboolean good = n_failed == 0 && positions_median(&all) <= MAX_MEDIAN_PX &&
                          positions_within(&all, 1) >= MIN_WITHIN_1 &&
                          positions_within(&all, 2) >= MIN_WITHIN_2;
    positions_tally_clear(&all);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
