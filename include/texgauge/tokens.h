/* Tokenizers: from the text of a formula to a sequence of tokens. */
#pragma once

#include <texgauge/types.h>

G_BEGIN_DECLS

/**
 * A rule that splits text into tokens; immutable, so any thread may use it.
 *
 * "latex"  control word, control symbol, or one other character; white space separates only
 * "char"   every code point, white space dropped (sacrebleu's "char")
 * "codepoint"  every code point, white space included (character error rate)
 * "words"  runs between white space (as split() of NLTK and of WER programs)
 * "none"   the same, under sacrebleu's name
 * "13a"    mteval-v13a's rules, as sacrebleu's default
 * "alnum"  lower-cased runs of ASCII letters and digits (the rouge-score package's rule)
 * "chrf-words"  words with one ASCII punctuation mark split off (sacrebleu's chrF++)
 * "bpe:FILE"  subwords of a tokenizer.json, or of a folder with GPT-2's vocab.json and merges.txt;
 *   docs/metrics/texbleu.md lists what is supported
 *
 * White space is that of Python's str.isspace().
 */
typedef struct TgTokenizer TgTokenizer;

/** The tokens of one text, with ids and positions. Immutable; belongs to its TgEnv. */
typedef struct TgTokens TgTokens;

typedef enum {
    TG_TOKENIZER_DEFAULT = 0,
    TG_TOKENIZER_LOWERCASE = 1 << 0, /**< texts are lower-cased first, as by str.lower() */
} TgTokenizerFlags;

/**
 * Create a tokenizer from its name.
 *
 * Returns: (transfer full) the tokenizer, or NULL with @error set to TG_ERROR_USAGE (no such name)
 * or TG_ERROR_INPUT (a file that cannot be used)
 */
TG_API TgTokenizer *tg_tokenizer_new(const char *spec, TgTokenizerFlags flags, GError **error);
TG_API void tg_tokenizer_free(TgTokenizer *tokenizer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgTokenizer, tg_tokenizer_free)

/** The name that it was created from; borrowed. */
TG_API const char *tg_tokenizer_name(const TgTokenizer *tokenizer);

/** Names of the built-in tokenizers, NULL-terminated; static. */
TG_API const char *const *tg_tokenizer_list(void);

/**
 * The ids: small numbers, equal for equal tokens of all texts of one pair under one tokenizer. They
 * may only be compared for equality.
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

/** An exclusive upper bound of the ids, at least 1: the size of a table indexed by id. */
TG_API guint32 tg_tokens_id_bound(const TgTokens *tokens);

G_END_DECLS
