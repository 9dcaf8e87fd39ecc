/* Spans, ids of ink, walking, and the tables behind the parser. */
#include "tests/support/test_support.h"

#include "tests/support/tree_sketch.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/macros/commands.h"
#include "tokenizer/tree/tree.h"
#include "tokenizer/tree/tree_json.h"

static TgTree *parse(const char *source)
{
    TgTree *tree = tg_tree_parse(source, strlen(source), NULL, NULL);

    assert_non_null(tree);
    return tree;
}

/* The pieces of source that make ink, separated by spaces. */
static char *ink(const char *source)
{
    g_autoptr(TgTree) tree = parse(source);
    GString *out = g_string_new(NULL);
    const TgInkToken *tokens = tree->tokens;
    const guint n = tree->n_tokens;

    for (guint i = 0; i < n; i++)
        g_string_append_printf(out, "%s%.*s", i > 0 ? " " : "",
                               (int) (tokens[i].end - tokens[i].start), source + tokens[i].start);
    return g_string_free(out, FALSE);
}

TEST(test_tree__tokens_of_ink)
{
    static const char *const cases[][2] = {
        { "\\frac{a}{b}^2", "\\frac a b 2" },
        { "b_1\\,\\mathrm{ab}", "b 1 a b" },
        { "\\left(x\\right.", "( x" },
        { "\\sqrt[3]{x}'", "\\sqrt 3 x '" },
        { "\\binom nk\\genfrac{}{}{0pt}{}{a}{b}", "\\binom n k a b" },
        { "\\begin{pmatrix}a\\\\\\hline b\\end{pmatrix}",
          "\\begin{pmatrix} a \\hline b \\end{pmatrix}" },
        { "\\text{ab $x$}\\hspace{1em}", "a b x" },
        { "\\sin x\\operatorname{ab}", "\\sin x a b" },
        { "\\def\\a#1{p#1q}\\a{xy}z", "\\a x y z" },
        { "\\foo\\label{a}", "\\foo" },
        { "\\begin{array}{|c}a\\end{array}", "| a" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        tg_assert_text(ink(cases[i][0]), cases[i][1]);
}

TEST(test_tree__macro_bodies_point_at_the_call)
{
    g_autoptr(TgTree) tree = parse("\\def\\a#1{p#1}\\a{xy}");
    const TgNode *p = tree->root->u.list.first;
    const TgNode *x = p->next;

    assert_int_equal(p->start, 13);
    assert_int_equal(p->end, 15);
    assert_int_equal(p->token, 0);
    assert_int_equal(x->start, 16);
    assert_int_equal(x->end, 17);
    assert_int_equal(x->token, 1);
}

TEST(test_tree__spans)
{
    g_autoptr(TgTree) tree = parse("a+\\frac{1}{23}x^{ab}");
    const TgNode *fraction = tree->root->u.list.first->next->next;
    const TgNode *scripts = fraction->next;

    assert_int_equal(tree->root->start, 0);
    assert_int_equal(tree->root->end, 20);
    assert_int_equal(fraction->start, 2);
    assert_int_equal(fraction->end, 14);
    assert_int_equal(fraction->u.fraction.den->start, 10);
    assert_int_equal(fraction->u.fraction.den->end, 14);
    assert_int_equal(scripts->start, 14);
    assert_int_equal(scripts->end, 20);
    assert_int_equal(scripts->u.scripts.nucleus->end, 15);
    assert_true(scripts->u.scripts.sup->u.list.braced);
    assert_false(fraction->u.list.braced && fraction->kind == TG_NODE_LIST);
}

TEST(test_tree__flags_of_ink)
{
    g_autoptr(TgTree) tree = parse("\\begin{vmatrix}a\\end{vmatrix}\\rule{1pt}{1pt}\\foo");
    const TgInkToken *tokens = tree->tokens;
    const guint n = tree->n_tokens;

    assert_int_equal(n, 5);
    assert_int_equal(tokens[0].flags, TG_INK_FENCE);
    assert_int_equal(tokens[1].flags, 0);
    assert_int_equal(tokens[2].flags, TG_INK_FENCE);
    assert_int_equal(tokens[3].flags, TG_INK_RULE);
    assert_int_equal(tokens[4].flags, TG_INK_ERROR);
}

TEST(test_tree__children_of_arrays)
{
    static const TgRole roles[] = { TG_ROLE_LEFT,   TG_ROLE_CELL, TG_ROLE_CELL,
                                    TG_ROLE_COLUMN, TG_ROLE_CELL, TG_ROLE_RIGHT };
    g_autoptr(TgTree) tree =
        parse("\\begin{pmatrix}a&b\\\\\\hline\\multicolumn{2}{c@{x}}{c}\\end{pmatrix}");
    const TgNode *array = tree->root->u.list.first;
    TgChildIter iter = tg_child_iter(array);
    guint n = 0;

    while (tg_child_iter_next(&iter) != NULL) {
        assert_true(n < G_N_ELEMENTS(roles));
        assert_int_equal(iter.role, roles[n]);
        n++;
    }
    assert_int_equal(n, G_N_ELEMENTS(roles));
}

/* The classes of The TeXbook, chapter 17 and appendix G, and of the packages' definitions. */
TEST(test_tree__class_of_an_atom)
{
    static const struct {
        const char *source;
        TgMathClass class;
    } cases[] = {
        { "x", TG_CLASS_ORD },
        { "+", TG_CLASS_BIN },
        { "{=}", TG_CLASS_ORD },
        { "=_a", TG_CLASS_REL },
        { "{}^2", TG_CLASS_ORD },
        { "\\sum", TG_CLASS_OP },
        { "\\lim_x", TG_CLASS_OP },
        { "\\mathrel{x}", TG_CLASS_REL },
        { "\\frac12", TG_CLASS_ORD },
        { "\\cfrac12", TG_CLASS_NONE },
        { "\\overline{x}", TG_CLASS_ORD },
        { "\\underbracket{x}", TG_CLASS_OP },
        { "\\overrightarrow{x}", TG_CLASS_NONE },
        { "\\xrightarrow{x}", TG_CLASS_REL },
        { "\\stackrel{x}{y}", TG_CLASS_REL },
        { "\\overset{x}{y}", TG_CLASS_NONE },
        { "\\left(x\\right)", TG_CLASS_INNER },
        { "\\hspace{1pt}", TG_CLASS_NONE },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(TgTree) tree = parse(cases[i].source);
        const TgMathClass class = tg_node_class(tree->root->u.list.first);

        if (class != cases[i].class)
            fail_msg("%s has class %d", cases[i].source, class);
    }
}

TEST(test_tree__lengths_round_as_in_tex)
{
    g_autoptr(TgTree) tree = parse("\\kern.1pt\\kern-12.34567pt\\kern 3sp");
    const TgNode *first = tree->root->u.list.first;

    assert_int_equal(first->u.space.amount.value, 6554); /* TeX prints 0.1pt for 6554sp */
    assert_int_equal(first->next->u.space.amount.value, -809086);
    assert_int_equal(first->next->next->u.space.amount.value, 3);
    assert_int_equal(first->next->next->u.space.amount.unit, TG_UNIT_SP);
}

TEST(test_tree__json)
{
    g_autoptr(TgTree) tree = parse("\\frac{a}{b");
    json_auto_t *json = tg_tree_to_json(tree);
    json_t *fraction = json_array_get(json_object_get(json_object_get(json, "tree"), "items"), 0);
    json_t *error = json_array_get(json_object_get(json, "errors"), 0);

    assert_string_equal(json_string_value(json_object_get(fraction, "kind")), "fraction");
    assert_int_equal(json_integer_value(json_object_get(fraction, "token")), 0);
    assert_non_null(json_object_get(json_object_get(fraction, "num"), "items"));
    assert_string_equal(json_string_value(json_object_get(error, "kind")), "brace");
    assert_int_equal(json_integer_value(json_object_get(error, "column")), 9);
    assert_int_equal(json_array_size(json_object_get(json, "tokens")), 3);
}

/* Primes are the first items of the superscript; ^{\prime} is no prime that ' made. */
TEST(test_tree__json_of_scripts)
{
    static const struct {
        const char *tex;
        int primes; /* 0: not said */
        guint n_sup;
        const char *limits; /* NULL: not said */
    } cases[] = {
        { "f'", 1, 1, NULL },          { "f''^2", 2, 3, NULL },
        { "f^{\\prime}", 0, 1, NULL }, { "\\iint\\limits^D", 0, 1, "on" },
        { "f^2", 0, 1, NULL },         { "\\sum\\nolimits''", 2, 2, "off" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(TgTree) tree = parse(cases[i].tex);
        json_auto_t *json = tg_tree_to_json(tree);
        json_t *scripts =
            json_array_get(json_object_get(json_object_get(json, "tree"), "items"), 0);
        json_t *primes = json_object_get(scripts, "primes");
        const char *limits = json_string_value(json_object_get(scripts, "limits"));

        assert_int_equal(primes != NULL, cases[i].primes > 0);
        assert_int_equal(json_integer_value(primes), cases[i].primes);
        assert_int_equal(json_array_size(json_object_get(json_object_get(scripts, "sup"), "items")),
                         cases[i].n_sup);
        if (g_strcmp0(limits, cases[i].limits) != 0)
            fail_msg("%s: %s", cases[i].tex, limits);
    }
}

/* The members of every kind, as docs/reference/parsing.md lists them. */
TEST(test_tree__json_of_kinds)
{
    static const struct {
        const char *tex, *wanted; /* of the first item, without span, token and children */
    } cases[] = {
        { "\\mathbf{x}", "{\"kind\":\"list\"}" },
        { "\\boldsymbol{\\alpha}", "{\"kind\":\"bold\"}" },
        { "\\sin", "{\"kind\":\"operator\",\"limits\":\"off\"}" },
        { "\\tfrac12",
          "{\"kind\":\"fraction\",\"form\":\"frac\",\"style\":\"text\",\"bar\":true}" },
        { "{a\\above 2pt b}", "{\"kind\":\"list\"}" },
        { "\\genfrac(]{1.5pt}{}{a}{b}",
          "{\"kind\":\"fraction\",\"form\":\"frac\",\"bar\":[1.5,\"pt\"]}" },
        { "\\hat x", "{\"kind\":\"accent\",\"name\":\"hat\",\"shows\":\"\xCC\x82\"}" },
        { "\\underbrace{x}", "{\"kind\":\"stretch\",\"form\":\"underbrace\"}" },
        { "\\stackrel{a}{b}", "{\"kind\":\"stack\",\"form\":\"stackrel\"}" },
        { "\\xlongequal{a}", "{\"kind\":\"arrow\",\"form\":\"=\"}" },
        { "\\Bigl(", "{\"kind\":\"big\",\"size\":2,\"class\":\"open\"}" },
        { "\\mathop{x}", "{\"kind\":\"class\",\"class\":\"op\"}" },
        { "\\text{a}", "{\"kind\":\"text\",\"scales\":true}" },
        { "\\makebox[0pt]{a}", "{\"kind\":\"text\",\"width\":[0.0,\"pt\"]}" },
        { "\\scriptstyle", "{\"kind\":\"style\",\"style\":\"script\"}" },
        { "\\color{red}", "{\"kind\":\"color\",\"color\":\"#FF0000\"}" },
        { "\\kern 1pt", "{\"kind\":\"space\",\"amount\":[1.0,\"pt\"],\"kern\":true}" },
        { "\\hfill", "{\"kind\":\"space\",\"amount\":[0.0,\"pt\",\"fill\"]}" },
        { "\\vphantom{x}", "{\"kind\":\"phantom\",\"hides\":[\"no-ink\",\"no-width\"]}" },
        { "\\llap{x}", "{\"kind\":\"lap\",\"align\":\"left\"}" },
        { "\\raise 1em\\hbox{x}", "{\"kind\":\"raise\",\"amount\":[1.0,\"em\"]}" },
        { "\\cancel{x}", "{\"kind\":\"enclose\",\"form\":\"cancel\"}" },
        { "\\rule{1pt}{2mm}", "{\"kind\":\"rule\",\"form\":\"rule\",\"width\":[1.0,\"pt\"],"
                              "\"height\":[2.0,\"mm\"]}" },
        { "\\foo", "{\"kind\":\"error\",\"text\":\"\\\\foo\",\"error\":\"unknown-command\"}" },
    };
    static const char *const left_out[] = { "span", "token", "items", "body",  "num",      "den",
                                            "left", "right", "over",  "under", "delimiter" };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(TgTree) tree = parse(cases[i].tex);
        json_auto_t *json = tg_tree_to_json(tree);
        json_t *item = json_array_get(json_object_get(json_object_get(json, "tree"), "items"), 0);

        for (guint k = 0; k < G_N_ELEMENTS(left_out); k++)
            json_object_del(item, left_out[k]);
        char *text = json_dumps(item, JSON_COMPACT | JSON_REAL_PRECISION(10));
        if (strcmp(text, cases[i].wanted) != 0)
            fail_msg("%s\n   is  %s\n  not  %s", cases[i].tex, text, cases[i].wanted);
        free(text);
    }
}

TEST(test_tree__json_of_arrays)
{
    g_autoptr(TgTree) tree = parse("\\begin{array}{c@{x}|}a\\\\[2pt]\\hline"
                                   "\\multicolumn{2}{r}{b}\\end{array}");
    json_auto_t *json = tg_tree_to_json(tree);
    json_t *array = json_array_get(json_object_get(json_object_get(json, "tree"), "items"), 0);
    json_t *columns = json_object_get(array, "columns"), *rows = json_object_get(array, "rows");
    json_t *between = json_array_get(json_object_get(array, "between"), 0);
    json_t *wide = json_array_get(json_object_get(json_array_get(rows, 1), "cells"), 0);

    assert_int_equal(json_array_size(columns), 3);
    assert_non_null(json_object_get(json_array_get(columns, 1), "material"));
    assert_int_equal(json_array_size(rows), 2);
    tg_assert_near(
        json_real_value(json_array_get(json_object_get(json_array_get(rows, 0), "gap"), 0)), 2.0,
        0.0);
    assert_int_equal(json_array_size(json_object_get(array, "between")), 1);
    assert_int_equal(json_integer_value(json_object_get(between, "before")), 1);
    assert_string_equal(json_string_value(json_object_get(between, "kind")), "hline");
    assert_non_null(json_object_get(between, "token"));
    assert_int_equal(json_integer_value(json_object_get(wide, "covers")), 2);
    assert_int_equal(json_array_size(json_object_get(wide, "items")), 1);
}

/* Look-ups search by halves. */
TEST(test_tree__tables_are_sorted)
{
    for (guint i = 1; i < tg_n_environments; i++)
        assert_true(strcmp(tg_environments[i - 1].name, tg_environments[i].name) < 0);
    for (guint i = 1; i < tg_n_row_commands; i++)
        assert_true(strcmp(tg_row_commands[i - 1].name, tg_row_commands[i].name) < 0);
}
