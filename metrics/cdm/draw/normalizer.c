/* The choice of a normaliser. */
#include "metrics/cdm/draw/normalizer.h"

#include "metrics/cdm/normalize/normalize.h"

gboolean tg_cdm_dialect_normalize(const char *latex, const TgCdmDialect *dialect,
                                  TgCdmNormalized *out, GError **error)
{
    return tg_cdm_normalize(latex, dialect, out, error);
}

TgCdmText *tg_cdm_dialect_normalize_traced(const TgCdmText *latex, const TgCdmDialect *dialect)
{
    return tg_cdm_normalize_traced(latex, dialect);
}
