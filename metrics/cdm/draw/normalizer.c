/* Calls the one or the other normaliser. */
#include "metrics/cdm/draw/normalizer.h"

#include "metrics/cdm/tolerant/tolerant.h"

gboolean tg_cdm_dialect_normalize(const char *latex, const TgCdmDialect *dialect,
                                  TgCdmNormalized *out, GError **error)
{
    return dialect->normalizer == TG_CDM_NORMALIZER_LATEXWALKER
               ? tg_cdm_tolerant_normalize(latex, out, error)
               : tg_cdm_normalize(latex, dialect, out, error);
}

TgCdmText *tg_cdm_dialect_normalize_traced(const char *latex, const TgCdmDialect *dialect)
{
    if (dialect->normalizer != TG_CDM_NORMALIZER_LATEXWALKER)
        return tg_cdm_normalize_traced(latex, dialect);
    g_autoptr(TgCdmText) text = tg_cdm_text_new(latex, TRUE);
    return tg_cdm_tolerant_normalize_traced(text);
}
