/* Human scores from a file of their own. */
#pragma once

#include "datasets/chain.h"

typedef struct TgRatings TgRatings;

/**
 * Read a file of ratings, whose rows have an id, perhaps a model, and either human scores as rows
 * of a test set have them, or one score of one rater: the fields "rater" (or "annotator") and
 * "score" (or "rating", "value").
 *
 * @human: groups of raters, see TgSourceOptions; NULL for none
 *
 * Returns: (transfer full), or NULL with TG_ERROR_USAGE (@human) or TG_ERROR_INPUT: not readable, a
 * row without id or score, two scores of a rater for one row, no ratings at all
 */
TgRatings *tg_ratings_read(const char *path, const char *const *human, gsize max_line,
                           GError **error);
void tg_ratings_free(TgRatings *ratings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgRatings, tg_ratings_free)

/** The file they are from. Borrowed. */
const TgSourceInput *tg_ratings_input(const TgRatings *ratings);

/**
 * Give @record the ratings of its id: those for its model, or else those that name no model. Raters
 * of single scores are one group, "human", in the order of their first score.
 */
void tg_ratings_apply(const TgRatings *ratings, TgRecord *record);
