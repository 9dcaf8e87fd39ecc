/* What a metric may ask of the run while it scores a pair. */
#pragma once

#include <texgauge/tokens.h>
#include <texgauge/types.h>

G_BEGIN_DECLS

/** The longest text in bytes that is scored: beyond it, quadratic metrics would seem to hang. */
#define TG_TEXT_MAX (256u << 10)

/**
 * The resources of one thread of a run: tokenised texts (later: drawings), made once per pair and
 * shared by every metric that asks for them. An env belongs to one thread at a time.
 */
typedef struct TgEnv TgEnv;

TG_API TgEnv *tg_env_new(void);
TG_API void tg_env_free(TgEnv *env);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgEnv, tg_env_free)

/**
 * The tokens of @text, made now or kept from an earlier metric of the same pair.
 *
 * @tokenizer: must live as long as @env or until tg_env_next_pair()
 * @text: UTF-8, NUL-terminated, one of the pair's strings (the address is part of the key)
 *
 * Returns: (transfer none) the tokens, valid until tg_env_next_pair(), or NULL with @error set to
 *   TG_ERROR_DATA  @text is longer than TG_TEXT_MAX
 */
TG_API const TgTokens *tg_env_tokenize(TgEnv *env, const TgTokenizer *tokenizer, const char *text,
                                       GError **error);

/** Memory of @size bytes, aligned for any type, valid until tg_env_next_pair(); never NULL. */
TG_API gpointer tg_env_scratch(TgEnv *env, gsize size);

/**
 * An object of this env's own, made at first use and kept until the env is freed: what a metric
 * needs once a thread (an encoder, buffers that grow).
 *
 * @key: what it is made for; told by address, so the object must keep it alive (by a reference), or
 *   it must outlive the env
 * @make: makes the object of @key; never returns NULL
 *
 * Returns: (transfer none) the object
 */
TG_API gpointer tg_env_local(TgEnv *env, gpointer key, gpointer (*make)(gpointer key),
                             GDestroyNotify destroy);

/**
 * Drop what belongs to the pair before. Who scores pairs calls it before each, not between the
 * metrics of one pair; texts are known by address, so a buffer that is used again needs it too.
 */
TG_API void tg_env_next_pair(TgEnv *env);

G_END_DECLS
