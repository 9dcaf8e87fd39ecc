/* Tokens of one code point each, with or without white space. */
#include "tokenizer/rules.h"
#include "tokenizer/utf8.h"

/* Most formulas are ASCII: their bytes are the ids, in a loop that compilers vectorise. */
static gboolean copy_ascii(const char *text, gsize len, guint32 *ids)
{
    guchar seen = 0;

    for (gsize i = 0; i < len; i++) {
        ids[i] = (guchar) text[i];
        seen |= (guchar) text[i];
    }
    return seen < 0x80;
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
    TgTokens *list = tg_token_list_new(scope, text, len);

    if (copy_ascii(text, len, list->ids)) {
        list->spans = NULL;
        list->n = (guint32) len;
    } else {
        add_characters(list, scope, len, TRUE);
    }
    return list;
}

TgTokens *tg_rule_char(const TgTokenScope *scope, const char *text, gsize len)
{
    TgTokens *list = tg_token_list_new(scope, text, len);

    add_characters(list, scope, len, FALSE);
    return list;
}
