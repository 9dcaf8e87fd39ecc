/* FORTE's severity and score, from the edits. */
#pragma once

#include "metrics/forte/align.h"

typedef enum {
    TG_FORTE_FULL,   /**< with repeats, words and size */
    TG_FORTE_SIMPLE, /**< 1 / (1 + 0.75 * distance): symmetric */
} TgForteVariant;

/**
 * The severity E: the costs after repeats are discounted and words capped.
 *
 * @counted: (out, may be NULL) what each edit counts before the cap on words
 */
double tg_forte_severity(const GArray *ref, const GArray *hyp, const GArray *edits,
                         double *counted);

/** The size n of a reference: what losing all its tokens costs, at least 1. */
double tg_forte_size(const GArray *ref);

/** From 1 (severity 0) towards 0. */
double tg_forte_score(TgForteVariant variant, double severity, double size);
