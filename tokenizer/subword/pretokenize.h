/* Pre-tokenizers of Hugging Face tokenizer files: split a text into the words that BPE works on. */
#pragma once

#include "tokenizer/subword/span_text.h"

typedef enum {
    TG_PRETOKENIZE_WHITESPACE,       /**< matches of `\w+|[^\w\s]+` */
    TG_PRETOKENIZE_WHITESPACE_SPLIT, /**< runs without white space */
    TG_PRETOKENIZE_PUNCTUATION,      /**< every punctuation character alone */
    TG_PRETOKENIZE_DIGITS,           /**< runs of `\p{N}`, or each alone */
    TG_PRETOKENIZE_BYTE_LEVEL,       /**< GPT-2: every byte written as a printable character */
    TG_PRETOKENIZE_METASPACE,        /**< spaces written as a visible character that starts words */
    TG_PRETOKENIZE_SPLIT,            /**< matches of one of the patterns below */
} TgPretokenizerKind;

/** When METASPACE puts its character before a text that does not start with it. */
typedef enum { TG_PREPEND_ALWAYS, TG_PREPEND_FIRST, TG_PREPEND_NEVER } TgPrepend;

/** One pre-tokenizer. */
typedef struct {
    TgPretokenizerKind kind;
    gboolean single_digits; /**< DIGITS */
    gboolean prefix_space;  /**< BYTE_LEVEL: a space before every word that has none */
    gboolean gpt2_split;    /**< BYTE_LEVEL: split by GPT-2's pattern first */
    char space[8];          /**< METASPACE: the visible character, NUL-terminated */
    TgPrepend prepend;      /**< METASPACE */
    gboolean keep_whole;    /**< METASPACE: do not split */
    gsize (*scan)(const char *text, gsize len, gboolean *keep); /**< SPLIT: next piece */
} TgPretokenizer;

/** Apply one pre-tokenizer: split the words of @st further, or rewrite them. */
void tg_pretokenizer_apply(const TgPretokenizer *step, TgSpanText *st);
