/* How a run cuts text with a tokeniser. */
#pragma once

#include <texgauge/tokens.h>

#include "tokenizer/rules/token_list.h"

/** Whether two tokenisers cut every text alike. */
gboolean tg_tokenizer_equal(const TgTokenizer *a, const TgTokenizer *b);

/** Whether its tokens are runs of characters that blanks end: words. */
gboolean tg_tokenizer_wants_blanks(const TgTokenizer *tokenizer);

/** The tokens of @len bytes of @text, in memory of @scope. */
TgTokens *tg_tokenizer_cut(const TgTokenizer *tokenizer, const TgTokenScope *scope,
                           const char *text, gsize len);
