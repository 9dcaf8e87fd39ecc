/* The units and prefixes of siunitx. */
#pragma once

#include "tokenizer/macros/token.h"

/**
 * What the unit @token names shows: letters, set upright, or LaTeX, which begins with a backslash
 * or brace; NULL when it is no unit.
 */
const char *tg_unit(const TgTexToken *token);

/** The same of a prefix, such as \kilo. */
const char *tg_unit_prefix(const TgTexToken *token);
