/* Results as those who call metrics see them; what metrics may do is in <texgauge/result.h>. */
#pragma once

#include <texgauge/result.h>

/**
 * An empty result.
 *
 * @n_columns: of the metric
 * @n_stats: additive statistics that the metric leaves per pair
 * @want_detail: whether the metric is to build its detail
 *
 * Returns: (transfer full)
 */
TgResult *tg_result_new_sized(guint n_columns, guint n_stats, gboolean want_detail);
void tg_result_free(TgResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgResult, tg_result_free)

/** Make @result empty again, to be used for the next pair. */
void tg_result_reset(TgResult *result);

/** Whether the metric set something that is no finite number, or no column of its own. */
gboolean tg_result_is_broken(const TgResult *result);

/** The value of column @column, or NaN where it is undefined. */
double tg_result_get(const TgResult *result, guint column);

/** The statistics, @n of them (out); NULL where there are none. Borrowed. */
const double *tg_result_stats(const TgResult *result, guint *n);

/** The note, borrowed, or NULL. */
const char *tg_result_note(const TgResult *result);

/** "ok", or why the pair is not; borrowed. */
const char *tg_result_status(const TgResult *result);

/** The detail, borrowed, or NULL. */
GVariant *tg_result_detail(const TgResult *result);
