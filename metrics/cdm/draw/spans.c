/* Elements' places in the normalised source, traced back to the user's string. */
#include "metrics/cdm/draw/spans.h"

#include "metrics/cdm/draw/elements.h"
#include "metrics/cdm/draw/normalizer.h"

enum { MAX_BYTES = 20000 };

void tg_cdm_find_spans(const TgCdmText *latex, const TgCdmDialect *dialect,
                       const GPtrArray *elements, TgCdmRange *spans)
{
    g_autoptr(TgCdmText) source =
        latex->string->len <= MAX_BYTES ? tg_cdm_dialect_normalize_traced(latex, dialect) : NULL;

    for (guint i = 0; i < elements->len; i++) {
        const TgCdmElement *element = elements->pdata[i];

        spans[i] = source != NULL ? tg_cdm_text_origin(source, element->start, element->end)
                                  : (TgCdmRange){ 0, 0 };
    }
}
