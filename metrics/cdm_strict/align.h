/* Which elements of two formulas are the same sign in the same place. */
#pragma once

#include "metrics/cdm_strict/formula.h"

/** The weight of a pair of elements, in quarters: exact counts need whole numbers. */
enum {
    TG_STRICT_WEIGHT_VARIANT = 3, /**< the right letter, bold or slanted otherwise */
    TG_STRICT_WEIGHT_SAME = 4,
};

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
