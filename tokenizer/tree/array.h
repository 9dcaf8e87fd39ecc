/* Arrays of the formula tree: environments, \matrix{..}, \substack. */
#pragma once

#include "tokenizer/tree/node.h"

G_BEGIN_DECLS

/** How an environment is laid out; its spelling is TgArray.name. */
typedef enum {
    TG_ENV_ARRAY,        /**< array, tabular: \arraycolsep at both sides, column specification */
    TG_ENV_MATRIX,       /**< matrix, pmatrix ..: no \arraycolsep at the outer sides */
    TG_ENV_SMALLMATRIX,  /**< smallmatrix, psmallmatrix: script size */
    TG_ENV_CASES,        /**< cases, dcases, rcases */
    TG_ENV_ALIGNED,      /**< align, aligned, split, flalign ..: right and left columns in turn */
    TG_ENV_ALIGNEDAT,    /**< alignat, alignedat: no space between pairs */
    TG_ENV_EQNARRAY,     /**< right, centre, left, with 2 \arraycolsep between */
    TG_ENV_GATHERED,     /**< gather, gathered: centred rows */
    TG_ENV_MULTLINE,     /**< first row left, last row right, others centred */
    TG_ENV_SUBARRAY,     /**< subarray, \substack: script size, tight rows */
    TG_ENV_PLAIN_MATRIX, /**< plain TeX's \matrix{..}, \pmatrix{..}: \quad between columns */
    TG_ENV_PLAIN_CASES,  /**< plain TeX's \cases{..} */
    TG_ENV_EQALIGN,      /**< plain TeX's \eqalign, \eqalignno, \leqalignno */
    TG_ENV_DISPLAYLINES, /**< plain TeX's \displaylines: centred rows */
    TG_ENV_SHORTSTACK,   /**< \shortstack: rows of text */
} TgEnvironment;

typedef enum {
    TG_COLUMN_CELL, /**< a column; @align is one of l c r p m b */
    TG_COLUMN_LINE, /**< |; arydshln's : and ;{..} as well */
    TG_COLUMN_AT,   /**< @{..}: material in place of the space between columns */
    TG_COLUMN_BANG, /**< !{..}: material, space kept */
    TG_COLUMN_PRE,  /**< >{..}: before each cell of the next column */
    TG_COLUMN_POST, /**< <{..}: after each cell of the column before */
} TgColumnItemKind;

/** One item of a column specification, in the order written; *{n}{..} is multiplied out. */
typedef struct {
    guint8 kind;            /**< TgColumnItemKind */
    guint8 align;           /**< CELL: l c r p m b; else 0 */
    TgLength width;         /**< CELL of p, m, b */
    const TgNode *material; /**< LIST (AT, BANG, PRE, POST), else NULL */
    guint32 token;          /**< LINE: its token; else TG_NO_TOKEN */
} TgColumnItem;

typedef struct {
    const TgNode *content;       /**< LIST, may be empty; not braced */
    const TgColumnItem *columns; /**< \multicolumn's own specification, or NULL */
    guint32 n_columns;
    guint32 span; /**< columns that it covers, at least 1 */
    guint8 text;  /**< 1: the content is text (tabular, a column p{..}) */
} TgCell;

typedef struct {
    const TgCell *cells;
    guint32 n_cells;
    guint32 start, end; /**< source span */
    TgLength gap;       /**< of \\[gap] after the row; 0 pt when absent */
    guint8 ended;       /**< 1: \\ or \cr stands behind it */
} TgRow;

typedef enum {
    TG_BETWEEN_HLINE,
    TG_BETWEEN_CLINE, /**< from column @first to @last, counted from 1 */
    TG_BETWEEN_SPACE, /**< \noalign{\vskip ..}: @space */
    TG_BETWEEN_TEXT,  /**< \intertext, \shortintertext: @text */
} TgBetweenKind;

/** What a line between rows looks like: \hline, or booktabs' rules with space around them. */
typedef enum {
    TG_LINE_PLAIN,
    TG_LINE_TOP,
    TG_LINE_MID,
    TG_LINE_BOTTOM,
    TG_LINE_CMID, /**< of a CLINE */
    TG_N_LINES,
} TgLine;

/** What stands between rows, in source order; n_rows as @row means below the last. */
typedef struct {
    guint8 kind; /**< TgBetweenKind */
    guint32 row; /**< stands before this row */
    guint32 first, last;
    guint8 line;        /**< TgLine (HLINE, CLINE) */
    guint8 trim;        /**< of a CMID, 1: cut off at the left, 2: at the right */
    TgLength thickness; /**< of a rule of booktabs; 0: as usual */
    TgLength space;
    const TgNode *text; /**< TEXT or NULL */
    guint32 token;      /**< of a line, or TG_NO_TOKEN */
} TgBetween;

struct TgArray {
    const char *name; /**< "pmatrix", "align*"; of commands without backslash: "substack" */
    const TgColumnItem *columns; /**< ARRAY, SUBARRAY; NULL for the rest */
    guint32 n_column_items;
    guint32 n_columns; /**< cells of the widest row, spans counted; at least what is specified */
    const TgRow *rows;
    guint32 n_rows;
    guint32 n_between;
    const TgBetween *between;   /**< ordered by row */
    const TgNode *left, *right; /**< SYMBOL or NULL: fences; their tokens have TG_INK_FENCE */
    guint8 environment;         /**< TgEnvironment */
    guint8 align;               /**< 't', 'c' or 'b' */
    guint8 display;             /**< 1: cells in display style (aligned, dcases) */
    guint8 text;                /**< 1: tabular, \shortstack: all cells are text */
    const TgSettings *settings; /**< lengths in force; NULL: LaTeX's own */
    gint32 stretch;             /**< \arraystretch in 2^-16; 65536 unless redefined */
};

G_END_DECLS
