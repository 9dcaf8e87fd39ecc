/* TeX's tokens. */
#pragma once

#include <string.h>

#include "tokenizer/macros/lexer.h"
#include "tokenizer/tree/tree.h"

typedef struct TgCommand TgCommand; /* tokenizer/macros/commands.h */

typedef enum {
    TG_TOK_END,     /**< end of input */
    TG_TOK_SPACE,   /**< white space */
    TG_TOK_COMMAND, /**< control word or symbol */
    TG_TOK_OPEN,    /**< { */
    TG_TOK_CLOSE,   /**< } */
    TG_TOK_DOLLAR,
    TG_TOK_AMPERSAND,
    TG_TOK_HASH,
    TG_TOK_SUP,   /**< ^ */
    TG_TOK_SUB,   /**< _ */
    TG_TOK_TILDE, /**< ~ */
    TG_TOK_CHAR,  /**< any other character */
    TG_TOK_PARAM, /**< #1 in a macro's body; never leaves the expander */
} TgTexTokenKind;

typedef enum {
    TG_TOK_PRIMITIVE = 1 << 0, /**< saved by \let before a redefinition: not a user macro */
} TgTexTokenFlags;

/** A token of TeX and its place in the source: its own, or that of the macro call it comes from. */
typedef struct {
    const char *text;         /**< spelling with backslash, @len bytes; lives as long as the tree */
    const TgCommand *command; /**< COMMAND from tg_expander_next(): its entry, or NULL */
    const TgSymbol *symbol;   /**< the same for symbol commands */
    guint32 len;
    gunichar code; /**< CHAR: itself; PARAM: its number */
    guint32 start; /**< source span of the user's token */
    guint32 end;
    guint32 lexeme; /**< number of the user's lexeme: provisional id of its ink */
    guint8 kind;    /**< TgTexTokenKind */
    guint8 flags;   /**< TgTexTokenFlags */
} TgTexToken;

/** A sequence of tokens. */
typedef struct {
    const TgTexToken *tokens;
    guint32 n;
} TgTexTokens;

/**
 * The next token of a text, its span being bytes of that text, without comments; END at the end.
 *
 * @skip_space: (inout) whether white space comes behind a control word, FALSE at first
 * @token: (out)
 */
void tg_token_read(TgLexer *lexer, gboolean *skip_space, TgTexToken *token);

/** The spelling of @token as arguments of "%.*s". */
#define TG_TOKEN_TEXT(token) (int) (token)->len, (token)->text

/** Whether @token is the character @code. */
static inline gboolean tg_token_is_char(const TgTexToken *token, gunichar code)
{
    return token->kind == TG_TOK_CHAR && token->code == code;
}

/** Whether @token is one of the ASCII @characters. */
static inline gboolean tg_token_is_char_of(const TgTexToken *token, const char *characters)
{
    return token->kind == TG_TOK_CHAR && token->code > 0 && token->code < 0x80 &&
           strchr(characters, (int) token->code) != NULL;
}

static inline gboolean tg_token_is_digit(const TgTexToken *token)
{
    return token->kind == TG_TOK_CHAR && token->code >= '0' && token->code <= '9';
}

/** Whether @token is the command @name, which is written without its backslash. */
static inline gboolean tg_token_is_command(const TgTexToken *token, const char *name)
{
    return token->kind == TG_TOK_COMMAND && strlen(name) == token->len - 1 &&
           memcmp(name, token->text + 1, token->len - 1) == 0;
}

/** Whether @token is one of the @n commands @names. */
static inline gboolean tg_token_is_command_of(const TgTexToken *token, const char *const *names,
                                              guint n)
{
    for (guint i = 0; i < n; i++) {
        if (tg_token_is_command(token, names[i]))
            return TRUE;
    }
    return FALSE;
}
