/* How CDM came to its score of one pair: every element with its partner and verdict. */
#pragma once

#include "metrics/cdm/draw/formula.h"
#include "metrics/cdm/normalize/normalize.h"
#include "metrics/cdm/ransac.h"

/** A formula, and the text that it was drawn from, traced to the user's string. */
typedef struct {
    const TgCdmFormula *formula;
    const TgCdmText *latex;
} TgCdmSide;

/**
 * Compare two formulas once more and describe every element.
 *
 * @index: which of the pair's references it is, from 0
 *
 * Returns: (transfer floating) the detail, see metrics/cdm/detail.h; the terms of a cost are
 * "token", "position" and "order" as in TgCdmMatch
 */
GVariant *tg_cdm_explain(guint index, TgCdmSide reference, TgCdmSide hypothesis,
                         const TgCdmDialect *dialect, TgCdmRansac method);
