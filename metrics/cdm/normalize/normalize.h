/* The official program's normalisation: from LaTeX to blank-separated tokens with all braces. */
#pragma once

#include <texgauge/types.h>

/**
 * A model of the official program, slips included: it decides what an element is and how it is
 * called, so reproducing scores begins here. It is no parser for any other purpose; that is in
 * tokenizer/.
 */
typedef struct {
    char *source;              /**< tokens separated by single blanks; an empty token is possible */
    gboolean is_table;         /**< the letters `tabular` occur in the input */
    gboolean is_chinese;       /**< Han characters occur: set with the CJK template */
    gboolean tokenizer_failed; /**< @source comes from the raw input, split at its blanks only */
} TgCdmNormalized;

/**
 * Clean up, tokenise and normalise one formula.
 *
 * @latex: UTF-8
 * @out: (out) what tg_cdm_normalized_clear() frees
 *
 * Returns: TRUE, or FALSE with @error set to TG_ERROR_PARSE where the official program gives up:
 * braces that do not match, an argument behind the end
 *
 * Source: UniMERNet/cdm at commit 5a2c80d, as docs/metrics/cdm.md records it.
 */
gboolean tg_cdm_normalize(const char *latex, TgCdmNormalized *out, GError **error);

void tg_cdm_normalized_clear(TgCdmNormalized *normalized);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgCdmNormalized, tg_cdm_normalized_clear)

/* The stages, for tests that blame a difference on one of them. */

/** Stage 1, the input's clean-up: Chinese text, line breaks, percent signs. (transfer full) */
char *tg_cdm_clean_up(const char *latex, gboolean *is_table, gboolean *is_chinese);

/**
 * Stage 2 of a formula, before it is parsed: from the cleaned text to the line that the parser
 * reads, step by step from 0. FALSE when there is no such step.
 */
gboolean tg_cdm_prepare_step(GString *line, guint step);

/** Stage 2 of a formula: parse and print; NULL where the official parser fails. (transfer full) */
char *tg_cdm_tokenize_formula(const char *cleaned);

/** Stage 2 of a table: the tokens as the parser read them, or NULL. (transfer full) */
char *tg_cdm_tokenize_table(const char *cleaned);

/** Stage 3, textual rules, before braces are filled in. (transfer full) */
char *tg_cdm_apply_rules(const char *tokens, gboolean is_table);

/** The end of stage 3: every command gets its braces; NULL where they do not match. */
char *tg_cdm_fill_braces(const char *tokens);
