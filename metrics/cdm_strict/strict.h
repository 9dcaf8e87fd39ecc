/* CDM-strict: a formula as elements in rows, and the score of two of them. */
#pragma once

#include <texgauge/env.h>
#include <texgauge/render.h>

#include "core/arena.h"
#include "core/rect.h"
#include "tokenizer/symbols/symbols.h"
#include "tokenizer/tree/tree.h"

/* ---- Signs --------------------------------------------------------------------------------- */

/** The shape of a letter; signs that have only one shape are PLAIN. */
typedef enum {
    TG_STRICT_PLAIN,
    TG_STRICT_UPRIGHT,
    TG_STRICT_ITALIC,      /**< of mathematics */
    TG_STRICT_TEXT_ITALIC, /**< \mathit, \textit */
    TG_STRICT_SANS,
    TG_STRICT_TYPEWRITER,
    TG_STRICT_SMALL_CAPS,
    TG_STRICT_SCRIPT,
    TG_STRICT_BLACKBOARD,
    TG_STRICT_FRAKTUR,
} TgStrictFace;

/** Constructs that make ink of their own. */
typedef enum {
    TG_STRICT_FRACTION_BAR,
    TG_STRICT_RADICAL,
    TG_STRICT_RULE,
    TG_STRICT_ROW_LINE,                        /**< \hline, \cline */
    TG_STRICT_COLUMN_LINE,                     /**< `|` of a column specification */
    TG_STRICT_FRAME,                           /**< \boxed, \fbox */
    TG_STRICT_CIRCLE,                          /**< \textcircled */
    TG_STRICT_CANCEL,                          /**< plus its TgEnclosure */
    TG_STRICT_STRETCH = TG_STRICT_CANCEL + 16, /**< plus its TgStretch */
    TG_STRICT_ARROW = TG_STRICT_STRETCH + 32,  /**< plus its TgArrow */
    TG_STRICT_ELLIPSIS = TG_STRICT_ARROW + 32, /**< three dots on the baseline */
    TG_STRICT_CENTERED_ELLIPSIS,               /**< at the height of \cdot */
    TG_STRICT_ERROR,                           /**< a fault of the source; it equals nothing */
} TgStrictConstruct;

typedef struct {
    guint32 sign;   /**< equal for signs that draw alike */
    guint8 face;    /**< TgStrictFace */
    guint8 bold;    /**< 1 for \mathbf, \boldsymbol, \bm */
    guint8 negated; /**< 1 with the stroke of \not */
    guint8 moved;   /**< 1: pulled back over what stands before it; 2: one sign with it, `fi` */
    guint32 shape;  /**< what scales or turns it, or raises a rule: a hash; 0: nothing */
} TgStrictGlyph;

/** The likeness of two glyphs is the weight of their pair, in quarters: exact counts need whole
 * numbers. */
enum {
    TG_STRICT_OTHER = 0,   /**< two signs, or two alphabets that mean two things */
    TG_STRICT_VARIANT = 3, /**< one sign, and only boldness or slant differ */
    TG_STRICT_SAME = 4,
};

/** Likeness; with @any_style letters of all styles are the same. Symmetric. */
guint tg_strict_compare(TgStrictGlyph a, TgStrictGlyph b, gboolean any_style);

/** A SYMBOL node; as a delimiter, `<` is an angle. */
TgStrictGlyph tg_strict_symbol(const TgNode *node);

/** A character of text; of letters with an accent give the letter. @named: by a command */
TgStrictGlyph tg_strict_char(gunichar code, TgTextFont font, gboolean named);

/** An accent by its combining character; one as wide as its base is a variant of it. */
TgStrictGlyph tg_strict_accent(gunichar code, gboolean wide);

/** A rule of the given size in points. */
TgStrictGlyph tg_strict_rule(double width_pt, double height_pt);

TgStrictGlyph tg_strict_construct(guint construct);

/** Whether it is ink of a construct: a bar, a root, a stretched brace. */
gboolean tg_strict_is_construct(TgStrictGlyph glyph);

/** Join @n of @glyph in a row to an ellipsis or a double line; FALSE when they make neither. */
gboolean tg_strict_join(TgStrictGlyph glyph, guint n, TgStrictGlyph *joined);

/* ---- Formulas ------------------------------------------------------------------------------ */

/** The role of a row of elements in the row around it. */
typedef enum {
    TG_STRICT_ROOT,
    TG_STRICT_SUB,
    TG_STRICT_SUP,
    TG_STRICT_ABOVE, /**< limits of \sum, \overset */
    TG_STRICT_BELOW,
    TG_STRICT_FRACTION, /**< the bar, NUM and DEN */
    TG_STRICT_NUM,
    TG_STRICT_DEN,
    TG_STRICT_INDEX,       /**< of a root */
    TG_STRICT_GRID,        /**< LINEs from top to bottom */
    TG_STRICT_LINE,        /**< of a matrix, of \substack; both parts of \binom */
    TG_STRICT_RAISED,      /**< \raise, \raisebox */
    TG_STRICT_LOWERED,     /**< \lower */
    TG_STRICT_OVER_LEFT,   /**< \llap: over what stands before it */
    TG_STRICT_OVER_BOTH,   /**< \clap */
    TG_STRICT_OVER_RIGHT,  /**< \rlap: over what comes after it */
    TG_STRICT_GRID_TOP,    /**< a GRID with its first line on the baseline: [t] */
    TG_STRICT_GRID_BOTTOM, /**< with its last line: [b] */
} TgStrictRole;

/** The cell of an array that an element is in. */
typedef struct {
    guint16 n_columns; /**< of its array; 1 outside */
    guint16 column;
    guint8 step;   /**< of what begins a cell: columns from the last one with ink; else 0 */
    guint32 grid;  /**< number of its array, from 1; 0 outside */
    guint32 index; /**< number of its cell, from 1; 0 outside */
} TgStrictCell;

/** A sign or construct with ink. */
typedef struct {
    TgStrictGlyph glyph;
    TgStrictCell cell;
    guint32 line;       /**< of a formula that is broken into lines */
    gboolean is_break;  /**< of a formula read as one line: it began a line of its own */
    guint32 cover_end;  /**< it covers the elements after it up to here (a root, an accent) */
    guint32 start, end; /**< bytes of the source */
    guint32 token;      /**< of the tree */
    guint32 last_token; /**< other than @token where several make one element (`...`) */
    guint32 part;       /**< its number among its token's elements, from 0 */
    TgRect box;         /**< in pixels of the picture */
    double em_px;       /**< size of its font */
} TgStrictElement;

/** A row: its children, elements and rows, from left to right or top to bottom. */
typedef struct {
    guint8 role; /**< TgStrictRole */
    guint32 first_child, n_children;
} TgStrictGroup;

/** Marks a child that is a row. */
#define TG_STRICT_GROUP_BIT 0x80000000u

/** Immutable once made and counted by references (g_atomic_rc_box), so any thread may read it. */
typedef struct TgStrictFormula TgStrictFormula;
struct TgStrictFormula {
    char *source;
    TgStrictElement *elements; /**< in reading order */
    TgStrictGroup *groups;     /**< the last one is the root */
    guint32 *children;         /**< an element, or a row with TG_STRICT_GROUP_BIT */
    guint n_elements, n_groups, n_children;
    guint n_errors;    /**< faults of the source */
    guint n_grave;     /**< faults among these that are not about white space or color */
    guint n_unplaced;  /**< of the grave ones, how many have no element */
    char *first_error; /**< "sentence, column N", or NULL */
    char *trouble;     /**< why nothing could be drawn, or NULL */
    double width_px, height_px;
    TgStrictFormula *as_lines; /**< a formula broken into lines, read as one line; else NULL */
};

void tg_strict_formula_unref(gpointer formula);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgStrictFormula, tg_strict_formula_unref)

/** Formulas are kept for other pairs: see tg_env_find_shared(). */
extern const TgSharedKind tg_strict_formula_kind;

/** How many elements count: those that are listed, and one for each fault that has none. */
guint tg_strict_formula_size(const TgStrictFormula *formula);

/**
 * List the elements of a tree.
 *
 * @has_ink: whether each token has ink in the drawing
 * @as_lines: put the lines of a formula that is broken (see below) into one row
 * @arena: for what is needed until it returns
 * @out: elements, groups, children are filled; boxes are not
 */
void tg_strict_read(const TgTree *tree, const gboolean *has_ink, gboolean as_lines, TgArena *arena,
                    TgStrictFormula *out);

/** Whether the formula is broken into lines: all of it is arrays that are read as lines, or a part
 * of it is cases. */
gboolean tg_strict_is_broken(const TgTree *tree);

/**
 * Read a formula tolerantly, draw it, and list its elements, whose boxes are in the picture that
 * tg_renderer_draw() makes without options.
 *
 * @max_elements: more are not taken
 * @arena: for what is needed until it returns
 *
 * Returns: (transfer full) the formula, which may be without elements, or NULL with @error set to
 *   TG_ERROR_DATA  it has more than @max_elements elements, or more than TG_TEXT_MAX bytes
 *   TG_ERROR_FONT  a font is missing or broken
 */
TgStrictFormula *tg_strict_formula_new(TgRenderer *renderer, const char *latex, guint max_elements,
                                       TgArena *arena, GError **error);

/* ---- Pairs ---------------------------------------------------------------------------------- */

/** Marks an element without partner. */
#define TG_STRICT_ALONE G_MAXUINT32

/** The weight of the pair of @a and @b by their signs and columns; 0: they cannot be paired. */
guint tg_strict_weight(const TgStrictElement *a, const TgStrictElement *b, gboolean any_style);

/**
 * Pair elements such that their weight is greatest and both formulas keep their structure: a row
 * is paired with one row at most, of the same role, and its children in order.
 *
 * @partner: (out) for each element of @a its partner in @b, or TG_STRICT_ALONE
 *
 * Time is at most proportional to the product of the numbers of elements and rows, and so is
 * memory to the product of the longest rows. The result depends on the order of the two sides only
 * where several pairings have the same weight.
 *
 * Source: the alignment of ordered trees under the constraint of Zhang (1995), Pattern Recognition
 * 28(3), that children of one node stay with one node; here without relabelling of rows.
 */
void tg_strict_align(const TgStrictFormula *a, const TgStrictFormula *b, gboolean any_style,
                     guint32 *partner);

/** How far an element may stand above or below its row, in em: half the height of an x. */
#define TG_STRICT_RISE_EM 0.215

/** How far the cells of a column may be out of line, in em. */
#define TG_STRICT_SHIFT_EM 0.5

/** How far a line may begin left or right of where it begins on the other side, in em. */
#define TG_STRICT_INDENT_EM 0.75

/**
 * Check the pairs of tg_strict_align(). A pair is in place when
 *   - both stand under the same roots, accents and frames, of those that have a partner,
 *   - they stand as high in their row as the row's other pairs do, relative to the font's size,
 *   - the cells of a grid that they are in are as much in line with their column,
 *   - the rows that they begin stand as far from the sign, or the line, before them; roots, frames
 *     and accents as far from what they are over. Only parts of which all is paired are compared.
 * The result does not depend on which formula comes first.
 *
 * @of_a, @of_b: partners of either side's elements
 * @in_place: (out) of each element of @a whether it has a partner and is in place
 */
void tg_strict_check_places(const TgStrictFormula *a, const TgStrictFormula *b, const guint32 *of_a,
                            const guint32 *of_b, gboolean *in_place);

/** Counts in quarters, and the score. */
typedef struct {
    guint weight;                 /**< of the pairs that count */
    guint n_ref, n_hyp;           /**< elements and line breaks that the other side has not; each
                                       can weigh TG_STRICT_SAME */
    double f1, precision, recall; /**< 0 where a side has no element */
    gboolean exact;               /**< every element has its partner */
} TgStrictScore;

/**
 * Score @hyp against @ref. F1 is the same to the last bit when the sides change places.
 *
 * @partner: (out) for each element of @ref its partner in @hyp, or TG_STRICT_ALONE
 * @counts: (out) whether that pair is in place; as many
 */
TgStrictScore tg_strict_score(const TgStrictFormula *ref, const TgStrictFormula *hyp,
                              gboolean any_style, guint32 *partner, gboolean *counts);
