/* The boxes of every symbol, set between two letters, and of formulas for every row of the tables
 * of typesetting, against TeX's (make_symbol_golden.py, make_typeset_golden.py). */
#include "tests/support/golden_rows.h"

#include "render/typeset/layout.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/symbols/symbols.h"

#define SAME_SP 655  /* 0.01 pt */
#define NEAR_SP 6554 /* 0.1 pt */

enum { SYMBOL, WIDTH = 9, HEIGHT, DEPTH, N_FIELDS };

static gboolean is_accent(const char *written)
{
    const TgSymbol *symbol =
        written[0] == '\\' ? tg_symbol_find(written + 1, strlen(written + 1)) : NULL;

    return symbol != NULL && symbol->kind == TG_SYMBOL_ACCENT;
}

/* Where the typesetter is known to leave TeX: \parindent is that of 10 pt. */
static gboolean is_known(const char *formula)
{
    return strstr(formula, "\\parindent") != NULL;
}

/* How many formulas have a box further from TeX's than @near, or TeX's where that is known to
 * differ. @size_column: the first of three dimensions. */
static guint count_different(const GPtrArray *rows, guint formula_column, guint size_column,
                             gint64 near)
{
    static const TgParseOptions options = { .strict = TRUE, .source = TG_SOURCE_MATH };
    g_autoptr(TgFonts) fonts = tg_must(tg_fonts_new(&error));
    g_autoptr(TgLayout) layout = tg_layout_new(fonts);
    guint n_different = 0;

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        const char *formula = row[formula_column];
        char **size = row + size_column;

        if (strcmp(size[0], "-") == 0)
            continue;
        g_autoptr(TgTree) tree = tg_must(tg_tree_parse(formula, strlen(formula), &options, &error));
        const TgItem *box = tg_must(tg_layout_tree(layout, tree, TG_DISPLAY, &error));

        const gint64 ours[3] = { box->width, box->height, box->depth };
        gboolean same = TRUE;
        for (guint k = 0; k < 3; k++)
            same = same && ABS(ours[k] - g_ascii_strtoll(size[k], NULL, 10)) <= near;
        if (same == is_known(formula)) {
            print_message("%s: %d %d %d, TeX %s %s %s\n", formula, (int) ours[0], (int) ours[1],
                          (int) ours[2], size[0], size[1], size[2]);
            n_different++;
        }
    }
    return n_different;
}

TEST(symbols)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("symbols.tsv", N_FIELDS);

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        char *formula = g_strdup_printf(is_accent(row[SYMBOL]) ? "%s{x}" : "x%s x", row[SYMBOL]);

        g_free(row[SYMBOL]);
        row[SYMBOL] = formula;
    }
    assert_int_equal(count_different(rows, SYMBOL, WIDTH, SAME_SP), 0);
    assert_true(rows->len > 800);
}

/* Formulas of our own; spaces between atoms, arrows, environments, lengths, sizes
 * (make_table_formulas.py); \ce after the kinds of examples of mhchem's manual; commands of braket,
 * mathtools, physics, siunitx; boxes of a given size. */
TEST(formulas)
{
    static const struct {
        const char *name;
        gint64 near;
        guint least; /* rows; never to be lowered */
    } tables[] = {
        { "typeset.tsv", SAME_SP, 300 },          { "typeset_tables.tsv", SAME_SP, 300 },
        { "typeset_chemistry.tsv", NEAR_SP, 60 }, { "typeset_packages.tsv", NEAR_SP, 30 },
        { "typeset_physics.tsv", NEAR_SP, 40 },   { "typeset_units.tsv", NEAR_SP, 2 },
        { "typeset_settings.tsv", NEAR_SP, 40 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(tables); i++) {
        g_autoptr(GPtrArray) rows = tg_golden_rows(tables[i].name, 4);

        assert_int_equal(count_different(rows, 3, 0, tables[i].near), 0);
        assert_true(rows->len > tables[i].least);
    }
}
