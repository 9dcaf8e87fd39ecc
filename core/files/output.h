/* Files that are written: beside their place until they are whole, and never over an input. */
#pragma once

#include <stdio.h>

#include <texgauge/types.h>

/** A file, device or pipe that is being written. */
typedef struct TgOutput TgOutput;

/**
 * Open @path, or stdout for "-" and NULL. A file is written beside its place, under a name that
 * begins with a dot; a device or a pipe is written itself.
 *
 * Returns: (transfer full), or NULL with TG_ERROR_OUTPUT
 */
TgOutput *tg_output_open(const char *path, GError **error);

/** Where to write. Borrowed. */
FILE *tg_output_file(const TgOutput *output);

/** Put the file in its place; FALSE with TG_ERROR_OUTPUT where something did not arrive. */
gboolean tg_output_finish(TgOutput *output, GError **error);

/** Removes what was not finished. */
void tg_output_free(TgOutput *output);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgOutput, tg_output_free)

/** Write @n bytes to @path in this way. */
gboolean tg_output_write(const char *path, const void *bytes, gsize n, GError **error);

/** FALSE with TG_ERROR_USAGE where @path is the same file as one of @inputs (NULL last, or NULL).
 */
gboolean tg_output_is_no_input(const char *path, const char *const *inputs, GError **error);

/**
 * Whether @path may be replaced: FALSE with TG_ERROR_OUTPUT where it is a file that holds anything
 * else than what begins with, or has in its first 64 KiB, one of @marks.
 *
 * @marks: what files of this kind have, NULL last; NULL: nothing is replaced
 * @advice: what the user may do, for the message
 */
gboolean tg_output_may_replace(const char *path, const char *const *marks, const char *advice,
                               GError **error);

/**
 * Remove @path when a signal ends this process (SIGTERM, SIGINT, SIGHUP, SIGPIPE), until
 * tg_output_forget(). A few at a time; further ones are left behind.
 */
void tg_output_remember(const char *path);
void tg_output_forget(const char *path);
