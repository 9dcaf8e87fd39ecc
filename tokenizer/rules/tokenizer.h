/* Tokenizing a text by a named rule. */
#pragma once

#include <texgauge/tokens.h>

#include "tokenizer/rules/token_list.h"

/** Whether two tokenizers give the same tokens for every text. */
gboolean tg_tokenizer_equal(const TgTokenizer *a, const TgTokenizer *b);

/** Whether its tokens are words, which white space separates. */
gboolean tg_tokenizer_splits_at_spaces(const TgTokenizer *tokenizer);

/** The tokens of @len bytes of @text, in the arena of @scope. */
TgTokens *tg_tokenizer_tokenize(const TgTokenizer *tokenizer, const TgTokenScope *scope,
                                const char *text, gsize len);
