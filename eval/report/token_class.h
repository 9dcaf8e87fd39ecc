/* Classes of LaTeX tokens, by which errors of models are counted. */
#pragma once

#include <glib.h>

typedef enum {
    TG_TOKEN_LETTER,
    TG_TOKEN_DIGIT,
    TG_TOKEN_GREEK,
    TG_TOKEN_OPERATOR,    /**< binary: + \times */
    TG_TOKEN_RELATION,    /**< = \leq */
    TG_TOKEN_BIG,         /**< \sum \int */
    TG_TOKEN_FUNCTION,    /**< \sin \lim */
    TG_TOKEN_DELIMITER,   /**< ( ] \langle \left */
    TG_TOKEN_PUNCTUATION, /**< , ; */
    TG_TOKEN_ACCENT,      /**< \hat */
    TG_TOKEN_SCRIPT,      /**< ^ _ */
    TG_TOKEN_GROUP,       /**< { } */
    TG_TOKEN_SYMBOL,      /**< any other symbol: \infty */
    TG_TOKEN_COMMAND,     /**< any other command: \frac \mathbf \quad & \\ */
    TG_TOKEN_OTHER,       /**< any other character */
} TgTokenClass;

enum { TG_N_TOKEN_CLASSES = TG_TOKEN_OTHER + 1 };

/** The class of one token of the latex tokenizer: @len bytes. */
TgTokenClass tg_token_class(const char *token, gsize len);

/** "letter", "digit"...; static. */
const char *tg_token_class_name(TgTokenClass token_class);
