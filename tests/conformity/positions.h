/* Our marks against the ink boxes that TeX's output has: tables of tests/tools/positions.py. */
#pragma once

#include "render/paint/drawing.h"
#include "render/typeset/layout.h"

/** One formula and its ink in TeX's output. */
typedef struct {
    char *set;     /**< where it comes from: "ours", "im2latex-test" */
    char *id;      /**< in its set */
    char *formula; /**< LaTeX */
    GArray *boxes; /**< TgRect: a glyph or rule each, in the order of drawing, in px at 200 dpi
                      from the left end of the baseline, y downwards */
} PositionsRow;

/**
 * Read a table: columns set, id, formula, boxes; a box is four numbers in hundredths of a pixel,
 * `x0,y0,x1,y1`, boxes stand between blanks.
 *
 * Returns: (transfer full) (element-type PositionsRow) the rows, or NULL with @error set
 */
GPtrArray *positions_load(const char *path, GError **error);

/** A mark of ours and TeX's: one of them when the other has none. */
typedef struct {
    gboolean has_ours, has_tex;
    TgRect ours, tex;
} PositionsPair;

#define POSITIONS_FAR_PX 0.5

/** How far edges lie from TeX's, over any number of formulas. */
typedef struct {
    guint n_formulas, n_marks; /**< marks are TeX's */
    guint n_alone;             /**< marks of either side that have no partner on the other */
    GArray *edges;             /**< double: |difference| in px, four a pair */
    GArray *far; /**< PositionsPair: those without partner or more than FAR_PX apart */
} PositionsTally;

void positions_tally_init(PositionsTally *tally);
void positions_tally_clear(PositionsTally *tally);

/**
 * Set a row's formula and add its edges. Marks are paired in the order of drawing, in which two
 * neighbors may be swapped, with the smallest sum of differences, where one left out counts 32 px;
 * those left out are then paired with what is nearest.
 *
 * Returns: FALSE when the formula cannot be set; the tally stays as it was then
 */
gboolean positions_compare(TgLayout *layout, const PositionsRow *row, PositionsTally *tally);

/** The share of edges within @px, those of marks without partner counting as outside. */
double positions_within(const PositionsTally *tally, double px);

/** The median difference of the edges that have a partner, in px; NaN without any. */
double positions_median(PositionsTally *tally);

/** The largest difference of the edges that have a partner, in px. */
double positions_largest(const PositionsTally *tally);
