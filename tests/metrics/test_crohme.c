/* crohme-graph: every rule of the protocol with the official value of a pair (pandoc 2.17.1.1,
 * CoMER's convert2symLG, LgEval), and its label graphs. */
#include "tests/support/golden_rows.h"
#include "tests/support/metric_support.h"

#include "core/label_graph.h"
#include "core/utf8.h"
#include "metrics/crohme/crohme.h"
#include "tests/support/cpu_time.h"

/* A pair, its node and edge errors, and whether the structure is the same. */
typedef struct {
    const char *ref, *hyp;
    guint nodes, edges;
    gboolean structure;
} Pair;

static void check_pairs(const Pair *pairs, guint n)
{
    g_auto(TestScorer) scorer = test_scorer_new("crohme-graph");

    for (guint i = 0; i < n; i++) {
        const Pair *pair = &pairs[i];
        const guint errors = pair->nodes + pair->edges;

        test_scorer_add(&scorer, pair->ref, pair->hyp);
        if (test_scorer_get(&scorer, "node-errors") != pair->nodes ||
            test_scorer_get(&scorer, "edge-errors") != pair->edges ||
            test_scorer_get(&scorer, "structure") != pair->structure)
            fail_msg("%s | %s: %g + %g errors, structure %g; not %u + %u, %d", pair->ref, pair->hyp,
                     test_scorer_get(&scorer, "node-errors"),
                     test_scorer_get(&scorer, "edge-errors"), test_scorer_get(&scorer, "structure"),
                     pair->nodes, pair->edges, pair->structure);
        assert_true(test_scorer_get(&scorer, "errors") == errors);
        assert_true(test_scorer_get(&scorer, "crohme-graph") == (errors == 0));
        assert_true(test_scorer_get(&scorer, "within1") == (errors <= 1));
        assert_true(test_scorer_get(&scorer, "within2") == (errors <= 2));
        assert_true(test_scorer_get(&scorer, "within3") == (errors <= 3));
    }
}

#define CHECK(...)                                                                                 \
    do {                                                                                           \
        static const Pair pairs[] = { __VA_ARGS__ };                                               \
        check_pairs(pairs, G_N_ELEMENTS(pairs));                                                   \
    } while (0)

/* Fails unless a prediction does not convert, for a reason like @why. */
static void check_fault(const char *hyp, const char *why)
{
    TgArena arena = { 0 };
    const TgCrohmeGraph graph = tg_crohme_graph(&arena, tg_crohme_paths_new(&arena), hyp);

    if (graph.fault == NULL || !g_pattern_match_simple(why, graph.fault))
        fail_msg("%s: %s", hyp, graph.fault != NULL ? graph.fault : "converts");
    tg_arena_clear(&arena);
}

/* ---- Graphs and errors ---- */

TEST(test_crohme__a_wrong_symbol_is_one_error)
{
    CHECK({ "x", "y", 1, 0, TRUE }, { "a \\| b", "a \\mid b", 1, 0, TRUE });
}

TEST(test_crohme__a_lost_symbol_shifts_what_follows)
{
    CHECK({ "a b", "a", 1, 1, FALSE }, { "a b c", "b c", 3, 1, FALSE });
}

TEST(test_crohme__scripts_are_relations)
{
    CHECK({ "x ^ { 2 }", "x _ { 2 }", 2, 2, FALSE }, { "x ^ { 2 }", "x 2", 2, 2, FALSE });
}

TEST(test_crohme__a_bar_and_a_minus_have_one_label)
{
    CHECK({ "\\frac { a } { b }", "a - b", 5, 4, FALSE },
          { "- x", "\\frac { } { } x", 0, 0, TRUE });
}

TEST(test_crohme__the_second_item_of_a_root_is_inside_too)
{
    CHECK({ "\\sqrt { x } y", "\\sqrt { x y }", 2, 3, FALSE },
          { "\\sqrt { 7 } + 2 \\sqrt { 7 }", "\\sqrt { 1 7 } + 2 \\sqrt { 7 }", 2, 2, FALSE });
}

TEST(test_crohme__capital_gamma_is_small_gamma)
{
    CHECK({ "\\Gamma", "\\gamma", 0, 0, TRUE }, { "\\Delta", "\\delta", 1, 0, TRUE });
}

TEST(test_crohme__nodes_of_one_path_collapse)
{
    CHECK({ "\\begin{matrix} a & b \\\\ c & d \\end{matrix}",
            "\\begin{matrix} d & c \\\\ b & a \\end{matrix}", 0, 0, TRUE });
}

TEST(test_crohme__relations_of_groups_start_at_the_last_item)
{
    CHECK({ "{ a b } ^ { 2 }", "a b ^ { 2 }", 0, 0, TRUE },
          { "\\hat { a b }", "a \\hat { b }", 0, 0, TRUE });
}

TEST(test_crohme__what_follows_an_ampersand_is_lost)
{
    CHECK({ "a \\& b", "a", 0, 0, TRUE });
}

/* ---- Reading ---- */

TEST(test_crohme__digits_without_blanks_are_one_symbol)
{
    CHECK({ "1 2", "12", 2, 1, FALSE }, { "x ^ { 1 0 }", "x^10", 2, 1, FALSE },
          { "x^{10}", "x^10", 0, 0, TRUE }, { "1.5", "1 . 5", 3, 2, FALSE },
          { "\\frac12", "\\frac{1}{2}", 0, 0, TRUE });
}

TEST(test_crohme__quotes_are_symbols_and_no_scripts)
{
    CHECK({ "f ^ { \\prime }", "f '", 2, 2, FALSE }, { "f \\prime", "f '", 0, 0, TRUE },
          { "f ''", "f ' '", 2, 1, FALSE });
}

TEST(test_crohme__limits_are_only_where_they_are_written)
{
    CHECK({ "\\sum _ { i } x", "\\sum \\limits _ { i } x", 2, 2, FALSE },
          { "x \\limits _ { i }", "\\underset { i } { x }", 0, 0, TRUE },
          { "\\sum \\nolimits _ { i }", "\\sum _ { i }", 0, 0, TRUE });
    check_fault("\\sum \\limits \\limits _ a", "*\\limits*");
}

TEST(test_crohme__fonts_and_text_vanish)
{
    CHECK({ "x + \\mathbf { A } y", "x + \\mathbf { B } y", 0, 0, TRUE },
          { "x + \\mathbf { A } y", "x + y", 0, 0, TRUE },
          { "a \\text{if} b", "a \\, b", 0, 0, TRUE },
          { "\\sin x", "\\mathrm { s i n } x", 2, 1, FALSE });
}

TEST(test_crohme__parts_after_a_deleted_one_move_up)
{
    CHECK({ "\\frac { \\mathbf { a } } { b }", "\\frac { b } { }", 0, 0, TRUE });
}

TEST(test_crohme__functions_are_one_symbol)
{
    CHECK({ "\\sin x", "\\operatorname { s i n } x", 0, 0, TRUE });
}

TEST(test_crohme__double_scripts_convert)
{
    CHECK({ "x ^ a ^ b", "x ^ { a ^ { b } }", 0, 0, TRUE });
}

TEST(test_crohme__a_script_without_a_base_has_an_empty_one)
{
    CHECK({ "^ 2", "_ { a }", 2, 2, FALSE });
}

/* In the pair the script has an empty base, else it is that of the bracket. */
TEST(test_crohme__brackets_pair_where_they_can)
{
    CHECK({ "( _ { 0 } a )", "( a )", 4, 2, FALSE }, { "( _ { 0 } a", "( a", 1, 1, FALSE },
          { "( | a ) |", "( a | b )", 4, 0, TRUE }, { "| | a", "a | b", 2, 0, TRUE },
          { "\\int ( B + F )", "\\int { ( B + F ) }", 0, 0, TRUE });
}

TEST(test_crohme__delimiters_of_any_size_are_symbols)
{
    CHECK({ "( x )", "\\left( x \\right)", 0, 0, TRUE },
          { "( x )", "\\bigl( x \\bigr)", 0, 0, TRUE },
          { "( x )", "\\Bigl( x \\Bigr)", 3, 2, FALSE },
          { "\\left[ a , b \\right)", "[ a , b )", 0, 0, TRUE }, { "\\left( x", "( x", 0, 0, TRUE },
          { "\\left< a \\right>", "\\langle a \\rangle", 0, 0, TRUE });
    check_fault("x \\right)", "*\\right*");
    check_fault("\\left/ x \\right.", "*delimiter*");
}

TEST(test_crohme__roots)
{
    CHECK({ "\\log \\sqrt { 2 \\pi }", "\\log \\sqrt [ 3 ] { 2 \\pi }", 1, 2, FALSE },
          { "\\sqrt [ 4 ] { - g }", "\\sqrt [ 5 ] { - g }", 1, 0, TRUE },
          { "\\sqrt { ( a ) }", "\\sqrt { ( a ) b }", 1, 1, FALSE },
          { "\\sqrt [ n ] { x y }", "\\sqrt [ n m ] { x y } z", 2, 2, FALSE },
          { "\\surd x", "\\sqrt x", 0, 0, TRUE }, { "x ^ { 2 }", "\\sqrt", 2, 1, FALSE });
    check_fault("\\sqrt [ 3 ]", "*");
    check_fault("\\sqrt [ 9 [ ] { x }", "*index*");
}

TEST(test_crohme__accents_limits_and_stacks)
{
    CHECK({ "\\underbrace { a + b } _ { n }", "\\xrightarrow { f }", 5, 4, FALSE },
          { "\\overbrace { a + b } ^ { n }", "\\underbrace { a + b } _ { n }", 2, 2, FALSE },
          { "\\xrightarrow { f }", "\\xrightarrow [ a ] { f }", 1, 1, FALSE },
          { "\\stackrel { a } { b } c", "\\underset { a } { b } c", 2, 2, FALSE },
          { "\\hat x", "\\widehat x", 0, 0, TRUE }, { "\\hat x", "\\bar x", 1, 0, TRUE });
}

TEST(test_crohme__names_and_negations)
{
    CHECK({ "\\lim \\limits _ { x \\to 0 } f", "\\mathop { \\lim } _ { x } f", 5, 4, FALSE },
          { "\\lim", "\\mathop{\\text{lim}}", 0, 0, TRUE },
          { "a \\not\\in B", "a \\notin B", 0, 0, TRUE }, { "a \\not= b", "a \\neq b", 0, 0, TRUE },
          { "a \\pmod { b }", "a ( \\operatorname{mod} b )", 0, 0, TRUE },
          { "a \\mod b", "\\binom { n } { k }", 5, 2, FALSE },
          { "{ n \\choose k }", "\\binom { n } { k }", 0, 0, TRUE });
}

TEST(test_crohme__commands_are_read_as_pandoc_reads_them)
{
    CHECK({ "a \\leq b", "a \\leqslant b", 0, 0, TRUE },
          { "a \\iff b", "a \\Leftrightarrow b", 0, 0, TRUE }, { "a \\ast b", "a * b", 0, 0, TRUE },
          { "x", "x \\quad", 0, 0, TRUE }, { "x", "x \\tag { 1 }", 0, 0, TRUE },
          { "\\dfrac { a } { b } c", "c", 0, 0, TRUE }, { "x", "\\displaystyle x", 0, 0, TRUE });
}

/* ---- What does not convert ---- */

TEST(test_crohme__formulas_that_do_not_convert_say_why)
{
    check_fault("", "*empty*");
    check_fault("x ", "*blank*");
    check_fault("x \\", "*backslash*");
    check_fault("x\n\ny", "*line*");
    check_fault("\\frac { a", "*unclosed*");
    check_fault("a \\over b", "*\\over*");
    check_fault("{ \\bf x }", "*\\bf*");
    check_fault("\\cfrac a b", "*\\cfrac*");
    check_fault("\\frac \\frac a b c d", "*brace*");
    check_fault("x & y", "*");
    check_fault("x \\\\ y", "*");
    check_fault("x ^", "*");
    check_fault("x # y", "*#*");
    check_fault("\\overline { a }", "*the symbol \u00af, byte 1, as Latin-1*");
    check_fault("a \\neg b", "*the symbol \u00ac, byte 3, as Latin-1*");
    check_fault("\\unit { m }", "*unit is unknown to pandoc, or is not modeled*");
    check_fault("\\AC", "*AC is unknown to pandoc, or is not modeled*");
    check_fault("a \u00b7 b", "*");
    check_fault("\\mathrm { x }", "*left*");
    check_fault("\\begin{array} { l l } a & b \\end{array}", "*columns*");
    check_fault("\\begin{foo} a \\end{foo}", "*");
    check_fault("a $ b", "*dollar*");
    check_fault("\\hspace{5mm} x", "*\\hspace*");
    check_fault("\\hspace{1m }x", "*\\hspace*");
    check_fault("\\operatorname{^^41}", "*the character ^*");
}

/* A prediction that does not convert is an empty graph: a reference of one symbol has one error. */
TEST(test_crohme__a_prediction_that_does_not_convert_loses_everything)
{
    CHECK({ "x", "", 1, 0, FALSE }, { "x", "x + \\over", 1, 0, FALSE },
          { "a b", "{", 2, 1, FALSE });
    assert_true(tg_score_column("crohme-graph", "converts", "x", "\\over") == 0);
}

TEST(test_crohme__a_reference_that_does_not_convert_has_no_score)
{
    tg_assert_outcome("crohme-graph", "\\overline { a }", "a", NAN,
                      "the reference does not convert: *");
}

TEST(test_crohme__an_empty_graph_equals_an_empty_graph)
{
    CHECK({ "{ }", "\\text { a }", 0, 0, TRUE });
}

/* ---- Sums, references, bounds ---- */

TEST(test_crohme__rates_are_ratios_of_sums)
{
    g_auto(TestScorer) scorer = test_scorer_new("crohme-graph");

    test_scorer_add(&scorer, "a b c",
                    "a b");             /* 3 and 2 symbols, 2 common; 2 and 1 relations, 1 common */
    test_scorer_add(&scorer, "x", "y"); /* a wrong label */
    tg_assert_near(test_scorer_pool(&scorer, "symbol-recall"), 3.0 / 4, 1e-9);
    tg_assert_near(test_scorer_pool(&scorer, "symbol-precision"), 1, 0);
    tg_assert_near(test_scorer_pool(&scorer, "symbol-f"), 6.0 / 7, 1e-9);
    tg_assert_near(test_scorer_pool(&scorer, "class-recall"), 2.0 / 4, 1e-9);
    tg_assert_near(test_scorer_pool(&scorer, "relation-recall"), 1.0 / 2, 1e-9);
    tg_assert_near(test_scorer_pool(&scorer, "relation-class-precision"), 1, 0);
}

TEST(test_crohme__the_nearest_reference_that_converts_counts)
{
    static const char *const refs[] = { "\\over", "a b", "a c" };
    g_auto(TestScorer) scorer = test_scorer_new("crohme-graph");

    assert_true(test_scorer_add_refs(&scorer, refs, G_N_ELEMENTS(refs), "a c") == 1);
}

/* 20,000 symbols, brackets that never pair, and scripts of scripts take less than a second each. */
TEST(test_crohme__runaways_are_bounded)
{
    static const char *const pieces[] = { "x ",   "( ",           "( [ ",    "[ a ] ( ",
                                          "x _ ", "x ^ { a } _ ", "\\bmod ", "x \\limits _ a ",
                                          "^ a ", "\\not ",       "_ ",      "\\frac 6 \\sqrt " };

    for (guint i = 0; i < G_N_ELEMENTS(pieces); i++) {
        g_autoptr(GString) text = g_string_new(NULL);

        for (guint n = 0; n < 16000; n++)
            g_string_append(text, pieces[i]);
        g_string_append(text, "y");
        for (guint n = 0; i == 2 && n < 20000; n++)
            g_string_append(text, " ) ]");
        const double start = tg_cpu_seconds();
        tg_score_pair("crohme-graph", "x", text->str);
        tg_assert_cpu_below(start, 1, pieces[i]);
    }
}

/* ---- Tables ---- */

/* They are searched by halves. */
TEST(test_crohme__tables_are_in_order)
{
    static const char *const names[] = { "readings.tsv", "labels.tsv" };

    for (guint t = 0; t < G_N_ELEMENTS(names); t++) {
        g_autofree char *path =
            g_build_filename(TG_SOURCE_ROOT, "metrics", "crohme", names[t], NULL);
        g_autofree char *text = NULL;
        g_autofree char *before = g_strdup("");

        assert_true(g_file_get_contents(path, &text, NULL, NULL));
        g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
        for (guint i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++) {
            char *name = g_strndup(lines[i], strcspn(lines[i], "\t"));

            if (g_str_has_prefix(lines[i], "# ") || strchr(name, ':') != NULL) {
                g_free(name);
                continue;
            }
            if (strcmp(before, name) >= 0)
                fail_msg("%s: %s stands before %s", names[t], before, name);
            g_free(before);
            before = name;
        }
    }
}

/* ---- Graphs as the official programs make them ---- */

/* Sort "NAME=VALUE" texts and join the values of a name with bars. (transfer full) */
static char *join_sorted(GPtrArray *texts)
{
    GString *out = g_string_new(NULL);
    const char *before = "";

    tg_texts_sort(texts);
    for (guint i = 0; i < texts->len; i++) {
        const char *text = texts->pdata[i];
        const gsize name = strcspn(text, "=") + 1;

        if (strcmp(text, before) == 0)
            continue;
        if (strncmp(text, before, name) == 0)
            g_string_append_printf(out, "|%s", text + name);
        else
            g_string_append_printf(out, "%s%s", i > 0 ? " " : "", text);
        before = text;
    }
    return g_string_free(out, FALSE);
}

/* A formula's graph as tests/golden/crohme.tsv has it, or "-". (transfer full) */
static char *graph_text(const char *tex)
{
    g_autoptr(GString) graph = g_string_new(NULL);
    g_autoptr(GPtrArray) nodes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) edges = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GHashTable) paths = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

    if (!tg_crohme_label_graph_append(graph, tex, NULL))
        return g_strdup("-");
    g_auto(GStrv) lines = g_strsplit(graph->str, "\n", -1);
    for (guint i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++) {
        g_auto(GStrv) field = g_strsplit(lines[i], ", ", -1);

        if (lines[i][0] == 'O') {
            g_ptr_array_add(nodes, g_strconcat(field[4], "=", field[2], NULL));
            g_hash_table_insert(paths, g_strdup(field[1]), g_strdup(field[4]));
        } else {
            g_ptr_array_add(edges,
                            g_strconcat(g_hash_table_lookup(paths, field[1]), ">",
                                        g_hash_table_lookup(paths, field[2]), "=", field[3], NULL));
        }
    }
    g_autofree char *all_nodes = join_sorted(nodes);
    g_autofree char *all_edges = join_sorted(edges);
    return g_strconcat(all_nodes, "\t", all_edges, NULL);
}

TEST(test_crohme__official_graphs)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("crohme.tsv", 0);
    guint wrong = 0;

    assert_true(rows->len > 200);
    for (guint i = 0; i < rows->len; i++) {
        char **row = rows->pdata[i];
        g_autofree char *wanted = g_strjoinv("\t", row + 1);
        g_autofree char *text = graph_text(row[0]);

        if (strcmp(text, wanted) == 0)
            continue;
        print_error("%s gives\n  %s\nofficially\n  %s\n", row[0], text, wanted);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* ---- Details and drawings ---- */

/* Every error is an element that is not accepted, on either side. */
TEST(test_crohme__the_detail_has_every_error)
{
    static const char *const pairs[][2] = {
        { "\\frac{a}{2} + \\sqrt{x} y^{2}", "\\frac{a}{3} + \\sqrt{x y}2" },
        { "a b c", "b c" },
        { "x", "\\over" },
    };
    g_auto(TestScorer) scorer = test_scorer_new("crohme-graph");

    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
        double n = 0;

        test_scorer_add(&scorer, pairs[i][0], pairs[i][1]);
        for (guint side = 0; side < 2; side++) {
            g_autoptr(GVariant) graph = g_variant_lookup_value(
                scorer.result->detail, side == 0 ? "gt" : "pred", G_VARIANT_TYPE_VARDICT);
            g_autoptr(GVariant) elements =
                g_variant_lookup_value(graph, "elements", G_VARIANT_TYPE("aa{sv}"));

            for (gsize k = 0; k < g_variant_n_children(elements); k++) {
                g_autoptr(GVariant) element = g_variant_get_child_value(elements, k);
                const char *verdict = "";

                assert_true(g_variant_lookup(element, "verdict", "&s", &verdict));
                n += strcmp(verdict, "unmatched") == 0 ||
                     (side == 0 && strcmp(verdict, "other-token") == 0);
            }
        }
        tg_assert_near(n, test_scorer_get(&scorer, "errors"), 0);
    }
}

/* Spans of bars, signs and accents are those of their commands, so that a mark is no box around the
 * argument. */
TEST(test_crohme__spans_of_marks_are_their_commands)
{
    TgArena arena = { 0 };
    const TgCrohmeGraph graph = tg_crohme_graph(&arena, tg_crohme_paths_new(&arena),
                                                "\\frac { a } { \\hat { b } } \\sqrt [ 3 ] { c }");

    for (guint i = 0; i < graph.n_nodes; i++) {
        const char *label = graph.nodes[i].label;
        const guint32 length = graph.nodes[i].end - graph.nodes[i].start;

        assert_int_equal(length, strcmp(label, "-") == 0 || strcmp(label, "\\sqrt") == 0 ? 5
                                 : strcmp(label, "\u0302") == 0                          ? 4
                                                                                         : 1);
    }
    tg_arena_clear(&arena);
}

/* A wrong symbol, a lost one with its place, and an added one; a label graph has no drawing. */
TEST(test_crohme__the_drawing_marks_what_is_wrong)
{
    g_autoptr(TgPairPicture) picture = tg_must(
        tg_score_picture("crohme-graph", "\\frac{a}{2} + y^{2}", "\\frac{a}{3} + y x", &error));
    g_autoptr(TgPairPicture) graph =
        tg_must(tg_score_picture("crohme-graph", "O, 1, x, 1.0, O", "y", &error));

    assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_REF, TG_TONE_BAD), 1);
    assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_HYP, TG_TONE_BAD), 1);
    assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_REF, TG_TONE_MINOR), 1);
    assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_HYP, TG_TONE_MINOR), 1);
    assert_string_equal(picture->title, "CROHME: 3 wrong nodes, 2 wrong relations");
    assert_null(graph->sides[TG_SIDE_REF].drawing);
    assert_non_null(graph->sides[TG_SIDE_HYP].drawing);
}

/* ---- Label graphs ---- */

static TgCrohmeCounts compare(const char *ref, const char *hyp)
{
    TgArena arena = { 0 };
    TgCrohmePaths *paths = tg_crohme_paths_new(&arena);
    const TgCrohmeGraph a = tg_crohme_graph(&arena, paths, ref),
                        b = tg_crohme_graph(&arena, paths, hyp);
    const TgCrohmeCounts counts = tg_crohme_compare(&arena, paths, &a, &b);

    assert_null(a.fault);
    assert_null(b.fault);
    tg_arena_clear(&arena);
    return counts;
}

TEST(test_crohme__a_label_graph_equals_its_formula)
{
    static const char *const formulas[] = {
        "x",
        "\\frac { a , b } { \\sqrt [ 3 ] { c d } } + \\sum \\limits _ { i } ^ n",
        "\\begin{cases} a & b \\\\ c & d \\end{cases}",
        "_ { a } x < y",
        "\\not = \\operatorname { a , b }",
    };

    for (guint i = 0; i < G_N_ELEMENTS(formulas); i++) {
        g_autoptr(GString) graph = g_string_new(NULL);

        tg_must(tg_crohme_label_graph_append(graph, formulas[i], &error));
        assert_true(tg_is_label_graph(graph->str));
        assert_false(tg_is_label_graph(formulas[i]));
        const TgCrohmeCounts counts = compare(graph->str, formulas[i]);
        assert_int_equal(counts.node_errors + counts.edge_errors, 0);
        assert_true(counts.structure);
    }
}

TEST(test_crohme__a_label_graph_as_text)
{
    g_autoptr(GString) graph = g_string_new(NULL);

    tg_must(tg_crohme_label_graph_append(graph, "x ^ { 2 } , \\alpha", &error));
    assert_string_equal(graph->str,
                        "O, 1, x, 1.0, O\nO, 2, 2, 1.0, OSup\nO, 3, COMMA, 1.0, OR\n"
                        "O, 4, \\alpha, 1.0, ORR\nR, 1, 2, Sup, 1.0\nR, 1, 3, Right, 1.0\n"
                        "R, 3, 4, Right, 1.0\n");
}

TEST(test_crohme__a_text_is_a_graph_by_all_of_its_lines)
{
    static const char *const graphs[] = {
        "#.lg",
        "x\n#.lg",
        "O, 1, x, 1.0, O",
        "# c\r\n\nR, 1, 2, Right, 1.0\r\n O , 1, x, 1.0, O",
        "N, 1, x, 1.0\nO, 1, x, 1.0, O\nE, 1, 1, *, 1",
    };
    static const char *const formulas[] = {
        "",
        "# x",
        "#",
        "O , A , B",
        "O, A, B, C, D",
        "x\n#",
        "R, 1, 2, Right, 1.0",
        "O",
        "O, 1, x, 1.0, O\ny",
        "N, 1, x, 1.0",
    };

    for (guint i = 0; i < G_N_ELEMENTS(graphs); i++)
        assert_true(tg_is_label_graph(graphs[i]));
    for (guint i = 0; i < G_N_ELEMENTS(formulas); i++)
        assert_false(tg_is_label_graph(formulas[i]));
    assert_int_equal(tg_label_graph_size("O, 1, x, 1.0, ORRRR\nR, 1, 2, Sup, 1.0\n#.lg"),
                     strlen("O, 1, x, 1.0,R, 1, 2, Sup, 1.0#.lg"));
}

TEST(test_crohme__what_shares_a_place_is_compared_by_one_in_common)
{
    static const char table[] = "\\begin{matrix} a & b \\\\ c & d \\end{matrix}";
    static const char graph[] = "O, 1, a, 1.0, O\nO, 2, b, 1.0, OR\nO, 3, c, 1.0, OR\n"
                                "R, 1, 2, Right, 1.0\nR, 1, 3, Sup, 1.0";
    static const char other[] = "O, 1, a, 1.0, O\nO, 2, b, 1.0, OR\nR, 1, 2, Right, 1.0";

    assert_true(compare(table, "\\begin{matrix} 1 & 2 \\\\ 3 & 4 \\end{matrix}").shared);
    assert_true(compare("\\underbrace{a}_{n}", "x").shared);
    assert_false(compare("\\sqrt { a b } ^ 2", table).shared);
    const TgCrohmeCounts counts = compare(graph, other);
    assert_true(counts.shared);
    assert_int_equal(counts.node_errors + counts.edge_errors, 0);
    assert_int_equal(counts.relations, 0); /* recall and precision need the same relations */
    assert_false(compare(other, graph).shared);
}

TEST(test_crohme__label_graphs_of_others)
{
    static const char theirs[] =
        "# IUD, 18_em_0\r\n# Objects (2):\r\nO, x_1, x, 1.0, O\r\nO,2_1,2,1.0,OSup\r\n\r\n"
        "# Relations:\r\nR, x_1, 2_1, Sup, 1.0\r\n";

    assert_true(compare(theirs, "x ^ 2").structure);
    assert_int_equal(compare(theirs, "x _ 2").node_errors, 2);
    check_fault("O, x_1, x, 1.0, 3, 4", "*line 1: object x_1 has 2 strokes*");
    check_fault("O, x_1, x, 1.0, O\nR, x_1, y, Sup, 1.0", "*line 2: there is no object y*");
    check_fault("# c\nO, 1, x, 1.0, O\nO, 2, y, 1.0, OR\nR, 1, 2, Beside, 1.0",
                "*line 4: no relation*Beside (there are Right, Sup, *");
    check_fault("# c\nN, 1, x, 1.0\n#.lg", "*line 2: *");
    check_fault("#\nN, s1, x, 1.0\n#.lg", "*line 2: lines N and E are about strokes*");
    check_fault("O, 1, ,, 1.0, O\n#.lg", "*line 1: object 1 has no label*COMMA*");
    /* a name of 5 MB, of which each byte would be kept */
    g_autofree char *name = g_strnfill(5 << 20, 'y');
    g_autofree char *long_name = g_strconcat("O, 1, x, 1.0, O", name, "\n#.lg", NULL);
    check_fault(long_name, "*line 1: the paths of the objects are too long*");
    check_fault("x ^ 2\n#.lg", "*line 1: *");
    assert_true(
        compare("EO, 1, 2, Sup, 1.0\nO, 1, x, 1.0, O\nO, 2, 2, 1.0, OSup", theirs).structure);
    /* names that are no paths are equal where their texts are */
    assert_true(compare("O, 1, x, 1.0, O1\nO, 2, y, 1.0, O2\nR, 1, 2, Right, 1.0",
                        "O, a, x, 1.0, O1\nO, b, z, 1.0, O2\nR, a, b, Right, 1.0")
                    .structure);
    assert_false(compare("O, 1, x, 1.0, O1", "O, 1, x, 1.0, O2").structure);
    check_fault("O, AUTO_1, z, 1.0, 3", "*line 1: the path 3 does not begin with O*strokes*");
    check_fault("#.lg", "*empty or cannot be read");
    check_fault("# a comment\n\n#.lg", "*no symbols");
    tg_assert_outcome("crohme-graph", theirs, "x ^ 2", 1, "ok");
}
