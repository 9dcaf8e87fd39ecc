/* Why pairs were not scored as they should be: a line for each cause, with count and first place.
 */
#pragma once

#include "datasets/records/record.h"
#include "eval/results/results.h"

typedef struct TgCauses TgCauses;

TgCauses *tg_causes_new(void);
void tg_causes_free(TgCauses *causes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgCauses, tg_causes_free)

/** Note the fault of a row that cannot be used. */
void tg_causes_add_fault(TgCauses *causes, const TgRecord *record);

/** Note every status of a row's metrics that is not "ok", and every note on what they score, each
 * cause once. */
void tg_causes_add_scores(TgCauses *causes, const TgScoreLayout *layout, const TgRecord *record,
                          const TgScores *scores);

/** Note that the prediction of a row begins with a code fence, which is scored with it. */
void tg_causes_add_fence(TgCauses *causes, const TgRecord *record);

/** Note that a formula of a row, its truth or its prediction, has @message. */
void tg_causes_add_formula(TgCauses *causes, const TgRecord *record, gboolean is_truth,
                           const char *message);

/**
 * What cannot be read or set in @tex: the first fault, with the word that names its kind; NULL for
 * none. (transfer full)
 */
char *tg_causes_first_fault(const char *tex);

/**
 * Call @line for each cause, the most frequent first, such as
 * "99 truths cannot be set: brace: this { has no } (first: form_274)".
 *
 * @faults: of rows that cannot be used, or all others
 */
void tg_causes_report(const TgCauses *causes, gboolean faults,
                      void (*line)(const char *text, gpointer data), gpointer data);
