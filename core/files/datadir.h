/* Find files: what a folder has, and the project's own data. A loader notes each data file that it
 * reads; the code that makes a metric collects the notes. */
#pragma once

#include <texgauge/types.h>

/** The names in a folder that end in @suffix, sorted by bytes; none, with an error of GLib's, where
 * the folder cannot be read. (transfer full) */
GPtrArray *tg_folder_names(const char *path, const char *suffix, GError **error);

/**
 * The path of a data file: below $TEXGAUGE_DATADIR if that is set, else in the source tree when the
 * library runs from its build folder, else in the first of these that has it: the folder `data`
 * beside the file with this code (a Python package), `share/texgauge` of the prefix in which that
 * file lies, even if the prefix was moved, and the data folder of the configured prefix.
 *
 * @relative: for example "samples/manifest.ini"
 *
 * Returns: (transfer full) the path, or NULL with TG_ERROR_INPUT naming the places looked at
 */
char *tg_datadir_find(const char *relative, GError **error);

/** Start to collect the files that loaders on this thread read; an earlier collection ends. */
void tg_used_files_begin(void);

/** Note a file that was read, if this thread collects. */
void tg_used_files_note(const char *path, const void *bytes, gsize len);

/** Map a file of at most @most bytes into memory and note it. NULL with TG_ERROR_INPUT */
GMappedFile *tg_used_file_map(const char *path, gsize most, GError **error);

/**
 * End the collection of this thread.
 *
 * Returns: (transfer full) "name:hash" of every file, sorted, each once: the file's name without
 * folders and the first 12 hexadecimal digits of its sha256. NULL last.
 */
char **tg_used_files_end(void);
