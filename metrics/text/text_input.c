/* The options tokenize, lowercase and normalize, and a pair's texts as token sequences. */
#include "metrics/text/text.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "tokenizer/rules/tokenizer.h"

gboolean tg_text_form_init(TgTextForm *form, GError **error)
{
    const char *rest = form->normalize;

    form->canonical = g_str_has_prefix(rest, "canonical");
    if (!form->canonical && strcmp(rest, "none") == 0)
        return TRUE;
    rest += strlen("canonical");
    if (!form->canonical || (*rest != '\0' && *rest != '+' && *rest != '-'))
        return tg_fail_usage(
            error,
            "normalize is none, canonical, or canonical with rules as +spaces-groups, "
            "not '%s'",
            form->normalize);
    return tg_canonical_parse_rules(rest, &form->rules, error);
}

const char *tg_text_form_apply(const TgTextForm *form, TgEnv *env, const char *text,
                               TgCanonicalSpacing spacing)
{
    return form->canonical ? tg_env_canonical(env, text, form->rules, spacing) : text;
}

gboolean tg_text_input_init(gpointer instance, GError **error)
{
    TgTextInput *input = instance;

    input->tokenizer = tg_tokenizer_new(
        input->tokenize, input->lowercase ? TG_TOKENIZER_LOWERCASE : TG_TOKENIZER_DEFAULT, error);
    return input->tokenizer != NULL && tg_text_form_init(&input->form, error);
}

void tg_text_input_clear(gpointer instance)
{
    TgTextInput *input = instance;

    g_clear_pointer(&input->tokenizer, tg_tokenizer_free);
}

const char *tg_text_input_form(const TgTextInput *input, TgEnv *env, const char *text)
{
    const gboolean spaced = tg_tokenizer_splits_at_spaces(input->tokenizer);

    return tg_text_form_apply(&input->form, env, text,
                              spaced ? TG_CANONICAL_SPACED : TG_CANONICAL_COMPACT);
}

gboolean tg_pair_tokenize(TgEnv *env, const TgTextInput *input, const TgPair *pair,
                          TgPairTokens *out, GError **error)
{
    TgSequence *texts = tg_env_scratch(env, (pair->n_refs + 1) * sizeof *texts);

    for (guint i = 0; i <= pair->n_refs; i++) {
        const char *text = i < pair->n_refs ? pair->refs[i] : pair->hyp;
        const TgTokens *tokens =
            tg_env_tokenize(env, input->tokenizer, tg_text_input_form(input, env, text), error);
        if (tokens == NULL)
            return FALSE;
        texts[i] = tg_sequence(tokens);
    }
    *out = (TgPairTokens){ texts, pair->n_refs, texts[pair->n_refs] };
    return TRUE;
}

guint32 tg_closest_length(const TgSequence *refs, guint n_refs, guint32 n_hyp, gboolean first_wins)
{
    guint32 closest = refs[0].n;

    for (guint r = 1; r < n_refs; r++) {
        const gint64 n = refs[r].n, gap = ABS(n - n_hyp), least = ABS((gint64) closest - n_hyp);

        if (gap < least || (gap == least && n < closest && !first_wins))
            closest = refs[r].n;
    }
    return closest;
}

double tg_brevity_penalty(double n_hyp, double n_ref)
{
    if (n_hyp >= n_ref)
        return 1;
    return n_hyp > 0 ? exp(1 - n_ref / n_hyp) : 0;
}
