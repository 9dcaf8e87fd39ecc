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

/* characters.tsv has the result of each, see test_symbol_tables.c. */
TEST(test_unicode_math__sources)
{
    char source[TG_UNICODE_SOURCE_MAX];

    assert_false(tg_unicode_source('x', source));
    assert_false(tg_unicode_source(0x4E00, source));
    for (gunichar code = 0; code <= 0x10FFFF; code++) {
        if (tg_unicode_source(code, source))
            assert_null(tg_symbol_find_char(code));
    }
}
