/* Resources of a run that a metric may use while it scores a pair. */
#pragma once

#include <texgauge/formula.h>
#include <texgauge/tokens.h>
#include <texgauge/types.h>

G_BEGIN_DECLS

/** The longest text that is scored, in bytes: some metrics need quadratic time. */
#define TG_TEXT_MAX (256u << 10)

/**
 * The resources of one thread of a run: tokens and canonical forms, computed once per pair for all
 * metrics, and access to the drawings that all threads of the run share. An env belongs to one
 * thread at a time.
 */
typedef struct TgEnv TgEnv;

/**
 * The tokens of @text, computed now or by an earlier metric of the same pair. Texts are compared by
 * content.
 *
 * @tokenizer: must outlive the scoring of the pair
 * @text: UTF-8, NUL-terminated
 *
 * Returns: (transfer none) the tokens, valid while the pair is scored, or NULL with @error set to
 *   TG_ERROR_DATA  @text is longer than TG_TEXT_MAX
 */
TG_API const TgTokens *tg_env_tokenize(TgEnv *env, const TgTokenizer *tokenizer, const char *text,
                                       GError **error);

/** How tg_env_canonical() writes. */
typedef enum {
    TG_CANONICAL_COMPACT = 0, /**< spaces only where a command needs one to end */
    TG_CANONICAL_SPACED =
        1 << 0, /**< a space between all tokens of LaTeX, so that they are words */
} TgCanonicalSpacing;

/**
 * The canonical form of @text (tg_formula_canonical()), computed now or by an earlier metric of the
 * same pair. A text with a fault, as found by strict parsing, is returned unchanged, and so is one
 * whose canonical form is longer than TG_TEXT_MAX; TG_CANONICAL_SPACED inserts spaces all the same.
 * Blanks between words are ties, so that every tokenizer sees them.
 *
 * @text: as for tg_env_tokenize()
 *
 * Returns: (transfer none) LaTeX, valid while the pair is scored
 */
TG_API const char *tg_env_canonical(TgEnv *env, const char *text, TgCanonicalRules rules,
                                    TgCanonicalSpacing spacing);

/**
 * The number of the pair's first reference among the references of the row: 0 but where the metric
 * is called with each reference by itself (TgMetricInfo.each_reference).
 */
TG_API guint tg_env_reference(const TgEnv *env);

/** Memory of @size bytes, aligned for any type, valid while the pair is scored; never NULL. */
TG_API gpointer tg_env_scratch(TgEnv *env, gsize size);

/** Makes an object of its key; makers that take and return other pointers are cast to this type. */
typedef gpointer (*TgLocalMake)(gpointer key);

/**
 * An object of this env, created at first use and kept until the env is freed: what a metric needs
 * once per thread (an encoder, growing buffers).
 *
 * @key: what it is made from; compared by identity, so the object must keep it alive (by a
 *   reference), or it must outlive the env
 * @make: creates the object of @key; never returns NULL
 *
 * Returns: (transfer none) the object
 */
TG_API gpointer tg_env_local(TgEnv *env, gpointer key, TgLocalMake make, GDestroyNotify destroy);

/**
 * A type of object that metrics make from texts and keep for other pairs, such as a drawing.
 * Objects are immutable and reference-counted, so any thread may read and free them.
 */
typedef struct {
    gpointer (*ref)(gpointer object);
    void (*unref)(gpointer object);
    gsize (*size)(gconstpointer object); /**< bytes of memory that it holds */
} TgSharedKind;

/**
 * The object that this or another thread of the run made from @text, if it is still cached: a
 * reference is drawn once for all models and metrics. The cache is bounded in bytes and evicts the
 * least recently used. As an object must follow from kind, settings and text alone, no score can
 * depend on whether it is found.
 *
 * @kind: compared by identity, so it is the same for all metrics that share its objects
 * @settings: everything else that the object depends on
 *
 * Returns: (transfer full) the object, or NULL: make it, and hand it to tg_env_share()
 */
TG_API gpointer tg_env_find_shared(TgEnv *env, const TgSharedKind *kind, const char *settings,
                                   const char *text);

/** Cache @object, made from @text, for all threads of the run; the caller keeps its reference. */
TG_API void tg_env_share(TgEnv *env, const TgSharedKind *kind, const char *settings,
                         const char *text, gpointer object);

G_END_DECLS
