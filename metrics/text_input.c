/* What the text metrics have in common: two options, and a pair's texts as token sequences. */
#include "metrics/text_input.h"

gboolean tg_text_input_init(TgTextInput *input, GError **error)
{
    input->tokenizer = tg_tokenizer_new(
        input->tokenize, input->lowercase ? TG_TOKENIZER_LOWERCASE : TG_TOKENIZER_DEFAULT, error);
    return input->tokenizer != NULL;
}

void tg_text_input_clear(TgTextInput *input)
{
    g_clear_pointer(&input->tokenizer, tg_tokenizer_free);
}

gboolean tg_pair_tokenize(TgEnv *env, const TgTokenizer *tokenizer, const TgPair *pair,
                          TgPairTokens *out, GError **error)
{
    TgSequence *texts = tg_env_scratch(env, (pair->n_refs + 1) * sizeof *texts);

    for (guint i = 0; i <= pair->n_refs; i++) {
        const char *text = i < pair->n_refs ? pair->refs[i] : pair->hyp;
        const TgTokens *tokens = tg_env_tokenize(env, tokenizer, text, error);
        if (tokens == NULL)
            return FALSE;
        texts[i] = tg_sequence(tokens);
    }
    *out = (TgPairTokens){ texts, pair->n_refs, texts[pair->n_refs] };
    return TRUE;
}
