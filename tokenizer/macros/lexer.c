/* The lexer of LaTeX source, used by the `latex` tokenizer and the TeX parser. */
#include "tokenizer/macros/lexer.h"

#include "core/utf8.h"

void tg_lexer_init(TgLexer *lexer, const char *text, gsize len)
{
    *lexer = (TgLexer){ text, len, 0 };
}

static inline gboolean is_letter(char c)
{
    return (guchar) ((c | 0x20) - 'a') < 26;
}

/* Where the white space behind @pos ends. */
static gsize skip_spaces(const TgLexer *lexer, gsize pos)
{
    while (pos < lexer->len) {
        gunichar code;
        const guint length = tg_utf8_decode(lexer->text + pos, lexer->len - pos, &code);

        if (!tg_is_space(code))
            break;
        pos += length;
    }
    return pos;
}

/* What a backslash begins. */
static TgLexeme control_sequence(const TgLexer *lexer)
{
    const gsize after = lexer->pos + 1;
    TgLexeme lexeme = { .kind = TG_LEX_BACKSLASH, .start = lexer->pos, .len = 1 };
    gunichar code;

    if (after == lexer->len)
        return lexeme;
    if (is_letter(lexer->text[after])) {
        gsize end = after + 1;

        while (end < lexer->len && is_letter(lexer->text[end]))
            end++;
        lexeme.kind = TG_LEX_CONTROL_WORD;
        lexeme.len = end - lexer->pos;
        return lexeme;
    }

    const guint length = tg_utf8_decode(lexer->text + after, lexer->len - after, &code);
    if (!tg_is_space(code)) {
        lexeme.kind = TG_LEX_CONTROL_SYMBOL;
        lexeme.code = code;
        lexeme.len += length;
    }
    return lexeme;
}

TgLexeme tg_lexer_next(TgLexer *lexer)
{
    TgLexeme lexeme = { .kind = TG_LEX_END, .start = lexer->pos };

    if (lexer->pos == lexer->len)
        return lexeme;
    if (lexer->text[lexer->pos] == '\\') {
        lexeme = control_sequence(lexer);
    } else {
        lexeme.kind = TG_LEX_CHARACTER;
        lexeme.len =
            tg_utf8_decode(lexer->text + lexer->pos, lexer->len - lexer->pos, &lexeme.code);
        if (tg_is_space(lexeme.code)) {
            lexeme.kind = TG_LEX_SPACE;
            lexeme.code = 0;
            lexeme.len = skip_spaces(lexer, lexer->pos + lexeme.len) - lexer->pos;
        }
    }
    lexer->pos += lexeme.len;
    return lexeme;
}
