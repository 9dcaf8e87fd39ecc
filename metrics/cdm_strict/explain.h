/* The detail of a pair: every element with its place and partner. */
#pragma once

#include "metrics/cdm_strict/formula.h"

/**
 * The detail in the form of metrics/cdm/detail.h, whose only cost is `style`: 0.25 where two
 * letters differ in boldness or slant alone.
 *
 * @reference: the number of @ref among the references
 * @partner, @counts: as tg_strict_score() gives them
 *
 * Returns: (transfer floating) an `a{sv}`
 */
GVariant *tg_strict_explain(guint reference, const TgStrictFormula *ref, const TgStrictFormula *hyp,
                            gboolean any_style, const guint32 *partner, const gboolean *counts);
