/* The LaTeX lexer and the UTF-8 decoder below it. */
#include "tests/support/test_support.h"

#include "core/utf8.h"
#include "tokenizer/macros/lexer.h"

/* The lexemes of @text as `kind:bytes` joined by '|'. */
static char *lex(const char *text, gsize len)
{
    static const char kinds[] = { 'E', '_', 'W', 'S', 'B', 'C' };
    GString *out = g_string_new(NULL);
    TgLexer lexer = { text, len, 0 };
    gsize end = 0;

    for (TgLexeme l = tg_lexer_next(&lexer); l.kind != TG_LEX_END; l = tg_lexer_next(&lexer)) {
        assert_int_equal(l.start, end); /* no gaps */
        assert_true(l.len > 0);
        end = l.start + l.len;
        g_string_append_printf(out, "%s%c:", out->len > 0 ? "|" : "", kinds[l.kind]);
        g_string_append_len(out, text + l.start, (gssize) l.len);
    }
    assert_int_equal(end, len);
    assert_int_equal(tg_lexer_next(&lexer).kind, TG_LEX_END);
    return g_string_free(out, FALSE);
}

static void assert_lexemes(const char *text, const char *wanted)
{
    tg_assert_text(lex(text, strlen(text)), wanted);
}

TEST(test_lexer__hand_worked)
{
    assert_lexemes("", "");
    assert_lexemes("\\frac{a}2", "W:\\frac|C:{|C:a|C:}|C:2");
    assert_lexemes("a\\\\\\{b", "C:a|S:\\\\|S:\\{|C:b");
    assert_lexemes("\\operatorname*{x}", "W:\\operatorname|C:*|C:{|C:x|C:}");
    assert_lexemes(" \t\nx  ", "_: \t\n|C:x|_:  ");
    assert_lexemes("\\ x\\", "B:\\|_: |C:x|B:\\");
    assert_lexemes("\\alpha1\\,", "W:\\alpha|C:1|S:\\,");
}

TEST(test_lexer__characters_are_code_points)
{
    assert_lexemes("\xC3\xA9\\\xC3\xA9\xF0\x9D\x94\xB8", "C:é|S:\\é|C:𝔸");
    assert_lexemes("a\xC2\xA0\xE3\x80\x80"
                   "b", /* U+00A0 U+3000 are white space */
                   "C:a|_:\xC2\xA0\xE3\x80\x80|C:b");
    assert_lexemes("\\\xC2\xA0x", "B:\\|_:\xC2\xA0|C:x");
    assert_lexemes("\xE2\x80\x8B\xEF\xBB\xBF", "C:\xE2\x80\x8B|C:\xEF\xBB\xBF"); /* 200B, FEFF */
}

TEST(test_lexer__gives_the_code_point)
{
    TgLexer lexer = { "x\\{\\pi\xC3\xA9", 8, 0 };

    assert_int_equal(tg_lexer_next(&lexer).code, 'x');
    assert_int_equal(tg_lexer_next(&lexer).code, '{');
    assert_int_equal(tg_lexer_next(&lexer).code, 0);
    assert_int_equal(tg_lexer_next(&lexer).code, 0xE9);
}

TEST(test_lexer__stays_within_the_given_length)
{
    static const char text[] = "\\frac\xC3\xA9\\x";

    for (gsize len = 0; len < sizeof text; len++) {
        g_autofree char *exact = g_malloc(MAX(len, 1)); /* ASan sees a byte too many */
        memcpy(exact, text, len);
        g_free(lex(exact, len));
    }
}

TEST(test_lexer__invalid_bytes_are_single_characters)
{
    /* A continuation byte, overlong '/', a surrogate, beyond U+10FFFF, a cut-off sequence. */
    static const char *const bad[] = { "\x80", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                                       "\xE2\x80" };

    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        TgLexer lexer = { bad[i], strlen(bad[i]), 0 };

        for (gsize k = 0; k < strlen(bad[i]); k++) {
            const TgLexeme lexeme = tg_lexer_next(&lexer);
            assert_int_equal(lexeme.kind, TG_LEX_CHARACTER);
            assert_int_equal(lexeme.code, TG_UTF8_INVALID);
            assert_int_equal(lexeme.start, k);
            assert_int_equal(lexeme.len, 1);
        }
    }
    tg_assert_text(lex("a\0b", 3), "C:a|C:"); /* the NUL is a character too; %s stops there */
}

/* The list is that of Python's str.isspace(). */
TEST(test_utf8__white_space_is_pythons)
{
    static const gunichar list[] = { 0x09,   0x0A,   0x0B,   0x0C,   0x0D,   0x1C,   0x1D,   0x1E,
                                     0x1F,   0x20,   0x85,   0xA0,   0x1680, 0x2000, 0x2001, 0x2002,
                                     0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A,
                                     0x2028, 0x2029, 0x202F, 0x205F, 0x3000 };
    guint found = 0;

    for (gunichar code = 0; code <= 0x10FFFF; code++)
        if (tg_is_space(code))
            assert_int_equal(code, list[found++]);
    assert_int_equal(found, G_N_ELEMENTS(list));
}

TEST(test_utf8__decodes_every_code_point)
{
    for (gunichar code = 0; code <= 0x10FFFF; code++) {
        char bytes[6];
        gunichar got;

        if (code >= 0xD800 && code <= 0xDFFF)
            continue;
        const gint length = g_unichar_to_utf8(code, bytes);
        assert_int_equal(tg_utf8_decode(bytes, (gsize) length, &got), length);
        assert_int_equal(got, code);
    }
}
