/* The normaliser of a dialect. */
#pragma once

#include "metrics/cdm/normalize/normalize.h"

/** Normalise with what @dialect has: see tg_cdm_normalize() and tg_cdm_tolerant_normalize(). */
gboolean tg_cdm_dialect_normalize(const char *latex, const TgCdmDialect *dialect,
                                  TgCdmNormalized *out, GError **error);

/** The same with the origin of every byte in @latex. (transfer full) */
TgCdmText *tg_cdm_dialect_normalize_traced(const char *latex, const TgCdmDialect *dialect);
