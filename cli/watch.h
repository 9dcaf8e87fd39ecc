/* Files that are watched for changes, and folders of runs. */
#pragma once

#include <glib.h>

/**
 * The inputs of a command, with the `.jsonl` files of a folder in its place, by name. An input that
 * is no folder stays as it is.
 *
 * Returns: (transfer full) NULL last
 */
char **cli_watch_expand(char *const *inputs);

/** What tells one state of the files from another: their sizes and times. (transfer full) */
char *cli_watch_state(char *const *paths);

/**
 * Wait until the files are in another state than @state, and have been so for a second: whoever
 * writes them may not be done.
 */
void cli_watch_wait(char *const *inputs, const char *state);
