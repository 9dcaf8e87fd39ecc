/* The clean-up of each dialect. */
#include <string.h>

#include "metrics/cdm/cdm.h"

static const char fence[] = "```", latex_fence[] = "```latex";

/* @text from @start to @end, without white space and dollar signs around it. Takes @text. */
static TgCdmText *clean_up_strip(TgCdmText *text, const char *start, const char *end)
{
    const char *string = text->string->str;
    TgCdmText *out = tg_cdm_text_new_like(text);

    while (start < end && (g_ascii_isspace(*start) || *start == '$'))
        start++;
    while (end > start && (g_ascii_isspace(end[-1]) || end[-1] == '$'))
        end--;
    tg_cdm_text_copy(out, text, (gsize) (start - string), (gsize) (end - string));
    tg_cdm_text_free(text);
    return out;
}

static TgCdmText *clean_up_truth(const char *latex, gboolean traced)
{
    TgCdmText *text = tg_cdm_text_new(latex, traced);
    const char *start = text->string->str;

    return clean_up_strip(text, start, start + text->string->len);
}

/* What is after the last opening of a block of LaTeX, up to the first end of a block. */
static TgCdmText *clean_up_prediction(const char *latex, gboolean traced)
{
    TgCdmText *text = tg_cdm_text_new(latex, traced);
    const char *open = g_strrstr(text->string->str, latex_fence);
    const char *start = open != NULL ? open + strlen(latex_fence) : text->string->str;
    const char *end = strstr(start, fence);

    return clean_up_strip(text, start, end != NULL ? end : start + strlen(start));
}

void tg_cdm_clean_pair(const TgCdmDialect *dialect, const char *ref, const char *hyp,
                       gboolean traced, TgCdmCleanPair *out)
{
    TgCdmSpellings spellings;

    switch (dialect->cleaning) {
    case TG_CDM_CLEAN_VARIANTS:
        tg_cdm_spellings_find(ref, hyp, traced, &spellings);
        *out = (TgCdmCleanPair){ spellings.gt, spellings.pred, spellings.alternative };
        break;
    case TG_CDM_CLEAN_DOLLARS:
        *out =
            (TgCdmCleanPair){ clean_up_truth(ref, traced), clean_up_prediction(hyp, traced), NULL };
        break;
    case TG_CDM_CLEAN_NOTHING:
    default:
        *out = (TgCdmCleanPair){ tg_cdm_text_new(ref, traced), tg_cdm_text_new(hyp, traced), NULL };
    }
}

void tg_cdm_clean_pair_clear(TgCdmCleanPair *pair)
{
    tg_cdm_text_free(pair->ref);
    tg_cdm_text_free(pair->hyp);
    tg_cdm_text_free(pair->alternative);
}
