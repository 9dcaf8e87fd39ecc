/* Text of others for eyes: control characters and bidirectional marks become visible. */
#pragma once

#include <glib.h>

/** Whether @code steers a terminal or the order of text: controls (ESC and C1 among them), marks
 * and isolates of the bidirectional algorithm, separators of lines and paragraphs. */
gboolean tg_is_steering(gunichar code);

/**
 * Append @text with such characters as <U+001B>, and U+FFFD for what is not UTF-8.
 *
 * @keep: ASCII controls that stay, as "\n\t"; may be NULL
 */
void tg_visible_append(GString *out, const char *text, const char *keep);

/** The same as a new string. (transfer full) */
char *tg_visible(const char *text, const char *keep);

/** Columns of a terminal that a character takes: 0, 1, or 2 of wide East Asian ones. */
guint tg_columns_of_character(gunichar code);

/** The same of a text, which is UTF-8. */
guint tg_columns_of(const char *text);
