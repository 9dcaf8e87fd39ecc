/* TeX's tokens from lexemes. */
#include "tokenizer/macros/token.h"

#define C TG_TOK_CHAR

/* What a character of ASCII is that is a token by itself; 0 for all others. */
static const guint8 plain_kinds[256] = {
    /* clang-format off */
    ['!'] =
       /* ! */ C, C, TG_TOK_HASH, TG_TOK_DOLLAR, /* % */ 0, TG_TOK_AMPERSAND, C, C, C, C, C, C, C, C, C,
    /* 0 */ C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C,
    /* @ */ C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C,
    /* P */ C, C, C, C, C, C, C, C, C, C, C, C, /* \\ */ 0, C, TG_TOK_SUP, TG_TOK_SUB,
    /* ` */ C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C,
    /* p */ C, C, C, C, C, C, C, C, C, C, C, TG_TOK_OPEN, C, TG_TOK_CLOSE, TG_TOK_TILDE,
    /* clang-format on */
};

static guint8 token_kind(gunichar code)
{
    return code < G_N_ELEMENTS(plain_kinds) && plain_kinds[code] != 0 ? plain_kinds[code]
                                                                      : TG_TOK_CHAR;
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

/* What the lexer finds next, which is more than a character of ASCII. */
static G_NO_INLINE void read_lexeme(TgLexer *lexer, gboolean *skip_space, TgTexToken *token)
{
    TgLexeme lexeme = tg_lexer_next(lexer);

    while ((lexeme.kind == TG_LEX_SPACE && *skip_space) ||
           (lexeme.kind == TG_LEX_CHARACTER && lexeme.code == '%')) {
        if (lexeme.kind != TG_LEX_SPACE)
            token_skip_comment(lexer);
        lexeme = tg_lexer_next(lexer);
    }

    *token = (TgTexToken){
        .text = lexer->text + lexeme.start,
        .len = (guint32) lexeme.len,
        .code = lexeme.code,
        .start = (guint32) lexeme.start,
        .end = (guint32) (lexeme.start + lexeme.len),
        .kind = TG_TOK_COMMAND,
    };
    *skip_space = lexeme.kind == TG_LEX_CONTROL_WORD || lexeme.kind == TG_LEX_BACKSLASH;
    if (lexeme.kind == TG_LEX_END) {
        token->kind = TG_TOK_END;
    } else if (lexeme.kind == TG_LEX_SPACE) {
        token->kind = TG_TOK_SPACE;
    } else if (lexeme.kind == TG_LEX_CHARACTER) {
        token->kind = token_kind(lexeme.code);
    } else if (lexeme.kind == TG_LEX_BACKSLASH) {
        token->text = "\\ ";
        token->len = 2;
    }
}

void tg_token_read(TgLexer *lexer, gboolean *skip_space, TgTexToken *token)
{
    gsize at = lexer->pos;

    while (*skip_space && at < lexer->len && lexer->text[at] == ' ')
        at++; /* the usual one, without a lexeme */

    const guchar code = at < lexer->len ? (guchar) lexer->text[at] : '\0';
    lexer->pos = at;
    if (plain_kinds[code] == 0) {
        read_lexeme(lexer, skip_space, token);
        return;
    }
    lexer->pos++;
    *skip_space = FALSE;
    *token = (TgTexToken){ .text = lexer->text + at,
                           .len = 1,
                           .code = code,
                           .start = (guint32) at,
                           .end = (guint32) at + 1,
                           .kind = plain_kinds[code] };
}
