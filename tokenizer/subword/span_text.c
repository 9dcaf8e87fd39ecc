/* A text while it is rewritten and split into words, with the source of every byte. */
#include "tokenizer/subword/span_text.h"

void tg_span_text_init(TgSpanText *st)
{
    *st = (TgSpanText){
        .text = "",
        .words = g_array_new(FALSE, FALSE, sizeof(TgByteRange)),
        .verbatim = TRUE,
        .bytes = g_byte_array_new(),
        .old_bytes = g_byte_array_new(),
        .origin = g_array_new(FALSE, FALSE, sizeof(TgByteRange)),
        .old_origin = g_array_new(FALSE, FALSE, sizeof(TgByteRange)),
        .old_words = g_array_new(FALSE, FALSE, sizeof(TgByteRange)),
    };
}

void tg_span_text_clear(TgSpanText *st)
{
    g_array_unref(st->words);
    g_array_unref(st->old_words);
    g_byte_array_unref(st->bytes);
    g_byte_array_unref(st->old_bytes);
    g_array_unref(st->origin);
    g_array_unref(st->old_origin);
}

void tg_span_text_set(TgSpanText *st, const char *text, gsize len, guint32 base)
{
    st->text = text;
    st->len = len;
    st->base = base;
    st->at_start = base == 0;
    st->verbatim = TRUE;
    g_array_set_size(st->words, 0);
    tg_span_text_add_word(st, 0, len);
}

static gboolean is_continuation(char byte)
{
    return ((guchar) byte & 0xC0) == 0x80;
}

/* The source bytes of @start to @end while the text is not rewritten: whole characters. */
static TgByteRange verbatim_origin(const TgSpanText *st, gsize start, gsize end)
{
    for (guint i = 0; i < 3 && start > 0 && is_continuation(st->text[start]); i++)
        start--;
    for (guint i = 0; i < 3 && end < st->len && is_continuation(st->text[end]); i++)
        end++;
    return (TgByteRange){ st->base + (guint32) start, st->base + (guint32) end };
}

TgByteRange tg_span_text_origin(const TgSpanText *st, gsize start, gsize end)
{
    if (st->verbatim)
        return verbatim_origin(st, start, end);
    return (TgByteRange){ g_array_index(st->origin, TgByteRange, start).start,
                          g_array_index(st->origin, TgByteRange, end - 1).end };
}

const GArray *tg_span_text_begin_split(TgSpanText *st)
{
    GArray *words = st->words;

    st->words = st->old_words;
    st->old_words = words;
    g_array_set_size(st->words, 0);
    return words;
}

void tg_span_text_add_word(TgSpanText *st, gsize start, gsize end)
{
    const TgByteRange word = { (guint32) start, (guint32) end };

    if (end > start)
        g_array_append_val(st->words, word);
}

TgOldText tg_span_text_begin_rewrite(TgSpanText *st)
{
    GByteArray *bytes = st->bytes;
    GArray *origin = st->origin;

    st->bytes = st->old_bytes;
    st->old_bytes = bytes;
    st->origin = st->old_origin;
    st->old_origin = origin;
    g_byte_array_set_size(st->bytes, 0);
    g_array_set_size(st->origin, 0);
    return (TgOldText){ st->text, tg_span_text_begin_split(st) };
}

/* tg_span_text_origin() of the text that is being replaced. */
static TgByteRange old_origin(const TgSpanText *st, gsize start, gsize end)
{
    if (st->verbatim)
        return verbatim_origin(st, start, end);
    return (TgByteRange){ g_array_index(st->old_origin, TgByteRange, start).start,
                          g_array_index(st->old_origin, TgByteRange, end - 1).end };
}

void tg_span_text_write(TgSpanText *st, const char *bytes, gsize len, gsize from, gsize to)
{
    const TgByteRange span = old_origin(st, from, to);

    g_byte_array_append(st->bytes, (const guint8 *) bytes, (guint) len);
    for (gsize i = 0; i < len; i++)
        g_array_append_val(st->origin, span);
}

void tg_span_text_copy(TgSpanText *st, gsize from, gsize to)
{
    if (to == from)
        return;
    g_byte_array_append(st->bytes, (const guint8 *) st->text + from, (guint) (to - from));
    for (gsize i = from; i < to; i++) {
        const TgByteRange span = old_origin(st, i, i + 1);
        g_array_append_val(st->origin, span);
    }
}

gsize tg_span_text_written(const TgSpanText *st)
{
    return st->bytes->len;
}

void tg_span_text_end_rewrite(TgSpanText *st)
{
    st->text = (const char *) st->bytes->data;
    st->len = st->bytes->len;
    st->verbatim = FALSE;
}
