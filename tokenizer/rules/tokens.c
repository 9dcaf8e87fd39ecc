/* Tokenizers by name. */
#include <texgauge/tokens.h>

#include <string.h>

#include "core/utf8.h"
#include "tokenizer/rules/rules.h"
#include "tokenizer/rules/tokenizer.h"

/* Name, rule, whether it wants lower-case text, whether white space separates its tokens. */
#define RULES(X)                                                                                   \
    X("latex", tg_rule_latex, FALSE, FALSE)                                                        \
    X("char", tg_rule_char, FALSE, FALSE)                                                          \
    X("codepoint", tg_rule_codepoint, FALSE, FALSE)                                                \
    X("words", tg_rule_words, FALSE, TRUE)                                                         \
    X("none", tg_rule_words, FALSE, TRUE)                                                          \
    X("13a", tg_rule_13a, FALSE, TRUE)                                                             \
    X("alnum", tg_rule_alnum, TRUE, TRUE)                                                          \
    X("chrf-words", tg_rule_chrf_words, FALSE, TRUE)

typedef struct {
    const char *name;
    TgTokenRule *tokenize;
    gboolean lowers;
    gboolean at_spaces;
} Rule;

static const Rule rules[] = {
#define X(name, tokenize, lowers, at_spaces) { name, tokenize, lowers, at_spaces },
    RULES(X)
#undef X
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
    static const char *const names[] = {
#define X(name, tokenize, lowers, at_spaces) name,
        RULES(X)
#undef X
            NULL,
    };

    return names;
}

static TgTokenizer *new_bpe(const char *spec, gboolean lowers, GError **error)
{
    TgBpe *bpe = tg_bpe_load(spec + strlen(BPE_PREFIX), error);

    if (bpe == NULL)
        return NULL;
    TgTokenizer *tokenizer = g_new0(TgTokenizer, 1);
    tokenizer->bpe = bpe;
    tokenizer->lowers = lowers;
    tokenizer->name = g_strdup(spec);
    return tokenizer;
}

TgTokenizer *tg_tokenizer_new(const char *spec, TgTokenizerFlags flags, GError **error)
{
    g_return_val_if_fail(spec != NULL, NULL);

    const gboolean lowers = (flags & TG_TOKENIZER_LOWERCASE) != 0;
    if (g_str_has_prefix(spec, BPE_PREFIX))
        return new_bpe(spec, lowers, error);
    for (guint i = 0; i < G_N_ELEMENTS(rules); i++)
        if (strcmp(rules[i].name, spec) == 0) {
            TgTokenizer *tokenizer = g_new0(TgTokenizer, 1);
            tokenizer->rule = &rules[i];
            tokenizer->lowers = rules[i].lowers || lowers;
            tokenizer->name = g_strdup(spec);
            return tokenizer;
        }

    g_autofree char *names = g_strjoinv(", ", (char **) tg_tokenizer_list());
    g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                "unknown tokenizer '%s'; the tokenizers are %s, bpe:FILE", spec, names);
    return NULL;
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

    TgTokens *tokens = tokenizer->bpe != NULL ? tg_rule_bpe(tokenizer->bpe, scope, text, len)
                                              : tokenizer->rule->tokenize(scope, text, len);
    tokens->id_bound = TG_FIRST_INTERNED + scope->interner->n;
    return tokens;
}
