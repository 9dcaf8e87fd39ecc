/* FORTE's severity and score, from the edits. */
#pragma once

#include "metrics/forte/align.h"

typedef enum {
    TG_FORTE_FULL,   /**< with repeats, words and size */
    TG_FORTE_SIMPLE, /**< 1 / (1 + steepness * distance): symmetric */
} TgForteVariant;

typedef struct {
    gint variant;      /**< TgForteVariant */
    double steepness;  /**< 0.75 */
    double repeat;     /**< 0.3: what a repeated error counts */
    double word;       /**< 1.3: the most that errors in one word count */
    double size;       /**< 15: the size at which the score is 1 / (1 + steepness * E) */
    double size_power; /**< 1/3 */
} TgForteShape;

/**
 * The severity E: the costs after repeats are discounted and words capped.
 *
 * @counted: (out, may be NULL) what each edit counts before the cap on words
 */
double tg_forte_severity(const TgForteShape *shape, const GArray *ref, const GArray *hyp,
                         const GArray *edits, double *counted);

/** The size n of a reference: what losing all its tokens costs, at least 1. */
double tg_forte_size(const TgForteCosts *costs, const GArray *ref);

/** From 1 (severity 0) towards 0. */
double tg_forte_score(const TgForteShape *shape, double severity, double size);
