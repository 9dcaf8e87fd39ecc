#include "core/deadline.h"

/* A fifth of a millisecond or so. */
#define WORK_BETWEEN_LOOKS 20000

_Thread_local gint64 tg_deadline_work_left;

/* Of this thread. */
static _Thread_local struct {
    gint64 end; /* monotonic time in microseconds; 0: none */
    gboolean passed;
    guint suspended;
} deadline;

void tg_deadline_start(double seconds)
{
    /* More than a century is none. */
    const gboolean bounded = seconds > 0 && seconds < 4e9;

    deadline.end = bounded ? g_get_monotonic_time() + (gint64) (seconds * 1e6) + 1 : 0;
    deadline.passed = FALSE;
    tg_deadline_work_left = bounded ? WORK_BETWEEN_LOOKS : G_MAXINT64;
}

gboolean tg_deadline_stop(void)
{
    const gboolean passed = deadline.passed;

    tg_deadline_start(0);
    return passed;
}

gboolean tg_deadline_passed(void)
{
    return deadline.passed;
}

gboolean tg_deadline_check(GError **error)
{
    if (deadline.passed)
        g_set_error_literal(error, TG_ERROR, TG_ERROR_PARSE, "it takes too long");
    return !deadline.passed;
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
    if (deadline.end == 0 || deadline.suspended > 0) {
        tg_deadline_work_left = G_MAXINT64;
        return FALSE;
    }
    deadline.passed = deadline.passed || g_get_monotonic_time() >= deadline.end;
    tg_deadline_work_left = deadline.passed ? -1 : WORK_BETWEEN_LOOKS;
    return deadline.passed;
}
