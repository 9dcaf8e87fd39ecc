/* How KaTeX reads: tokens and macros (expand.c), of which the parser (reader.c) makes nodes. */
#pragma once

#include "metrics/olmocr/katex.h"

#include <string.h>

/* ---- Functions ------------------------------------------------------------------------------- */

/** The kinds of functions in the table. */
typedef enum {
    NODE, /**< the row says it all */
    ACCENT,
    WIDE_ACCENT,
    TEXT_ACCENT,
    COLOR,
    LINE_END,
    DEFINITION,
    DELIMITER,
    LEFT,
    RIGHT,
    MIDDLE,
    BEGIN,
    END,
    RULE_LINE,
    FONT,
    BOLD,
    OLD_FONT,
    FRACTION,
    MATH,
    NO_MATH,
    NOT_MODELED,
    CHOICE,
    CLASS,
    STACK,
    SUM,
    INTEGRAL,
    MATHOP,
    NAME,
    LIMIT_NAME,
    OPERATORNAME,
    PMB,
    SIZE,
    STYLE,
} TgKatexFunctionKind;

/** A row of olmocr_functions.tsv. */
typedef struct {
    TgKatexFunctionKind kind;
    TgKatexKind node; /**< of the node that it makes */
    const char *optional, *arguments, *use;
    gint value;
    const char *names;
} TgKatexFunction;

/* ---- Tokens ---------------------------------------------------------------------------------- */

typedef struct {
    const char *text; /* a character, a command, " ", or `tg_katex_end` */
    guint32 at;
} TgKatexToken;

typedef struct TgKatexReader TgKatexReader;

/* A macro @name that is code: takes its arguments and pushes what stands for it, or returns text.
 */
typedef const char *ExpandFunc(TgKatexReader *reader, const char *name);

typedef struct {
    const char *name;
    guint level; /* of the group that defines it; 0: everywhere */
    guint n_arguments;
    GArray *tokens; /* last one first; NULL: undefined again */
    const char *body;
    ExpandFunc *expand;
} TgKatexMacro;

struct TgKatexReader {
    TgArena *arena;
    const char *source;
    GArray *stack;  /* of TgKatexToken, the next one last */
    GArray *macros; /* of TgKatexMacro: definitions of the formula, the one in force last */
    GPtrArray *lists;
    TgKatexToken next;
    gboolean has_next, in_text;
    const char *position;
    guint level, depth, lefts, expansions;
    char *error;
    guint error_at;
    gboolean not_modeled;
};

extern const char tg_katex_end[];

static inline gboolean token_is(TgKatexToken token, const char *text)
{
    return strcmp(token.text, text) == 0;
}

static inline gint digit_of(TgKatexToken token, gint base)
{
    const gint digit =
        token.text[0] != '\0' && token.text[1] == '\0' ? g_ascii_xdigit_value(token.text[0]) : -1;

    return digit < base ? digit : -1;
}

/** Say what is wrong at byte @at of the source; only the first error counts. */
void tg_katex_fail(TgKatexReader *reader, guint at, const char *format, ...) G_GNUC_PRINTF(3, 4);

/** Take the next token, not expanded. */
TgKatexToken tg_katex_pop(TgKatexReader *reader);

/** Put a token before the rest. */
void tg_katex_push(TgKatexReader *reader, TgKatexToken token);

/** Put tokens, last one first, before the rest. */
void tg_katex_push_all(TgKatexReader *reader, const GArray *tokens);

/** The next token, which stays. */
TgKatexToken tg_katex_peek(TgKatexReader *reader);

void tg_katex_skip_spaces(TgKatexReader *reader);

/** A new list of tokens, the reader's. */
GArray *tg_katex_token_list(TgKatexReader *reader);

/** An argument as tokens, last one first: a group without its braces, a token, or all up to @until.
 */
GArray *tg_katex_take_argument(TgKatexReader *reader, const char *until);

/** The meaning of @name, or NULL. */
const TgKatexMacro *tg_katex_find_macro(const TgKatexReader *reader, const char *name);

void tg_katex_define_macro(TgKatexReader *reader, TgKatexMacro macro, gboolean global);

/** Definitions from here end with the scope. */
void tg_katex_begin_scope(TgKatexReader *reader);

void tg_katex_end_scope(TgKatexReader *reader);

/** The next token that is no macro. */
TgKatexToken tg_katex_expand_next(TgKatexReader *reader);

/** The function of that name, or NULL. */
const TgKatexFunction *tg_katex_find_function(const char *name);

/** Fill the tables, once. */
void tg_katex_need_functions(void);

/** Whether @name is a token with a meaning in the parser itself. */
gboolean tg_katex_is_implicit(const char *name);
