#include "core/deadline.h"
#include "core/fail.h"

/* Work takes a fifth of a millisecond or so between two looks at the clock. */
#define WORK_BETWEEN_LOOKS 20000

_Thread_local gint64 tg_deadline_work_left;

static _Thread_local struct {
    gint64 end;       /* monotonic time in microseconds; 0: none */
    gint64 allocated; /* bytes allocated less bytes freed since the start */
    gint64 memory;    /* bytes that may be allocated; 0: no bound */
    TgDeadline passed;
    guint suspended;
} deadline;

void tg_deadline_start(double seconds, gsize memory)
{
    /* Values above 100 years are not timeouts. */
    const gboolean bounded = seconds > 0 && seconds < 4e9;

    deadline.end = bounded ? g_get_monotonic_time() + (gint64) (seconds * 1e6) + 1 : 0;
    deadline.allocated = 0;
    deadline.memory = (gint64) memory;
    deadline.passed = TG_DEADLINE_NONE;
    tg_deadline_work_left = bounded ? WORK_BETWEEN_LOOKS : G_MAXINT64;
}

TgDeadline tg_deadline_stop(void)
{
    const TgDeadline passed = deadline.passed;

    tg_deadline_start(0, 0);
    return passed;
}

gboolean tg_deadline_passed(void)
{
    return deadline.passed != TG_DEADLINE_NONE;
}

void tg_deadline_count_memory(gint64 bytes)
{
    if (deadline.suspended > 0)
        return;
    deadline.allocated += bytes;
    if (deadline.memory == 0 || deadline.allocated <= deadline.memory || tg_deadline_passed())
        return;
    deadline.passed = TG_DEADLINE_MEMORY;
    tg_deadline_work_left = -1;
}

gboolean tg_deadline_check(GError **error)
{
    if (tg_deadline_passed())
        tg_fail(error, TG_ERROR_PARSE,
                deadline.passed == TG_DEADLINE_TIME ? "it takes too long"
                                                    : "it takes too much memory");
    return !tg_deadline_passed();
}

void tg_deadline_suspend(void)
{
    deadline.suspended++;
    tg_deadline_work_left = G_MAXINT64;
}

void tg_deadline_resume(void)
{
    deadline.suspended--;
    tg_deadline_work_left = 0;
}

gboolean tg_deadline_look(void)
{
    if (deadline.suspended > 0 || (deadline.end == 0 && !tg_deadline_passed())) {
        tg_deadline_work_left = G_MAXINT64;
        return FALSE;
    }
    if (!tg_deadline_passed() && g_get_monotonic_time() >= deadline.end)
        deadline.passed = TG_DEADLINE_TIME;
    tg_deadline_work_left = tg_deadline_passed() ? -1 : WORK_BETWEEN_LOOKS;
    return tg_deadline_passed();
}
