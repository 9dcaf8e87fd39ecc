/* The result of a metric for one pair. */
#pragma once

#include <texgauge/types.h>

G_BEGIN_DECLS

/** The result of one metric for one pair; belongs to one thread at a time. */
typedef struct TgResult TgResult;

/** Set the value of column @column (index into the metric's columns); finite and in
 * the column's range: anything else is a fault of the metric, and ends the run. */
TG_API void tg_result_set(TgResult *result, guint column, double value);

/** Say how near the reference is, higher is nearer, where the first column does not: of a metric
 * that sees each reference by itself. */
TG_API void tg_result_set_rank(TgResult *result, double rank);

/** Set the additive statistics: as many numbers as the metric announced, all finite. */
TG_API void tg_result_set_stats(TgResult *result, const double *stats);

/**
 * Set the status of a pair that has a score to a short line instead of "ok".
 *
 * @status: for example "2 errors repaired"; copied
 */
TG_API void tg_result_set_status(TgResult *result, const char *status);

/**
 * Add a remark on how the pair was scored, in one short line.
 *
 * @note: copied
 */
TG_API void tg_result_set_note(TgResult *result, const char *note);

/** Whether the caller will read the detail: build it only then. */
TG_API gboolean tg_result_wants_detail(const TgResult *result);

/** Hand over the detail (a floating reference is taken); the metric's documentation gives its type.
 */
TG_API void tg_result_take_detail(TgResult *result, GVariant *detail);

G_END_DECLS
