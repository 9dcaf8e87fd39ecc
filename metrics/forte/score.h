/* FORTE's severity and score, from the edits. */
#pragma once

#include "metrics/forte/align.h"

typedef enum {
    TG_FORTE_FULL,   /**< with repeats, words and size */
    TG_FORTE_SIMPLE, /**< 1 / (1 + 0.75 * distance): symmetric */
} TgForteVariant;

/** Whose severity it is. */
typedef enum {
    TG_FORTE_PEOPLE, /**< as the raters of the study judged */
    TG_FORTE_STRICT, /**< what changes the meaning counts more, what only looks different less */
    TG_FORTE_OCR,    /**< every sign that was misread counts, however small it looks */
    TG_N_FORTE_PROFILES,
} TgForteProfile;

/** Added to the severity of a prediction with faults of syntax that the reference has not. */
#define TG_FORTE_REPAIR_COST 0.3

/** What an error of each class counts in a profile. */
const double *tg_forte_profile_weights(TgForteProfile profile);

/**
 * The severity E: the costs after slips are priced, repeats discounted, classes weighted and words
 * capped.
 *
 * @weights: of the classes, TG_N_FORTE_EDITS
 * @counted: (out, may be NULL) what each edit counts before the cap on words
 */
double tg_forte_severity(const double *weights, const GArray *ref, const GArray *hyp,
                         const GArray *edits, double *counted);

/** The size n of a reference: what losing all its tokens costs, at least 1. */
double tg_forte_size(const GArray *ref);

/**
 * Where people's mean rating lies, with 90 % of the pairs: calibrated on the residuals of the 100
 * rated pairs (docs/metrics/forte.md).
 *
 * @score: of TG_FORTE_FULL and TG_FORTE_PEOPLE
 */
void tg_forte_interval(double score, double *low, double *high);

/** From 1 (severity 0) towards 0. */
double tg_forte_score(TgForteVariant variant, double severity, double size);
