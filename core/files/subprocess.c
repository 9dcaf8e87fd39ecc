/* g_spawn_async() with what it and GSubprocess lack: resource limits, a process group that is
 * killed as a whole, and a wait with a deadline that needs no main loop. */
#include "core/files/subprocess.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { POLL_US = 2000, MAX_FILE_BYTES = 256 << 20 };

#define MAX_MEMORY_BYTES ((rlim_t) 2 << 30)

/* On a machine with much else to do CPU seconds take longer. */
#define CLOCK_PER_CPU 6.0

/* In the child, where only calls that are safe after a fork are allowed. */
static void confine(gpointer data)
{
    const struct rlimit cpu = { *(const rlim_t *) data, *(const rlim_t *) data };
    const struct rlimit file = { MAX_FILE_BYTES, MAX_FILE_BYTES };
    const struct rlimit memory = { MAX_MEMORY_BYTES, MAX_MEMORY_BYTES };
    const struct rlimit none = { 0, 0 };

    setpgid(0, 0);
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_FSIZE, &file);
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_CORE, &none);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

/* The status of @pid; FALSE when time is up first. */
static gboolean wait_until(GPid pid, gint64 deadline, gint *status)
{
    pid_t ended;

    do {
        ended = waitpid(pid, status, WNOHANG);
        if (ended == 0)
            g_usleep(POLL_US);
    } while ((ended == 0 || (ended < 0 && errno == EINTR)) && g_get_monotonic_time() < deadline);
    return ended == pid;
}

gboolean tg_subprocess_run(const char *const *argv, const char *const *env, const char *folder,
                           double seconds, TgSubprocessEnd *end, GError **error)
{
    const gint64 deadline =
        g_get_monotonic_time() + (gint64) (seconds * CLOCK_PER_CPU * G_USEC_PER_SEC);
    rlim_t cpu_seconds = (rlim_t) ceil(seconds);
    GError *cause = NULL;
    gint status = 0;
    GPid pid;

    if (!g_spawn_async(folder, (char **) argv, (char **) env,
                       G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL |
                           G_SPAWN_STDERR_TO_DEV_NULL,
                       confine, &cpu_seconds, &pid, &cause)) {
        g_set_error_literal(error, TG_ERROR, TG_ERROR_USAGE, cause->message);
        g_error_free(cause);
        return FALSE;
    }
    if (wait_until(pid, deadline, &status)) {
        const gboolean good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        const gboolean out_of_time =
            WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
        *end = good          ? TG_SUBPROCESS_DONE
               : out_of_time ? TG_SUBPROCESS_TIMED_OUT
                             : TG_SUBPROCESS_FAILED;
    } else {
        kill(-pid, SIGKILL);
        kill(pid, SIGKILL); /* if it had no time yet to make its group */
        waitpid(pid, NULL, 0);
        *end = TG_SUBPROCESS_TIMED_OUT;
    }
    g_spawn_close_pid(pid);
    return TRUE;
}
