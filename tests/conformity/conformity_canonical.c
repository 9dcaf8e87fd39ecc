/* The canonical form on real formulas: does it read back, stay the same, and draw the same? */
#include <stdio.h>
#include <stdlib.h>

#include "render/typeset/layout.h"
#include "tests/conformity/typeset_reference.h"
#include "tests/support/test_support.h"
#include "tests/support/tree_sketch.h"
#include "tokenizer/canonical/canonical.h"
#include "tokenizer/latex/parse.h"

#define SAME_SP 655 /* 0.01 pt */
/* Spaces at the ends of a formula, around \left and \right and beside the columns of an array in
 * brackets are dropped, so 4 % of the formulas become narrower. */
#define MIN_AS_WIDE 0.955
#define MIN_AS_HIGH 0.999

typedef struct {
    guint n, reads_back, stays, as_wide, as_high;
} Tally;

static TgTree *parse(const char *source, TgSourceMode mode)
{
    const TgParseOptions options = { .source = mode };

    return tg_tree_parse(source, strlen(source), &options, NULL);
}

static gboolean same_sketch(const TgTree *a, const TgTree *b)
{
    g_autofree char *left = tree_sketch(a), *right = tree_sketch(b);

    return strcmp(left, right) == 0;
}

/* The difference of the widths, and the larger one of heights and depths. */
static void compare_boxes(TgLayout *layout, const TgTree *a, const TgTree *b, gint64 *width,
                          gint64 *height)
{
    const TgItem *box = tg_layout_tree(layout, a, TG_DISPLAY, NULL);
    const gint64 first[3] = { box->width, box->height, box->depth };

    box = tg_layout_tree(layout, b, TG_DISPLAY, NULL);
    *width = ABS(first[0] - box->width);
    *height = MAX(ABS(first[1] - box->height), ABS(first[2] - box->depth));
}

/* Take off the space that \cdots has at the end of a formula, where the canonical form has none. */
static void drop_last_space(TgTree *tree)
{
    TgNode *list = (TgNode *) tree->root, *last = (TgNode *) list->u.list.first;

    while (last != NULL && last->next != NULL && last->next->next != NULL)
        last = (TgNode *) last->next;
    if (last == NULL || last->next == NULL || !tg_node_is_symbol(last, "cdots") ||
        last->next->kind != TG_NODE_SPACE)
        return;
    last->next = NULL;
    list->u.list.n_items--;
}

static void check(const TypesetRow *row, TgLayout *layout, Tally *tally, gboolean list)
{
    g_autoptr(TgTree) tree = parse(row->source, TG_SOURCE_MATH);
    g_autoptr(TgTree) canonical = parse(row->source, TG_SOURCE_MATH);
    tg_tree_make_canonical(canonical, tg_canonical_preset());
    g_autofree char *latex = tg_tree_to_latex(canonical);
    g_autoptr(TgTree) again = parse(latex, TG_SOURCE_AUTO);
    g_autoptr(TgTree) canonical_again = parse(latex, TG_SOURCE_AUTO);
    tg_tree_make_canonical(canonical_again, tg_canonical_preset());
    g_autofree char *latex_again = tg_tree_to_latex(canonical_again);
    const gboolean stays = strcmp(latex, latex_again) == 0;
    gint64 width, height;

    compare_boxes(layout, tree, again, &width, &height);
    drop_last_space(again);
    const gboolean reads_back = same_sketch(canonical, again);
    tally->n++;
    tally->reads_back += reads_back;
    tally->stays += stays;
    tally->as_wide += width <= SAME_SP;
    tally->as_high += height <= SAME_SP;
    if (list && (!reads_back || !stays || MAX(width, height) > SAME_SP))
        printf("%s%s%.3f pt, %.3f pt\t%s\t%s\n", reads_back ? "" : "read ", stays ? "" : "again ",
               (double) width / 65536, (double) height / 65536, row->source, latex);
}

static void print_rate(const char *what, guint n, guint of)
{
    printf("%-28s %6u of %6u  %6.2f %%\n", what, n, of, 100.0 * n / MAX(of, 1));
}

int main(int argc, char **argv)
{
    const gboolean list = argc > 1 && strcmp(argv[1], "--list") == 0;
    g_autoptr(GPtrArray) rows = typeset_reference_load();
    g_autoptr(GError) error = NULL;
    Tally tally = { 0 };

    if (rows == NULL)
        return tg_skip_program_without_shared();
    g_autoptr(TgFonts) fonts = tg_fonts_new(&error);
    if (fonts == NULL) {
        printf("%s\n", error->message);
        return EXIT_FAILURE;
    }
    g_autoptr(TgLayout) layout = tg_layout_new(fonts);
    for (guint i = 0; i < rows->len; i++) {
        const TypesetRow *row = g_ptr_array_index(rows, i);
        if (row->error == NULL)
            check(row, layout, &tally, list);
    }
    print_rate("reads back as the same tree", tally.reads_back, tally.n);
    print_rate("stays the same when repeated", tally.stays, tally.n);
    print_rate("is as high and as deep", tally.as_high, tally.n);
    print_rate("is as wide", tally.as_wide, tally.n);
    return tally.reads_back == tally.n && tally.stays == tally.n &&
                   tally.as_high >= MIN_AS_HIGH * tally.n && tally.as_wide >= MIN_AS_WIDE * tally.n
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
