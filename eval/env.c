/* What a metric may ask of the run while it scores a pair. */
#include <texgauge/env.h>

#include <string.h>

#include "core/arena.h"
#include "core/cache.h"
#include "core/locals.h"
#include "tokenizer/interner.h"
#include "tokenizer/tokenizer.h"

/* Drawings of some 10,000 formulas as CDM keeps them, or some 400 pictures in pixels. */
#define MAX_SHARED_BYTES ((gsize) 64 << 20)

/* A text that was tokenised for this pair. */
typedef struct {
    const TgTokenizer *tokenizer;
    const char *text;
    const TgTokens *tokens;
} Cut;

struct TgEnv {
    TgArena arena;
    TgInterner interner;
    TgLocals locals;
    TgCache *shared;
    Cut *cuts; /* a handful: searched one by one */
    guint n_cuts;
    guint max_cuts;
};

TgEnv *tg_env_new(void)
{
    TgEnv *env = g_new0(TgEnv, 1);

    env->shared = tg_cache_new(MAX_SHARED_BYTES);
    return env;
}

TgEnv *tg_env_new_beside(const TgEnv *other)
{
    TgEnv *env = g_new0(TgEnv, 1);

    env->shared = tg_cache_ref(other->shared);
    return env;
}

void tg_env_free(TgEnv *env)
{
    if (env == NULL)
        return;
    tg_arena_clear(&env->arena);
    tg_interner_clear(&env->interner);
    tg_locals_clear(&env->locals);
    tg_cache_unref(env->shared);
    g_free(env->cuts);
    g_free(env);
}

void tg_env_next_pair(TgEnv *env)
{
    tg_arena_reset(&env->arena);
    tg_interner_reset(&env->interner);
    env->n_cuts = 0;
}

gpointer tg_env_scratch(TgEnv *env, gsize size)
{
    return tg_arena_alloc(&env->arena, size);
}

gpointer tg_env_local(TgEnv *env, gpointer key, gpointer (*make)(gpointer key),
                      GDestroyNotify destroy)
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
    tg_cache_keep(env->shared, kind, settings, text, object);
}

static const TgTokens *find_cut(const TgEnv *env, const TgTokenizer *tokenizer, const char *text)
{
    for (guint i = 0; i < env->n_cuts; i++) {
        const Cut *cut = &env->cuts[i];
        if (cut->text == text && tg_tokenizer_equal(cut->tokenizer, tokenizer))
            return cut->tokens;
    }
    return NULL;
}

const TgTokens *tg_env_tokenize(TgEnv *env, const TgTokenizer *tokenizer, const char *text,
                                GError **error)
{
    const TgTokens *known = find_cut(env, tokenizer, text);

    if (known != NULL)
        return known;

    const gsize len = strlen(text);
    if (len > TG_TEXT_MAX) {
        g_set_error(error, TG_ERROR, TG_ERROR_DATA,
                    "a text of %" G_GSIZE_FORMAT " bytes is too long to score (limit %u)", len,
                    TG_TEXT_MAX);
        return NULL;
    }

    const TgTokenScope scope = { &env->arena, &env->interner, &env->locals };
    const TgTokens *tokens = tg_tokenizer_cut(tokenizer, &scope, text, len);
    if (env->n_cuts == env->max_cuts) {
        env->max_cuts = MAX(2 * env->max_cuts, 16);
        env->cuts = g_renew(Cut, env->cuts, env->max_cuts);
    }
    env->cuts[env->n_cuts++] = (Cut){ tokenizer, text, tokens };
    return tokens;
}
