/* The choice of a normaliser. */
#include "metrics/cdm/draw/normalizer.h"

#include "metrics/cdm/tolerant/tolerant.h"

gboolean tg_cdm_dialect_normalize(const char *latex, const TgCdmDialect *dialect,
                                  TgCdmNormalized *out, GError **error)
{
    return dialect->normalizer == TG_CDM_NORMALIZER_LATEXWALKER
               ? tg_cdm_tolerant_normalize(latex, out, error)
               : tg_cdm_normalize(latex, dialect, out, error);
}

TgCdmText *tg_cdm_dialect_normalize_traced(const TgCdmText *latex, const TgCdmDialect *dialect)
{
    return dialect->normalizer == TG_CDM_NORMALIZER_LATEXWALKER
               ? tg_cdm_tolerant_normalize_traced(latex)
               : tg_cdm_normalize_traced(latex, dialect);
}
