/* Formulas by a grammar of LaTeX, well-formed ones and faulty ones, so that more than the lexer is
 * reached. */
#pragma once

#include "core/random.h"

/** A formula with some @size constructs. (transfer full) */
char *fuzz_formula(TgRandom *random, guint size);

/** @formula with one change that follows its groups: one is replaced, put into a construct, copied
 * to another place or taken out, or a construct is put between two tokens. (transfer full) */
char *fuzz_mutated(TgRandom *random, const char *formula);
