/* The table of symbols and the meaning of Unicode characters in formulas. */
#include "tests/support/test_support.h"

#include "tokenizer/symbols/symbols.h"

static const TgSymbol *find(const char *name)
{
    const TgSymbol *symbol = tg_symbol_find(name, strlen(name));

    if (symbol == NULL)
        fail_msg("\\%s is not in the table", name);
    return symbol;
}

TEST(test_symbols__are_sorted_and_found)
{
    guint n;
    const TgSymbol *list = tg_symbol_list(&n);

    for (guint i = 0; i < n; i++) {
        if (i > 0 && strcmp(list[i - 1].name, list[i].name) >= 0)
            fail_msg("%s stands before %s", list[i - 1].name, list[i].name);
        assert_ptr_equal(find(list[i].name), &list[i]);
    }
    assert_null(tg_symbol_find("alphab", 6));
    assert_null(tg_symbol_find("alph", 4));
    assert_null(tg_symbol_find("", 0));
    assert_ptr_equal(tg_symbol_find("alphabet", 5), find("alpha"));
}

/* Mathcodes and delimiter codes as plain TeX and LaTeX declare them (The TeXbook, appendix B). */
TEST(test_symbols__have_tex_codes)
{
    const TgSymbol *alpha = find("alpha"), *sum = find("sum"), *langle = find("langle");
    const TgSymbol *less = tg_symbol_find_char('<'), *minus = tg_symbol_find_char('-');

    assert_int_equal(alpha->family, TG_MATH_FAMILY_LETTERS);
    assert_int_equal(alpha->slot, 0x0B);
    assert_int_equal(alpha->flags, 0);
    assert_int_equal(sum->math_class, TG_CLASS_OP);
    assert_int_equal(sum->slot, 0x50);
    assert_int_equal(find("int")->flags, TG_SYMBOL_NO_LIMITS);
    assert_int_equal(langle->math_class, TG_CLASS_OPEN);
    assert_int_equal(langle->small_slot, 0x68);
    assert_int_equal(langle->large_slot, 0x0A);
    assert_int_equal(less->math_class, TG_CLASS_REL);
    assert_int_equal(less->slot, 0x3C);
    assert_int_equal(less->small_slot, 0x68);
    assert_int_equal(minus->family, TG_MATH_FAMILY_SYMBOLS);
    assert_int_equal(minus->math_class, TG_CLASS_BIN);
    assert_int_equal(find("Gamma")->flags, TG_SYMBOL_ALPHABETIC);
    assert_int_equal(find("hbar")->family, TG_MATH_FAMILY_AMS_B);
    assert_int_equal(find("widehat")->flags, TG_SYMBOL_WIDE);
}

TEST(test_symbols__characters)
{
    for (gunichar c = 0x21; c < 0x7F; c++) {
        const TgSymbol *symbol = tg_symbol_find_char(c);

        if (strchr("#$%&\\^_{}~'", (int) c) != NULL) {
            assert_null(symbol);
            continue;
        }
        assert_int_equal(symbol->codepoint, c);
        assert_int_equal((guchar) symbol->name[0], c);
    }
    assert_null(tg_symbol_find_char(' '));
    assert_ptr_equal(tg_symbol_find_char(0x2264), find("leq"));
    assert_ptr_equal(tg_symbol_find_char(0x03B1), find("alpha"));
    assert_null(tg_symbol_find_char(0x4E00));
}

/* Whatever a command shows, typing that character gives a symbol which shows it too. */
TEST(test_symbols__unicode_round_trip)
{
    guint n;
    const TgSymbol *list = tg_symbol_list(&n);

    for (guint i = 0; i < n; i++) {
        const guint32 code = list[i].codepoint;

        if (code < 0x80 || list[i].kind == TG_SYMBOL_ACCENT)
            continue;
        char source[TG_UNICODE_SOURCE_MAX];
        const TgSymbol *typed = tg_symbol_find_char(code);
        if (typed == NULL && !tg_unicode_source(code, source))
            fail_msg("U+%04X, which \\%s shows, means nothing", code, list[i].name);
        if (typed != NULL)
            assert_int_equal(typed->codepoint, code);
    }
}

TEST(test_unicode_math__sources)
{
    static const struct {
        gunichar code;
        const char *latex;
    } rows[] = {
        { 0x00B2, "^{2}" },
        { 0x2083, "_{3}" },
        { 0x2033, "''" },
        { 0x00BD, "\\frac{1}{2}" },
        { 0x211D, "\\mathbb{R}" },
        { 0x2212, "-" },
        { 0x1D400, "\\mathbf{A}" },
        { 0x1D467, "z" },
        { 0x1D538, "\\mathbb{A}" },
        { 0x1D6A3, "\\mathtt{z}" },
        { 0x1D6C2, "\\boldsymbol{\\alpha }" },
        { 0x1D6FC, "\\alpha " },
        { 0x1D715, "\\partial " },
        { 0x1D6A8, "\\boldsymbol{\\mathrm{A}}" },
        { 0x1D7CF, "\\mathbf{1}" },
        { 0x1D7FF, "\\mathtt{9}" },
    };
    char source[TG_UNICODE_SOURCE_MAX];

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_true(tg_unicode_source(rows[i].code, source));
        assert_string_equal(source, rows[i].latex);
    }
    assert_false(tg_unicode_source('x', source));
    assert_false(tg_unicode_source(0x4E00, source));
    for (gunichar code = 0; code <= 0x10FFFF; code++) {
        if (tg_unicode_source(code, source))
            assert_null(tg_symbol_find_char(code));
    }
}
