/* Running another program under a time limit. */
#pragma once

#include <texgauge/types.h>

typedef enum {
    TG_SUBPROCESS_DONE,      /**< it ended with status 0 */
    TG_SUBPROCESS_FAILED,    /**< it ended with another status or by a signal */
    TG_SUBPROCESS_TIMED_OUT, /**< it was killed, with all that it had started */
} TgSubprocessEnd;

/**
 * Run a program and wait for it. It reads nothing, its output is discarded, and it ends when the
 * calling thread does.
 *
 * @argv: the program's path first, NULL last
 * @env: all of its environment, NULL last
 * @seconds: of CPU time that it may take, and a sixth of the time that may pass by the clock; its
 *   memory is limited to 2 GiB
 *
 * Returns: FALSE with TG_ERROR_USAGE when it cannot be started
 */
gboolean tg_subprocess_run(const char *const *argv, const char *const *env, const char *folder,
                           double seconds, TgSubprocessEnd *end, GError **error);
