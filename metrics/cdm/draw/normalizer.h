/* From LaTeX to tokens by the normaliser of a dialect. */
#pragma once

#include "metrics/cdm/normalize/normalize.h"

/** tg_cdm_normalize() or tg_cdm_tolerant_normalize(). */
gboolean tg_cdm_dialect_normalize(const char *latex, const TgCdmDialect *dialect,
                                  TgCdmNormalized *out, GError **error);

/**
 * The same with the origin of every byte; without origins for a table.
 *
 * @latex: traced
 *
 * Returns: (transfer full) the text, or NULL where the official program gives up
 */
TgCdmText *tg_cdm_dialect_normalize_traced(const TgCdmText *latex, const TgCdmDialect *dialect);
