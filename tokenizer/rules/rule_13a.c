/*
 * Tokens of mteval-v13a as sacrebleu's tokenizer_13a makes them: a few replacements, then four
 * passes that put spaces around punctuation, then words. All patterns are ASCII, so the passes
 * work on bytes.
 */
#include <string.h>

#include "core/utf8.h"
#include "tokenizer/rules/rules.h"

/* A text that is being rewritten, in the arena of the pair. */
typedef struct {
    char *bytes;
    gsize len;
} Buffer;

static void buffer_put(Buffer *buffer, char byte)
{
    buffer->bytes[buffer->len++] = byte;
}

/* Replace every @from, left to right, in place; @to must not be longer. */
static void buffer_replace(Buffer *buffer, const char *from, const char *to)
{
    const gsize from_len = strlen(from), to_len = strlen(to);
    Buffer out = { buffer->bytes, 0 };

    for (gsize i = 0; i < buffer->len;) {
        if (buffer->len - i >= from_len && memcmp(buffer->bytes + i, from, from_len) == 0) {
            memmove(out.bytes + out.len, to, to_len);
            out.len += to_len;
            i += from_len;
        } else {
            buffer_put(&out, buffer->bytes[i++]);
        }
    }
    *buffer = out;
}

/* [{-~[-` -&(-+:-@/]: ASCII punctuation but for apostrophe, comma, hyphen and full stop. */
static gboolean is_separate(char c)
{
    return c == ' ' || (g_ascii_ispunct(c) && strchr("',-.", c) == NULL);
}

static gboolean is_stop(char c)
{
    return c == '.' || c == ',';
}

/* ([{-~[-` -&(-+:-@/]) -> " \1 " */
static void part_punctuation(Buffer in, Buffer *out)
{
    for (gsize i = 0; i < in.len; i++) {
        if (!is_separate(in.bytes[i])) {
            buffer_put(out, in.bytes[i]);
            continue;
        }
        buffer_put(out, ' ');
        buffer_put(out, in.bytes[i]);
        buffer_put(out, ' ');
    }
}

/* ([^0-9])([.,]) -> "\1 \2 " */
static void part_stop_behind_other(Buffer in, Buffer *out)
{
    for (gsize i = 0; i < in.len; i++) {
        buffer_put(out, in.bytes[i]);
        if (i + 1 < in.len && !g_ascii_isdigit(in.bytes[i]) && is_stop(in.bytes[i + 1])) {
            buffer_put(out, ' ');
            buffer_put(out, in.bytes[++i]);
            buffer_put(out, ' ');
        }
    }
}

/* ([.,])([^0-9]) -> " \1 \2" */
static void part_stop_before_other(Buffer in, Buffer *out)
{
    for (gsize i = 0; i < in.len; i++) {
        if (i + 1 < in.len && is_stop(in.bytes[i]) && !g_ascii_isdigit(in.bytes[i + 1])) {
            buffer_put(out, ' ');
            buffer_put(out, in.bytes[i++]);
            buffer_put(out, ' ');
        }
        buffer_put(out, in.bytes[i]);
    }
}

/* ([0-9])(-) -> "\1 \2 " */
static void part_hyphen_behind_digit(Buffer in, Buffer *out)
{
    for (gsize i = 0; i < in.len; i++) {
        buffer_put(out, in.bytes[i]);
        if (i + 1 < in.len && g_ascii_isdigit(in.bytes[i]) && in.bytes[i + 1] == '-') {
            buffer_put(out, ' ');
            buffer_put(out, in.bytes[++i]);
            buffer_put(out, ' ');
        }
    }
}

/* The length of @text without white space at its end. */
static gsize stripped_length(const char *text, gsize len)
{
    gsize end = 0;
    guint length;

    for (gsize pos = 0; pos < len; pos += length) {
        gunichar code;

        length = tg_utf8_decode(text + pos, len - pos, &code);
        if (!tg_is_space(code))
            end = pos + length;
    }
    return end;
}

static void buffer_unescape(Buffer *buffer)
{
    static const char *const entities[][2] = {
        { "&quot;", "\"" }, { "&amp;", "&" }, { "&lt;", "<" }, { "&gt;", ">" }
    };

    for (guint i = 0; i < G_N_ELEMENTS(entities); i++)
        buffer_replace(buffer, entities[i][0], entities[i][1]);
}

TgTokens *tg_rule_13a(const TgTokenScope *scope, const char *text, gsize len)
{
    static void (*const passes[])(Buffer in, Buffer * out) = {
        part_punctuation,
        part_stop_behind_other,
        part_stop_before_other,
        part_hyphen_behind_digit,
    };
    Buffer buffer = { tg_arena_alloc(scope->arena, len + 2), 0 };

    buffer_put(&buffer, ' ');
    memcpy(buffer.bytes + 1, text, len);
    buffer.len += stripped_length(text, len);
    buffer_replace(&buffer, "<skipped>", "");
    buffer_replace(&buffer, "-\n", "");
    buffer_replace(&buffer, "\n", " ");
    buffer_unescape(&buffer);
    buffer_put(&buffer, ' ');

    for (guint i = 0; i < G_N_ELEMENTS(passes); i++) {
        /* The first pass makes three bytes of one, the others four of two. */
        Buffer out = { tg_arena_alloc(scope->arena, 3 * buffer.len), 0 };
        passes[i](buffer, &out);
        buffer = out;
    }
    return tg_rule_words(scope, buffer.bytes, buffer.len);
}
