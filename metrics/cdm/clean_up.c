/* The clean-up of each dialect. */
#include "metrics/cdm/clean_up.h"

#include <string.h>

#include "metrics/cdm/tolerant/tolerant.h"

static const char fence[] = "```", latex_fence[] = "```latex";

/* @text from its start to @end, without white space and dollar signs around it. */
static char *clean_up_strip(const char *text, const char *end)
{
    while (text < end && (g_ascii_isspace(*text) || *text == '$'))
        text++;
    while (end > text && (g_ascii_isspace(end[-1]) || end[-1] == '$'))
        end--;
    return g_strndup(text, (gsize) (end - text));
}

/* What is behind the last opening of a block of LaTeX, up to the first end of a block. */
static char *clean_up_unfence(const char *text)
{
    const char *open = g_strrstr(text, latex_fence);
    const char *start = open != NULL ? open + strlen(latex_fence) : text;
    const char *end = strstr(start, fence);

    return clean_up_strip(start, end != NULL ? end : start + strlen(start));
}

static char *clean_up_string(const TgCdmText *text)
{
    return text != NULL ? g_strdup(text->string->str) : NULL;
}

static void clean_up_respell(const char *ref, const char *hyp, TgCdmCleanPair *out)
{
    g_auto(TgCdmSpellings) spellings = { 0 };

    tg_cdm_spellings_find(ref, hyp, FALSE, &spellings);
    out->ref = clean_up_string(spellings.gt);
    out->hyp = clean_up_string(spellings.pred);
    out->alternative = clean_up_string(spellings.alternative);
}

void tg_cdm_clean_pair(const TgCdmDialect *dialect, const char *ref, const char *hyp,
                       TgCdmCleanPair *out)
{
    *out = (TgCdmCleanPair){ 0 };
    switch (dialect->cleaning) {
    case TG_CDM_CLEAN_VARIANTS:
        clean_up_respell(ref, hyp, out);
        break;
    case TG_CDM_CLEAN_DOLLARS:
        out->ref = clean_up_strip(ref, ref + strlen(ref));
        out->hyp = clean_up_unfence(hyp);
        break;
    case TG_CDM_CLEAN_NOTHING:
    default:
        out->ref = g_strdup(ref);
        out->hyp = g_strdup(hyp);
    }
}

void tg_cdm_clean_pair_clear(TgCdmCleanPair *pair)
{
    g_free(pair->ref);
    g_free(pair->hyp);
    g_free(pair->alternative);
}
