/* Small text operations that the official normaliser is made of. */
#pragma once

#include <glib.h>

/** Put @to for the first @from; FALSE when there is none. */
gboolean tg_cdm_replace_first(GString *text, const char *from, const char *to);

/**
 * Take out the first stretch that begins with @open and ends with the next @close behind it; FALSE
 * when there is none.
 */
gboolean tg_cdm_delete_first(GString *text, const char *open, const char *close);

/** The words of @text as Python's str.split() finds them, joined by single blanks. */
char *tg_cdm_squeeze_blanks(const char *text);

/** @text without what Python's str.strip() takes off. */
char *tg_cdm_strip(const char *text);

/** Whether there is a character of U+4E00..U+9FFF in @text. */
gboolean tg_cdm_has_han(const char *text);
