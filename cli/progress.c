#include "cli/cli.h"

#include <stdio.h>
#include <unistd.h>

#include "eval/run/run.h"

#define SILENT_US   G_USEC_PER_SEC
#define INTERVAL_US (G_USEC_PER_SEC / 10)
#define BAR_WIDTH   24

void cli_progress_start(CliProgress *progress, gboolean quiet)
{
    progress->enabled = !quiet && isatty(STDERR_FILENO);
    progress->start_us = g_get_monotonic_time();
}

static void append_bar(GString *line, double share)
{
    const int full = (int) (share * BAR_WIDTH + 0.5);

    g_string_append_c(line, '[');
    for (int i = 0; i < BAR_WIDTH; i++)
        g_string_append_c(line, i < full ? '#' : '.');
    g_string_append_printf(line, "] %3.0f %%  ", share * 100);
}

/* Whether to show the line now. */
static gboolean progress_is_due(CliProgress *progress)
{
    const gint64 now = g_get_monotonic_time();

    if (!progress->enabled || now - progress->start_us < SILENT_US ||
        now - progress->shown_us < INTERVAL_US)
        return FALSE;
    progress->shown_us = now;
    return TRUE;
}

void cli_progress_update(CliProgress *progress, const TgProgress *state)
{
    const double seconds = (double) (g_get_monotonic_time() - progress->start_us) / G_USEC_PER_SEC;

    if (!progress_is_due(progress))
        return;

    g_autoptr(GString) line = g_string_new("\r\033[K");
    const double share = state->bytes_total > 0
                             ? MIN(1.0, (double) state->bytes_read / (double) state->bytes_total)
                             : 0.0;
    if (state->bytes_total > 0)
        append_bar(line, share);
    g_string_append_printf(line, "%" G_GUINT64_FORMAT " rows  %.0f/s", state->rows,
                           (double) state->rows / seconds);
    if (share > 0.01) {
        const int left = (int) (seconds * (1 - share) / share);
        g_string_append_printf(line, "  ETA %d:%02d", left / 60, left % 60);
    }
    if (state->failures > 0)
        g_string_append_printf(line, "  %" G_GUINT64_FORMAT " not ok", state->failures);
    fputs(line->str, stderr);
    fflush(stderr);
}

void cli_progress_stage(const char *stage, guint done, guint total, gpointer data)
{
    g_autoptr(GString) line = g_string_new("\r\033[K");

    if (!progress_is_due(data))
        return;
    append_bar(line, total > 0 ? (double) done / total : 1.0);
    g_string_append(line, stage);
    fputs(line->str, stderr);
    fflush(stderr);
}

void cli_progress_clear(const CliProgress *progress)
{
    if (progress->shown_us != 0)
        fputs("\r\033[K", stderr);
}
