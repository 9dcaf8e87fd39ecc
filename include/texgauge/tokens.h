/* Tokenisers: how a formula's text becomes a sequence of tokens. */
#pragma once

#include <texgauge/types.h>

G_BEGIN_DECLS

/**
 * A way to cut text into tokens; constant once made, so any thread may use it.
 *
 * "latex"  control word, control symbol, or one other character; white space separates only
 * "char"   every code point, white space dropped (sacrebleu's "char")
 * "codepoint"  every code point, white space included (character error rate)
 * "words"  runs between white space (what split() of NLTK and WER programs gives)
 * "none"   the same by sacrebleu's name
 * "13a"    mteval-v13a's rules, as sacrebleu's default
 * "alnum"  lower-cased runs of ASCII letters and digits (the rouge-score package's rule)
 * "chrf-words"  words with one ASCII punctuation mark parted off (sacrebleu's chrF++)
 * "bpe:FILE"  subwords of a tokenizer.json, or of a folder of GPT-2's vocab.json and merges.txt;
 *   what it understands stands in docs/metrics/texbleu.md
 *
 * White space is what Python's str.isspace() calls so.
 */
typedef struct TgTokenizer TgTokenizer;

/** The tokens of one text: ids, and where each stands. Immutable; belongs to its TgEnv. */
typedef struct TgTokens TgTokens;

typedef enum {
    TG_TOKENIZER_DEFAULT = 0,
    TG_TOKENIZER_LOWERCASE = 1 << 0, /**< texts are put in lower case first, as by str.lower() */
} TgTokenizerFlags;

/**
 * Make a tokeniser from its name.
 *
 * Returns: (transfer full) the tokeniser, or NULL with @error set to TG_ERROR_USAGE (no such name)
 * or TG_ERROR_INPUT (a file that cannot be used)
 */
TG_API TgTokenizer *tg_tokenizer_new(const char *spec, TgTokenizerFlags flags, GError **error);
TG_API void tg_tokenizer_free(TgTokenizer *tokenizer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgTokenizer, tg_tokenizer_free)

/** The name that it was made from; borrowed. */
TG_API const char *tg_tokenizer_name(const TgTokenizer *tokenizer);

/** Names of the built-in tokenisers, NULL-terminated; static. */
TG_API const char *const *tg_tokenizer_list(void);

/**
 * The ids: small numbers, equal for equal tokens among all that one TgEnv made for one pair with
 * one tokeniser. A metric compares them for equality only.
 *
 * @n: (out) number of tokens
 *
 * Returns: (transfer none) @n ids
 */
TG_API const guint32 *tg_tokens_ids(const TgTokens *tokens, guint *n);

/**
 * The text of token @i, not NUL-terminated.
 *
 * @len: (out) its length in bytes
 *
 * Returns: (transfer none) the token's first byte
 */
TG_API const char *tg_tokens_text(const TgTokens *tokens, guint i, gsize *len);

/** A bound that every id of @tokens is below; at least 1. Metrics size their tables with it. */
TG_API guint32 tg_tokens_id_bound(const TgTokens *tokens);

G_END_DECLS
