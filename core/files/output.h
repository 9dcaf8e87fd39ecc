/* Files that are written: beside their place until they are whole, and never over a file that the
 * same run reads. */
#pragma once

#include <stdio.h>

#include <texgauge/types.h>

/* ---- the files of a run ---- */

/** A run of this thread begins: what an earlier one read and wrote may be written again. */
void tg_run_files_begin(void);

/**
 * The run reads @path ("-": stdin; of MODEL=FILE also the FILE), so no output takes its place, by
 * whatever name or link. Loaders note what they open; what is read later than an output is opened
 * must be noted before.
 */
void tg_run_files_note(const char *path);

/** The run replaces @path, although it reads or wrote it. */
void tg_run_files_allow(const char *path);

/** Whether both are "-" or name one file, which need not exist; FALSE for devices, pipes and
 * folders. */
gboolean tg_is_same_file(const char *a, const char *b);

/**
 * Whether @path ("-" or NULL: stdout) may be written: FALSE with TG_ERROR_USAGE where it is a file
 * that the run reads or has written, with TG_ERROR_OUTPUT where it holds anything else than what
 * begins with, or has in its first 64 KiB, one of @marks.
 *
 * @marks: what files of this kind have, NULL last; NULL: nothing is replaced
 * @advice: what the user may do, for the message; NULL: files of any kind are replaced
 */
gboolean tg_output_check(const char *path, const char *const *marks, const char *advice,
                         GError **error);

/* ---- writing ---- */

/** A file, device or pipe that is being written. */
typedef struct {
    FILE *file; /**< where to write */
    char *name; /* for messages */
    char *path; /* where it belongs; NULL: it is written there */
    char *part; /* where it is until then */
} TgOutput;

/**
 * Open @path, or stdout for "-" and NULL. A file is written beside its place, under a name that
 * begins with a dot; a device or a pipe is written itself.
 *
 * Returns: (transfer full), or NULL with TG_ERROR_OUTPUT, or as tg_output_check() for what the run
 * reads
 */
TgOutput *tg_output_open(const char *path, GError **error);

/** Put the file in its place; FALSE with TG_ERROR_OUTPUT where something did not arrive, or as
 * tg_output_check() where the run came to read what is in that place. */
gboolean tg_output_finish(TgOutput *output, GError **error);

/** Removes what was not finished. */
void tg_output_free(TgOutput *output);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgOutput, tg_output_free)

/** Write @n bytes to @path in this way. */
gboolean tg_output_write(const char *path, const void *bytes, gsize n, GError **error);

/** An empty file for lines, which tg_temporary_remove() or a signal that ends the process removes.
 * (transfer full) its path, or NULL with an error of GLib's */
char *tg_temporary_new(GError **error);
void tg_temporary_remove(char *path); /**< also frees it; NULL does nothing */
