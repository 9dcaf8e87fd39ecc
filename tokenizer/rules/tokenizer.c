/* The tokenization rules, and tokenizers by their names. */
#include "tokenizer/rules/tokenizer.h"

#include <string.h>
#include <texgauge/tokens.h>

#include "core/fail.h"
#include "core/utf8.h"
#include "tokenizer/macros/lexer.h"
#include "tokenizer/subword/bpe.h"

/* ---- Inside of a token sequence, and how a rule writes one ----------------------------------- */

/* A sequence of the @n bytes of @text as tokens, whose ids are left to be filled in. */
static TgTokens *list_of_bytes(const TgTokenScope *scope, const char *text, gsize n)
{
    TgTokens *list = tg_arena_alloc(scope->arena, sizeof *list + n * sizeof *list->ids);

    *list = (TgTokens){ .text = text, .ids = (guint32 *) (list + 1), .n = (guint32) n };
    return list;
}

/* A sequence of at most @capacity tokens of @text, empty as yet. */
static TgTokens *list_new(const TgTokenScope *scope, const char *text, gsize capacity)
{
    TgTokens *list = list_of_bytes(scope, text, capacity);

    list->n = 0;
    list->spans = tg_arena_alloc(scope->arena, capacity * sizeof *list->spans);
    return list;
}

/* The id of a token that is not one ASCII character. */
static guint32 token_id(const TgTokenScope *scope, const char *bytes, gsize len)
{
    return TG_FIRST_INTERNED + tg_vocab_number(scope->strings, bytes, len);
}

/* Append the token of @len bytes from @start. */
static void list_add(TgTokens *list, const TgTokenScope *scope, gsize start, gsize len)
{
    const char *bytes = list->text + start;

    list->spans[list->n] = (TgSpan){ (guint32) start, (guint32) len };
    list->ids[list->n++] = len == 1 && (guchar) *bytes < TG_FIRST_INTERNED
                               ? (guchar) *bytes
                               : token_id(scope, bytes, len);
}

const guint32 *tg_tokens_ids(const TgTokens *tokens, guint *n)
{
    *n = tokens->n;
    return tokens->ids;
}

const char *tg_tokens_text(const TgTokens *tokens, guint i, gsize *len)
{
    g_return_val_if_fail(i < tokens->n, NULL);
    if (tokens->spans == NULL) {
        *len = 1;
        return tokens->text + i;
    }
    *len = tokens->spans[i].len;
    return tokens->text + tokens->spans[i].start;
}

guint32 tg_tokens_id_bound(const TgTokens *tokens)
{
    return tokens->id_bound;
}

/* ---- Tokens of LaTeX: control words, control symbols and other characters, no white space ---- */

static TgTokens *rule_latex(const TgTokenScope *scope, const char *text, gsize len)
{
    TgTokens *list = list_new(scope, text, len);

    for (gsize pos = 0; pos < len;) {
        const guchar byte = (guchar) text[pos];

        if (byte < 0x80 && byte != '\\') { /* as the lexer would, but most tokens are such */
            if (!tg_is_space(byte))
                list_add(list, scope, pos, 1);
            pos++;
            continue;
        }
        TgLexer lexer = { text, len, pos };
        const TgLexeme lexeme = tg_lexer_next(&lexer);
        if (lexeme.kind != TG_LEX_SPACE)
            list_add(list, scope, pos, lexeme.len);
        pos = lexer.pos;
    }
    return list;
}

/* ---- Tokens between separators: words between white space, and variants that metrics want ---- */

typedef void AddWord(TgTokens *list, const TgTokenScope *scope, gsize start, gsize len);

/* Call @add for every run of characters between white space. */
static TgTokens *split_words(const TgTokenScope *scope, const char *text, gsize len, AddWord *add)
{
    TgTokens *list = list_new(scope, text, len);
    gsize start = 0;
    guint length;

    for (gsize pos = 0; pos < len; pos += length) {
        gunichar code;

        length = tg_utf8_decode(text + pos, len - pos, &code);
        if (!tg_is_space(code))
            continue;
        if (pos > start)
            add(list, scope, start, pos - start);
        start = pos + length;
    }
    if (len > start)
        add(list, scope, start, len - start);
    return list;
}

static TgTokens *rule_words(const TgTokenScope *scope, const char *text, gsize len)
{
    return split_words(scope, text, len, list_add);
}

/* sacrebleu's chrF++ splits one ASCII punctuation mark off a word: the last, else the first. */
static void add_chrf_word(TgTokens *list, const TgTokenScope *scope, gsize start, gsize len)
{
    const char *word = list->text + start;
    gunichar first;
    const guint first_len = tg_utf8_decode(word, len, &first);

    if (len > first_len && g_ascii_ispunct(word[len - 1])) {
        list_add(list, scope, start, len - 1);
        list_add(list, scope, start + len - 1, 1);
    } else if (len > first_len && g_ascii_ispunct(word[0])) {
        list_add(list, scope, start, 1);
        list_add(list, scope, start + 1, len - 1);
    } else {
        list_add(list, scope, start, len);
    }
}

static TgTokens *rule_chrf_words(const TgTokenScope *scope, const char *text, gsize len)
{
    return split_words(scope, text, len, add_chrf_word);
}

static TgTokens *rule_alnum(const TgTokenScope *scope, const char *text, gsize len)
{
    TgTokens *list = list_new(scope, text, len);

    for (gsize pos = 0; pos < len;) {
        gsize end = pos;

        while (end < len && (g_ascii_islower(text[end]) || g_ascii_isdigit(text[end])))
            end++;
        if (end > pos)
            list_add(list, scope, pos, end - pos);
        pos = end + 1;
    }
    return list;
}

/* ---- Tokens of one code point each, with or without white space ------------------------------ */

/*
 * Most formulas are ASCII, and their bytes are the ids: strides that compilers make vectors of.
 * Returns whether this is such a text.
 */
static gboolean copy_ascii(const char *restrict text, gsize len, guint32 *restrict ids)
{
    enum { STRIDE = 16 };
    guint64 seen = 0, word[2];
    gsize i = 0;

    for (; i + STRIDE <= len; i += STRIDE) {
        memcpy(word, text + i, STRIDE);
        seen |= word[0] | word[1];
        for (gsize k = i; k < i + STRIDE; k++)
            ids[k] = (guchar) text[k];
    }
    for (; i < len; i++) {
        seen |= (guchar) text[i];
        ids[i] = (guchar) text[i];
    }
    return (seen & G_GUINT64_CONSTANT(0x8080808080808080)) == 0;
}

static void add_characters(TgTokens *list, const TgTokenScope *scope, gsize len,
                           gboolean keep_space)
{
    guint length;

    for (gsize pos = 0; pos < len; pos += length) {
        gunichar code;

        length = tg_utf8_decode(list->text + pos, len - pos, &code);
        if (keep_space || !tg_is_space(code))
            list_add(list, scope, pos, length);
    }
}

static TgTokens *rule_codepoint(const TgTokenScope *scope, const char *text, gsize len)
{
    TgTokens *bytes = list_of_bytes(scope, text, len);

    if (copy_ascii(text, len, bytes->ids))
        return bytes;

    TgTokens *list = list_new(scope, text, len);
    add_characters(list, scope, len, TRUE);
    return list;
}

static TgTokens *rule_char(const TgTokenScope *scope, const char *text, gsize len)
{
    TgTokens *list = list_new(scope, text, len);

    add_characters(list, scope, len, FALSE);
    return list;
}

/* ---- 13a, as sacrebleu has it ---------------------------------------------------------------- */

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

static void buffer_put_parted(Buffer *buffer, char byte)
{
    buffer_put(buffer, ' ');
    buffer_put(buffer, byte);
    buffer_put(buffer, ' ');
}

/* A sign that spaces are put around where it stands beside a digit, or beside anything else. */
typedef struct {
    const char *signs;
    gboolean sign_first, digit;
} Parting;

static void part_sign(Buffer in, Buffer *out, Parting parting)
{
    for (gsize i = 0; i < in.len; i++) {
        const char c = in.bytes[i], next = i + 1 < in.len ? in.bytes[i + 1] : '\0';
        const char sign = parting.sign_first ? c : next, other = parting.sign_first ? next : c;

        if (i + 1 == in.len || sign == '\0' || strchr(parting.signs, sign) == NULL ||
            (g_ascii_isdigit(other) != 0) != parting.digit) {
            buffer_put(out, c);
            continue;
        }
        if (!parting.sign_first)
            buffer_put(out, other);
        buffer_put_parted(out, sign);
        if (parting.sign_first)
            buffer_put(out, other);
        i++;
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

static TgTokens *rule_13a(const TgTokenScope *scope, const char *text, gsize len)
{
    static const char *const replacements[][2] = {
        { "<skipped>", "" }, { "-\n", "" },   { "\n", " " },   { "&quot;", "\"" },
        { "&amp;", "&" },    { "&lt;", "<" }, { "&gt;", ">" },
    };
    /* ([^0-9])([.,]) -> "\1 \2 ", ([.,])([^0-9]) -> " \1 \2", ([0-9])(-) -> "\1 \2 " */
    static const Parting partings[] = { { ".,", FALSE, FALSE },
                                        { ".,", TRUE, FALSE },
                                        { "-", FALSE, TRUE } };
    Buffer buffer = { tg_arena_alloc(scope->arena, len + 2), 0 };

    buffer_put(&buffer, ' ');
    memcpy(buffer.bytes + 1, text, len);
    buffer.len += stripped_length(text, len);
    for (guint i = 0; i < G_N_ELEMENTS(replacements); i++)
        buffer_replace(&buffer, replacements[i][0], replacements[i][1]);
    buffer_put(&buffer, ' ');

    Buffer parted = { tg_arena_alloc(scope->arena, 3 * buffer.len), 0 };
    /* [{-~[-` -&(-+:-@/]: ASCII punctuation but for apostrophe, comma, hyphen and full stop */
    for (gsize i = 0; i < buffer.len; i++) {
        const char c = buffer.bytes[i];

        if (c == ' ' || (g_ascii_ispunct(c) && strchr("',-.", c) == NULL))
            buffer_put_parted(&parted, c);
        else
            buffer_put(&parted, c);
    }
    for (guint i = 0; i < G_N_ELEMENTS(partings); i++) {
        buffer = parted;
        parted = (Buffer){ tg_arena_alloc(scope->arena, 2 * buffer.len), 0 };
        part_sign(buffer, &parted, partings[i]);
    }
    return rule_words(scope, parted.bytes, parted.len);
}

/* ---- Tokens of a byte-pair tokenizer file ---------------------------------------------------- */

static gpointer make_encoder(gpointer bpe)
{
    return tg_bpe_encoder_new(bpe);
}

static TgTokens *rule_bpe(TgBpe *bpe, const TgTokenScope *scope, const char *text, gsize len)
{
    TgBpeEncoder *encoder =
        tg_locals_get(scope->locals, bpe, make_encoder, (GDestroyNotify) tg_bpe_encoder_free);
    guint n = 0;
    /* Texts to score are far shorter than what an encoder refuses. */
    const TgSubword *subwords = tg_bpe_encode(encoder, text, len, &n, NULL);
    TgTokens *list = list_new(scope, text, n);
    guint32 *ids = tg_arena_alloc(scope->arena, n * sizeof *ids);

    /* Tokens compare by id: the unknown token is one token, whatever its text. */
    for (guint i = 0; i < n; i++) {
        ids[i] = subwords[i].id;
        list->spans[i] = (TgSpan){ subwords[i].start, subwords[i].end - subwords[i].start };
        list->ids[i] = token_id(scope, (const char *) &ids[i], sizeof ids[i]);
    }
    list->n = n;
    return list;
}

/* ---- Tokenizers by name ---------------------------------------------------------------------- */

/* Splits @len bytes of @text into tokens; the bytes need not be UTF-8. */
typedef TgTokens *Tokenize(const TgTokenScope *scope, const char *text, gsize len);

typedef struct {
    const char *name;
    Tokenize *tokenize;
    gboolean lowers;    /* wants lower-case text */
    gboolean at_spaces; /* white space separates its tokens */
} Rule;

static const Rule rules[] = {
    { "latex", rule_latex, FALSE, FALSE },         { "char", rule_char, FALSE, FALSE },
    { "codepoint", rule_codepoint, FALSE, FALSE }, { "words", rule_words, FALSE, TRUE },
    { "none", rule_words, FALSE, TRUE },           { "13a", rule_13a, FALSE, TRUE },
    { "alnum", rule_alnum, TRUE, TRUE },           { "chrf-words", rule_chrf_words, FALSE, TRUE },
};

#define BPE_PREFIX "bpe:"

struct TgTokenizer {
    const Rule *rule; /* NULL: bpe */
    TgBpe *bpe;
    char *name;
    gboolean lowers;
};

const char *const *tg_tokenizer_list(void)
{
    static const char *names[G_N_ELEMENTS(rules) + 1];
    static gsize made;

    if (g_once_init_enter(&made)) {
        for (guint i = 0; i < G_N_ELEMENTS(rules); i++)
            names[i] = rules[i].name;
        g_once_init_leave(&made, 1);
    }
    return names;
}

TgTokenizer *tg_tokenizer_new(const char *spec, TgTokenizerFlags flags, GError **error)
{
    const Rule *rule = NULL;
    TgBpe *bpe = NULL;

    g_return_val_if_fail(spec != NULL, NULL);
    if (g_str_has_prefix(spec, BPE_PREFIX)) {
        bpe = tg_bpe_load(spec + strlen(BPE_PREFIX), error);
        if (bpe == NULL)
            return NULL;
    }
    for (guint i = 0; i < G_N_ELEMENTS(rules); i++)
        if (strcmp(rules[i].name, spec) == 0)
            rule = &rules[i];
    if (bpe == NULL && rule == NULL) {
        g_autofree char *names = g_strjoinv(", ", (char **) tg_tokenizer_list());
        return tg_null_usage(error, "unknown tokenizer '%s'; the tokenizers are %s, bpe:FILE", spec,
                             names);
    }
    TgTokenizer *tokenizer = g_new0(TgTokenizer, 1);
    tokenizer->rule = rule;
    tokenizer->bpe = bpe;
    tokenizer->lowers = (rule != NULL && rule->lowers) || (flags & TG_TOKENIZER_LOWERCASE) != 0;
    tokenizer->name = g_strdup(spec);
    return tokenizer;
}

void tg_tokenizer_free(TgTokenizer *tokenizer)
{
    if (tokenizer == NULL)
        return;
    tg_bpe_unref(tokenizer->bpe);
    g_free(tokenizer->name);
    g_free(tokenizer);
}

const char *tg_tokenizer_name(const TgTokenizer *tokenizer)
{
    return tokenizer->name;
}

gboolean tg_tokenizer_equal(const TgTokenizer *a, const TgTokenizer *b)
{
    if (a->lowers != b->lowers)
        return FALSE;
    if (a->rule == NULL || b->rule == NULL)
        return a->rule == b->rule && strcmp(a->name, b->name) == 0;
    return a->rule->tokenize == b->rule->tokenize;
}

gboolean tg_tokenizer_splits_at_spaces(const TgTokenizer *tokenizer)
{
    return tokenizer->rule != NULL && tokenizer->rule->at_spaces;
}

TgTokens *tg_tokenizer_tokenize(const TgTokenizer *tokenizer, const TgTokenScope *scope,
                                const char *text, gsize len)
{
    if (tokenizer->lowers) {
        char *lower = tg_arena_alloc(scope->arena, 2 * len);

        len = tg_utf8_lower(text, len, lower);
        text = lower;
    }

    TgTokens *tokens = tokenizer->bpe != NULL ? rule_bpe(tokenizer->bpe, scope, text, len)
                                              : tokenizer->rule->tokenize(scope, text, len);
    tokens->id_bound = TG_FIRST_INTERNED + scope->strings->size;
    return tokens;
}
