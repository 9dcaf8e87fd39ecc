/* Bounds on the time and memory that scoring a pair takes: loops ask whether to go on, nothing is
 * interrupted.
 *
 * A loop that is told to end ends early and leaves something valid, if wrong: a
 * text that ends there, a list without the rest, a matrix of zeros. What was asked for is then
 * thrown away as a whole by whoever set the bound, and nothing of it may go into a cache.
 */
#pragma once

#include <texgauge/types.h>

/** The bound that was passed. */
typedef enum { TG_DEADLINE_NONE, TG_DEADLINE_TIME, TG_DEADLINE_MEMORY } TgDeadline;

/** Bound what the calling thread does from now on to @seconds and to @memory more bytes; 0 or less:
 * no bound. */
void tg_deadline_start(double seconds, gsize memory);

/**
 * Lift the bounds.
 *
 * Returns: why loops were told to end: what was made since tg_deadline_start() is then worthless
 */
TgDeadline tg_deadline_stop(void);

/** Count memory that grows with a pair: what arenas allocate, less (negative) what they free. */
void tg_deadline_count_memory(gint64 bytes);

/** Whether a loop was told to end; asked by caches before they keep something. */
gboolean tg_deadline_passed(void);

/** FALSE with @error set to TG_ERROR_PARSE once a loop was told to end: for what must be whole. */
gboolean tg_deadline_check(GError **error);

/** Memory that is allocated until tg_deadline_resume() does not count, for small objects that are
 * kept for ever. */
void tg_deadline_suspend(void);
void tg_deadline_resume(void);

/* Work that may be done before the clock is looked at again. */
extern _Thread_local gint64 tg_deadline_work_left;
gboolean tg_deadline_look(void);

/**
 * Count work, and ask whether to end.
 *
 * @work: what was done since the last call, or will be until the next, in steps of some 10 ns;
 *   the clock is read every few 10,000 steps
 *
 * Returns: TRUE once the time is up, and from then on
 */
static inline gboolean tg_deadline_spend(gsize work)
{
    tg_deadline_work_left -= (gint64) work;
    return G_UNLIKELY(tg_deadline_work_left < 0) && tg_deadline_look();
}
