/* A text on its way through the official normaliser, and the text operations that its stages use.
 */
#pragma once

#include <glib.h>

/** Bytes of a text; none when both are equal. */
typedef struct {
    guint32 start, end;
} TgCdmRange;

/**
 * A text, and if it is traced, for every byte the bytes of the user's string that it comes from:
 * the whole character, or all that a stage replaced at once. What a stage added has no origin.
 */
typedef struct {
    GString *string;
    GArray *origins; /**< of TgCdmRange, one a byte; NULL: not traced */
} TgCdmText;

/** The user's string. */
TgCdmText *tg_cdm_text_new(const char *latex, gboolean traced);

/** An empty text to build what will replace @text. */
TgCdmText *tg_cdm_text_new_like(const TgCdmText *text);
void tg_cdm_text_free(TgCdmText *text);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgCdmText, tg_cdm_text_free)

/** Exchange the contents. */
void tg_cdm_text_swap(TgCdmText *text, TgCdmText *other);

/** What bytes @start to @end come from; none if @text is not traced. */
TgCdmRange tg_cdm_text_origin(const TgCdmText *text, gsize start, gsize end);

/** Append bytes @start to @end of @from. */
void tg_cdm_text_copy(TgCdmText *out, const TgCdmText *from, gsize start, gsize end);

/** Append @string, which replaces bytes @start to @end of @from. */
void tg_cdm_text_put(TgCdmText *out, const char *string, const TgCdmText *from, gsize start,
                     gsize end);

/** Append @string, all of it from @origin. */
void tg_cdm_text_append(TgCdmText *out, const char *string, TgCdmRange origin);

/** Put @string in the place of bytes @start to @end. */
void tg_cdm_text_splice(TgCdmText *text, gsize start, gsize end, const char *string);

/** Put @to for every @from, or for the first @limit of them; 0: all. */
void tg_cdm_text_replace(TgCdmText *text, const char *from, const char *to, guint limit);

/** Put @to for the first @from; FALSE when there is none. */
gboolean tg_cdm_text_replace_first(TgCdmText *text, const char *from, const char *to);

/**
 * Take out the first stretch that begins with @open and ends with the next @close behind it; FALSE
 * when there is none.
 */
gboolean tg_cdm_text_delete_first(TgCdmText *text, const char *open, const char *close);

/** Every match becomes @before, what its groups @first to @last match, and @behind. */
void tg_cdm_text_replace_around(TgCdmText *text, const GRegex *regex, gint first, gint last,
                                const char *before, const char *behind);

/** Keep the words that Python's str.split() finds, joined by single spaces. */
void tg_cdm_text_squeeze(TgCdmText *text);

/** Take off what Python's str.strip() takes off. */
void tg_cdm_text_strip(TgCdmText *text);

/** Whether Python's str.isspace() says so. */
gboolean tg_cdm_is_space(gunichar c);

/** Whether a character is one of the Han characters that are set as text. */
gboolean tg_cdm_is_han(gunichar c);

/** Whether there is a character of U+4E00..U+9FFF in @text. */
gboolean tg_cdm_has_han(const char *text);
