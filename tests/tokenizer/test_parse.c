/* The formula tree of well-formed input, shown as sketches (tests/support/tree_sketch.h). */
#include "tests/support/golden_rows.h"

#include "tests/support/tree_sketch.h"
#include "tokenizer/latex/parse.h"

/* A row is what it is about, a source, its sketch, and what there is to say about it. */
TEST(test_parse__sketches)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("parse_sketches.tsv", 4);

    assert_int_equal(rows->len, 200);
    for (guint i = 0; i < rows->len; i++) {
        char **row = rows->pdata[i];

        tree_sketch_check(&(SketchCase){ row[1], row[2] }, 1);
    }
}

TEST(test_parse__whole_strings)
{
    static const SketchCase cases[] = { { " $$x$$ ", "x" },
                                        { "", "" },
                                        { "a % comment\n b", "a b" } };
    static const TgParseOptions within = { .source = TG_SOURCE_MATH };
    g_autoptr(TgTree) tree = tg_tree_parse("a$ b $c", 7, &within, NULL);

    tree_sketch_check(cases, G_N_ELEMENTS(cases));
    tg_assert_text(tree_sketch(tree), "a (text body[(space 1space) b (space 1space)]) c");
}

/* Signs of several characters of chemistry are one token of ink, at their place in the source. */
TEST(test_parse__ink_of_chemistry)
{
    static const char source[] = "\\ce{A ->B2}";
    g_autoptr(TgTree) tree = tg_tree_parse(source, sizeof source - 1, NULL, NULL);
    const TgInkToken *tokens = tree->tokens;
    const guint n = tree->n_tokens;

    assert_int_equal(n, 4);
    assert_int_equal(tokens[1].start, 6);
    assert_int_equal(tokens[1].end, 8);
    assert_int_equal(tokens[3].start, 9);
}
