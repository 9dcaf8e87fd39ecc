/* Scanners for the patterns of pre-tokenizers, written out so that no text can make them slow. */
#include "tokenizer/subword/pretokenize_scan.h"

#include <string.h>

#include "core/utf8.h"
#include "tokenizer/subword/char_class.h"

/* Length of the longest run at @text whose characters all satisfy @is. */
static gsize run_length(const char *text, gsize len, gboolean (*is)(gunichar))
{
    gsize end = 0;
    gunichar c;

    while (end < len) {
        const guint size = tg_utf8_decode(text + end, len - end, &c);
        if (!is(c))
            break;
        end += size;
    }
    return end;
}

static gboolean is_symbol(gunichar c)
{
    return !tg_char_is_white(c) && !tg_char_is_letter(c) && !tg_char_is_number(c);
}

/* 's 't 're 've 'm 'll 'd, or 0. */
static gsize contraction_length(const char *text, gsize len)
{
    static const char *const endings[] = { "s", "t", "re", "ve", "m", "ll", "d" };

    if (text[0] != '\'')
        return 0;
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++) {
        const gsize n = strlen(endings[i]);
        if (n < len && memcmp(text + 1, endings[i], n) == 0)
            return n + 1;
    }
    return 0;
}

/* `\s+(?!\S)|\s+`: white space up to, but if it is longer than one character not including, the
 * last character before something visible. */
static gsize white_length(const char *text, gsize len)
{
    gsize end = 0, last = 0;
    gunichar c;

    while (end < len) {
        const guint size = tg_utf8_decode(text + end, len - end, &c);
        if (!tg_char_is_white(c))
            break;
        last = end;
        end += size;
    }
    return end == len || last == 0 ? end : last;
}

gsize tg_pretokenize_gpt2(const char *text, gsize len, gboolean *keep)
{
    static gboolean (*const classes[])(gunichar) = { tg_char_is_letter, tg_char_is_number,
                                                     is_symbol };
    const gsize contraction = contraction_length(text, len);
    const gsize space = text[0] == ' ' ? 1 : 0;

    *keep = TRUE;
    if (contraction > 0)
        return contraction;
    for (guint i = 0; i < G_N_ELEMENTS(classes); i++) {
        const gsize run = run_length(text + space, len - space, classes[i]);
        if (run > 0)
            return space + run;
    }
    return white_length(text, len);
}

static gsize ascii_run(const char *text, gsize start, gsize len, GAsciiType type)
{
    while (start < len && (g_ascii_table[(guchar) text[start]] & type) != 0)
        start++;
    return start;
}

gsize tg_pretokenize_latex(const char *text, gsize len, gboolean *keep)
{
    gunichar c;
    const guint first = tg_utf8_decode(text, len, &c);

    *keep = TRUE;
    if (g_ascii_table[(guchar) text[0]] & G_ASCII_ALPHA)
        return ascii_run(text, 1, len, G_ASCII_ALPHA);
    if (g_ascii_table[(guchar) text[0]] & G_ASCII_DIGIT)
        return ascii_run(text, 1, len, G_ASCII_DIGIT);
    if (tg_char_is_white(c)) {
        *keep = FALSE;
        return run_length(text, len, tg_char_is_white);
    }
    if (c != '\\' || len == 1)
        return first;

    const gsize letters = ascii_run(text, 1, len, G_ASCII_ALPHA);
    if (letters > 1)
        return letters;
    const guint second = tg_utf8_decode(text + 1, len - 1, &c);
    return tg_char_is_white(c) ? 1 : 1 + second;
}
