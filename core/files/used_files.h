/* Which files did a metric load? Loaders note them, and whoever makes the metric collects. */
#pragma once

#include <texgauge/types.h>

/** Collect from now on what loaders on this thread read, instead of any collection before. */
void tg_used_files_begin(void);

/** Note a file that was read; nothing where nobody collects. */
void tg_used_files_note(const char *path, const void *bytes, gsize len);

/**
 * End the collection of this thread.
 *
 * Returns: (transfer full) "name:hash" of every file, sorted, each once: the file's name without
 * folders and the first 12 hexadecimal digits of its sha256. NULL last.
 */
char **tg_used_files_end(void);
