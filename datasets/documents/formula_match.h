/* Pairing two lists of formulas by how close they are. */
#pragma once

#include "datasets/documents/documents.h"

/** A prediction that no truth has, or the other way round. */
#define TG_UNMATCHED G_MAXUINT

/** Lists whose lengths multiply to more than this are refused. */
#define TG_MATCH_MAX_CELLS 4000000u

/**
 * Distances of all formulas of two lists: edit distance over code points without white space and
 * outer environments, divided by the longer length (two empty formulas: 0).
 *
 * @distances: (out) [n_truths][n_predictions]
 */
void tg_formula_distances(const char *const *truths, guint n_truths, const char *const *predictions,
                          guint n_predictions, double *distances);

/**
 * For each truth in order the free prediction that is closest (the first on a tie), if that is
 * closer than @first; then the same with @second for what is left.
 *
 * @partner: (out) by truth: the prediction, or TG_UNMATCHED
 */
void tg_match_greedy(const double *distances, guint n_truths, guint n_predictions, double first,
                     double second, guint *partner);

/**
 * The pairing with the least sum, where a truth without partner counts @limit and no pair is as far
 * apart as that.
 */
void tg_match_optimal(const double *distances, guint n_truths, guint n_predictions, double limit,
                      guint *partner);
