/* Inputs that stand for several files: folders, and patterns that no shell has expanded. */
#pragma once

#include <texgauge/types.h>

/** Whether @path has a wildcard (* ? [) and is no file itself. */
gboolean tg_input_is_pattern(const char *path);

/**
 * The files that @path stands for, in the order of their names: those of a folder (not of folders
 * in it, nor hidden ones), those that a pattern matches, or @path itself.
 *
 * Returns: (transfer full) at least one, or NULL with TG_ERROR_INPUT: there is none
 */
char **tg_input_files(const char *path, GError **error);
