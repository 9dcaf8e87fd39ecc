/* Why FORTE gave a pair its score: both formulas as it read them, and the edits between. */
#pragma once

#include <texgauge/env.h>
#include <texgauge/metric.h>
#include <texgauge/registry.h>
#include <texgauge/types.h>

G_BEGIN_DECLS

/** The explanation of one pair; immutable, so any thread may read. */
typedef struct TgExplanation TgExplanation;

/**
 * Score a pair with FORTE and keep what it saw.
 *
 * @metric: an instance of `forte`, with any options
 * @env: of the calling thread
 * @pair: of several references the one counts that scores best
 *
 * Returns: (transfer full) the explanation, or NULL with @error set to
 *   TG_ERROR_USAGE  @metric is another one
 *   TG_ERROR_PARSE, TG_ERROR_DATA  the pair has no score
 */
TG_API TgExplanation *tg_explanation_new(const TgMetric *metric, TgEnv *env, const TgPair *pair,
                                         GError **error);

/** Which row of a file; zero it, set what is known; strings are borrowed for the call. */
typedef struct {
    const char *input;  /**< any file that tg_eval_run() reads, results files among them */
    const char *format; /**< reader to use; NULL finds out */
    const char *id;     /**< NULL: any */
    const char *model;  /**< NULL: any */
    guint64 row;        /**< its place in the file, from 1; 0: any */
} TgExplanationRow;

/**
 * The explanation of the first row of a file that is meant.
 *
 * Returns: (transfer full) the explanation, or NULL with @error set to
 *   TG_ERROR_INPUT  the file cannot be read, or no row that holds a pair is meant
 *   and those of tg_explanation_new() and of options that cannot be read
 */
TG_API TgExplanation *tg_explanation_find(const TgMetric *metric, TgEnv *env,
                                          const TgExplanationRow *row, GError **error);
TG_API void tg_explanation_free(TgExplanation *explanation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgExplanation, tg_explanation_free)

/**
 * The pair, with the reference that counted alone; borrowed. tg_metric_picture() draws it with the
 * edits marked by the numbers that the text has.
 */
TG_API TgPair tg_explanation_pair(const TgExplanation *explanation);

/** How explanations look as text. */
typedef struct {
    guint width;     /**< columns of the page; at least 40 are used */
    gboolean colors; /**< with the control sequences of terminals */
} TgExplanationStyle;

/**
 * For people: score, both formulas one above the other with the edits numbered below, and a line
 * for each edit. UTF-8 that ends in a newline; control characters of the formulas are made visible.
 * (transfer full)
 */
TG_API char *tg_explanation_text(const TgExplanation *explanation, const TgExplanationStyle *style);

/**
 * For programs: one JSON object without newline, with all tokens and edits and where they stand in
 * both sources, in bytes; docs/metrics/forte.md lists the fields. (transfer full)
 */
TG_API char *tg_explanation_json(const TgExplanation *explanation);

G_END_DECLS
