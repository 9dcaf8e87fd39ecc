/* What a metric says about one pair. */
#pragma once

#include <texgauge/types.h>

G_BEGIN_DECLS

/** The result of one metric for one pair; belongs to one thread at a time. */
typedef struct TgResult TgResult;

TG_API void tg_result_free(TgResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgResult, tg_result_free)

/** Set the value of column @column (index into the metric's columns); must be finite. */
TG_API void tg_result_set(TgResult *result, guint column, double value);

/** The value of column @column, or NaN where it is undefined. */
TG_API double tg_result_get(const TgResult *result, guint column);

/** Set the additive statistics: as many numbers as the metric announced, all finite. */
TG_API void tg_result_set_stats(TgResult *result, const double *stats);

/** The statistics, @n of them (out); NULL where there are none. Borrowed. */
TG_API const double *tg_result_stats(const TgResult *result, guint *n);

/**
 * Say more than "ok" about a pair that was scored all the same, in one short line.
 *
 * @status: for example "2 errors repaired"; copied
 */
TG_API void tg_result_set_status(TgResult *result, const char *status);

/**
 * Say something about how a pair was scored that is no fault of it, in one short line: which
 * program drew it.
 */
TG_API void tg_result_set_note(TgResult *result, const char *note);

/** The note, borrowed, or NULL. */
TG_API const char *tg_result_note(const TgResult *result);

/** "ok", or why the pair is not; borrowed. */
TG_API const char *tg_result_status(const TgResult *result);

/** Whether the caller will read the detail: build it only then. */
TG_API gboolean tg_result_wants_detail(const TgResult *result);

/** Hand over the detail (a floating reference is taken); its type stands in the metric's docs. */
TG_API void tg_result_take_detail(TgResult *result, GVariant *detail);

/** The detail, borrowed, or NULL. */
TG_API GVariant *tg_result_detail(const TgResult *result);

G_END_DECLS
