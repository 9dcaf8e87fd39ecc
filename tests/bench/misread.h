/* Formulas with errors, for programs that need predictions of a model. */
#pragma once

#include "core/random.h"

/**
 * The formula with errors as recognizers make them; half of them put a blank after each token.
 *
 * @tokens_per_error: one token in so many is lost, changed, doubled or put in braces
 *
 * Returns: (transfer full)
 */
char *tg_misread(const char *formula, guint tokens_per_error, TgRandom *random);
