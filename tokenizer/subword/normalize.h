/* Normalizers of Hugging Face tokenizer files: rewrite a text before it is split into words. */
#pragma once

#include "tokenizer/subword/span_text.h"

typedef enum {
    TG_NORMALIZE_UNICODE, /**< NFC, NFD, NFKC, NFKD */
    TG_NORMALIZE_PREPEND, /**< put a string before a text that is not empty */
    TG_NORMALIZE_REPLACE, /**< replace every occurrence of a string */
} TgNormalizerKind;

/** One normaliser. */
typedef struct {
    TgNormalizerKind kind;
    GNormalizeMode mode; /**< UNICODE */
    char *pattern;       /**< REPLACE: not empty */
    char *content;       /**< PREPEND, REPLACE */
} TgNormalizer;

/** Free what @step holds (not @step). */
void tg_normalizer_clear(TgNormalizer *step);

/**
 * Apply one normaliser to a text that is still one word.
 *
 * A composed or decomposed character is traced to the whole cluster it came from: a base with all
 * its combining marks. (Hugging Face traces a composed character to the base alone.) Runs of more
 * than 64 characters without a base are normalized in parts, to bound the time.
 */
void tg_normalizer_apply(const TgNormalizer *step, TgSpanText *st);

/** The string @text normalized by all @n @steps. (transfer full) */
char *tg_normalize_string(const TgNormalizer *steps, guint n, const char *text);
