/* Added tokens: a table searched at every place of a text where one may start. */
#include "tokenizer/subword/added_tokens.h"

#include "core/utf8.h"
#include "tokenizer/subword/char_class.h"
#include "tokenizer/subword/vocab.h"

struct TgAddedTokens {
    TgVocab *texts; /* numbered by index into tokens */
    GArray *tokens; /* TgAddedToken */
    gboolean starts[256];
    gboolean has_length[TG_ADDED_TOKEN_MAX + 1];
    guint max_length;
};

TgAddedTokens *tg_added_tokens_new(void)
{
    TgAddedTokens *set = g_new0(TgAddedTokens, 1);

    set->texts = tg_vocab_new();
    set->tokens = g_array_new(FALSE, FALSE, sizeof(TgAddedToken));
    return set;
}

void tg_added_tokens_free(TgAddedTokens *set)
{
    if (set == NULL)
        return;
    tg_vocab_free(set->texts);
    g_array_unref(set->tokens);
    g_free(set);
}

gboolean tg_added_tokens_add(TgAddedTokens *set, const char *text, gsize len, TgAddedToken token)
{
    if (len == 0 || len > TG_ADDED_TOKEN_MAX ||
        !tg_vocab_add(set->texts, text, len, set->tokens->len))
        return FALSE;
    g_array_append_val(set->tokens, token);
    set->starts[(guchar) text[0]] = TRUE;
    set->has_length[len] = TRUE;
    set->max_length = MAX(set->max_length, (guint) len);
    return TRUE;
}

gboolean tg_added_tokens_is_empty(const TgAddedTokens *set)
{
    return set->tokens->len == 0;
}

/* The longest token that starts exactly at @text. */
static const TgAddedToken *match_at(const TgAddedTokens *set, const char *text, gsize len,
                                    gsize *size)
{
    for (guint n = (guint) MIN(len, set->max_length); n > 0; n--) {
        guint32 index;
        if (set->has_length[n] && tg_vocab_find(set->texts, text, n, &index)) {
            *size = n;
            return &g_array_index(set->tokens, TgAddedToken, index);
        }
    }
    return NULL;
}

/* The start of the character before @at. */
static gsize previous_char(const char *text, gsize at, gunichar *c)
{
    gsize start = at - 1;

    while (start > 0 && at - start < 4 && ((guchar) text[start] & 0xC0) == 0x80)
        start--;
    tg_utf8_decode(text + start, at - start, c);
    return start;
}

static gboolean is_inside_word(const char *text, gsize len, gsize start, gsize end)
{
    gunichar before = ' ', after = ' ';

    if (start > 0)
        previous_char(text, start, &before);
    if (end < len)
        tg_utf8_decode(text + end, len - end, &after);
    return tg_char_is_word(before) || tg_char_is_word(after);
}

const TgAddedToken *tg_added_tokens_find(const TgAddedTokens *set, const char *text, gsize len,
                                         gsize from, gsize *start, gsize *end)
{
    for (gsize i = from; i < len; i++) {
        gsize size = 0;
        gunichar c;
        const TgAddedToken *token =
            set->starts[(guchar) text[i]] ? match_at(set, text + i, len - i, &size) : NULL;
        if (token == NULL)
            continue;
        if (token->single_word && is_inside_word(text, len, i, i + size)) {
            i += size - 1;
            continue;
        }
        *start = i;
        *end = i + size;
        while (token->lstrip && *start > from) {
            const gsize previous = previous_char(text, *start, &c);
            if (previous < from || !tg_char_is_white(c))
                break;
            *start = previous;
        }
        while (token->rstrip && *end < len) {
            const guint n = tg_utf8_decode(text + *end, len - *end, &c);
            if (!tg_char_is_white(c))
                break;
            *end += n;
        }
        return token;
    }
    return NULL;
}
