/* Formulas through the public header: faults, tokens, JSON, the canonical form and its rules. */
#include "tests/support/test_support.h"

#include <jansson.h>

#include <texgauge/formula.h>

static TgFormula *read_formula(const char *tex)
{
    TgFormula *formula = tg_must(tg_formula_parse(tex, strlen(tex), TG_FORMULA_TOLERANT, &error));

    return formula;
}

TEST(test_formula__strict_names_the_first_fault_and_its_column)
{
    static const struct {
        const char *tex, *message;
    } cases[] = {
        { "a+\\frac{1}", "\\frac needs two arguments, column 3" },
        { "\303\251\\foo", "column 2" }, /* columns count characters, not bytes */
        { "x_{a", "column 3" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        tg_assert_fails(
            tg_formula_parse(cases[i].tex, strlen(cases[i].tex), TG_FORMULA_STRICT, &error),
            TG_ERROR_PARSE, cases[i].message);
}

TEST(test_formula__tolerant_lists_all_faults)
{
    g_autoptr(TgFormula) formula = read_formula("\\foo+x^a^b");
    guint n;
    const TgFormulaFault *faults = tg_formula_faults(formula, &n);

    assert_int_equal(n, 2);
    assert_string_equal(faults[0].kind, "unknown-command");
    assert_int_equal(faults[0].start, 0);
    assert_int_equal(faults[0].end, 4);
    assert_int_equal(faults[0].column, 1);
    assert_non_null(strstr(faults[0].message, "\\foo"));
    assert_string_equal(faults[1].kind, "script");
    assert_int_equal(faults[1].column, 9);
}

TEST(test_formula__tokens_are_what_makes_ink)
{
    static const struct {
        guint32 start, end, flags;
    } wanted[] = {
        { 0, 5, 0 },                /* \frac */
        { 6, 7, 0 },                /* 1 */
        { 9, 10, 0 },               /* x */
        { 11, 26, TG_TOKEN_FENCE }, /* \begin{vmatrix} */
        { 27, 28, 0 },              /* a */
        { 28, 41, TG_TOKEN_FENCE }, /* \end{vmatrix} */
        { 41, 45, TG_TOKEN_ERROR }, /* \foo */
    };
    g_autoptr(TgFormula) formula =
        read_formula("\\frac{1}{x}\\begin{vmatrix} a\\end{vmatrix}\\foo");
    guint n;
    const TgFormulaToken *tokens = tg_formula_tokens(formula, &n);

    assert_int_equal(n, G_N_ELEMENTS(wanted));
    for (guint i = 0; i < n; i++) {
        assert_int_equal(tokens[i].start, wanted[i].start);
        assert_int_equal(tokens[i].end, wanted[i].end);
        assert_int_equal(tokens[i].flags, wanted[i].flags);
    }
}

TEST(test_formula__outlives_its_source_and_is_shared)
{
    char tex[] = "a\\le b";
    g_autoptr(TgFormula) formula = read_formula(tex);
    TgFormula *other = tg_formula_ref(formula);
    gsize len;

    memset(tex, 'z', sizeof tex - 1);
    tg_formula_unref(other);
    assert_string_equal(tg_formula_source(formula, &len), "a\\le b");
    assert_int_equal(len, 6);
}

TEST(test_formula__json_is_one_line_of_tree_tokens_errors)
{
    g_autoptr(TgFormula) formula = read_formula("\\frac{a}\n{b}^2\\text{\303\251}");
    g_autofree char *text = tg_formula_to_json(formula, NULL);
    json_auto_t *json = json_loads(text, 0, NULL);
    json_t *items = json_object_get(json_object_get(json, "tree"), "items");

    assert_non_null(json);
    assert_null(strchr(text, '\n'));
    assert_string_equal(json_string_value(json_object_get(json_array_get(items, 0), "kind")),
                        "scripts");
    assert_int_equal(json_array_size(json_object_get(json, "tokens")), 5);
    assert_int_equal(json_array_size(json_object_get(json, "errors")), 0);
}

/* Whatever the bytes, the JSON is JSON. */
TEST(test_formula__json_of_any_bytes)
{
    static const char hostile[] = "a\0b\\\377\300{\\begin{\377}\x01\\text{\xED\xA0\x80}";
    g_autoptr(TgFormula) formula =
        tg_must(tg_formula_parse(hostile, sizeof hostile - 1, TG_FORMULA_TOLERANT, &error));

    g_autofree char *text = tg_formula_to_json(formula, NULL);
    json_auto_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
}

/* Rules by themselves are tested in test_canonical.c; here that they reach the public function. */
TEST(test_formula__canonical_form_follows_the_rules)
{
    g_autoptr(TgFormula) formula = read_formula("x ^ 2 _ i\\,\\le {a\\over b}");
    static const char *const cases[][2] = {
        { "", "x_{i}^{2}\\,\\leq\\frac{a}{b}" },
        { "+spaces", "x_{i}^{2}\\leq\\frac{a}{b}" },
        { "-symbols-infix", "x_{i}^{2}\\,\\le{a\\over b}" },
        { "none+symbols", "x_{i}^{2}\\,\\leq{a\\over b}" },
        { "default,+spaces", "x_{i}^{2}\\leq\\frac{a}{b}" },
        { " all , -spaces ", "x_{i}^{2}\\,\\leq\\frac{a}{b}" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        TgCanonicalRules rules;
        assert_true(tg_canonical_parse_rules(cases[i][0], &rules, NULL));
        tg_assert_text(tg_formula_canonical(formula, rules), cases[i][1]);
    }
}

TEST(test_formula__rules_are_listed)
{
    guint n;
    const TgCanonicalRule *rules = tg_canonical_rules(&n);
    TgCanonicalRules choice;

    assert_true(n >= 12);
    for (guint i = 0; i < n; i++) {
        g_autofree char *alone = g_strconcat("none+", rules[i].name, NULL);
        assert_true(tg_canonical_parse_rules(alone, &choice, NULL));
        assert_int_equal(choice, 1u << i);
        assert_int_equal((tg_canonical_preset() >> i & 1) != 0, rules[i].preset);
    }
}

TEST(test_formula__unknown_rules_are_refused)
{
    static const char *const wrong[] = {
        "+foo", "symbols", "+", "nonesense", "+space", "all none"
    };
    TgCanonicalRules rules;

    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++)
        tg_assert_fails(tg_canonical_parse_rules(wrong[i], &rules, &error), TG_ERROR_USAGE,
                        "unknown canonical rule");
}

TEST(test_formula__bounds_hold_in_both_modes)
{
    g_autofree char *deep = g_strnfill(300, '{');
    g_autofree char *long_one = g_strnfill((1u << 20) + 1, 'x');
    const char *const cases[][2] = { { deep, "250" }, { long_one, "1048577 bytes" } };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        for (guint flags = 0; flags <= TG_FORMULA_STRICT; flags++)
            tg_assert_fails(
                tg_formula_parse(cases[i][0], strlen(cases[i][0]), (TgFormulaFlags) flags, &error),
                TG_ERROR_PARSE, cases[i][1]);
}
