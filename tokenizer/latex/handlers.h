/* How commands and characters are read: a handler for each action of the table of commands. */
#pragma once

#include "tokenizer/latex/parser.h"
#include "tokenizer/macros/commands.h"

/** Reads a command's arguments and appends what it makes to the list being read. */
typedef void (*TgCommandHandler)(TgParser *parser, const TgTexToken *token);

#define TG_HANDLER(action, handler)                                                                \
    void tg_parser_##handler(TgParser *self, const TgTexToken *token);
TG_COMMAND_ACTIONS(TG_HANDLER)
#undef TG_HANDLER

/** The TgItemReader of LaTeX: @token as the mode of the list being read takes it (dispatch.c). */
void tg_parser_dispatch(TgParser *self, const TgTexToken *token);

/* ---- Steps that several of them share ------------------------------------------------------ */

/* parser_symbol.c */

/** A symbol, an accent with its base or a named operator. */
void tg_parser_symbol(TgParser *self, const TgTexToken *token, const TgSymbol *symbol);

/** A SYMBOL in the fonts in force, with ink; @symbol may be NULL. */
TgNode *tg_parser_symbol_node(TgParser *self, const TgTexToken *token, const TgSymbol *symbol,
                              gunichar code);

/** How many primes the character @token shows: 1 for ', 2 for U+2033, else 0. */
guint tg_parser_is_prime(const TgTexToken *token);

/** The accent of mathematics that draws the combining character @mark, or NULL. */
const TgSymbol *tg_parser_accent_of_mark(gunichar mark);

/* parser_character.c */

/** A character of mathematics: a symbol, a prime, a combining mark .. */
void tg_parser_character(TgParser *self, const TgTexToken *token);

/* parser_script.c */

/** Whether @node is an atom that takes scripts; TeX adds an empty atom behind what is none. */
gboolean tg_parser_takes_scripts(const TgNode *node);

/** ^ or _ with what follows. */
void tg_parser_script(TgParser *self, const TgTexToken *token);

/** A run of primes, and a ^ that follows it. */
void tg_parser_primes(TgParser *self, const TgTexToken *first);

/* parser_delimiter.c */

/**
 * The delimiter that follows @owner.
 *
 * Returns: a SYMBOL, or NULL for `.` and, reported, when there is none
 */
TgNode *tg_parser_delimiter(TgParser *self, const TgTexToken *owner);

/** A delimiter that @token brings along: @name is that of a symbol. */
TgNode *tg_parser_fence(TgParser *self, const TgTexToken *token, const char *name);

/* parser_text.c */

/** TG_MARK_CIRCLE around the last item, or FALSE: that is no character. */
gboolean tg_parser_circle_last(TgParser *self, const TgTexToken *token);

/** A $ in text. */
void tg_parser_text_dollar(TgParser *self, const TgTexToken *token);

/** Append a character of text in the font in force. */
void tg_parser_text_char(TgParser *self, const TgTexToken *token, gunichar code);

/** The same for a character that a command names: \textless is no <. */
void tg_parser_text_sign(TgParser *self, const TgTexToken *token, gunichar code);

/** An argument of @token as TEXT node, not in any list. */
TgNode *tg_parser_text_box(TgParser *self, const TgTexToken *token);

/** [width][position]{..}: the same as wide as asked for. */
TgNode *tg_parser_sized_text_box(TgParser *self, const TgTexToken *token);

/** The environment minipage, called @name, behind its \begin: one line of text. */
void tg_parser_minipage(TgParser *self, const TgTexToken *token, const char *name);

/** The same as a stack of boxes where it is one: @reference is 'b' or 't', as
 * TgNode.u.text.stacked. */
TgNode *tg_parser_stack_box(TgParser *self, const TgTexToken *token, char reference);

/* parser_length.c */

/**
 * A length as TeX scans it, with `plus` and `minus`.
 *
 * @mu: it must be in mu, or must not
 * @length: (out) set in any case
 */
void tg_parser_length(TgParser *self, const TgTexToken *owner, gboolean mu, TgLength *length);

/** A length as argument of @owner. */
void tg_parser_length_argument(TgParser *self, const TgTexToken *owner, gboolean mu,
                               TgLength *length);

/** The length that @list, already read, makes up. */
void tg_parser_length_of(TgParser *self, TgTexTokens list, const TgTexToken *owner, gboolean mu,
                         TgLength *length);

/* parser_register.c */

/** What setting a register does; otherwise it is the TgSetting that it sets. */
enum { TG_REGISTER_NO_EFFECT = -1, TG_REGISTER_NOT_OBEYED = -2 };

/** A length of TeX or LaTeX. */
typedef struct {
    const char *name; /**< without backslash */
    gint32 value;     /**< in 2^-16 of @unit, unless a formula sets it */
    guint8 unit;      /**< TgUnit */
    gint8 set;
} TgRegister;

/** The register that @token names, or NULL. */
const TgRegister *tg_parser_find_register(const TgTexToken *token);

/**
 * The value of a register, or, where the length is that of a box (TgParser.sized_box), of \width
 * and the like; FALSE when @token is neither.
 */
gboolean tg_parser_register(const TgParser *self, const TgTexToken *token, TgLength *length);

/* parser_array.c */

/** & in any list. */
void tg_parser_ampersand(TgParser *self, const TgTexToken *token);

/**
 * Read the rows of an array up to its end.
 *
 * @token: what opened it
 * @name: of the environment or command, kept with the tree
 * @array: with what precedes the first row: columns, alignment
 *
 * Returns: an ARRAY, not in any list
 */
TgNode *tg_parser_rows(TgParser *self, const TgTexToken *token, const TgEnvironmentInfo *info,
                       const char *name, TgArray *array, TgCellForm form);

/* parser_environment.c */

/** The whole formula as rows of an implied `aligned` environment. */
TgNode *tg_parser_implied_aligned(TgParser *self);

/**
 * Read a column specification, an argument of @owner.
 *
 * Returns: the number of columns
 */
guint32 tg_parser_columns(TgParser *self, const TgTexToken *owner, const TgColumnItem **items,
                          guint32 *n_items);
