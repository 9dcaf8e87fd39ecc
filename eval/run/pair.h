/* One pair from the command line. */
#pragma once

#include "eval/run/run.h"
#include <texgauge/picture.h>

/**
 * Score one pair as a run would, and give its row of results.jsonl.
 *
 * @options: metrics, delimiters, detail, renderer and undefined are read
 *
 * Returns: (transfer full) one JSON object without newline, or NULL with @error
 */
char *tg_eval_pair(const TgEvalOptions *options, const TgPair *pair, GError **error);

/**
 * Show how one pair is scored, read as a run would read it.
 *
 * @options: delimiters are read; metrics must be a single one
 * @renderer: of the calling thread
 *
 * Returns: (transfer full) the picture, or NULL with @error as of tg_metric_picture()
 */
TgPairPicture *tg_eval_picture(const TgEvalOptions *options, TgRenderer *renderer,
                               const TgPair *pair, GError **error);
