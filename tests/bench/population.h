/* Scored predictions to draw the output of models from, whose true values are therefore known. */
#pragma once

#include <texgauge/texgauge.h>

#include "core/random.h"

enum { TG_POPULATION_VERSIONS = 12 };

/** One metric's statistics of every prediction of every formula. */
typedef struct {
    const char *name;
    TgMetric *metric;
    TgPooling pooling; /**< of the first column */
    guint n_stats;     /**< numbers that a pair adds; the last counts pairs */
    double *stats;     /**< [n_formulas][TG_POPULATION_VERSIONS][n_stats] */
} TgPopulationMetric;

/** Formulas, each with predictions: version 0 is right, the others have errors. */
typedef struct {
    guint n_formulas;
    double *length;     /**< [n_formulas] over the mean length */
    GPtrArray *metrics; /**< of TgPopulationMetric * */
} TgPopulation;

/**
 * Score the formulas of a file, one a line, and random misreadings of them.
 *
 * @metrics: NULL last; borrowed
 *
 * Returns: (transfer full) the population, or NULL with @error set
 */
TgPopulation *tg_population_new(const char *path, const char *const *metrics, guint64 seed,
                                GError **error);
void tg_population_free(TgPopulation *population);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgPopulation, tg_population_free)

/**
 * Draw a model's prediction of a formula: a version's number.
 *
 * @errors: mean number of errors in a formula of mean length; long ones have more
 */
guint tg_population_draw(const TgPopulation *population, guint formula, double errors,
                         TgRandom *random);

/** The statistics of a prediction. */
const double *tg_population_stats(const TgPopulationMetric *metric, guint formula, guint version);

/** A TgPoolFunc; @metric: a TgPopulationMetric. */
double tg_population_pool(const double *sum, gpointer metric);

/**
 * The value of endless output, of which the share @share is drawn with @errors_a and the rest with
 * @errors_b.
 */
double tg_population_value(const TgPopulation *population, TgPopulationMetric *metric,
                           double errors_a, double errors_b, double share);
