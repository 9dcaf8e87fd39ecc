/* The built-in tokenization rules, one function each. */
#pragma once

#include "tokenizer/rules/token_list.h"
#include "tokenizer/subword/bpe.h"

/** Splits @len bytes of @text into tokens; the bytes need not be UTF-8. */
typedef TgTokens *TgTokenRule(const TgTokenScope *scope, const char *text, gsize len);

TgTokenRule tg_rule_latex;      /**< rule_latex.c */
TgTokenRule tg_rule_codepoint;  /**< rule_characters.c */
TgTokenRule tg_rule_char;       /**< rule_characters.c */
TgTokenRule tg_rule_words;      /**< rule_words.c */
TgTokenRule tg_rule_chrf_words; /**< rule_words.c */
TgTokenRule tg_rule_alnum;      /**< rule_words.c; wants lower-case text */
TgTokenRule tg_rule_13a;        /**< rule_13a.c */

/** The subwords of a text by @bpe; the encoder is kept in @scope's locals. */
TgTokens *tg_rule_bpe(TgBpe *bpe, const TgTokenScope *scope, const char *text, gsize len);
