/* How CDM came to its score of one pair: every element with its partner and verdict. */
#pragma once

#include "metrics/cdm/formula.h"
#include "metrics/cdm/ransac.h"

/**
 * Compare two formulas once more and keep all that the score leaves out.
 *
 * @reference: which of the truths @gt is, from 0
 *
 * Returns: (transfer floating) the detail, see metrics/cdm/detail.h; the terms of a cost are
 * "token", "position" and "order" as in TgCdmMatch
 */
GVariant *tg_cdm_explain(guint reference, const TgCdmFormula *gt, const TgCdmFormula *pred,
                         TgCdmRansac method);
