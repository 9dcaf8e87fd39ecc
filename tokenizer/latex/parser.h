/*
 * The parser: its state, lists and their ends, arguments, errors (parser.c); the reading of
 * commands and characters: a function for each action of the table of commands (the other files).
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
    /** cell of an array; ends at &, \\, \end or the } of a plain \matrix{..} */
    TG_SCOPE_CELL,
    TG_SCOPE_DOLLAR, /**< $..$ or $$..$$ in text, or text between formulas */
    TG_SCOPE_PAREN,  /**< \(..\) or \[..\] */
    TG_SCOPE_GROUP,  /**< \begingroup, ends at \endgroup */
    TG_N_SCOPES,
} TgScopeKind;

/** The fonts that hold. */
typedef struct {
    guint8 alphabet; /**< TgAlphabet */
    guint8 bold;     /**< bold mathematics, as TgNode.bold */
    /** the alphabet around \bm, in which its letters do not change; or DEFAULT */
    guint8 plain_in;
    TgTextFont text;
    TgLength array_sep, frame_sep, frame_rule; /**< \arraycolsep, \fboxsep, \fboxrule */
    guint8 in_cases;                           /**< `cases` around set \arraystretch .. */
    const TgTexToken *stretch_before;          /**< .. which had this body, or none */
} TgFontState;

/** The array that a cell belongs to; it decides how the cell can end. */
typedef enum {
    TG_CELL_NAMED,   /**< \begin{..}, ends at \end{..} */
    TG_CELL_PLAIN,   /**< \matrix{..}, ends at } */
    TG_CELL_IMPLIED, /**< rows without an environment, which end with the input */
} TgCellForm;

/** The contents of a column's >{..} and <{..}, set before and after each cell. */
typedef struct TgColumnTemplate {
    TgTexTokens before, after;
} TgColumnTemplate;

/** A token that \aftergroup keeps until its group ends. */
typedef struct TgLateToken {
    const struct TgLateToken *before; /**< the token kept before this one, or NULL */
    TgTexToken token;
} TgLateToken;

/** A list being read. */
typedef struct TgScope {
    struct TgScope *around;
    TgNode *first, *last; /**< its items so far */
    guint32 n_items;
    TgTexToken open;  /**< the token that opened it */
    TgNode *segment;  /**< for \left..: the last \middle, where a group began; or NULL */
    TgNode *fraction; /**< the node of \over whose denominator is read, or NULL */
    /** number of fractions that are nested because \over was repeated */
    guint32 n_fractions;
    const TgNode *wrapped;   /**< the last item that was wrapped */
    guint32 n_wraps;         /**< how often it was wrapped, to bound nesting by wrapping */
    TgFontState font;        /**< fonts to restore at the end */
    guint macros;            /**< mark of the expander's group */
    const char *name;        /**< CELL: name of its environment */
    TgTexTokens after;       /**< CELL: tokens that its column puts at its end, not yet read */
    const TgLateToken *late; /**< the newest token that \aftergroup keeps, or NULL */
    guint8 kind;             /**< TgScopeKind */
    guint8 text;             /**< words, not mathematics */
    guint8 form;             /**< CELL: TgCellForm */
    guint8 single;           /**< the list ends after one item */
    guint8 closed;           /**< the token that ends it was read */
} TgScope;

/** Nodes in blocks, so that all nodes can be visited when tokens get their ids. */
typedef struct TgNodeBlock {
    struct TgNodeBlock *older;
    guint32 n;
    guint32 size;
    TgNode nodes[];
} TgNodeBlock;

/** The place of a display such as \begin{align}, because LaTeX accepts nothing beside one. */
typedef struct {
    gboolean met;    /**< the formula has such a display */
    guint32 n_items; /**< number of the formula's items up to its end */
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
    TgArena scratch; /**< tokens and definitions, freed when the tree is complete */
    TgExpander in;
    TgParseErrors errors;
    TgParseOptions options;
    TgNodeBlock *blocks;
    TgScope *scope;
    TgFontState font;
    guint32 depth;
    guint32 n_stacked;         /**< items wrapped more often than usual, plus nesting */
    guint32 chemistry_depth;   /**< depth of labels of arrows inside labels */
    guint32 open[TG_N_SCOPES]; /**< number of open lists of each kind */
    TgTexToken stop;           /**< the token that ended the last list */
    TgNode *tail;              /**< last item of that list, or NULL */
    /** the newest token that \aftergroup kept for the end of that list */
    const TgLateToken *late;
    gboolean stray_ampersand; /**< an & stands outside of all arrays */
    gboolean short_text;      /**< the current text must be one paragraph */
    guint32 paragraph_depth;  /**< number of arrays and boxes around in which \par is no fault */
    gboolean labeled;         /**< the display, or its row, has a \label */
    gboolean tagged;          /**< the display, or its row, has a \tag */
    TgDisplayPlace display;   /**< place of an amsmath display, which must stand alone */
    const TgOwnColor *colors; /**< newest first */
    guint8 nonscript;         /**< \nonscript stands before the next space */
    gboolean refers;          /**< the formula has \ref or the like */
    guint32 n_outer_cells;    /**< open cells around the current \parbox, whose lines \\ ends */
};

/** Let the tokens that \aftergroup kept, up to @late, which may be NULL, be read next, oldest
 * first. */
void tg_parser_read_late(TgParser *self, const TgLateToken *late);

/* ---- Errors -------------------------------------------------------------------------------- */

/** tg_report() of a fault of @token; the message is the spelling of @token, a space and @text. */
void tg_parser_fault(TgParser *self, const TgTexToken *token, TgParseErrorKind kind,
                     const char *text);

/** tg_refuse() with such a message and without a package. */
void tg_parser_forbid(TgParser *self, const TgTexToken *token, TgParseErrorKind kind,
                      const char *text);

/** tg_report(), and append a node that shows the source of @token. */
void tg_parser_error_node(TgParser *self, const TgTexToken *token, TgParseErrorKind kind,
                          const char *format, ...) G_GNUC_PRINTF(4, 5);

/** Whether reading may go on. */
static inline gboolean tg_parser_alive(const TgParser *self)
{
    return !self->errors.stopped;
}

/* ---- Nodes --------------------------------------------------------------------------------- */

/** A node with the span of @token, without ink, otherwise zero; it is in no list yet. */
TgNode *tg_parser_node(TgParser *self, TgNodeKind kind, const TgTexToken *token);

/** An empty LIST at the end of @token. */
TgNode *tg_parser_empty_list(TgParser *self, const TgTexToken *token);

/** A LIST, not braced, around the one node @item. */
TgNode *tg_parser_list_of(TgParser *self, TgNode *item);

/** A TEXT with the span of @token, in its natural width. */
TgNode *tg_parser_text_of(TgParser *self, const TgTexToken *token, const TgNode *body);

/** Append @node, which is mathematics, to the current list; in text as $..$. */
void tg_parser_append_math(TgParser *self, const TgTexToken *token, TgNode *node);

/** The provisional id of @token's ink, marked as making ink. */
guint32 tg_parser_ink(TgParser *self, const TgTexToken *token, guint8 flags);

/** Stretch @token and its lexeme to @end. */
void tg_parser_extend(TgParser *self, TgTexToken *token, guint32 end);

/** Append @node to the current list. Its span is stretched to the last token read. */
void tg_parser_append(TgParser *self, TgNode *node);

/** Move the items of @list, the last list read, into the current list. */
void tg_parser_splice(TgParser *self, TgNode *list);

/** Take the items since the last \middle out of the current list, as a LIST. */
TgNode *tg_parser_take_items(TgParser *self);

/** Called at \middle: end the fonts, styles and \over of the group that \left or another \middle
 * began. */
void tg_parser_end_segment(TgParser *self);

/** Called at the end of a list: the items after \over become the denominator. */
void tg_parser_finish_infix(TgParser *self);

/**
 * Replace the last item by a new node of @kind.
 *
 * Returns: the last item, which the caller puts into the new node
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

/** The same for any @scope, whose members tell what is read: a cell, a single item. */
TgNode *tg_parser_read_list(TgParser *self, TgScope *scope);

/**
 * @token ends the innermost list of @kind.
 *
 * Returns: FALSE when no such list is open. When it is not the list being read, that one is
 * reported as not closed and ended, and @token is read again
 */
gboolean tg_parser_close(TgParser *self, const TgTexToken *token, TgScopeKind kind);

/** The same for a closing brace, which ends groups and \matrix{..}; a brace without a partner is
 * reported. */
void tg_parser_close_braced(TgParser *self, const TgTexToken *token);

/** The cell that & and \\ would end here, or NULL: braces and dollars hide cells. */
TgScope *tg_parser_cell(const TgParser *self);

/** Whether a \par is allowed here. The expander is told, too, because it finds blank lines. */
gboolean tg_parser_update_paragraphs(TgParser *self);

/** Let @token, the end of the input, end the current list. */
void tg_parser_close_input(TgParser *self, const TgTexToken *token);

/** Parse tokens that were already read, as a separate list. */
TgNode *tg_parser_sublist(TgParser *self, TgTexTokens list, gboolean text, const TgTexToken *owner);

/** The same for constant LaTeX at the place of @token. */
TgNode *tg_parser_latex(TgParser *self, const char *latex, gboolean text, const TgTexToken *token);

/** Let the LaTeX @format be read next in place of @token, with @args for #1 and so on. */
void tg_parser_read_instead(TgParser *self, const TgTexToken *token, const TgTexTokens *args,
                            const char *format, ...) G_GNUC_PRINTF(4, 5);

/** Read a list of one item: @token with its arguments. */
TgNode *tg_parser_single(TgParser *self, const TgTexToken *token, gboolean text);

/** End the current list before @token, which is read again, and report the list as not closed. */
void tg_parser_end_early(TgParser *self, const TgTexToken *token);

/* ---- Arguments ----------------------------------------------------------------------------- */

/**
 * An argument of @owner as LIST: a group, or one token.
 *
 * @wants: "two arguments", for the sentence when it is missing; then an empty LIST is returned
 */
TgNode *tg_parser_argument(TgParser *self, const TgTexToken *owner, const char *wants);

/** The same for words instead of mathematics. */
TgNode *tg_parser_text_argument(TgParser *self, const TgTexToken *owner, const char *wants);

/** Read an argument as TeX's primitives do (^, \mathop, \radical): macros are expanded first. */
TgNode *tg_parser_script_argument(TgParser *self, const TgTexToken *owner);

/** Read an argument of @owner as tokens; FALSE when it is missing, which is reported. */
gboolean tg_parser_tokens_argument(TgParser *self, const TgTexToken *owner, const char *wants,
                                   TgTexTokens *list);

/** Read [..] as LIST; NULL when no [ comes next. */
TgNode *tg_parser_optional(TgParser *self);

/**
 * An argument that is not typeset (a name, a color).
 *
 * Returns: (transfer full) its characters, trimmed, or NULL when it is missing (reported)
 */
char *tg_parser_string_argument(TgParser *self, const TgTexToken *owner, const char *wants);

/** Read [..] as characters, or NULL. (transfer full) */
char *tg_parser_string_optional(TgParser *self);

/** Put back @list, an argument of @owner, with a } after it that marks its end. */
void tg_parser_reread(TgParser *self, TgTexTokens list, const TgTexToken *owner);

/** The spelling of tokens, trimmed. (transfer full) */
char *tg_parser_spelling(TgTexTokens list);

/* ---- How commands and characters are read -------------------------------------------------- */

#define TG_HANDLER(action, handler)                                                                \
    void tg_parser_##handler(TgParser *self, const TgTexToken *token);
TG_COMMAND_ACTIONS(TG_HANDLER)
#undef TG_HANDLER

/** Read the item that begins with @token, in the mode of the current list, and append it. */
void tg_parser_read_item(TgParser *self, const TgTexToken *token);

/** A SYMBOL in the current fonts, with ink; @symbol may be NULL. */
TgNode *tg_parser_symbol_node(TgParser *self, const TgTexToken *token, const TgSymbol *symbol,
                              gunichar code);

/** The accent of mathematics that is drawn for the combining character @mark, or NULL. */
const TgSymbol *tg_parser_accent_of_mark(gunichar mark);

/** Make an accent of the combining character @mark and the item before it. */
void tg_parser_append_mark(TgParser *self, const TgTexToken *token, gunichar mark);

/** Whether @node is an atom that takes scripts; after other nodes TeX adds an empty atom. */
gboolean tg_parser_takes_scripts(const TgNode *node);

/** Read the delimiter after @owner, a SYMBOL; NULL for `.` and, with a report, when there is
 * none. */
TgNode *tg_parser_delimiter(TgParser *self, const TgTexToken *owner);

/** The delimiter that belongs to the command @token; @name is the name of a symbol. */
TgNode *tg_parser_fence(TgParser *self, const TgTexToken *token, const char *name);

void tg_parser_text_dollar(TgParser *self, const TgTexToken *token);

/** Append a character of text in the current font. */
void tg_parser_text_char(TgParser *self, const TgTexToken *token, gunichar code);

/** The same for a character that a command names, because \textless is no <. */
void tg_parser_text_sign(TgParser *self, const TgTexToken *token, gunichar code);

/** Read [width][position]{..}, the box of \makebox and \framebox, as TEXT. */
TgNode *tg_parser_sized_box(TgParser *self, const TgTexToken *token);

/** Read an argument of @token as TEXT node that is in no list. */
TgNode *tg_parser_text_box(TgParser *self, const TgTexToken *token);

/**
 * A length as TeX scans it; `plus` and `minus` are not read.
 *
 * @mu: it must be in mu, or must not
 */
TgLength tg_parser_length(TgParser *self, const TgTexToken *owner, gboolean mu);

/** Take TeX's keyword @word, in either case, if it comes next after white space. */
gboolean tg_parser_keyword(TgParser *self, const char *word);

/** Read a length as argument of @owner. */
TgLength tg_parser_length_argument(TgParser *self, const TgTexToken *owner, gboolean mu);

/** The length in @list, which was already read. */
TgLength tg_parser_length_of(TgParser *self, TgTexTokens list, const TgTexToken *owner,
                             gboolean mu);

/** Read & in any list. */
void tg_parser_ampersand(TgParser *self, const TgTexToken *token);

/** Read the whole formula as rows of an implied `aligned` environment. */
TgNode *tg_parser_implied_aligned(TgParser *self);
