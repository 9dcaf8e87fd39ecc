/* Normalizers and pre-tokenizers of tokenizer files: from a text to the words to encode. */
#include <string.h>

#include "core/utf8.h"
#include "tokenizer/subword/subword.h"

/* ---- Character classes that subword tokenizers split at, from GLib's Unicode tables ---------- */

gboolean tg_char_is_white(gunichar c)
{
    if (c < 0x80)
        return c == ' ' || (c >= 0x09 && c <= 0x0D);
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
           c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

/* Symbols that are Alphabetic by Unicode's Other_Alphabetic: circled and squared letters. */
static gboolean is_enclosed_letter(gunichar c)
{
    return (c >= 0x24B6 && c <= 0x24E9) || (c >= 0x1F130 && c <= 0x1F149) ||
           (c >= 0x1F150 && c <= 0x1F169) || (c >= 0x1F170 && c <= 0x1F189);
}

static gboolean has_type(gunichar c, guint32 types)
{
    return (types >> g_unichar_type(c) & 1) != 0;
}

#define TYPE(name) (1u << G_UNICODE_##name)

gboolean tg_char_is_word(gunichar c)
{
    if (c < 0x80)
        return g_ascii_isalnum((char) c) || c == '_';
    return g_unichar_isalpha(c) || g_unichar_ismark(c) || c == 0x200C || c == 0x200D ||
           has_type(c, TYPE(LETTER_NUMBER) | TYPE(DECIMAL_NUMBER) | TYPE(CONNECT_PUNCTUATION)) ||
           is_enclosed_letter(c);
}

static gboolean char_is_letter(gunichar c)
{
    return c < 0x80 ? g_ascii_isalpha((char) c) : g_unichar_isalpha(c);
}

static gboolean char_is_number(gunichar c)
{
    if (c < 0x80)
        return g_ascii_isdigit((char) c);
    return has_type(c, TYPE(DECIMAL_NUMBER) | TYPE(LETTER_NUMBER) | TYPE(OTHER_NUMBER));
}

/* `\p{P}` or one of ASCII's 32 punctuation characters (so `$+<=>^`|~` too). */
static gboolean char_is_punctuation(gunichar c)
{
    if (c < 0x80)
        return g_ascii_ispunct((char) c);
    return has_type(c, TYPE(CONNECT_PUNCTUATION) | TYPE(DASH_PUNCTUATION) | TYPE(OPEN_PUNCTUATION) |
                           TYPE(CLOSE_PUNCTUATION) | TYPE(INITIAL_PUNCTUATION) |
                           TYPE(FINAL_PUNCTUATION) | TYPE(OTHER_PUNCTUATION));
}

/* ---- A text while it is rewritten and split into words, with the source of every byte -------- */

void tg_span_text_init(TgSpanText *st)
{
    *st = (TgSpanText){
        .text = "",
        .words = g_array_new(FALSE, FALSE, sizeof(TgByteRange)),
        .verbatim = TRUE,
        .bytes = g_byte_array_new(),
        .next_bytes = g_byte_array_new(),
        .origin = g_array_new(FALSE, FALSE, sizeof(TgByteRange)),
        .next_origin = g_array_new(FALSE, FALSE, sizeof(TgByteRange)),
        .next_words = g_array_new(FALSE, FALSE, sizeof(TgByteRange)),
    };
}

void tg_span_text_clear(TgSpanText *st)
{
    g_array_unref(st->words);
    g_array_unref(st->next_words);
    g_byte_array_unref(st->bytes);
    g_byte_array_unref(st->next_bytes);
    g_array_unref(st->origin);
    g_array_unref(st->next_origin);
}

/* An empty word is left out. */
static void span_text_add_word(TgSpanText *st, gsize start, gsize end)
{
    const TgByteRange word = { (guint32) start, (guint32) end };

    if (end > start)
        g_array_append_val(st->words, word);
}

void tg_span_text_set(TgSpanText *st, const char *text, gsize len, guint32 base)
{
    st->text = text;
    st->len = len;
    st->base = base;
    st->at_start = base == 0;
    st->verbatim = TRUE;
    g_array_set_size(st->words, 0);
    span_text_add_word(st, 0, len);
}

static gboolean is_continuation(char byte)
{
    return ((guchar) byte & 0xC0) == 0x80;
}

TgByteRange tg_span_text_origin(const TgSpanText *st, gsize start, gsize end)
{
    if (!st->verbatim)
        return (TgByteRange){ g_array_index(st->origin, TgByteRange, start).start,
                              g_array_index(st->origin, TgByteRange, end - 1).end };
    /* whole characters */
    for (guint i = 0; i < 3 && start > 0 && is_continuation(st->text[start]); i++)
        start--;
    for (guint i = 0; i < 3 && end < st->len && is_continuation(st->text[end]); i++)
        end++;
    return (TgByteRange){ st->base + (guint32) start, st->base + (guint32) end };
}

/* Append bytes to the next text that replace the bytes @from to @to of this one (not empty). */
static void span_text_write(TgSpanText *st, const char *bytes, gsize len, gsize from, gsize to)
{
    const TgByteRange span = tg_span_text_origin(st, from, to);

    g_byte_array_append(st->next_bytes, (const guint8 *) bytes, (guint) len);
    for (gsize i = 0; i < len; i++)
        g_array_append_val(st->next_origin, span);
}

/* Append the bytes @from to @to as they are. */
static void span_text_copy(TgSpanText *st, gsize from, gsize to)
{
    for (gsize i = from; i < to; i++)
        span_text_write(st, st->text + i, 1, i, i + 1);
}

/* Go on with the next text, which is complete. */
static void span_text_end_rewrite(TgSpanText *st)
{
    GByteArray *bytes = st->bytes;
    GArray *origin = st->origin;

    st->bytes = st->next_bytes;
    st->origin = st->next_origin;
    st->next_bytes = g_byte_array_set_size(bytes, 0);
    st->next_origin = g_array_set_size(origin, 0);
    st->text = (const char *) st->bytes->data;
    st->len = st->bytes->len;
    st->verbatim = FALSE;
}

/* ---- Bytes as characters: printable Latin-1 stays, 68 bytes follow from U+0100 --------------- */

/* U+0100 to U+0120 stand for bytes 0 to 32, U+0121 to U+0142 for 127 to 160, U+0143 for 173. */
guint tg_byte_to_char(guchar byte, char out[2])
{
    const guint c = byte <= 32                   ? 0x100u + byte
                    : byte >= 127 && byte <= 160 ? 0x121u + byte - 127
                    : byte == 173                ? 0x143u
                                                 : byte;

    if (c < 0x80) {
        out[0] = (char) c;
        return 1;
    }
    out[0] = (char) (0xC0 | c >> 6);
    out[1] = (char) (0x80 | (c & 0x3F));
    return 2;
}

/* ---- Normalizers of Hugging Face tokenizer files --------------------------------------------- */

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

void tg_normalizer_apply(const TgNormalizer *step, TgSpanText *st)
{
    const gsize len = st->len;
    gunichar c;

    if ((step->kind == TG_NORMALIZE_UNICODE && is_ascii(st->text, len)) ||
        (step->kind == TG_NORMALIZE_PREPEND && len == 0))
        return;
    const char *old = st->text;
    if (step->kind == TG_NORMALIZE_UNICODE) {
        for (gsize start = 0, end; start < len; start = end) {
            end = cluster_end(old, len, start);
            g_autofree char *form =
                end - start == 1
                    ? NULL
                    : g_utf8_normalize(old + start, (gssize) (end - start), step->mode);
            /* A lone ASCII character is normal already; bytes that are not UTF-8 stay as they are.
             */
            if (form == NULL ||
                (strlen(form) == end - start && memcmp(form, old + start, end - start) == 0))
                span_text_copy(st, start, end);
            else
                span_text_write(st, form, strlen(form), start, end);
        }
    } else if (step->kind == TG_NORMALIZE_PREPEND) {
        span_text_write(st, step->content, strlen(step->content), 0, tg_utf8_decode(old, len, &c));
        span_text_copy(st, 0, len);
    } else {
        const gsize size = strlen(step->pattern);
        gsize done = 0;

        for (gsize i = 0; i + size <= len;) {
            if (memcmp(old + i, step->pattern, size) != 0) {
                i++;
                continue;
            }
            span_text_copy(st, done, i);
            span_text_write(st, step->content, strlen(step->content), i, i + size);
            done = i += size;
        }
        span_text_copy(st, done, len);
    }
    span_text_end_rewrite(st);
    g_array_set_size(st->words, 0);
    span_text_add_word(st, 0, st->len);
}

/* ---- Scanners for patterns of pre-tokenizers, written out so that no text makes them slow -----
 */

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
    return !tg_char_is_white(c) && !char_is_letter(c) && !char_is_number(c);
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

/* `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`: the length of the
 * piece at @text. */
static gsize scan_gpt2(const char *text, gsize len)
{
    static gboolean (*const classes[])(gunichar) = { char_is_letter, char_is_number, is_symbol };
    const gsize contraction = contraction_length(text, len);
    const gsize space = text[0] == ' ' ? 1 : 0;

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

/* TG_PATTERN_LATEX: the length of the match, or of the white space (@keep FALSE), at @text. */
static gsize scan_latex(const char *text, gsize len, gboolean *keep)
{
    gunichar c;
    const guint first = tg_utf8_decode(text, len, &c);

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

/* ---- Pre-tokenizers -------------------------------------------------------------------------- */

/* How a simple pre-tokenizer treats a character. */
typedef enum {
    RUN_NONE, /* separates words, is dropped */
    RUN_ALONE,
    RUN_A, /* characters of one run class stay together */
    RUN_B,
} RunClass;

static RunClass run_class(const TgPretokenizer *step, gunichar c)
{
    switch (step->kind) {
    case TG_PRETOKENIZE_WHITESPACE:
        return tg_char_is_word(c) ? RUN_A : tg_char_is_white(c) ? RUN_NONE : RUN_B;
    case TG_PRETOKENIZE_WHITESPACE_SPLIT:
        return tg_char_is_white(c) ? RUN_NONE : RUN_A;
    case TG_PRETOKENIZE_PUNCTUATION:
        return char_is_punctuation(c) ? RUN_ALONE : RUN_A;
    default:
        return !char_is_number(c) ? RUN_A : step->single_digits ? RUN_ALONE : RUN_B;
    }
}

/* Split a word where the class of its characters changes. */
static void split_runs(const TgPretokenizer *step, TgSpanText *st, TgByteRange word)
{
    RunClass run = RUN_NONE;
    gsize start = word.start;
    gunichar c;

    for (gsize i = word.start, size; i < word.end; i += size) {
        size = tg_utf8_decode(st->text + i, word.end - i, &c);
        const RunClass class = run_class(step, c);
        if (class == run && run != RUN_ALONE)
            continue;
        if (run != RUN_NONE)
            span_text_add_word(st, start, i);
        run = class;
        start = i;
    }
    if (run != RUN_NONE)
        span_text_add_word(st, start, word.end);
}

/* Split a word into the matches of a pattern. */
static void split_matches(const TgPretokenizer *step, TgSpanText *st, TgByteRange word)
{
    for (gsize i = word.start, size; i < word.end; i += size) {
        gboolean keep = TRUE;
        size = step->kind == TG_PRETOKENIZE_SPLIT ? scan_latex(st->text + i, word.end - i, &keep)
                                                  : scan_gpt2(st->text + i, word.end - i);
        if (keep)
            span_text_add_word(st, i, i + size);
    }
}

/* Write every byte as GPT-2's character for it; each is traced to the whole source character. */
static void write_byte_chars(G_GNUC_UNUSED const TgPretokenizer *step, TgSpanText *st,
                             TgByteRange word)
{
    const gsize start = st->next_bytes->len;
    gunichar c;
    char utf8[2];

    for (gsize i = word.start, size; i < word.end; i += size) {
        size = tg_utf8_decode(st->text + i, word.end - i, &c);
        for (gsize k = i; k < i + size; k++)
            span_text_write(st, utf8, tg_byte_to_char((guchar) st->text[k], utf8), i, i + size);
    }
    span_text_add_word(st, start, st->next_bytes->len);
}

/* Write spaces as METASPACE's visible character, and split the word before each of them. */
static void write_visible_spaces(const TgPretokenizer *step, TgSpanText *st, TgByteRange word)
{
    const char *text = st->text;
    const gsize size = strlen(step->space);
    const gboolean may_prepend =
        step->prepend == TG_PREPEND_ALWAYS ||
        (step->prepend == TG_PREPEND_FIRST && st->at_start && word.start == 0);
    gsize start = st->next_bytes->len;
    gunichar c;

    if (may_prepend && text[word.start] != ' ' &&
        (word.end - word.start < size || memcmp(text + word.start, step->space, size) != 0))
        span_text_write(st, step->space, size, word.start,
                        word.start + tg_utf8_decode(text + word.start, word.end - word.start, &c));
    for (gsize i = word.start, n; i < word.end; i += n) {
        n = tg_utf8_decode(text + i, word.end - i, &c);
        const gboolean visible = n == size && memcmp(text + i, step->space, size) == 0;
        if ((c == ' ' || visible) && !step->keep_whole && i > word.start) {
            span_text_add_word(st, start, st->next_bytes->len);
            start = st->next_bytes->len;
        }
        if (c == ' ')
            span_text_write(st, step->space, size, i, i + 1);
        else
            span_text_copy(st, i, i + n);
    }
    span_text_add_word(st, start, st->next_bytes->len);
}

/* Hand every word to @take, which adds the words that it becomes; @rewrites: in the next text. */
static void each_word(const TgPretokenizer *step, TgSpanText *st, gboolean rewrites,
                      void (*take)(const TgPretokenizer *, TgSpanText *, TgByteRange))
{
    GArray *words = st->words;

    st->words = g_array_set_size(st->next_words, 0);
    st->next_words = words;
    for (guint w = 0; w < words->len; w++)
        take(step, st, g_array_index(words, TgByteRange, w));
    if (rewrites)
        span_text_end_rewrite(st);
}

void tg_pretokenizer_apply(const TgPretokenizer *step, TgSpanText *st)
{
    static const TgPretokenizer prefix = { .space = " ",
                                           .keep_whole = TRUE,
                                           .prepend = TG_PREPEND_ALWAYS };

    if (step->kind == TG_PRETOKENIZE_BYTE_LEVEL) {
        if (step->prefix_space)
            each_word(&prefix, st, TRUE, write_visible_spaces);
        if (step->gpt2_split)
            each_word(step, st, FALSE, split_matches);
        each_word(step, st, TRUE, write_byte_chars);
    } else if (step->kind == TG_PRETOKENIZE_METASPACE) {
        each_word(step, st, TRUE, write_visible_spaces);
    } else {
        each_word(step, st, FALSE, step->kind == TG_PRETOKENIZE_SPLIT ? split_matches : split_runs);
    }
}
