/* Files that are written under a temporary name until they are complete, and never over a file that
 * the same run reads. */
#pragma once

#include <stdio.h>

#include <texgauge/types.h>

/* ---- the files of a run ---- */

/** Begin a run of this thread: files that an earlier run read or wrote may be written again. */
void tg_run_files_begin(void);

/**
 * Note that the run reads @path ("-": stdin; for MODEL=FILE also the FILE), so that no output
 * replaces it by any name or link. Loaders note files that they open; files read after an output is
 * opened must be noted before that.
 */
void tg_run_files_note(const char *path);

/** Allow the run to replace @path, although it reads or wrote that file. */
void tg_run_files_allow(const char *path);

/** Whether both are "-" or name one file, which need not exist; FALSE for devices, pipes and
 * folders. */
gboolean tg_is_same_file(const char *a, const char *b);

/**
 * Whether @path ("-" or NULL: stdout) may be written: FALSE with TG_ERROR_USAGE where it is a file
 * that the run reads or has written, with TG_ERROR_OUTPUT where none of @marks begins the file or
 * stands in its first 64 KiB.
 *
 * @marks: texts that files of this kind have, NULL last; NULL: no file is replaced
 * @advice: advice to the user for the message; NULL: files of any kind are replaced
 */
gboolean tg_output_check(const char *path, const char *const *marks, const char *advice,
                         GError **error);

/* ---- writing ---- */

/** A file, device or pipe that is being written. */
typedef struct {
    FILE *file; /**< the stream to write to */
    char *name; /* for messages */
    char *path; /* final path; NULL: it is written directly */
    char *part; /* temporary path until the file is complete */
} TgOutput;

/**
 * Open @path, or stdout for "-" and NULL. A file is written in its folder under a temporary name
 * that begins with a dot; a device or a pipe is written directly.
 *
 * Returns: (transfer full), or NULL with TG_ERROR_OUTPUT, or as tg_output_check() for a file that
 * the run reads
 */
TgOutput *tg_output_open(const char *path, GError **error);

/** Give the file its final name. FALSE with TG_ERROR_OUTPUT where bytes could not be written, or as
 * tg_output_check() where the run has since read a file of that name. */
gboolean tg_output_finish(TgOutput *output, GError **error);

/** Removes a file that was not finished. */
void tg_output_free(TgOutput *output);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgOutput, tg_output_free)

/** Write @n bytes to @path, under a temporary name first. */
gboolean tg_output_write(const char *path, const void *bytes, gsize n, GError **error);

/** Make an empty temporary file, which tg_temporary_remove() or a signal that ends the process
 * removes. Returns (transfer full) its path, or NULL with an error of GLib's */
char *tg_temporary_new(GError **error);
void tg_temporary_remove(char *path); /**< also frees it; NULL does nothing */
