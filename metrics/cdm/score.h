/* The CDM score of two drawings. */
#pragma once

#include "metrics/cdm/draw/drawing.h"
#include "metrics/cdm/match.h"
#include "metrics/cdm/ransac.h"

/** Why a matched pair does not count. */
typedef enum {
    TG_CDM_ACCEPTED,
    TG_CDM_MISPLACED,   /**< the position check left it over */
    TG_CDM_OTHER_TOKEN, /**< in its place, but another symbol */
} TgCdmVerdict;

/** The counts that make a score, and the score as the official program rounds it. */
typedef struct {
    guint n_accepted, n_ref, n_hyp;
    double f1, precision, recall; /**< in [0, 1], three decimals; 0 where a side has no element */
} TgCdmScore;

/**
 * Match two drawings, check positions, then tokens, and count what is left.
 *
 * @matches: (out) (nullable) room for MIN(ref->n, hyp->n) pairs
 * @verdicts: (out) (nullable) as many verdicts
 */
TgCdmScore tg_cdm_score(const TgCdmDrawing *ref, const TgCdmDrawing *hyp,
                        const TgCdmDialect *dialect, TgCdmRansac method, TgCdmMatch *matches,
                        TgCdmVerdict *verdicts);

/** @value with three decimals as Python's round() gives them: exact ties go to the even digit. */
double tg_cdm_round(double value);
