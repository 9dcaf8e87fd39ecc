/* The parser's state and the steps that its files share; for handlers of commands only. */
#pragma once

#include "tokenizer/latex/commands.h"
#include "tokenizer/latex/expander.h"
#include "tokenizer/tree/tree.h"
#include "tokenizer/tree/tree_private.h"

/** What opened the list being read; it says which token ends it. */
typedef enum {
    TG_SCOPE_TOP,     /**< the whole formula */
    TG_SCOPE_BRACE,   /**< {..}, ends at } */
    TG_SCOPE_BRACKET, /**< an optional argument, ends at ] */
    TG_SCOPE_LEFT,    /**< \left.., ends at \right */
    TG_SCOPE_CELL,    /**< of an array, ends at &, \\, \end or what closes a plain \matrix{..} */
    TG_SCOPE_DOLLAR,  /**< $..$ or $$..$$ in text, or text between islands */
    TG_SCOPE_PAREN,   /**< \(..\) or \[..\] */
    TG_SCOPE_GROUP,   /**< \begingroup, ends at \endgroup */
    TG_N_SCOPES,
} TgScopeKind;

/** The fonts in force. */
typedef struct {
    guint8 alphabet; /**< TgAlphabet */
    guint8 bold;     /**< of mathematics, as TgNode.bold */
    TgTextFont text;
} TgFontState;

/** What kind of array a cell belongs to: how it can end. */
typedef enum {
    TG_CELL_NAMED,   /**< \begin{..}, ends at \end{..} */
    TG_CELL_PLAIN,   /**< \matrix{..}, ends at } */
    TG_CELL_IMPLIED, /**< rows without an environment around them, end with the input */
} TgCellForm;

/** What a font command of text changes; order as in TgTextFamily and TgTextShape. */
typedef enum {
    TG_TEXT_NORMAL,
    TG_TEXT_RM,
    TG_TEXT_SF,
    TG_TEXT_TT,
    TG_TEXT_UP,
    TG_TEXT_IT,
    TG_TEXT_SL,
    TG_TEXT_SC,
    TG_TEXT_MD,
    TG_TEXT_BF,
    TG_TEXT_EM,
} TgTextChange;

/** A list being read. */
typedef struct TgScope {
    struct TgScope *around;
    struct TgScope *cell;   /**< the cell that & and \\ end here, or NULL */
    struct TgScope *braced; /**< what a } ends here: a group or plain \matrix{..}, or NULL */
    TgNode *first, *last;   /**< its items so far */
    guint32 n_items;
    TgTexToken open;     /**< what opened it */
    TgNode *fraction;    /**< of \over, whose denominator is being read, or NULL */
    guint32 n_fractions; /**< nested by faulty repetition */
    TgFontState font;    /**< to be restored */
    guint macros;        /**< mark of the expander's group */
    const char *name;    /**< CELL: of its environment */
    guint8 kind;         /**< TgScopeKind */
    guint8 text;         /**< words, not mathematics */
    guint8 form;         /**< CELL: TgCellForm */
    guint8 single;       /**< one item only */
    guint8 closed;       /**< its end was met */
} TgScope;

/** Nodes in blocks, so that all can be visited when tokens get their ids. */
typedef struct TgNodeBlock {
    struct TgNodeBlock *older;
    guint32 n;
    guint32 size;
    TgNode nodes[];
} TgNodeBlock;

struct TgParser {
    TgTree *tree;
    TgArena scratch; /**< tokens and definitions: gone when the tree is done */
    TgExpander in;
    TgParseErrors errors;
    TgParseOptions options;
    TgNodeBlock *blocks;
    TgScope *scope;
    TgFontState font;
    guint32 depth;
    guint32 open[TG_N_SCOPES]; /**< how many lists of each kind are open */
    TgTexToken stop;           /**< the token that ended the list read last */
    TgNode *tail;              /**< last item of that list, or NULL */
    gboolean stray_ampersand;  /**< an & outside of all arrays was met */
    guint8 nonscript;          /**< \nonscript stands before the next space */
    gint16 uproot, leftroot;   /**< of the index being read */
};

/* ---- Errors -------------------------------------------------------------------------------- */

/** Report a fault at @token. Returns its index. */
guint32 tg_parser_error(TgParser *self, const TgTexToken *token, TgParseErrorKind kind,
                        const char *format, ...) G_GNUC_PRINTF(4, 5);

/** Report a fault at @token and leave a node that shows @token as it is written. */
void tg_parser_error_node(TgParser *self, const TgTexToken *token, TgParseErrorKind kind,
                          const char *format, ...) G_GNUC_PRINTF(4, 5);

/** Whether reading goes on. */
static inline gboolean tg_parser_alive(const TgParser *self)
{
    return !self->errors.stopped;
}

/* ---- Nodes --------------------------------------------------------------------------------- */

/** A node with the span of @token, no ink, all else zero; not in any list yet. */
TgNode *tg_parser_node(TgParser *self, TgNodeKind kind, const TgTexToken *token);

/** An empty LIST standing where @token ends. */
TgNode *tg_parser_empty_list(TgParser *self, const TgTexToken *token);

/** A LIST, not braced, around the one node @item. */
TgNode *tg_parser_list_of(TgParser *self, TgNode *item);

/** The provisional id of @token's ink, marked as making ink. */
guint32 tg_parser_ink(TgParser *self, const TgTexToken *token, guint8 flags);

/** Append to the list being read; its span is stretched to what was read so far. */
void tg_parser_append(TgParser *self, TgNode *node);

/**
 * Put a new node of @kind in the place of the last item.
 *
 * Returns: what the last item was, to be hung into the new one
 */
TgNode *tg_parser_wrap_last(TgParser *self, TgNodeKind kind);

/* ---- Lists --------------------------------------------------------------------------------- */

/**
 * Read a list up to what ends @kind.
 *
 * @open: the token that opened it
 *
 * Returns: a LIST; @self->stop is the token that ended it, of kind TG_TOK_END when something else
 * than its own end did (which is reported, and still to be read)
 */
TgNode *tg_parser_list(TgParser *self, TgScopeKind kind, gboolean text, const TgTexToken *open);

/** The same for a cell of the environment or command @name. */
TgNode *tg_parser_cell(TgParser *self, const char *name, TgCellForm form, gboolean text,
                       const TgTexToken *open);

/**
 * @token ends the innermost list of @kind.
 *
 * Returns: FALSE when no such list is open. When it is not the list being read, that one is
 * reported as not closed and ended, and @token is read again
 */
gboolean tg_parser_close(TgParser *self, const TgTexToken *token, TgScopeKind kind);

/** Parse tokens that were read already as a list of its own. */
TgNode *tg_parser_sublist(TgParser *self, TgTexTokens list, gboolean text, const TgTexToken *owner);

/** A list of one item: @token and what it reads. */
TgNode *tg_parser_single(TgParser *self, const TgTexToken *token, gboolean text);

/** The list being read ends before @token, which is read again: reported as not closed. */
void tg_parser_end_early(TgParser *self, const TgTexToken *token);

/** One token with what belongs to it, appended to the list being read. */
void tg_parser_item(TgParser *self, const TgTexToken *token);

/* ---- Arguments ----------------------------------------------------------------------------- */

/**
 * An argument of @owner as LIST: a group, or one token.
 *
 * @wants: "two arguments", for the sentence when it is missing; then an empty LIST is returned
 */
TgNode *tg_parser_argument(TgParser *self, const TgTexToken *owner, const char *wants);

/** The same with words in place of mathematics. */
TgNode *tg_parser_text_argument(TgParser *self, const TgTexToken *owner, const char *wants);

/** An argument as TeX's primitives take it (^, \mathop, \radical): macros are expanded first. */
TgNode *tg_parser_script_argument(TgParser *self, const TgTexToken *owner);

/** [..] as LIST, or NULL when no [ comes next. */
TgNode *tg_parser_optional(TgParser *self);

/**
 * An argument that is not typeset (a name, a colour).
 *
 * Returns: (transfer full) its characters, trimmed, or NULL when it is missing (reported)
 */
char *tg_parser_string_argument(TgParser *self, const TgTexToken *owner, const char *wants);

/** [..] as characters, or NULL. (transfer full) */
char *tg_parser_string_optional(TgParser *self);

/** Take a star behind a command. */
gboolean tg_parser_star(TgParser *self);

/** The spelling of tokens, one after the other, trimmed. (transfer full) */
char *tg_parser_spelling(TgTexTokens list);

/* ---- Steps that live in files of their own ------------------------------------------------- */

/* parser_symbol.c */

/** A character of mathematics: a symbol, a prime, a combining mark .. */
void tg_parser_character(TgParser *self, const TgTexToken *token);

/** A symbol, an accent with its base or a named operator. */
void tg_parser_symbol(TgParser *self, const TgTexToken *token, const TgSymbol *symbol);

/** A SYMBOL in the fonts in force, with ink; @symbol may be NULL. */
TgNode *tg_parser_symbol_node(TgParser *self, const TgTexToken *token, const TgSymbol *symbol,
                              gunichar code);

/** How many primes the character @token shows: 1 for ', 2 for U+2033, else 0. */
guint tg_parser_is_prime(const TgTexToken *token);

/** The accent of mathematics that draws the combining character @mark, or NULL. */
const TgSymbol *tg_parser_accent_of_mark(gunichar mark);

/** Append the items of @list, the list read last, which then stands nowhere else. */
void tg_parser_splice(TgParser *self, TgNode *list);

/* parser_script.c */

/** ^ or _ with what follows. */
void tg_parser_script(TgParser *self, const TgTexToken *token);

/** A run of primes, and a ^ that follows it. */
void tg_parser_primes(TgParser *self, const TgTexToken *first);

/* parser_fraction.c */

/** At the end of a list: what stands behind \over becomes the denominator. */
void tg_parser_finish_infix(TgParser *self);

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

/** A token of text that the core does not take itself. */
void tg_parser_text_token(TgParser *self, const TgTexToken *token);

/** Append a character of text in the font in force. */
void tg_parser_text_char(TgParser *self, const TgTexToken *token, gunichar code);

/** An argument of @token as TEXT node, not in any list. */
TgNode *tg_parser_text_box(TgParser *self, const TgTexToken *token);

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

/* parser_array.c */

/** & in any list. */
void tg_parser_ampersand(TgParser *self, const TgTexToken *token);

/** The whole formula as rows of an `aligned` that nobody wrote. */
TgNode *tg_parser_implied_aligned(TgParser *self);

/* parser_columns.c */

/**
 * Read a column specification, an argument of @owner.
 *
 * Returns: the number of columns
 */
guint32 tg_parser_columns(TgParser *self, const TgTexToken *owner, const TgColumnItem **items,
                          guint32 *n_items);
