/* TeX's tokens and the expander: what the parser reads after macros are replaced. */
#pragma once

#include "core/arena.h"
#include "tokenizer/latex/lexer.h"
#include "tokenizer/latex/parse_errors.h"

typedef struct TgCommand TgCommand; /* tokenizer/latex/commands.h */

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
    TG_TOK_PRIMITIVE = 1 << 0, /**< what \let took before a redefinition: no user macro */
} TgTexTokenFlags;

/** A token of TeX, with where the user wrote it or the macro call that it comes from. */
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

/** Some tokens in a row. */
typedef struct {
    const TgTexToken *tokens;
    guint32 n;
} TgTexTokens;

/** Where a lexeme stands, and what became of it. */
typedef struct {
    guint32 start;
    guint32 end;
    guint32 id;   /**< of its ink, once the tree is done */
    guint8 flags; /**< TgInkFlags */
    guint8 inked; /**< makes ink */
} TgLexemeSpan;

typedef struct {
    TgArena *arena; /**< holds tokens and definitions */
    TgParseErrors *errors;
    TgLexer lexer;
    gboolean skip_space;      /**< behind a control word */
    guint32 end;              /**< of the token read last, in the source */
    guint32 end_before;       /**< of the one before */
    struct TgTexFrame *frame; /**< what is read before the source goes on; innermost first */
    GArray *lexemes;          /**< of TgLexemeSpan */
    GArray *scratch;          /**< of TgTexToken: arguments being collected */
    GHashTable *macros;       /**< name to TgTexMacro, or NULL while there are none */
    GArray *saved;            /**< of what groups must give back */
    guint32 n_expansions;
    guint32 n_tokens; /**< made by expansion */
    guint32 max_expansions;
    guint32 max_tokens;
} TgExpander;

void tg_expander_init(TgExpander *self, TgArena *arena, TgParseErrors *errors, const char *source,
                      gsize len, guint max_expansions, guint max_tokens);
void tg_expander_clear(TgExpander *self);

/** The next token with no macro expanded; END once reading has stopped. */
TgTexToken tg_expander_raw(TgExpander *self);

/** The next token that is no macro, with its command or symbol looked up. */
TgTexToken tg_expander_next(TgExpander *self);

/** The next token that is no macro of the user's: what LaTeX itself defines stays as written. */
TgTexToken tg_expander_next_user(TgExpander *self);

/** Look up the command or symbol of a token from tg_expander_raw(), unless it is a user's macro. */
void tg_expander_look_up(const TgExpander *self, TgTexToken *token);

/** tg_expander_raw() and tg_expander_next() behind white space. */
TgTexToken tg_expander_raw_dark(TgExpander *self);
TgTexToken tg_expander_next_dark(TgExpander *self);

/** Put @token before everything that is still to be read. */
void tg_expander_unread(TgExpander *self, const TgTexToken *token);

/** Put @n copies of @list, one after the other, before everything that is still to be read. */
void tg_expander_insert(TgExpander *self, TgTexTokens list, guint n);

/**
 * A macro's undelimited argument: the next dark token, or what stands in the group it opens.
 *
 * @list: (out) its tokens without the braces
 *
 * Returns: FALSE when there is none: a closing brace (put back) or the end comes first
 */
gboolean tg_expander_argument(TgExpander *self, TgTexTokens *list);

/**
 * An optional argument: tokens between `[` and the next `]` outside of braces.
 *
 * Returns: FALSE when no `[` comes next; white space before it is then kept
 */
gboolean tg_expander_optional(TgExpander *self, TgTexTokens *list);

/** Tokens up to the command @name ("\\of") outside of braces, which is taken too; or FALSE. */
gboolean tg_expander_until(TgExpander *self, const char *name, TgTexTokens *list);

/** The tokens of @text (which outlives the tree), standing where @token does. */
TgTexTokens tg_expander_lex(TgExpander *self, const char *text, gsize len, const TgTexToken *token);

/** Whether a command means something: macro, command of ours or symbol. */
gboolean tg_expander_is_defined(const TgExpander *self, const TgTexToken *token);

/** The body of the user's macro @name ("\\foo"), or FALSE when there is none. */
gboolean tg_expander_lookup(const TgExpander *self, const char *name, TgTexTokens *body);

/** Definitions are local to a group. */
guint tg_expander_open_group(TgExpander *self);
void tg_expander_close_group(TgExpander *self, guint mark);

/** \def, \gdef, \edef, \xdef: reads name, parameter text and body. */
void tg_expander_read_def(TgExpander *self, const TgTexToken *command);

/** \newcommand ('n'), \renewcommand ('r'), \providecommand ('p'), star and all. */
void tg_expander_read_newcommand(TgExpander *self, const TgTexToken *command, char how);

/** \let: reads name, optional = and target. */
void tg_expander_read_let(TgExpander *self, const TgTexToken *command);

/** \DeclareMathOperator: reads star, name and text. */
void tg_expander_read_operator(TgExpander *self, const TgTexToken *command);
