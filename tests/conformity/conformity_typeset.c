/* How near our boxes come to TeX's on real formulas, by construct, and what is left. */
#include <stdio.h>
#include <stdlib.h>

#include "render/typeset/layout.h"
#include "tests/conformity/typeset_reference.h"
#include "tests/support/test_support.h"
#include "tokenizer/latex/parse.h"

#define SAME_SP   655   /* 0.01 pt */
#define PIXEL_SP  23593 /* 0.36 pt, one pixel at 200 dpi */
#define MIN_SAME  0.97  /* of the formulas against Latin Modern */
#define MIN_PIXEL 0.99
#define CM_SLACK  0.01 /* how far the rate against Computer Modern may lie below lm's own */

/* Constructs of formulas; a formula counts in the row of each construct that it contains. */
enum {
    SCRIPTS,
    FRACTIONS,
    RADICALS,
    ACCENTS,
    DELIMITERS,
    OPERATORS,
    ARRAYS,
    WORDS,
    STRETCHES,
    OTHERS,
    N_CONSTRUCTS
};

static const char *const construct_names[N_CONSTRUCTS] = {
    "scripts",   "fractions", "radicals", "accents",  "delimiters",
    "operators", "arrays",    "text",     "stretchy", "none of these",
};

typedef struct {
    guint n, same, pixel, cm, lm_is_cm;
} Tally;

static guint construct_of(const TgNode *node)
{
    switch ((TgNodeKind) node->kind) {
    case TG_NODE_SCRIPTS:
        return 1u << SCRIPTS;
    case TG_NODE_FRACTION:
        return 1u << FRACTIONS;
    case TG_NODE_RADICAL:
        return 1u << RADICALS;
    case TG_NODE_ACCENT:
        return 1u << ACCENTS;
    case TG_NODE_DELIMITED:
    case TG_NODE_MIDDLE:
    case TG_NODE_BIG:
        return 1u << DELIMITERS;
    case TG_NODE_OPERATOR:
        return 1u << OPERATORS;
    case TG_NODE_SYMBOL:
        return node->math_class == TG_CLASS_OP ? 1u << OPERATORS : 0;
    case TG_NODE_ARRAY:
        return 1u << ARRAYS;
    case TG_NODE_TEXT:
        return 1u << WORDS;
    case TG_NODE_STRETCH:
    case TG_NODE_ARROW:
    case TG_NODE_STACK:
    case TG_NODE_ENCLOSE:
        return 1u << STRETCHES;
    default:
        return 0;
    }
}

static guint constructs_in(const TgNode *node)
{
    guint found = construct_of(node);
    TgChildIter iter = tg_child_iter(node);

    for (const TgNode *child = tg_child_iter_next(&iter); child != NULL;
         child = tg_child_iter_next(&iter))
        found |= constructs_in(child);
    return found;
}

/* The largest of three differences. */
static gint64 distance(const gint64 *a, const gint32 *b)
{
    gint64 most = 0;

    for (guint i = 0; i < 3; i++)
        most = MAX(most, ABS(a[i] - b[i]));
    return most;
}

static void count(Tally *tally, gint64 to_lm, gint64 to_cm, gint64 lm_to_cm)
{
    tally->n++;
    tally->same += to_lm <= SAME_SP;
    tally->pixel += to_lm <= PIXEL_SP;
    tally->cm += to_cm <= PIXEL_SP;
    tally->lm_is_cm += lm_to_cm <= PIXEL_SP;
}

static void print_tally(const char *name, const Tally *tally)
{
    const double n = MAX(tally->n, 1u);

    printf("%-14s %6u %8.2f %% %8.2f %% %8.2f %% %8.2f %%\n", name, tally->n, 100 * tally->same / n,
           100 * tally->pixel / n, 100 * tally->cm / n, 100 * tally->lm_is_cm / n);
}

/* ---- What is left -----------------------------------------------------------------------------
 */

/* Known causes, by what the source holds; the first that fits counts. */
static const struct {
    const char *part, *cause;
} causes[] = {
    { "\\ref", "references, which TeX prints as question marks" },
    { "\\cite", "references, which TeX prints as question marks" },
    { "\\symbol", "\\symbol in mathematics" },
    { "\\uppercase", "TeX's \\uppercase" },
    { "array",
      "arrays (in the run of TeX an earlier formula's \\arraystretch was still in force)" },
    { "matrix",
      "arrays (in the run of TeX an earlier formula's \\arraystretch was still in force)" },
};

static const char *cause_of(const TypesetRow *row)
{
    for (guint i = 0; i < G_N_ELEMENTS(causes); i++)
        if (strstr(row->source, causes[i].part) != NULL)
            return causes[i].cause;
    return "no cause known";
}

/* One formula that differs, for those who mend things: `--list`. */
static void print_difference(const TypesetRow *row, const gint64 *ours, const gint32 *lm)
{
    printf("%s\t%s\t%+.3f\t%+.3f\t%+.3f\t%s\n", row->set, row->id,
           (double) (ours[0] - lm[0]) / 65536, (double) (ours[1] - lm[1]) / 65536,
           (double) (ours[2] - lm[2]) / 65536, row->source);
}

int main(int argc, char **argv)
{
    static const TgParseOptions options = { .source = TG_SOURCE_MATH };
    const gboolean list = argc > 1 && strcmp(argv[1], "--list") == 0;
    g_autoptr(GPtrArray) rows = typeset_reference_load();
    g_autoptr(GError) error = NULL;
    Tally all = { 0 }, by_construct[N_CONSTRUCTS] = { { 0 } };
    g_autoptr(GPtrArray) left = typeset_classes_new();

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
        if (row->error != NULL)
            continue;
        g_autoptr(TgTree) tree = tg_tree_parse(row->source, strlen(row->source), &options, NULL);
        const TgItem *box = tree != NULL ? tg_layout_tree(layout, tree, TG_DISPLAY, NULL) : NULL;
        const gint64 ours[3] = { box != NULL ? box->width : -1, box != NULL ? box->height : -1,
                                 box != NULL ? box->depth : -1 };
        const gint32 lm[3] = { row->lm_width, row->lm_height, row->lm_depth };
        const gint32 cm[3] = { row->cm_width, row->cm_height, row->cm_depth };
        const gint64 lm64[3] = { lm[0], lm[1], lm[2] };
        guint found = tree != NULL ? constructs_in(tree->root) : 0;
        const gint64 to_lm = distance(ours, lm);

        found = found != 0 ? found : 1u << OTHERS;
        count(&all, to_lm, distance(ours, cm), distance(lm64, cm));
        for (guint c = 0; c < N_CONSTRUCTS; c++) {
            if ((found & (1u << c)) == 0)
                continue;
            count(&by_construct[c], to_lm, distance(ours, cm), distance(lm64, cm));
        }
        if (to_lm > SAME_SP)
            typeset_classes_add(left, cause_of(row), row);
        if (list && to_lm > SAME_SP)
            print_difference(row, ours, lm);
    }
    if (list)
        return EXIT_SUCCESS;

    printf("%-14s %6s %10s %10s %10s %10s\n", "formulas with", "n", "lm .01 pt", "lm .36 pt",
           "cm .36 pt", "lm itself");
    for (guint c = 0; c < N_CONSTRUCTS; c++)
        print_tally(construct_names[c], &by_construct[c]);
    print_tally("all", &all);
    typeset_classes_print("more than 0.01 pt from Latin Modern:", left);
    const double n = MAX(all.n, 1u);
    return all.same >= MIN_SAME * n && all.pixel >= MIN_PIXEL * n &&
                   all.cm >= all.lm_is_cm - CM_SLACK * n
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
