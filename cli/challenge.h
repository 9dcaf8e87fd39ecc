/* The bundled pairs that every metric is held to: datasets/challenge.tsv. */
#pragma once

#include "cli/scoring.h"

/**
 * Score the pairs of the challenge with the metrics of @scoring (NULL: those of the documentation's
 * table) and print a row for each metric: how many of the pairs that look the same have its best
 * value, how many of the others have less, and how often the milder of two errors in one formula
 * scores higher.
 *
 * Returns: FALSE with @error
 */
gboolean cli_challenge(const CliScoring *scoring, const TgGridForm *form, GError **error);
