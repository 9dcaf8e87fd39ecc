/* Pre-tokenizers of Hugging Face tokenizer files. */
#include "tokenizer/subword/pretokenize.h"

#include <string.h>

#include "core/utf8.h"
#include "tokenizer/subword/byte_level.h"
#include "tokenizer/subword/char_class.h"
#include "tokenizer/subword/pretokenize_scan.h"

/* What a character does to the words of a simple pre-tokenizer. */
typedef enum {
    RUN_NONE, /* separates words, is dropped */
    RUN_ALONE,
    RUN_A, /* characters of one run class stay together */
    RUN_B,
} RunClass;

static RunClass class_whitespace(gunichar c)
{
    if (tg_char_is_word(c))
        return RUN_A;
    return tg_char_is_white(c) ? RUN_NONE : RUN_B;
}

static RunClass class_whitespace_split(gunichar c)
{
    return tg_char_is_white(c) ? RUN_NONE : RUN_A;
}

static RunClass class_punctuation(gunichar c)
{
    return tg_char_is_punctuation(c) ? RUN_ALONE : RUN_A;
}

static RunClass class_digits(gunichar c)
{
    return tg_char_is_number(c) ? RUN_B : RUN_A;
}

static RunClass class_single_digits(gunichar c)
{
    return tg_char_is_number(c) ? RUN_ALONE : RUN_A;
}

/* Split every word where the class of its characters changes. */
static void split_runs(TgSpanText *st, RunClass (*classify)(gunichar))
{
    const GArray *words = tg_span_text_begin_split(st);

    for (guint w = 0; w < words->len; w++) {
        const TgByteRange word = g_array_index(words, TgByteRange, w);
        RunClass run = RUN_NONE;
        gsize run_start = word.start;
        for (gsize i = word.start; i < word.end;) {
            gunichar c;
            const guint size = tg_utf8_decode(st->text + i, word.end - i, &c);
            const RunClass class = classify(c);
            if (class != run || class == RUN_ALONE) {
                if (run != RUN_NONE)
                    tg_span_text_add_word(st, run_start, i);
                run = class;
                run_start = i;
            }
            i += size;
        }
        if (run != RUN_NONE)
            tg_span_text_add_word(st, run_start, word.end);
    }
}

/* Split every word into the pieces that @scan finds. */
static void split_pieces(TgSpanText *st, gsize (*scan)(const char *, gsize, gboolean *))
{
    const GArray *words = tg_span_text_begin_split(st);

    for (guint w = 0; w < words->len; w++) {
        const TgByteRange word = g_array_index(words, TgByteRange, w);
        for (gsize i = word.start; i < word.end;) {
            gboolean keep;
            const gsize size = scan(st->text + i, word.end - i, &keep);
            if (keep)
                tg_span_text_add_word(st, i, i + size);
            i += size;
        }
    }
}

/* Put a space before every word that does not start with one. */
static void prefix_spaces(TgSpanText *st)
{
    const TgOldText old = tg_span_text_begin_rewrite(st);

    for (guint w = 0; w < old.words->len; w++) {
        const TgByteRange word = g_array_index(old.words, TgByteRange, w);
        const gsize start = tg_span_text_written(st);
        gunichar c;
        if (old.text[word.start] != ' ')
            tg_span_text_write(
                st, " ", 1, word.start,
                word.start + tg_utf8_decode(old.text + word.start, word.end - word.start, &c));
        tg_span_text_copy(st, word.start, word.end);
        tg_span_text_add_word(st, start, tg_span_text_written(st));
    }
    tg_span_text_end_rewrite(st);
}

/* Write every byte as GPT-2's character for it; each is traced to the whole source character. */
static void write_byte_chars(TgSpanText *st)
{
    const TgOldText old = tg_span_text_begin_rewrite(st);

    for (guint w = 0; w < old.words->len; w++) {
        const TgByteRange word = g_array_index(old.words, TgByteRange, w);
        const gsize start = tg_span_text_written(st);
        for (gsize i = word.start; i < word.end;) {
            gunichar c;
            const guint size = tg_utf8_decode(old.text + i, word.end - i, &c);
            for (guint k = 0; k < size; k++) {
                char utf8[2];
                const guint n = tg_byte_to_char((guchar) old.text[i + k], utf8);
                tg_span_text_write(st, utf8, n, i, i + size);
            }
            i += size;
        }
        tg_span_text_add_word(st, start, tg_span_text_written(st));
    }
    tg_span_text_end_rewrite(st);
}

static void byte_level(const TgPretokenizer *step, TgSpanText *st)
{
    if (step->prefix_space)
        prefix_spaces(st);
    if (step->gpt2_split)
        split_pieces(st, tg_pretokenize_gpt2);
    write_byte_chars(st);
}

/* Write one word of METASPACE and split it before every visible space. */
static void metaspace_word(const TgPretokenizer *step, TgSpanText *st, const char *old,
                           TgByteRange word, gboolean may_prepend)
{
    const gsize size = strlen(step->space);
    gsize start = tg_span_text_written(st);
    gunichar c;

    if (may_prepend && old[word.start] != ' ' &&
        (word.end - word.start < size || memcmp(old + word.start, step->space, size) != 0))
        tg_span_text_write(st, step->space, size, word.start,
                           word.start +
                               tg_utf8_decode(old + word.start, word.end - word.start, &c));
    for (gsize i = word.start; i < word.end;) {
        const guint n = tg_utf8_decode(old + i, word.end - i, &c);
        const gboolean visible = n == size && memcmp(old + i, step->space, size) == 0;
        if ((c == ' ' || visible) && !step->keep_whole && i > word.start) {
            tg_span_text_add_word(st, start, tg_span_text_written(st));
            start = tg_span_text_written(st);
        }
        if (c == ' ')
            tg_span_text_write(st, step->space, size, i, i + 1);
        else
            tg_span_text_copy(st, i, i + n);
        i += n;
    }
    tg_span_text_add_word(st, start, tg_span_text_written(st));
}

static void metaspace(const TgPretokenizer *step, TgSpanText *st)
{
    const TgOldText old = tg_span_text_begin_rewrite(st);

    for (guint w = 0; w < old.words->len; w++) {
        const TgByteRange word = g_array_index(old.words, TgByteRange, w);
        metaspace_word(step, st, old.text, word,
                       step->prepend == TG_PREPEND_ALWAYS ||
                           (step->prepend == TG_PREPEND_FIRST && st->at_start && word.start == 0));
    }
    tg_span_text_end_rewrite(st);
}

void tg_pretokenizer_apply(const TgPretokenizer *step, TgSpanText *st)
{
    switch (step->kind) {
    case TG_PRETOKENIZE_WHITESPACE:
        split_runs(st, class_whitespace);
        break;
    case TG_PRETOKENIZE_WHITESPACE_SPLIT:
        split_runs(st, class_whitespace_split);
        break;
    case TG_PRETOKENIZE_PUNCTUATION:
        split_runs(st, class_punctuation);
        break;
    case TG_PRETOKENIZE_DIGITS:
        split_runs(st, step->single_digits ? class_single_digits : class_digits);
        break;
    case TG_PRETOKENIZE_BYTE_LEVEL:
        byte_level(step, st);
        break;
    case TG_PRETOKENIZE_METASPACE:
        metaspace(step, st);
        break;
    case TG_PRETOKENIZE_SPLIT:
        split_pieces(st, step->scan);
        break;
    }
}
