/* UTF-8 one character at a time: decoding, white space, lower case; and text of users for
 * terminals, with control characters and bidirectional marks made visible. */
#pragma once

#include <glib.h>

/** The code point of a byte that is not part of valid UTF-8. */
#define TG_UTF8_INVALID 0xFFFDu

/** The slow part of tg_utf8_decode(): characters of two bytes and more. */
guint tg_utf8_decode_long(const char *text, gsize len, gunichar *code);

/** The slow part of tg_is_space(): characters beyond ASCII. */
gboolean tg_is_space_long(gunichar code);

/**
 * Decode the character at @text, reading at most @len bytes (at least 1).
 *
 * @code: (out) its code point; TG_UTF8_INVALID for a byte that is not valid UTF-8 (overlong forms,
 *   surrogates and cut-off sequences among them)
 *
 * Returns: its length in bytes, 1 to 4; an invalid byte counts as a character
 */
static inline guint tg_utf8_decode(const char *text, gsize len, gunichar *code)
{
    if ((guchar) text[0] < 0x80) {
        *code = (guchar) text[0];
        return 1;
    }
    return tg_utf8_decode_long(text, len, code);
}

/** Whether @code is white space to Python's str.isspace() (so not U+200B and not U+FEFF). */
static inline gboolean tg_is_space(gunichar code)
{
    if (code < 0x80)
        return code == ' ' || (code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x1F);
    return tg_is_space_long(code);
}

/**
 * @text in lower case, character by character: Unicode's simple mapping whatever the locale, and
 * U+0130 as `i` and U+0307. (Python's str.lower() differs in one point: a capital sigma at the end
 * of a word.)
 *
 * @out: at least 2 * @len bytes
 *
 * Returns: how many bytes were written
 */
gsize tg_utf8_lower(const char *text, gsize len, char *out);

/** The name of @names (NULL last) of which @word is a misspelling: one or two letters differ, a
 * third of them at most; NULL: no name. Borrowed. */
const char *tg_nearest_name(const char *word, const char *const *names);

/** Sort texts (char *) by their bytes, whatever the locale. */
void tg_texts_sort(GPtrArray *texts);

/** Whether @code controls a terminal or the order of text: controls (ESC and C1 among them), marks
 * and isolates of the bidirectional algorithm, separators of lines and paragraphs. */
gboolean tg_is_steering(gunichar code);

/**
 * Append @text, with steering characters written as <U+001B> and bytes that are not UTF-8 as
 * U+FFFD.
 *
 * @keep: ASCII controls that stay, as "\n\t"; may be NULL
 */
void tg_visible_append(GString *out, const char *text, const char *keep);

/** The same as a new text. (transfer full) */
char *tg_visible(const char *text, const char *keep);

/** Columns of a terminal that a character takes: 0, 1, or 2 of wide East Asian ones. */
guint tg_columns_of_character(gunichar code);

/** Columns of a terminal that a text takes; it is UTF-8. */
guint tg_columns_of(const char *text);
