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
/* Spaces at the ends of a formula are dropped, so 1.4 % of the formulas become narrower. */
#define MIN_DRAWN 0.985

typedef struct {
    guint n, reads_back, stays, drawn;
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

/* The largest difference of width, height and depth. */
static gint64 difference(TgLayout *layout, const TgTree *a, const TgTree *b)
{
    const TgItem *box = tg_layout_tree(layout, a, TG_DISPLAY, NULL);
    const gint64 first[3] = { box->width, box->height, box->depth };
    gint64 most = 0;

    box = tg_layout_tree(layout, b, TG_DISPLAY, NULL);
    const gint64 second[3] = { box->width, box->height, box->depth };
    for (guint i = 0; i < 3; i++)
        most = MAX(most, ABS(first[i] - second[i]));
    return most;
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
    const gboolean reads_back = same_sketch(canonical, again);
    const gboolean stays = strcmp(latex, latex_again) == 0;
    const gint64 differs = difference(layout, tree, again);

    tally->n++;
    tally->reads_back += reads_back;
    tally->stays += stays;
    tally->drawn += differs <= SAME_SP;
    if (list && (!reads_back || !stays || differs > SAME_SP))
        printf("%s%s%.3f pt\t%s\t%s\n", reads_back ? "" : "read ", stays ? "" : "again ",
               (double) differs / 65536, row->source, latex);
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
    print_rate("has the same dimensions", tally.drawn, tally.n);
    return tally.reads_back == tally.n && tally.stays == tally.n &&
                   tally.drawn >= MIN_DRAWN * tally.n
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
