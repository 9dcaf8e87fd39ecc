/* Tokens of a byte-pair tokenizer file. */
#include "tokenizer/rules/rules.h"
#include "tokenizer/subword/bpe.h"

static gpointer make_encoder(gpointer bpe)
{
    return tg_bpe_encoder_new(bpe);
}

static void free_encoder(gpointer encoder)
{
    tg_bpe_encoder_free(encoder);
}

TgTokens *tg_rule_bpe(TgBpe *bpe, const TgTokenScope *scope, const char *text, gsize len)
{
    TgBpeEncoder *encoder = tg_locals_get(scope->locals, bpe, make_encoder, free_encoder);
    guint n = 0;
    /* Texts to score are far shorter than what an encoder refuses. */
    const TgSubword *subwords = tg_bpe_encode(encoder, text, len, &n, NULL);
    TgTokens *list = tg_token_list_new(scope, text, n);
    guint32 *ids = tg_arena_alloc(scope->arena, n * sizeof *ids);

    /* Tokens compare by id: the unknown token is one token, whatever its text. */
    for (guint i = 0; i < n; i++) {
        ids[i] = subwords[i].id;
        list->spans[i] = (TgSpan){ subwords[i].start, subwords[i].end - subwords[i].start };
        list->ids[i] = tg_token_id(scope, (const char *) &ids[i], sizeof ids[i]);
    }
    list->n = n;
    return list;
}
