/* The official program's normalisation: from LaTeX to space-separated tokens with all braces. */
#pragma once

#include <texgauge/types.h>

#include "metrics/cdm/dialects/dialect.h"
#include "metrics/cdm/normalize/text.h"

/**
 * A model of the official program, slips included: it decides what an element is and how it is
 * called, so reproducing scores begins here. It is no parser for any other purpose; that is in
 * tokenizer/.
 */
typedef struct {
    char *source;              /**< tokens with single spaces between; one may be empty */
    gboolean is_table;         /**< the letters `tabular` occur in the input */
    gboolean is_chinese;       /**< Han characters occur: set with the CJK template */
    gboolean tokenizer_failed; /**< @source comes from the raw input, split at its spaces only */
} TgCdmNormalized;

/**
 * Clean up, tokenize and normalise one formula.
 *
 * @latex: UTF-8
 * @out: (out) what tg_cdm_normalized_clear() frees
 *
 * Returns: TRUE, or FALSE with @error set to TG_ERROR_PARSE where the official program gives up:
 * braces that do not match, an argument behind the end
 *
 * Source: UniMERNet/cdm at commit 5a2c80d, as docs/metrics/cdm.md records it.
 */
gboolean tg_cdm_normalize(const char *latex, const TgCdmDialect *dialect, TgCdmNormalized *out,
                          GError **error);

/**
 * The normalised source of a traced text with the origin of every byte; without origins for a
 * table.
 *
 * Returns: (transfer full) the text, or NULL where the official program gives up
 */
TgCdmText *tg_cdm_normalize_traced(const TgCdmText *latex, const TgCdmDialect *dialect);

void tg_cdm_normalized_clear(TgCdmNormalized *normalized);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgCdmNormalized, tg_cdm_normalized_clear)

/**
 * The first stage: Chinese text, line breaks, percent signs.
 *
 * @tolerant: of the tolerant normaliser, what it does before Han characters become text; NULL: ours
 */
void tg_cdm_clean_up_for(TgCdmText *text, void (*tolerant)(TgCdmText *text), gboolean *is_table,
                         gboolean *is_chinese);

/** The same without @tolerant. */
void tg_cdm_clean_up(TgCdmText *text, gboolean *is_table, gboolean *is_chinese);
