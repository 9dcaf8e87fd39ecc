/* Tokens between separators: words between white space, and the variants that metrics want. */
#include "core/utf8.h"
#include "tokenizer/rules/rules.h"

typedef void AddWord(TgTokens *list, const TgTokenScope *scope, gsize start, gsize len);

/* Call @add for every run of characters between white space. */
static TgTokens *split_words(const TgTokenScope *scope, const char *text, gsize len, AddWord *add)
{
    TgTokens *list = tg_token_list_new(scope, text, len);
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

TgTokens *tg_rule_words(const TgTokenScope *scope, const char *text, gsize len)
{
    return split_words(scope, text, len, tg_token_list_add);
}

/* sacrebleu's chrF++ splits one ASCII punctuation mark off a word: the last, else the first. */
static void add_chrf_word(TgTokens *list, const TgTokenScope *scope, gsize start, gsize len)
{
    const char *word = list->text + start;
    gunichar first;
    const guint first_len = tg_utf8_decode(word, len, &first);

    if (len > first_len && g_ascii_ispunct(word[len - 1])) {
        tg_token_list_add(list, scope, start, len - 1);
        tg_token_list_add(list, scope, start + len - 1, 1);
    } else if (len > first_len && g_ascii_ispunct(word[0])) {
        tg_token_list_add(list, scope, start, 1);
        tg_token_list_add(list, scope, start + 1, len - 1);
    } else {
        tg_token_list_add(list, scope, start, len);
    }
}

TgTokens *tg_rule_chrf_words(const TgTokenScope *scope, const char *text, gsize len)
{
    return split_words(scope, text, len, add_chrf_word);
}

TgTokens *tg_rule_alnum(const TgTokenScope *scope, const char *text, gsize len)
{
    TgTokens *list = tg_token_list_new(scope, text, len);

    for (gsize pos = 0; pos < len;) {
        gsize end = pos;

        while (end < len && (g_ascii_islower(text[end]) || g_ascii_isdigit(text[end])))
            end++;
        if (end > pos)
            tg_token_list_add(list, scope, pos, end - pos);
        pos = end + 1;
    }
    return list;
}
