/* What FORTE knows about a pair beyond its scores; docs/metrics/forte.md describes it. */
#pragma once

#include <texgauge/env.h>

#include "metrics/forte/reading/names.h"
#include "metrics/forte/score.h"

/** Two token lists and the edits between them; borrowed. */
typedef struct {
    const TgForteNames *names;
    const GArray *ref, *hyp; /**< of TgForteToken */
    const GArray *edits;     /**< of TgForteEdit */
    const double *weights;   /**< of the classes */
} TgForteComparison;

/** The outcome of the comparison with one reference. */
typedef struct {
    double score, severity, distance, size;
    double people; /**< the score with the weights of people; NaN of the simple variant */
    guint ref;     /**< its number */
    guint ref_repairs, hyp_repairs;
    double repair_cost; /**< the part of the severity that they have */
} TgForteOutcome;

/** The detail of type a{sv}; a floating reference. */
GVariant *tg_forte_describe(const TgForteComparison *comparison, const TgForteOutcome *outcome);

/**
 * What the latest score or picture of FORTE in @env compared, and what came out: the detail without
 * the way through a GVariant. Borrowed until the next one; the metric must still be there.
 *
 * Returns: NULL when that pair has no score, or there was none
 */
const TgForteComparison *tg_forte_latest(TgEnv *env, const TgForteOutcome **outcome);
