/* What a comparison holds; what users see of it is in <texgauge/compare.h>. */
#pragma once

#include <texgauge/compare.h>

#include "eval/results/pairing.h"
#include "eval/stats/bootstrap.h"
#include "eval/stats/significance.h"

/** A pair where two models differ. */
typedef struct {
    guint32 base, other; /**< rows of the table */
    double difference;   /**< of the column, other - base */
} TgDifferentPair;

/** One column of one model against the base model, over all their pairs or those of a subset. */
typedef struct {
    guint model;
    guint column;
    gint subset;                                 /**< index; -1: all pairs */
    guint n;                                     /**< pairs that both models have */
    double base, other;                          /**< pooled values; NaN where undefined */
    TgBootstrap bootstrap;                       /**< of other - base */
    TgCutInterval base_interval, other_interval; /**< as sacrebleu prints them */
    double bootstrap_p;
    double randomization_p;
    TgEffect effect;        /**< of the pairs' scores, turned so that "higher" is better */
    TgDifferentPair *pairs; /**< [n_pairs] that differ most; for all pairs only */
    guint n_pairs;
} TgComparedColumn;

/** One model beside the base. */
typedef struct {
    guint model;
    TgPairing pairing; /**< a: base, b: this model */
} TgComparedModel;

struct TgComparison {
    TgTable *table;
    guint base; /* model */
    guint resamples, trials;
    guint64 seed;
    double level;
    guint max_pairs;
    GPtrArray *models;  /* of TgComparedModel * */
    GPtrArray *columns; /* of TgComparedColumn *: by model, then subset (all first), then column */
};

/** The pairing of a model with the base. */
const TgPairing *tg_comparison_pairing(const TgComparison *comparison, guint model);
