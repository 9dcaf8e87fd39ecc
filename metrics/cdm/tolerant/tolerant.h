/* OmniDocBench 1.6's normalisation of a pair: spellings to compare, and the tokens of each. */
#pragma once

#include <texgauge/types.h>

#include "metrics/cdm/normalize/normalize.h"

/**
 * What OmniDocBench 1.6 makes of a pair before it normalises: without math delimiters, code fences
 * and tags. The pair's score is that of @gt with @pred, or with @alternative where that F1 is
 * strictly greater.
 */
typedef struct {
    TgCdmText *gt, *pred;
    TgCdmText *alternative; /**< @pred, respelled as matrices are; NULL for most pairs */
} TgCdmSpellings;

/**
 * The spellings of a pair.
 *
 * @traced: keep the origin of every byte in @gt or @pred
 * @out: (out) what tg_cdm_spellings_clear() frees
 */
void tg_cdm_spellings_find(const char *gt, const char *pred, gboolean traced, TgCdmSpellings *out);

void tg_cdm_spellings_clear(TgCdmSpellings *spellings);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgCdmSpellings, tg_cdm_spellings_clear)

/**
 * tg_cdm_normalize() of OmniDocBench 1.6: clean up, tokenize with a tolerant reader and normalise
 * one spelling. Elements are those of tg_cdm_elements() on @source.
 *
 * @latex: a spelling; UTF-8
 * @out: (out) what tg_cdm_normalized_clear() frees; its tokenizer_failed says that the formula fell
 *   back to raw text, as one with `\\{` or `\\[2mm]` does
 *
 * Returns: TRUE, or FALSE with @error set to TG_ERROR_PARSE where the official program gives up
 *
 * Source: OmniDocBench at commit c3e100b3, as docs/metrics/cdm.md records it.
 */
gboolean tg_cdm_tolerant_normalize(const char *latex, TgCdmNormalized *out, GError **error);

/**
 * The normalised source of a traced spelling, with the origin of every byte; without origins for a
 * table.
 *
 * Returns: (transfer full) the text, or NULL where the official program gives up
 */
TgCdmText *tg_cdm_tolerant_normalize_traced(const TgCdmText *spelling);

/** The first stage: Chinese text, line breaks, percent signs. */
void tg_cdm_tolerant_clean_up(TgCdmText *text, gboolean *is_table, gboolean *is_chinese);
