/* A formula as CDM-strict sees it: elements with their places in the structure and the picture. */
#pragma once

#include <texgauge/env.h>

#include "core/rect.h"
#include "metrics/cdm_strict/glyph.h"

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
    TG_STRICT_INDEX, /**< of a root */
    TG_STRICT_GRID,  /**< LINEs from top to bottom */
    TG_STRICT_LINE,  /**< of a matrix, of \substack; both parts of \binom */
    TG_STRICT_RAISED,
    TG_STRICT_LOWERED,
} TgStrictRole;

/** The cell of an array that an element is in. */
typedef struct {
    guint16 n_columns; /**< of its array; 1 outside */
    guint16 column;
    guint8 is_first; /**< it begins a cell behind the first one */
    guint32 grid;    /**< number of its array, from 1; 0 outside */
    guint32 index;   /**< number of its cell, from 1; 0 outside */
} TgStrictCell;

/** A sign or construct with ink. */
typedef struct {
    TgStrictGlyph glyph;
    TgStrictCell cell;
    guint32 line;       /**< of a formula that is broken into lines */
    guint32 cover_end;  /**< it covers the elements behind it up to here (a root, an accent) */
    guint32 start, end; /**< bytes of the source */
    guint32 token;      /**< of the tree */
    guint32 last_token; /**< other than @token where several make one element (`...`) */
    guint32 part;       /**< which element of its token it is, from 0 */
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

/** Owns everything. Immutable once made, so any thread may read it. */
typedef struct TgStrictFormula TgStrictFormula;
struct TgStrictFormula {
    gatomicrefcount refs;
    char *source;
    GArray *elements;  /**< of TgStrictElement, in reading order */
    GArray *groups;    /**< of TgStrictGroup; the last one is the root */
    GArray *children;  /**< of guint32: an element, or a row with TG_STRICT_GROUP_BIT */
    guint n_errors;    /**< faults of the source */
    guint n_grave;     /**< of these, what is not about white space or colour */
    guint n_unplaced;  /**< of the grave ones, how many have no element */
    char *first_error; /**< "sentence, column N", or NULL */
    char *trouble;     /**< why nothing could be drawn, or NULL */
    double width_px, height_px;
    TgStrictFormula *as_lines; /**< a formula broken into lines, read as one line; else NULL */
};

/** A formula without elements. (transfer full) */
TgStrictFormula *tg_strict_formula_alloc(const char *latex);
TgStrictFormula *tg_strict_formula_ref(TgStrictFormula *formula);
void tg_strict_formula_unref(TgStrictFormula *formula);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgStrictFormula, tg_strict_formula_unref)

/** Formulas are kept for other pairs: see tg_env_find_shared(). */
extern const TgSharedKind tg_strict_formula_kind;

/** How many elements count: those that are listed, and one for each fault that has none. */
guint tg_strict_formula_size(const TgStrictFormula *formula);

static inline const TgStrictElement *tg_strict_element(const TgStrictFormula *formula, guint i)
{
    return &g_array_index(formula->elements, TgStrictElement, i);
}

static inline const TgStrictGroup *tg_strict_group(const TgStrictFormula *formula, guint i)
{
    return &g_array_index(formula->groups, TgStrictGroup, i);
}
