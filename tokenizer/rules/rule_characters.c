/* Tokens of one code point each, with or without white space. */
#include <string.h>

#include "core/utf8.h"
#include "tokenizer/rules/rules.h"

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
            tg_token_list_add(list, scope, pos, length);
    }
}

TgTokens *tg_rule_codepoint(const TgTokenScope *scope, const char *text, gsize len)
{
    TgTokens *bytes = tg_token_list_new_bytes(scope, text, len);

    if (copy_ascii(text, len, bytes->ids))
        return bytes;

    TgTokens *list = tg_token_list_new(scope, text, len);
    add_characters(list, scope, len, TRUE);
    return list;
}

TgTokens *tg_rule_char(const TgTokenScope *scope, const char *text, gsize len)
{
    TgTokens *list = tg_token_list_new(scope, text, len);

    add_characters(list, scope, len, FALSE);
    return list;
}
