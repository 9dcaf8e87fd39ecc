/* Inside of a token sequence, and how a rule writes one. */
#include "tokenizer/rules/token_list.h"

TgTokens *tg_token_list_new_bytes(const TgTokenScope *scope, const char *text, gsize n)
{
    TgTokens *list = tg_arena_alloc(scope->arena, sizeof *list + n * sizeof *list->ids);

    *list = (TgTokens){ .text = text, .ids = (guint32 *) (list + 1), .n = (guint32) n };
    return list;
}

TgTokens *tg_token_list_new(const TgTokenScope *scope, const char *text, gsize capacity)
{
    TgTokens *list = tg_token_list_new_bytes(scope, text, capacity);

    list->n = 0;
    list->spans = tg_arena_alloc(scope->arena, capacity * sizeof *list->spans);
    return list;
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
