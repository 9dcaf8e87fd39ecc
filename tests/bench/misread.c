#include "tests/bench/misread.h"

#include <string.h>

#include "tokenizer/macros/lexer.h"

static void copy_token(const char *token, gssize len, guint tokens_per_error, TgRandom *random,
                       GString *out)
{
    static const char *const others[] = { "x", "1", "\\alpha", "{", "}", "\\mathrm", "\\,", "l" };

    if (tg_random_below(random, tokens_per_error) > 0) {
        g_string_append_len(out, token, len);
        return;
    }
    switch (tg_random_below(random, 4)) {
    case 0:
        break;
    case 1:
        g_string_append(out, others[tg_random_below(random, G_N_ELEMENTS(others))]);
        break;
    case 2:
        g_string_append_len(out, token, len);
        g_string_append_c(out, ' ');
        g_string_append_len(out, token, len);
        break;
    default:
        g_string_append_c(out, '{');
        g_string_append_len(out, token, len);
        g_string_append_c(out, '}');
    }
}

char *tg_misread(const char *formula, guint tokens_per_error, TgRandom *random)
{
    const gboolean spaced = tg_random_below(random, 2) == 0;
    GString *out = g_string_new(NULL);
    TgLexer lexer = { formula, strlen(formula), 0 };

    for (TgLexeme l = tg_lexer_next(&lexer); l.kind != TG_LEX_END; l = tg_lexer_next(&lexer)) {
        copy_token(formula + l.start, (gssize) l.len, tokens_per_error, random, out);
        if (spaced && l.kind != TG_LEX_SPACE)
            g_string_append_c(out, ' ');
    }
    return g_string_free(out, FALSE);
}
