/* A text while it is rewritten and split into words; every byte is traced to its source. */
#pragma once

#include <glib.h>

/** A range of bytes, @end excluded. */
typedef struct {
    guint32 start;
    guint32 end;
} TgByteRange;

/**
 * The current text, its words, and for every byte the source bytes it came from. A step either
 * splits words (tg_span_text_begin_split) or rewrites the text (tg_span_text_begin_rewrite).
 */
typedef struct {
    const char *text; /**< the current text; not NUL-terminated */
    gsize len;
    GArray *words;     /**< TgByteRange: what is still to be encoded, left to right */
    gboolean at_start; /**< the text starts where the whole source does */

    /* Private. */
    guint32 base;      /* where the text starts in the source, while it is not rewritten */
    gboolean verbatim; /* not rewritten: byte i came from source byte base + i */
    GByteArray *bytes, *old_bytes;
    GArray *origin, *old_origin; /* TgByteRange per byte of a rewritten text */
    GArray *old_words;
} TgSpanText;

void tg_span_text_init(TgSpanText *st);
void tg_span_text_clear(TgSpanText *st);

/** Start with source bytes @base to @base + @len at @text, as one word. Borrows @text. */
void tg_span_text_set(TgSpanText *st, const char *text, gsize len, guint32 base);

/** The source bytes that the bytes @start to @end of the current text came from (not empty). */
TgByteRange tg_span_text_origin(const TgSpanText *st, gsize start, gsize end);

/** Empties words. Returns: the words to be split, borrowed until the next step. */
const GArray *tg_span_text_begin_split(TgSpanText *st);

/** Add bytes @start to @end of the current text as a word; an empty one is left out. */
void tg_span_text_add_word(TgSpanText *st, gsize start, gsize end);

/** The text as it was before tg_span_text_begin_rewrite(). */
typedef struct {
    const char *text;
    const GArray *words;
} TgOldText;

/** Start a new text; the result holds the old one until the rewrite ends. */
TgOldText tg_span_text_begin_rewrite(TgSpanText *st);

/** Append @len bytes that replace the bytes @from to @to of the old text (not empty). */
void tg_span_text_write(TgSpanText *st, const char *bytes, gsize len, gsize from, gsize to);

/** Append bytes @from to @to of the old text as they are. */
void tg_span_text_copy(TgSpanText *st, gsize from, gsize to);

/** How long the new text is so far. */
gsize tg_span_text_written(const TgSpanText *st);

/** The rewrite is done: the new text becomes the current one. */
void tg_span_text_end_rewrite(TgSpanText *st);
