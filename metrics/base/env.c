/* Services that the run offers a metric while it scores a pair. */
#include "metrics/base/base.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "core/cache.h"
#include "core/deadline.h"
#include "core/fail.h"
#include "tokenizer/canonical/canonical.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/rules/tokenizer.h"

/* Drawings of some 10,000 formulas as CDM keeps them, or some 400 pictures in pixels. */
#define MAX_SHARED_BYTES ((gsize) 64 << 20)

/* A text that was tokenized for this pair. */
typedef struct {
    const TgTokenizer *tokenizer;
    const char *text; /* a copy */
    const TgTokens *tokens;
} Tokenized;

/* A text that was rewritten for this pair. */
typedef struct {
    const char *text; /* a copy */
    TgCanonicalRules rules;
    TgCanonicalSpacing spacing;
    const char *canonical;
} Rewriting;

struct TgEnv {
    TgArena arena;
    TgVocab *strings;
    TgLocals locals;
    TgCache *shared;
    GArray *tokenized;  /* of Tokenized; a handful: searched one by one */
    GArray *rewritings; /* of Rewriting; likewise */
    guint reference;    /* see tg_env_reference() */
};

/* @shared is taken over. */
static TgEnv *new_env(TgCache *shared)
{
    TgEnv *env = g_new0(TgEnv, 1);

    env->strings = tg_vocab_new();
    env->shared = shared;
    env->tokenized = g_array_new(FALSE, FALSE, sizeof(Tokenized));
    env->rewritings = g_array_new(FALSE, FALSE, sizeof(Rewriting));
    return env;
}

TgEnv *tg_env_new(void)
{
    return new_env(tg_cache_new(MAX_SHARED_BYTES));
}

TgEnv *tg_env_new_beside(const TgEnv *other)
{
    return new_env(tg_cache_ref(other->shared));
}

void tg_env_free(TgEnv *env)
{
    if (env == NULL)
        return;
    tg_arena_clear(&env->arena);
    tg_vocab_free(env->strings);
    tg_locals_clear(&env->locals);
    tg_cache_unref(env->shared);
    g_array_unref(env->tokenized);
    g_array_unref(env->rewritings);
    g_free(env);
}

void tg_env_forget_texts(TgEnv *env)
{
    g_array_set_size(env->tokenized, 0);
    g_array_set_size(env->rewritings, 0);
}

void tg_env_next_pair(TgEnv *env)
{
    tg_arena_reset(&env->arena);
    tg_vocab_reset(env->strings);
    tg_env_forget_texts(env);
}

guint tg_env_reference(const TgEnv *env)
{
    return env->reference;
}

void tg_env_set_reference(TgEnv *env, guint reference)
{
    env->reference = reference;
}

TgArena *tg_env_arena(TgEnv *env)
{
    return &env->arena;
}

gpointer tg_env_scratch(TgEnv *env, gsize size)
{
    return tg_arena_alloc(&env->arena, size);
}

gpointer tg_env_local(TgEnv *env, gpointer key, TgLocalMake make, GDestroyNotify destroy)
{
    return tg_locals_get(&env->locals, key, make, destroy);
}

gpointer tg_env_find_shared(TgEnv *env, const TgSharedKind *kind, const char *settings,
                            const char *text)
{
    return tg_cache_find(env->shared, kind, settings, text);
}

void tg_env_share(TgEnv *env, const TgSharedKind *kind, const char *settings, const char *text,
                  gpointer object)
{
    if (!tg_deadline_passed()) /* else it may be cut short */
        tg_cache_keep(env->shared, kind, settings, text, object);
}

/* Texts are compared by content because a caller may use a buffer again. */
const TgTokens *tg_env_tokenize(TgEnv *env, const TgTokenizer *tokenizer, const char *text,
                                GError **error)
{
    for (guint i = 0; i < env->tokenized->len; i++) {
        const Tokenized *known = &g_array_index(env->tokenized, Tokenized, i);
        if (strcmp(known->text, text) == 0 && tg_tokenizer_equal(known->tokenizer, tokenizer))
            return known->tokens;
    }

    const gsize len = strlen(text);
    if (len > TG_TEXT_MAX)
        return tg_null(error, TG_ERROR_DATA,
                       "a text of %" G_GSIZE_FORMAT " bytes is too long to score (limit %u)", len,
                       TG_TEXT_MAX);

    const TgTokenScope scope = { &env->arena, env->strings, &env->locals };
    const char *kept = tg_arena_text(&env->arena, text, len);
    const Tokenized fresh = { tokenizer, kept,
                              tg_tokenizer_tokenize(tokenizer, &scope, kept, len) };
    g_array_append_val(env->tokenized, fresh);
    return fresh.tokens;
}

/* The canonical form, or @text where there is none: LaTeX refuses it, whatever packages it has. */
static const char *rewrite_text(TgEnv *env, const char *text, TgCanonicalRules rules,
                                TgCanonicalSpacing spacing)
{
    static const TgPackages of_latex =
        ~(1u << TG_PACKAGE_NONE | 1u << TG_PACKAGE_PLAIN | 1u << TG_PACKAGE_KATEX);
    g_autoptr(TgTree) tree = tg_tree_parse(text, strlen(text), NULL, NULL);
    g_autofree char *canonical = NULL;

    if (tree != NULL && tg_tree_refusal(tree, of_latex) == NULL) {
        tg_tree_make_canonical(tree, rules);
        canonical = tg_tree_to_latex(tree);
        tg_latex_tie_blanks(canonical);
    }
    const char *form = canonical != NULL && strlen(canonical) <= TG_TEXT_MAX ? canonical : text;

    if (spacing == TG_CANONICAL_COMPACT)
        return form == text ? text : strcpy(tg_env_scratch(env, strlen(form) + 1), form);
    char *spaced = tg_env_scratch(env, 2 * strlen(form) + 1);
    tg_latex_space_out(form, spaced);
    return spaced;
}

const char *tg_env_canonical(TgEnv *env, const char *text, TgCanonicalRules rules,
                             TgCanonicalSpacing spacing)
{
    for (guint i = 0; i < env->rewritings->len; i++) {
        const Rewriting *known = &g_array_index(env->rewritings, Rewriting, i);
        if (strcmp(known->text, text) == 0 && known->rules == rules && known->spacing == spacing)
            return known->canonical;
    }

    const gsize len = strlen(text);
    if (len > TG_TEXT_MAX)
        return text;
    const char *kept = tg_arena_text(&env->arena, text, len);
    const Rewriting fresh = { kept, rules, spacing, rewrite_text(env, kept, rules, spacing) };
    g_array_append_val(env->rewritings, fresh);
    return fresh.canonical;
}

double tg_pair_number(const TgPair *pair, const char *name)
{
    const json_t *value = json_object_get(pair->fields, name);

    return json_is_number(value) ? json_number_value(value) : NAN;
}
