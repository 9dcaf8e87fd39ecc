/* Reads a formula's tree as elements and rows. */
#pragma once

#include "metrics/cdm_strict/formula.h"
#include "tokenizer/tree/tree.h"

/**
 * List the elements of a tree.
 *
 * @has_ink: whether each token has ink in the drawing
 * @as_lines: put the lines of a formula that is broken (see below) into one row
 * @out: elements, groups, children are filled; boxes are not
 */
void tg_strict_read(const TgTree *tree, const gboolean *has_ink, gboolean as_lines,
                    TgStrictFormula *out);

/** Whether the formula is broken into lines by an array around all of it. */
gboolean tg_strict_is_broken(const TgTree *tree);
