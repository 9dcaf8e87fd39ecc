/* Bounds on the time and memory that scoring a pair takes: loops ask whether to go on, so that
 * nothing is interrupted.
 *
 * A loop that is told to end ends early and leaves something valid, if wrong: a
 * text that ends there, a list without the rest, a matrix of zeros. The caller that set the bound
 * then discards the whole result, and no part of the result may go into a cache.
 */
#pragma once

#include <texgauge/types.h>

/** The bound that was exceeded. */
typedef enum { TG_DEADLINE_NONE, TG_DEADLINE_TIME, TG_DEADLINE_MEMORY } TgDeadline;

/** Allow the calling thread @seconds and @memory more bytes from now on; 0 or less: no bound. */
void tg_deadline_start(double seconds, gsize memory);

/**
 * Lift the bounds.
 *
 * Returns: the bound that told loops to end; results made since tg_deadline_start() are then not
 * valid
 */
TgDeadline tg_deadline_stop(void);

/** Count memory that grows with a pair: bytes that an arena allocates, negative for bytes that it
 * frees. */
void tg_deadline_count_memory(gint64 bytes);

/** Whether a loop was told to end. A cache asks this before it keeps an object. */
gboolean tg_deadline_passed(void);

/** Returns FALSE and sets @error to TG_ERROR_PARSE once a loop was told to end. Code whose result
 * must be whole calls it. */
gboolean tg_deadline_check(GError **error);

/** Do not count memory that is allocated until tg_deadline_resume(): small objects that live as
 * long as the program. */
void tg_deadline_suspend(void);
void tg_deadline_resume(void);

/* Work that may be done before the clock is looked at again. */
extern _Thread_local gint64 tg_deadline_work_left;
gboolean tg_deadline_look(void);

/**
 * Count work, and ask whether to end.
 *
 * @work: steps of some 10 ns that were done since the last call, or will be done until the next;
 *   the clock is read every few 10,000 steps
 *
 * Returns: TRUE once the time is up, and from then on
 */
static inline gboolean tg_deadline_spend(gsize work)
{
    tg_deadline_work_left -= (gint64) work;
    return G_UNLIKELY(tg_deadline_work_left < 0) && tg_deadline_look();
}
