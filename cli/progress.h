/* A progress line on the terminal. */
#pragma once

#include "eval/run/run.h"

/** Starts silent; shows itself after a second, on a terminal only. Zero it, then start. */
typedef struct {
    gboolean enabled;
    gint64 start_us;
    gint64 shown_us; /* 0: never */
} CliProgress;

void cli_progress_start(CliProgress *progress, gboolean quiet);

/** Show how the run is going, at most ten times a second. */
void cli_progress_update(CliProgress *progress, const TgProgress *state);

/** Show how far the work that @data (a CliProgress) is about is; a TgListenFunc. */
void cli_progress_stage(const char *stage, guint done, guint total, gpointer data);

/** Wipe the line, so that what follows starts on a clean one. */
void cli_progress_clear(const CliProgress *progress);
