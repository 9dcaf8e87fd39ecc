/* Normalizers of Hugging Face tokenizer files. */
#include "tokenizer/subword/normalize.h"

#include <string.h>

#include "core/utf8.h"

#define MAX_CLUSTER 64 /* characters; Unicode's stream-safe format allows 30 marks */

void tg_normalizer_clear(TgNormalizer *step)
{
    g_free(step->pattern);
    g_free(step->content);
}

/* Whether normalization may join or reorder @c with the character before it. */
static gboolean joins_left(gunichar c)
{
    if (c < 0x300)
        return FALSE;
    /* Hangul vowels and final consonants; halfwidth sound marks and Hangul letters. */
    return g_unichar_ismark(c) || (c >= 0x1160 && c <= 0x11FF) || (c >= 0xFF9E && c <= 0xFFDC) ||
           g_unichar_combining_class(c) != 0;
}

/* The end of the cluster at @start: one character and those that may join it. */
static gsize cluster_end(const char *text, gsize len, gsize start)
{
    gunichar c;
    gsize end = start + tg_utf8_decode(text + start, len - start, &c);

    for (guint n = 1; end < len && n < MAX_CLUSTER; n++) {
        const guint size = tg_utf8_decode(text + end, len - end, &c);
        if (!joins_left(c))
            break;
        end += size;
    }
    return end;
}

static gboolean is_ascii(const char *text, gsize len)
{
    guchar bits = 0;

    for (gsize i = 0; i < len; i++)
        bits |= (guchar) text[i];
    return bits < 0x80;
}

static void normalize_unicode(GNormalizeMode mode, TgSpanText *st)
{
    const gsize len = st->len;

    if (is_ascii(st->text, len))
        return;
    const char *old = tg_span_text_begin_rewrite(st).text;
    for (gsize start = 0, end; start < len; start = end) {
        end = cluster_end(old, len, start);
        g_autofree char *form =
            end - start == 1 ? NULL : g_utf8_normalize(old + start, (gssize) (end - start), mode);
        /* A lone ASCII character is normal already; bytes that are not UTF-8 stay as they are. */
        if (form == NULL ||
            (strlen(form) == end - start && memcmp(form, old + start, end - start) == 0))
            tg_span_text_copy(st, start, end);
        else
            tg_span_text_write(st, form, strlen(form), start, end);
    }
    tg_span_text_end_rewrite(st);
    tg_span_text_add_word(st, 0, st->len);
}

static void normalize_prepend(const char *content, TgSpanText *st)
{
    const gsize len = st->len;
    gunichar c;

    if (len == 0)
        return;
    const char *old = tg_span_text_begin_rewrite(st).text;
    tg_span_text_write(st, content, strlen(content), 0, tg_utf8_decode(old, len, &c));
    tg_span_text_copy(st, 0, len);
    tg_span_text_end_rewrite(st);
    tg_span_text_add_word(st, 0, st->len);
}

static void normalize_replace(const char *pattern, const char *content, TgSpanText *st)
{
    const gsize len = st->len, size = strlen(pattern);
    const char *old = tg_span_text_begin_rewrite(st).text;
    gsize done = 0;

    for (gsize i = 0; i + size <= len;) {
        if (memcmp(old + i, pattern, size) != 0) {
            i++;
            continue;
        }
        tg_span_text_copy(st, done, i);
        tg_span_text_write(st, content, strlen(content), i, i + size);
        done = i += size;
    }
    tg_span_text_copy(st, done, len);
    tg_span_text_end_rewrite(st);
    tg_span_text_add_word(st, 0, st->len);
}

void tg_normalizer_apply(const TgNormalizer *step, TgSpanText *st)
{
    switch (step->kind) {
    case TG_NORMALIZE_UNICODE:
        normalize_unicode(step->mode, st);
        break;
    case TG_NORMALIZE_PREPEND:
        normalize_prepend(step->content, st);
        break;
    case TG_NORMALIZE_REPLACE:
        normalize_replace(step->pattern, step->content, st);
        break;
    }
}

char *tg_normalize_string(const TgNormalizer *steps, guint n, const char *text)
{
    TgSpanText st;

    tg_span_text_init(&st);
    tg_span_text_set(&st, text, strlen(text), 0);
    for (guint i = 0; i < n; i++)
        tg_normalizer_apply(&steps[i], &st);
    char *out = g_strndup(st.text, st.len);
    tg_span_text_clear(&st);
    return out;
}
