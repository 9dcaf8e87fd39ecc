/* TeX's tokens in the order TeX sees them: read from the source, with macros replaced. */
#pragma once

#include <string.h>

#include <texgauge/formula.h>

#include "core/arena.h"
#include "tokenizer/macros/commands.h"
#include "tokenizer/macros/lexer.h"

/* ---- Faults: what reading a formula meets, and whether it goes on ---------------------------- */

/** The faults of one formula. Set the first four members, the rest is zero. */
typedef struct {
    TgArena *arena; /**< holds the faults and their messages */
    const char *source;
    gsize len;
    gboolean strict;      /**< the first fault stops */
    gboolean stopped;     /**< nothing more is read or reported */
    gboolean limit;       /**< stopped by a bound: an error in both modes */
    TgParseError *faults; /**< @n of them, in @arena */
    guint n, max;
    TgParseError *refusals; /**< see TgTree; @n_refusals of them */
    guint n_refusals, max_refusals;
    gsize offset;       /**< where the last column was counted */
    guint32 characters; /**< before @offset */
} TgParseErrors;

/** The faults of @tree in their public form, @n (out) of them, in @arena. */
TgFormulaFault *tg_tree_faults(const TgTree *tree, TgArena *arena, guint *n);

/* ---- Tokens -------------------------------------------------------------------------------- */

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

/** A token of TeX and its place in the source: its own, or that of the macro call it comes from. */
typedef struct {
    const char *text;         /**< spelling with backslash, @len bytes; lives as long as the tree */
    const TgCommand *command; /**< COMMAND from tg_expander_next(): its entry, or NULL */
    const TgSymbol *symbol;   /**< the same for symbol commands */
    guint32 len;
    gunichar code; /**< CHAR: itself; PARAM: its number */
    guint32 start; /**< source span of the user's token */
    guint32 end;
    guint32 lexeme;   /**< number of the user's lexeme: provisional id of its ink */
    guint8 kind;      /**< TgTexTokenKind */
    guint8 primitive; /**< 1: saved by \let before a redefinition: not a user macro */
} TgTexToken;

/** A sequence of tokens. */
typedef struct {
    const TgTexToken *tokens;
    guint32 n;
} TgTexTokens;

/** @list without the white space around it. */
TgTexTokens tg_tex_tokens_trim(TgTexTokens list);

/** The spelling of tokens, one after the other. (transfer full) */
char *tg_tex_tokens_text(TgTexTokens list);

/** The index behind the item at @at: a {group}, or a single token. */
guint32 tg_tex_tokens_item_end(TgTexTokens list, guint32 at);

/** A token that no source has, at the place of @at (NULL: none); @text outlives the tree. */
TgTexToken tg_token_made(const TgTexToken *at, TgTexTokenKind kind, const char *text);

/**
 * Report a fault; nothing happens once reading has stopped.
 *
 * @at: the token at fault, whose span in the source counts
 * @kind: TG_PARSE_LIMIT stops in both modes
 * @format: the sentence, without full stop and column
 *
 * Returns: its index
 */
guint32 tg_report(TgParseErrors *errors, const TgTexToken *at, TgParseErrorKind kind,
                  const char *format, ...) G_GNUC_PRINTF(4, 5);

/**
 * Report that LaTeX stops here although the meaning is clear. A strict reader stops, too, unless
 * LaTeX goes on when a document loads @package.
 *
 * @package: TG_PACKAGE_NONE: no package helps
 */
void tg_refuse(TgParseErrors *errors, const TgTexToken *at, TgPackage package,
               TgParseErrorKind kind, const char *format, ...) G_GNUC_PRINTF(5, 6);

/** The spelling of @token as arguments of "%.*s". */
#define TG_TOKEN_TEXT(token) (int) (token)->len, (token)->text

static inline gboolean tg_token_is_char(const TgTexToken *token, gunichar code)
{
    return token->kind == TG_TOK_CHAR && token->code == code;
}

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

/** Whether @token is one of the commands @names, which are written with a space between them. */
gboolean tg_token_is_command_of(const TgTexToken *token, const char *names);

/** Whether @token begins one of TeX's conditions, which \fi ends. */
gboolean tg_token_is_condition(const TgTexToken *token);

/* ---- Definitions --------------------------------------------------------------------------- */

#define TG_TEX_MAX_ARGS 9

/** The meaning that the user gave a command. */
typedef struct {
    TgTexTokens pattern; /**< PARAM tokens and delimiters; none: no argument is delimited */
    /** of each argument three characters: "s* " a star; "o[]", or with pairs "d[]", what stands
     * between these; "m  " another; NULL: all are "m  " */
    const char *kinds;
    /** of each argument, where 'o' or 'd' is missing; the two texts of 's' */
    const TgTexTokens *presets;
    TgTexTokens body;
    TgTexToken target; /**< of an alias (\let): its meaning */
    guint8 n_args;
    guint8 is_alias;
    guint8 is_global; /**< defined by \gdef and the like: the end of a group changes nothing */
} TgTexMacro;

/** The definitions in force. Begins as { .arena = .. }. */
typedef struct {
    TgArena *arena;      /**< holds the definitions */
    GHashTable *by_name; /**< name token to TgTexMacro, or NULL while there are none */
    GArray *saved;       /**< definitions to restore at the end of groups */
    gboolean is_global;  /**< the next definition is */
} TgTexMacros;

/** The definition of the command @name, or NULL. */
static inline const TgTexMacro *tg_tex_macros_find(const TgTexMacros *self, const TgTexToken *name)
{
    if (self->by_name == NULL || name->primitive)
        return NULL;
    return g_hash_table_lookup(self->by_name, name);
}

/** Begin a group of definitions. Returns: a mark for its end. */
guint tg_tex_macros_open_group(const TgTexMacros *self);
void tg_tex_macros_close_group(TgTexMacros *self, guint mark);

/* ---- The expander -------------------------------------------------------------------------- */

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
    gboolean skip_space; /**< after a control word */
    gboolean words;      /**< text is read, where a blank line is no fault */
    gsize blank_line;    /**< where the next blank line of the source begins; its length: none */
    guint32 end;         /**< of the token read last, in the source */
    guint32 end_before;  /**< of the one before */
    struct TgTexFrame
        *frame;            /**< tokens that are read before the source goes on; innermost first */
    TgLexemeSpan *lexemes; /**< @n_lexemes of them, room for @max_lexemes */
    guint32 n_lexemes;
    guint32 max_lexemes;
    GArray *scratch; /**< of TgTexToken: arguments being collected */
    TgTexMacros macros;
    guint32 n_expansions;
    guint32 n_conditions; /**< \iftrue whose \fi is not read */
    guint32 n_tokens;     /**< made by expansion */
    guint32 max_expansions;
    guint32 max_tokens;
} TgExpander;

void tg_expander_init(TgExpander *self, TgArena *arena, TgParseErrors *errors, const char *source,
                      gsize len, guint max_expansions, guint max_tokens);
void tg_expander_clear(TgExpander *self);

/**
 * The command that begins, or ends, the environment @name of a formula's own \newenvironment.
 *
 * @at: where the command stands
 * @command: (out) \foo or \endfoo
 *
 * Returns: whether the formula defined it
 */
gboolean tg_expander_own_environment(TgExpander *self, const TgTexToken *at, TgTexTokens name,
                                     gboolean ends, TgTexToken *command);

/** The next token with no macro expanded; END once reading has stopped. */
TgTexToken tg_expander_raw(TgExpander *self);

/** The next token that is no macro, with its command or symbol looked up. */
TgTexToken tg_expander_next(TgExpander *self);

/** The next token that is no macro of the user's; LaTeX's own macros stay as written. */
TgTexToken tg_expander_next_user(TgExpander *self);

/** Look up the command or symbol of a token from tg_expander_raw(), unless it is a user's macro. */
void tg_expander_look_up(const TgExpander *self, TgTexToken *token);

/** tg_expander_raw() and tg_expander_next() after white space. */
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
 * Tokens between the character @open and the next @close outside of braces, and with @pairs outside
 * of nested pairs of the two.
 *
 * Returns: FALSE when @open does not come next; white space before it is then kept
 */
gboolean tg_expander_between(TgExpander *self, const char *open, const char *close, gboolean pairs,
                             TgTexTokens *list);

/** An optional argument: the same of `[` and `]`, without pairs. */
gboolean tg_expander_optional(TgExpander *self, TgTexTokens *list);

/** The same of a `[` that comes next without white space before it, as amsmath looks for it. */
gboolean tg_expander_optional_here(TgExpander *self, TgTexTokens *list);

/**
 * A number as TeX has it, and the space after it: -12, "1A, '17, `a for the code of a character.
 *
 * @number: (out) within 31 bits
 *
 * Returns: FALSE when none comes next
 */
gboolean tg_expander_integer(TgExpander *self, gint64 *number);

/** Take a star if it comes next. Only a control word has lost the space before it, as in TeX. */
gboolean tg_expander_star(TgExpander *self);

/** Tokens up to @command ("\\of") outside of braces, which is taken too; or FALSE. Braces around
 * all of them are removed. */
gboolean tg_expander_until(TgExpander *self, const char *command, TgTexTokens *list);

/** The tokens of @text (which outlives the tree), at the place of @token. */
TgTexTokens tg_expander_lex(TgExpander *self, const char *text, gsize len, const TgTexToken *token);

/**
 * The characters of the source up to the next one like the first, as \verb takes them; only right
 * after a command of the source.
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

/** Read the definition that @command, already looked up, begins: \def, \let, \newcommand and
 * related commands. Returns: FALSE when it begins none. */
gboolean tg_define(TgExpander *self, const TgTexToken *command);
