/* What a metric may ask of the run while it scores a pair. */
#pragma once

#include <texgauge/formula.h>
#include <texgauge/tokens.h>
#include <texgauge/types.h>

G_BEGIN_DECLS

/** The longest text in bytes that is scored: beyond it, quadratic metrics would seem to hang. */
#define TG_TEXT_MAX (256u << 10)

/**
 * The resources of one thread of a run: tokenised texts, made once per pair and shared by every
 * metric that asks for them, and a way to the drawings that all threads of the run share. An env
 * belongs to one thread at a time.
 */
typedef struct TgEnv TgEnv;

/** What formulas are drawn with, for metrics that leave it to the run. */
typedef enum {
    TG_RENDERER_NATIVE,   /**< the typesetter of this library */
    TG_RENDERER_PDFLATEX, /**< TeX, run as a program */
    TG_RENDERER_LUALATEX, /**< the same */
    TG_RENDERER_AUTO,     /**< the typesetter, and pdflatex for what it cannot set as TeX does */
} TgRendererChoice;

/** What draws in this run. */
TG_API TgRendererChoice tg_env_renderer(const TgEnv *env);

/**
 * The tokens of @text, made now or kept from an earlier metric of the same pair.
 *
 * @tokenizer: must live as long as @env or until tg_env_next_pair()
 * @text: UTF-8, NUL-terminated
 *
 * Returns: (transfer none) the tokens, valid until tg_env_next_pair(), or NULL with @error set to
 *   TG_ERROR_DATA  @text is longer than TG_TEXT_MAX
 */
TG_API const TgTokens *tg_env_tokenize(TgEnv *env, const TgTokenizer *tokenizer, const char *text,
                                       GError **error);

/** How tg_env_canonical() writes. */
typedef enum {
    TG_CANONICAL_COMPACT = 0, /**< blanks only where a command needs one to end */
    TG_CANONICAL_SPACED =
        1 << 0, /**< a blank between all tokens of LaTeX, so that they are words */
} TgCanonicalSpacing;

/**
 * The canonical form of @text (tg_formula_canonical()), made now or kept from an earlier metric of
 * the same pair. A text with a fault in it, as strict reading finds them, stays as it is, and so
 * does one whose canonical form is longer than TG_TEXT_MAX; with TG_CANONICAL_SPACED blanks are set
 * in it all the same.
 *
 * @text: as for tg_env_tokenize()
 *
 * Returns: (transfer none) LaTeX, valid until tg_env_next_pair()
 */
TG_API const char *tg_env_canonical(TgEnv *env, const char *text, TgCanonicalRules rules,
                                    TgCanonicalSpacing spacing);

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
 * A kind of object that metrics make from texts and that is worth keeping: a drawing. Objects are
 * immutable and counted by references, so that any thread may read and free them.
 */
typedef struct {
    gpointer (*ref)(gpointer object);
    void (*unref)(gpointer object);
    gsize (*size)(gconstpointer object); /**< bytes of memory that it holds */
} TgSharedKind;

/**
 * The object that this or another thread of the run made of @text, if it is still kept: a truth is
 * drawn once for all models and metrics. What is kept is bounded by its size in memory; what was
 * not used for longest goes first. As an object must follow from kind, settings and text alone, no
 * score can depend on whether it is found.
 *
 * @kind: told by address, so it is the same for all metrics that share its objects
 * @settings: everything else that the object follows from
 *
 * Returns: (transfer full) the object, or NULL: make it, and hand it to tg_env_share()
 */
TG_API gpointer tg_env_find_shared(TgEnv *env, const TgSharedKind *kind, const char *settings,
                                   const char *text);

/** Keep @object, which was made of @text, for all threads of the run; the caller's stays his. */
TG_API void tg_env_share(TgEnv *env, const TgSharedKind *kind, const char *settings,
                         const char *text, gpointer object);

G_END_DECLS
