/*
 * The parser: its state, lists and what ends them, arguments, errors (parser.c); how commands and
 * characters are read: a handler for each action of the table of commands (the other files).
 */
#pragma once

#include "tokenizer/latex/parse.h"
#include "tokenizer/macros/expander.h"
#include "tokenizer/tree/tree.h"

typedef struct TgParser TgParser;

/** The construct that opened the list being read; it decides which token ends the list. */
typedef enum {
    TG_SCOPE_TOP,     /**< the whole formula */
    TG_SCOPE_BRACE,   /**< {..}, ends at } */
    TG_SCOPE_BRACKET, /**< an optional argument, ends at ] */
    TG_SCOPE_LEFT,    /**< \left.., ends at \right */
    TG_SCOPE_CELL,    /**< of an array, ends at &, \\, \end or what closes a plain \matrix{..} */
    TG_SCOPE_DOLLAR,  /**< $..$ or $$..$$ in text, or text between formulas */
    TG_SCOPE_PAREN,   /**< \(..\) or \[..\] */
    TG_SCOPE_GROUP,   /**< \begingroup, ends at \endgroup */
    TG_N_SCOPES,
} TgScopeKind;

/** The fonts in force. */
typedef struct {
    guint8 alphabet; /**< TgAlphabet */
    guint8 bold;     /**< of mathematics, as TgNode.bold */
    guint8 plain_in; /**< the alphabet around \bm: its letters are as they are there; or DEFAULT */
    TgTextFont text;
    TgLength array_sep, frame_sep, frame_rule; /**< \arraycolsep, \fboxsep, \fboxrule */
} TgFontState;

/** The array that a cell belongs to; it decides how the cell can end. */
typedef enum {
    TG_CELL_NAMED,   /**< \begin{..}, ends at \end{..} */
    TG_CELL_PLAIN,   /**< \matrix{..}, ends at } */
    TG_CELL_IMPLIED, /**< rows without an environment around them, end with the input */
} TgCellForm;

/** The contents of a column's >{..} and <{..}, set before and after each cell. */
typedef struct TgColumnTemplate {
    TgTexTokens before, after;
} TgColumnTemplate;

/** A token that \aftergroup keeps for the end of its group. */
typedef struct TgLateToken {
    const struct TgLateToken *before; /**< the one kept before it, or NULL */
    TgTexToken token;
} TgLateToken;

/** A list being read. */
typedef struct TgScope {
    struct TgScope *around;
    struct TgScope *cell; /**< the cell that & and \\ end here, or NULL */
    struct TgScope
        *braced;          /**< the list that a } ends here: a group or plain \matrix{..}, or NULL */
    TgNode *first, *last; /**< its items so far */
    guint32 n_items;
    TgTexToken open;         /**< the token that opened it */
    TgNode *segment;         /**< of \left..: the \middle met last, where a group began; or NULL */
    TgNode *fraction;        /**< of \over, whose denominator is being read, or NULL */
    guint32 n_fractions;     /**< nested by faulty repetition */
    const TgNode *wrapped;   /**< the last item that was wrapped */
    guint32 n_wraps;         /**< how often, so that nesting by wrapping is bounded */
    TgFontState font;        /**< to be restored */
    guint macros;            /**< mark of the expander's group */
    const char *name;        /**< CELL: of its environment */
    TgTexTokens after;       /**< CELL: the tokens of its column for its end, not yet read */
    const TgLateToken *late; /**< the newest that \aftergroup keeps, or NULL */
    guint8 kind;             /**< TgScopeKind */
    guint8 text;             /**< words, not mathematics */
    guint8 form;             /**< CELL: TgCellForm */
    guint8 single;           /**< one item only */
    guint8 closed;           /**< its end was met */
} TgScope;

/** Nodes in blocks, so that all can be visited when tokens get their ids. */
typedef struct TgNodeBlock {
    struct TgNodeBlock *older;
    guint32 n;
    guint32 size;
    TgNode nodes[];
} TgNodeBlock;

/** Where a formula is a display of its own, \begin{align}: LaTeX wants nothing beside it. */
typedef struct {
    gboolean met;    /**< there is one */
    guint32 n_items; /**< of the formula, up to its end */
    TgTexToken open;
} TgDisplayPlace;

/** A color that the formula defines. */
typedef struct TgOwnColor {
    const struct TgOwnColor *older;
    const char *name;
    guint32 rgb;
} TgOwnColor;

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
    guint32 n_stacked;         /**< items wrapped more often than writing does; nesting as well */
    guint32 chemistry_depth;   /**< labels of arrows inside of each other */
    guint32 open[TG_N_SCOPES]; /**< how many lists of each kind are open */
    TgTexToken stop;           /**< the token that ended the list read last */
    TgNode *tail;              /**< last item of that list, or NULL */
    const TgLateToken *late;   /**< the newest that \aftergroup kept for the end of that list */
    gboolean stray_ampersand;  /**< an & outside of all arrays was met */
    gboolean short_text;       /**< the text being read must be one paragraph */
    guint32 paragraph_depth;   /**< arrays and boxes around in which a \par is no fault */
    gboolean labeled;          /**< the display, or its row, has its \\label */
    gboolean tagged;           /**< the display, or its row, has its \tag */
    TgDisplayPlace display;    /**< of an amsmath display, which must stand alone */
    const TgOwnColor *colors;  /**< newest first */
    guint8 nonscript;          /**< \nonscript stands before the next space */
};

/** Let the tokens of \aftergroup up to @late, which may be NULL, be read next, the oldest first. */
void tg_parser_read_late(TgParser *self, const TgLateToken *late);

/* ---- Errors -------------------------------------------------------------------------------- */

/** Report a fault at @token. Returns its index. */
guint32 tg_parser_error(TgParser *self, const TgTexToken *token, TgParseErrorKind kind,
                        const char *format, ...) G_GNUC_PRINTF(4, 5);

/** Say that LaTeX stops at @token although it is clear what is meant, see tg_parse_errors_refuse().
 */
void tg_parser_refuse(TgParser *self, const TgTexToken *token, TgPackage package,
                      TgParseErrorKind kind, const char *format, ...) G_GNUC_PRINTF(5, 6);

/** Report a fault of @token, whose spelling and a space come before @text. */
void tg_parser_fault(TgParser *self, const TgTexToken *token, TgParseErrorKind kind,
                     const char *text);

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

/** An empty LIST at the end of @token. */
TgNode *tg_parser_empty_list(TgParser *self, const TgTexToken *token);

/** A LIST, not braced, around the one node @item. */
TgNode *tg_parser_list_of(TgParser *self, TgNode *item);

/** A TEXT with the span of @token, in its natural width. */
TgNode *tg_parser_text_of(TgParser *self, const TgTexToken *token, const TgNode *body);

/** Append @node, which is mathematics, to the list being read; in text as $..$. */
void tg_parser_append_math(TgParser *self, const TgTexToken *token, TgNode *node);

/** The provisional id of @token's ink, marked as making ink. */
guint32 tg_parser_ink(TgParser *self, const TgTexToken *token, guint8 flags);

/** Stretch @token and its lexeme to @end. */
void tg_parser_extend(TgParser *self, TgTexToken *token, guint32 end);

/** Append to the list being read; its span is stretched to what was read so far. */
void tg_parser_append(TgParser *self, TgNode *node);

/** Move the items of @list, the list read last, into the list being read. */
void tg_parser_splice(TgParser *self, TgNode *list);

/** Take the items read so far, since the last \middle, out of the list being read, as a LIST. */
TgNode *tg_parser_take_items(TgParser *self);

/** At \middle, which ends the group that \left or another \middle began: fonts, styles, \over. */
void tg_parser_end_segment(TgParser *self);

/** At the end of a list: what follows \over becomes the denominator. */
void tg_parser_finish_infix(TgParser *self);

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

/** The same for a cell of the environment or command @name; @after is read before what ends it. */
TgNode *tg_parser_cell(TgParser *self, const char *name, TgCellForm form, gboolean text,
                       const TgTexToken *open, TgTexTokens after);

/**
 * @token ends the innermost list of @kind.
 *
 * Returns: FALSE when no such list is open. When it is not the list being read, that one is
 * reported as not closed and ended, and @token is read again
 */
gboolean tg_parser_close(TgParser *self, const TgTexToken *token, TgScopeKind kind);

/** The same for a closing brace, which ends groups and \matrix{..}; a stray one is reported. */
void tg_parser_close_braced(TgParser *self, const TgTexToken *token);

/** Whether a \par is allowed here; the expander is told, which meets blank lines. */
gboolean tg_parser_update_paragraphs(TgParser *self);

/** @token, the end of the input, ends the list being read. */
void tg_parser_close_input(TgParser *self, const TgTexToken *token);

/** Parse tokens that were read already as a list of its own. */
TgNode *tg_parser_sublist(TgParser *self, TgTexTokens list, gboolean text, const TgTexToken *owner);

/** The same of constant LaTeX at the place of @token. */
TgNode *tg_parser_latex(TgParser *self, const char *latex, gboolean text, const TgTexToken *token);

/** A list of one item: @token and what it reads. */
TgNode *tg_parser_single(TgParser *self, const TgTexToken *token, gboolean text);

/** The list being read ends before @token, which is read again: reported as not closed. */
void tg_parser_end_early(TgParser *self, const TgTexToken *token);

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

/** An argument of @owner as tokens; FALSE when it is missing, which is reported. */
gboolean tg_parser_tokens_argument(TgParser *self, const TgTexToken *owner, const char *wants,
                                   TgTexTokens *list);

/** [..] as LIST, or NULL when no [ comes next. */
TgNode *tg_parser_optional(TgParser *self);

/**
 * An argument that is not typeset (a name, a color).
 *
 * Returns: (transfer full) its characters, trimmed, or NULL when it is missing (reported)
 */
char *tg_parser_string_argument(TgParser *self, const TgTexToken *owner, const char *wants);

/** [..] as characters, or NULL. (transfer full) */
char *tg_parser_string_optional(TgParser *self);

/**
 * Have @list, an argument of @owner that was read already, read again with a } after it, which
 * marks its end.
 */
void tg_parser_reread(TgParser *self, TgTexTokens list, const TgTexToken *owner);

/** The spelling of tokens, one after the other. (transfer full) */
char *tg_parser_characters(TgTexTokens list);

/** The same, trimmed. (transfer full) */
char *tg_parser_spelling(TgTexTokens list);

/* ---- How commands and characters are read -------------------------------------------------- */

#define TG_HANDLER(action, handler)                                                                \
    void tg_parser_##handler(TgParser *self, const TgTexToken *token);
TG_COMMAND_ACTIONS(TG_HANDLER)
#undef TG_HANDLER

/** Read the item that @token begins, as the mode of the list being read takes it, and append it. */
void tg_parser_read_item(TgParser *self, const TgTexToken *token);

/** A SYMBOL in the fonts in force, with ink; @symbol may be NULL. */
TgNode *tg_parser_symbol_node(TgParser *self, const TgTexToken *token, const TgSymbol *symbol,
                              gunichar code);

/** The accent of mathematics that draws the combining character @mark, or NULL. */
const TgSymbol *tg_parser_accent_of_mark(gunichar mark);

/** Whether @node is an atom that takes scripts; TeX adds an empty atom after what is none. */
gboolean tg_parser_takes_scripts(const TgNode *node);

/** The delimiter that follows @owner, a SYMBOL; NULL for `.` and, reported, when there is none. */
TgNode *tg_parser_delimiter(TgParser *self, const TgTexToken *owner);

/** A delimiter that @token brings along: @name is that of a symbol. */
TgNode *tg_parser_fence(TgParser *self, const TgTexToken *token, const char *name);

void tg_parser_text_dollar(TgParser *self, const TgTexToken *token);

/** Append a character of text in the font in force. */
void tg_parser_text_char(TgParser *self, const TgTexToken *token, gunichar code);

/** The same for a character that a command names: \textless is no <. */
void tg_parser_text_sign(TgParser *self, const TgTexToken *token, gunichar code);

/** The box of \makebox and \framebox, [width][position]{..}: a TEXT. */
TgNode *tg_parser_sized_box(TgParser *self, const TgTexToken *token);

/** An argument of @token as TEXT node, not in any list. */
TgNode *tg_parser_text_box(TgParser *self, const TgTexToken *token);

/**
 * A length as TeX scans it; `plus` and `minus` are not read.
 *
 * @mu: it must be in mu, or must not
 * @length: (out) set in any case
 */
void tg_parser_length(TgParser *self, const TgTexToken *owner, gboolean mu, TgLength *length);

/** Take the keyword @word of TeX where it comes next, after white space, in either case. */
gboolean tg_parser_keyword(TgParser *self, const char *word);

/** A length as argument of @owner. */
void tg_parser_length_argument(TgParser *self, const TgTexToken *owner, gboolean mu,
                               TgLength *length);

/** The length that @list, already read, makes up. */
void tg_parser_length_of(TgParser *self, TgTexTokens list, const TgTexToken *owner, gboolean mu,
                         TgLength *length);

/** & in any list. */
void tg_parser_ampersand(TgParser *self, const TgTexToken *token);

/** The whole formula as rows of an implied `aligned` environment. */
TgNode *tg_parser_implied_aligned(TgParser *self);
