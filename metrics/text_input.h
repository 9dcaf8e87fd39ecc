/* What the text metrics have in common: two options, and a pair's texts as token sequences. */
#pragma once

#include <texgauge/metric.h>

#include "metrics/sequence.h"

/** A part of a metric's instance; its strings belong to the option table. */
typedef struct {
    char *tokenize;
    gboolean lowercase;
    TgTokenizer *tokenizer; /* made by tg_text_input_init() */
} TgTextInput;

/** Entries of an option table; @input and @member name the TgTextInput and the gboolean in @Type.
 */
#define TG_TEXT_OPTION_TOKENIZE(Type, input, preset)                                               \
    TG_OPTION_STRING(                                                                              \
        Type, input.tokenize, "tokenize", preset,                                                  \
        "how a text is cut: latex, words (or none), codepoint, char, 13a, alnum, bpe:FILE")
#define TG_TEXT_OPTION_LOWERCASE(Type, member)                                                     \
    TG_OPTION_BOOL(Type, member, "lowercase", "no", "compare in lower case")

/** Make the tokeniser; FALSE with TG_ERROR_USAGE when there is none of that name. */
gboolean tg_text_input_init(TgTextInput *input, GError **error);

void tg_text_input_clear(TgTextInput *input);

/** A pair as token sequences, in memory of its env. */
typedef struct {
    const TgSequence *refs;
    guint n_refs;
    TgSequence hyp;
} TgPairTokens;

/** Tokenise a pair; FALSE with TG_ERROR_DATA when a text is too long. */
gboolean tg_pair_tokenize(TgEnv *env, const TgTokenizer *tokenizer, const TgPair *pair,
                          TgPairTokens *out, GError **error);
