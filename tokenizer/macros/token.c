/* TeX's tokens from lexemes. */
#include "tokenizer/macros/token.h"

static guint8 token_kind(gunichar code)
{
    static const guint8 special[128] = {
        ['{'] = TG_TOK_OPEN, ['}'] = TG_TOK_CLOSE, ['$'] = TG_TOK_DOLLAR, ['&'] = TG_TOK_AMPERSAND,
        ['#'] = TG_TOK_HASH, ['^'] = TG_TOK_SUP,   ['_'] = TG_TOK_SUB,    ['~'] = TG_TOK_TILDE,
    };

    return code < G_N_ELEMENTS(special) && special[code] != 0 ? special[code] : TG_TOK_CHAR;
}

/* A comment includes the end of its line and the spaces at the beginning of the next one. */
static void token_skip_comment(TgLexer *lexer)
{
    const char *from = lexer->text + lexer->pos;
    const char *newline = memchr(from, '\n', lexer->len - lexer->pos);

    lexer->pos = newline != NULL ? (gsize) (newline - lexer->text) + 1 : lexer->len;
    while (lexer->pos < lexer->len && strchr(" \t\r\n", lexer->text[lexer->pos]) != NULL &&
           lexer->text[lexer->pos] != '\0')
        lexer->pos++;
}

/* Whether a character of ASCII comes next that is a token by itself: the usual case, at once. */
static gboolean is_plain(const TgLexer *lexer)
{
    const guchar c = lexer->pos < lexer->len ? (guchar) lexer->text[lexer->pos] : '\0';

    return c > ' ' && c < 0x7F && c != '\\' && c != '%';
}

TgTexToken tg_token_read(TgLexer *lexer, gboolean *skip_space)
{
    while (*skip_space && lexer->pos < lexer->len && lexer->text[lexer->pos] == ' ')
        lexer->pos++; /* the usual one, without a lexeme */

    if (is_plain(lexer)) {
        const gsize at = lexer->pos++;
        const guchar code = (guchar) lexer->text[at];

        *skip_space = FALSE;
        return (TgTexToken){ .text = lexer->text + at,
                             .len = 1,
                             .code = code,
                             .start = (guint32) at,
                             .end = (guint32) at + 1,
                             .kind = token_kind(code) };
    }
    TgLexeme lexeme = tg_lexer_next(lexer);
    while ((lexeme.kind == TG_LEX_SPACE && *skip_space) ||
           (lexeme.kind == TG_LEX_CHARACTER && lexeme.code == '%')) {
        if (lexeme.kind != TG_LEX_SPACE)
            token_skip_comment(lexer);
        lexeme = tg_lexer_next(lexer);
    }

    TgTexToken token = {
        .text = lexer->text + lexeme.start,
        .len = (guint32) lexeme.len,
        .code = lexeme.code,
        .start = (guint32) lexeme.start,
        .end = (guint32) (lexeme.start + lexeme.len),
        .kind = TG_TOK_COMMAND,
    };

    *skip_space = lexeme.kind == TG_LEX_CONTROL_WORD || lexeme.kind == TG_LEX_BACKSLASH;
    if (lexeme.kind == TG_LEX_END) {
        token.kind = TG_TOK_END;
    } else if (lexeme.kind == TG_LEX_SPACE) {
        token.kind = TG_TOK_SPACE;
    } else if (lexeme.kind == TG_LEX_CHARACTER) {
        token.kind = token_kind(lexeme.code);
    } else if (lexeme.kind == TG_LEX_BACKSLASH) {
        token.text = "\\ ";
        token.len = 2;
    }
    return token;
}
