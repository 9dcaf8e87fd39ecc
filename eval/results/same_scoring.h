/* May the scores of two results files stand side by side? */
#pragma once

#include "eval/results/results.h"

/** How a results file was scored. */
typedef struct TgScoring TgScoring;

TgScoring *tg_scoring_new(const TgResultsReader *reader, const char *path);
void tg_scoring_free(TgScoring *scoring);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgScoring, tg_scoring_free)

/**
 * Check that two files were scored in the same way: the metrics by their signatures, and what else
 * in the header moves numbers, as tg_scoring_check_settings() does.
 *
 * @force: only that the metrics have the same columns and statistics
 *
 * Returns: FALSE with TG_ERROR_INPUT that says what differs
 */
gboolean tg_scoring_check(const TgScoring *first, const TgScoring *other, gboolean force,
                          GError **error);

/** The same of delimiters, tokens, renderer and undefined alone. */
gboolean tg_scoring_check_settings(const TgScoring *first, const TgScoring *other, GError **error);
