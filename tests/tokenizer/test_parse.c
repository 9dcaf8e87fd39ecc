/* The formula tree of well-formed input, shown as sketches (tests/support/tree_sketch.h). */
#include "tests/support/golden_rows.h"

#include "tests/support/tree_sketch.h"
#include "tokenizer/latex/parse.h"

#define CHECK(cases) tree_sketch_check(cases, G_N_ELEMENTS(cases))

/* A row is what it is about, a source, its sketch, and what there is to say about it. */
TEST(test_parse__sketches)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("parse_sketches.tsv", 4);

    assert_int_equal(rows->len, 112);
    for (guint i = 0; i < rows->len; i++) {
        char **row = rows->pdata[i];
        const SketchCase example = { row[1], row[2] };

        tree_sketch_check(&example, 1);
    }
}

TEST(test_parse__spaces_and_boxes)
{
    static const SketchCase cases[] = {
        { "a\\,b\\quad c\\ d~e",
          "a (space 3mu) b (space 1em) c (space 1space) d (space 1space) e" },
        { "\\hspace{-1.5cm}\\kern2pt\\mkern-3mu x", "(space -1.5cm) (space kern 2pt) "
                                                    "(space kern -3mu) x" },
        { "\\hspace*{\\fill}\\hfill", "(space fill) (space fill)" },
        { "\\text{\\hskip 1cm a\\kern0pt  b}",
          "(text scales body[(space 1cm) a (space kern 0pt) b])" },
        { "\\hspace{.5\\textwidth}", "(space 195pt)" },
        { "\\phantom a\\hphantom b\\vphantom c\\smash[t]d",
          "(phantom 1 body[a]) (phantom 13 body[b]) (phantom 3 body[c]) (phantom 4 body[d])" },
        { "\\rlap{a}\\mathllap b", "(lap r body[(text body[a])]) (lap l body[b])" },
        { "\\smashoperator[l]{\\sum_a}", "(scripts nucleus[sum] sub[a])" },
        { "\\scalebox{2}{a}", "(text body[a])" },
        { "\\scalebox{-.5}[3]{a}", "(text body[a])" },
        { "\\reflectbox{a}", "(text body[a])" },
        { "\\resizebox*{!}{2cm}{a}", "(text body[a])" },
        { "\\rotatebox[origin=c]{-90}{a}", "(text body[a])" },
        { "\\parbox[t]{2cm}{a\\\\b}", "(text body[a (break) b])" },
        { "\\vbox{\\hbox{a}}", "(text body[(text body[a])])" },
        { "\\uproot2\\definecolor{c}{rgb}{1,0,0}x", "x" },
        { "\\setlength{\\arraycolsep}{1pt}\\arraycolsep=1pt x", "x" },
        { "\\begin{array}{>{x}c<{y}!{,}:c}a\\end{array}", "(array c@[,]|c a)" },
        { "\\begin{matrix}\\toprule[1pt]a\\\\\\cmidrule[1pt](lr){1-2}\\addlinespace[2pt]"
          "\\specialrule{1pt}{2pt}{3pt}\\hdotsfor{2}\\end{matrix}",
          "(matrix <hline> a ; <cline 1-2> <hline> <2 c>cdots)" },
        { "\\mathbf{a\\sl g}", "{a:bf g:bf}" },
        { "\\raisebox{2pt}{a}", "(raise 2pt body[(text body[a])])" },
        { "\\rule[1pt]{2pt}{3em}", "(rule 0 2pt 3em)" },
        { "a % comment\n b", "a b" },
    };
    CHECK(cases);
}

TEST(test_parse__whole_strings)
{
    static const SketchCase cases[] = {
        { "$x$", "x" },
        { " $$x$$ ", "x" },
        { "\\[x\\]", "x" },
        { "\\(x\\)", "x" },
        { "a $x$ b", "(text body[a (space 1space) (math body[x]) (space 1space) b])" },
        { "$x$$$y$$", "(text body[(math body[x]) (math 1 body[y])])" },
        { "", "" },
        { "\\label{a}x\\tag{1}", "x (tag body[1])" },
    };
    static const TgParseOptions within = { .source = TG_SOURCE_MATH };
    g_autoptr(TgTree) tree = tg_tree_parse("a$ b $c", 7, &within, NULL);
    g_autofree char *sketch = tree_sketch(tree);

    CHECK(cases);
    assert_string_equal(sketch, "a (text body[(space 1space) b (space 1space)]) c");
}

/* amsmath's dots look at what follows, and closing delimiters get a thin space. */
TEST(test_parse__dots)
{
    static const SketchCase cases[] = {
        { "\\dots,", "ldots ," },
        { "\\dots+", "cdots +" },
        { "\\dots\\leq", "cdots leq" },
        { "\\dots x", "ldots x" },
        { "\\cdots)", "cdots (space 3mu) )" },
        { "\\cdots x", "cdots x" },
        { "{\\ldots}", "{ldots}" },
    };
    CHECK(cases);
}
