/* Where in the user's string the elements come from. */
#pragma once

#include "metrics/cdm/dialects/dialect.h"
#include "metrics/cdm/normalize/normalize.h"

/**
 * The bytes of a formula that each of its elements comes from. A token that the normaliser made of
 * several, or several of one, has all their bytes: each letter of `\sin` has the whole command.
 *
 * @latex: what was drawn, traced to the user's string
 * @dialect: the one that it was normalised in
 * @elements: (element-type TgCdmElement) of its normalised source, see tg_cdm_elements()
 * @spans: (out) as many as elements; none where it is not known: in a table, in a formula of more
 *   than 20,000 bytes
 */
void tg_cdm_find_spans(const TgCdmText *latex, const TgCdmDialect *dialect,
                       const GPtrArray *elements, TgCdmRange *spans);
