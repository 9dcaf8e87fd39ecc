/* Fuzz target: the lexemes of any bytes cover them without gaps. */
#include "tests/fuzz/fuzz.h"

#include <glib.h>

#include "tokenizer/macros/lexer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    TgLexer lexer = { (const char *) data, size, 0 };
    gsize end = 0;

    for (TgLexeme l = tg_lexer_next(&lexer); l.kind != TG_LEX_END; l = tg_lexer_next(&lexer)) {
        g_assert_cmpuint(l.start, ==, end);
        g_assert_cmpuint(l.len, >, 0);
        end = l.start + l.len;
    }
    g_assert_cmpuint(end, ==, size);
    return 0;
}
