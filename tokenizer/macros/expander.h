/* The expander: the tokens that the parser reads, with macros replaced. */
#pragma once

#include "tokenizer/macros/lexer.h"
#include "tokenizer/macros/macro.h"
#include "tokenizer/macros/parse_errors.h"
#include "tokenizer/macros/token.h"

/** Place of a lexeme in the source, and its ink. */
typedef struct {
    guint32 start;
    guint32 end;
    guint32 id;   /**< of its ink, once the tree is done */
    guint8 flags; /**< TgInkFlags */
    guint8 inked; /**< makes ink */
} TgLexemeSpan;

typedef struct {
    TgArena *arena; /**< holds lexemes, tokens and definitions */
    TgParseErrors *errors;
    TgLexer lexer;
    gboolean skip_space;      /**< behind a control word */
    guint32 end;              /**< of the token read last, in the source */
    guint32 end_before;       /**< of the one before */
    struct TgTexFrame *frame; /**< what is read before the source goes on; innermost first */
    TgLexemeSpan *lexemes;    /**< @n_lexemes of them, room for @max_lexemes */
    guint32 n_lexemes;
    guint32 max_lexemes;
    GArray *scratch; /**< of TgTexToken: arguments being collected */
    TgTexMacros macros;
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

/** tg_expander_next() into @token: the parser's loop, where a copy counts. */
void tg_expander_read(TgExpander *self, TgTexToken *token);

/** The next token that is no macro of the user's: what LaTeX itself defines stays as written. */
TgTexToken tg_expander_next_user(TgExpander *self);

/** Look up the command or symbol of a token from tg_expander_raw(), unless it is a user's macro. */
void tg_expander_look_up(const TgExpander *self, TgTexToken *token);

/** tg_expander_raw() and tg_expander_next() behind white space. */
TgTexToken tg_expander_raw_nonspace(TgExpander *self);
TgTexToken tg_expander_next_nonspace(TgExpander *self);

/** The next token is not white space, if it comes from the source itself. */
static inline void tg_expander_skip_space(TgExpander *self)
{
    if (self->frame == NULL)
        self->skip_space = TRUE;
}

/** Put @token before everything that is still to be read. */
void tg_expander_unread(TgExpander *self, const TgTexToken *token);

/** Put @n copies of @list, one after the other, before everything that is still to be read. */
void tg_expander_insert(TgExpander *self, TgTexTokens list, guint n);

/**
 * A macro's undelimited argument: the next token that is no space, or the content of the group it
 * opens.
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

/** Take a star behind white space, if it comes next. */
gboolean tg_expander_star(TgExpander *self);

/** Tokens up to the command @name ("of") outside of braces, which is taken too; or FALSE. */
gboolean tg_expander_until(TgExpander *self, const char *name, TgTexTokens *list);

/** The tokens of @text (which outlives the tree), at the place of @token. */
TgTexTokens tg_expander_lex(TgExpander *self, const char *text, gsize len, const TgTexToken *token);

/**
 * The characters of the source up to the next one like the first, as \verb takes them; only right
 * behind a command of the source.
 *
 * @list: (out) a CHAR for each, without the two that enclose them
 *
 * Returns: FALSE when the line ends first, or in the body or argument of a macro
 */
gboolean tg_expander_verbatim(TgExpander *self, TgTexTokens *list);

/**
 * Read @body in place of @call, with @args in the place of its parameters; it counts as the call of
 * a macro.
 */
void tg_expander_replace(TgExpander *self, const TgTexToken *call, TgTexTokens body,
                         const TgTexTokens *args);

/** The body of the user's macro @name ("\\foo"), or FALSE when there is none. */
gboolean tg_expander_lookup(const TgExpander *self, const char *name, TgTexTokens *body);

/** Move the tokens collected in the scratch array from @from on to the arena. */
TgTexTokens tg_expander_take_scratch(TgExpander *self, guint from);
