/* Where in the user's string the elements come from. */
#pragma once

#include <texgauge/env.h>

#include "metrics/cdm/normalize/tree.h"

/**
 * The bytes of a formula that each of its elements comes from. The parser's tree keeps the place of
 * every token, which the textual stages before and after it do not: those are followed by aligning
 * what they read with what they wrote. A token that they made of several, or several of one, has
 * the bytes of all that it was made of: each letter of `\sin` has the whole command.
 *
 * @env: for scratch memory
 * @latex: the user's string
 * @source, @elements: of the formula, see tg_cdm_normalize() and tg_cdm_elements()
 * @spans: (out) as many as elements; none where it is not known: in a table, in a formula of more
 *   than 20,000 bytes, where the alignment leaves it open
 */
void tg_cdm_find_spans(TgEnv *env, const char *latex, const char *source, const GPtrArray *elements,
                       TgCdmRange *spans);
