/* Two systems on the same pairs: their difference, its interval and its p-values. */
#pragma once

#include "eval/stats/bootstrap.h"
#include "eval/stats/significance.h"

/** How much to draw, and by whose rules. */
typedef struct {
    guint resamples; /**< of the bootstrap; more than 0 */
    guint trials;    /**< of approximate randomisation; more than 0 */
    guint64 seed;    /**< of both */
    TgTestRules rules;
    double level; /**< of the intervals, such as 0.95 */
} TgPairedOptions;

/** What is known about the difference of two systems. */
typedef struct {
    double base, system;                              /**< pooled values; NaN where undefined */
    guint n_differing;                                /**< pairs whose statistics differ */
    TgBootstrap bootstrap;                            /**< of system - base */
    TgTrimmedInterval base_interval, system_interval; /**< as sacrebleu prints them */
    double bootstrap_p; /**< NaN where the systems differ in no pair, but for TG_TEST_SACREBLEU */
    double randomization_p;
} TgPairedTest;

/**
 * Paired bootstrap and paired approximate randomisation of two systems with the same pairs. Every
 * number but the counts is NaN where one of the pooled values is.
 */
void tg_stats_paired(const TgAdditive *base, const TgAdditive *system,
                     const TgPairedOptions *options, TgPairedTest *out);
