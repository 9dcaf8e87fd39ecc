/* Tokenizing a text by a named rule. */
#pragma once

#include <texgauge/tokens.h>

#include "core/arena.h"
#include "core/cache.h"
#include "core/vocab.h"

/* ---- Inside of a token sequence -------------------------------------------------------------- */

typedef struct {
    guint32 start;
    guint32 len;
} TgSpan;

struct TgTokens {
    const char *text; /* the tokenized text: the pair's own, or a changed copy of it */
    guint32 *ids;     /* below TG_FIRST_INTERNED: an ASCII character; above: interned */
    TgSpan *spans;    /* NULL: token i is byte i of the text */
    guint32 n;
    guint32 id_bound;
};

#define TG_FIRST_INTERNED 128u

/** Memory and ids for the tokens of one pair. */
typedef struct {
    TgArena *arena;
    TgVocab *strings; /* the tokens beside ASCII characters */
    TgLocals *locals; /* encoders; lives as long as the thread's env */
} TgTokenScope;

/* ---- Tokenizing a text by a named rule ------------------------------------------------------- */

/** Whether two tokenizers give the same tokens for every text. */
gboolean tg_tokenizer_equal(const TgTokenizer *a, const TgTokenizer *b);

/** Whether its tokens are words, which white space separates. */
gboolean tg_tokenizer_splits_at_spaces(const TgTokenizer *tokenizer);

/** The tokens of @len bytes of @text, in the arena of @scope. */
TgTokens *tg_tokenizer_tokenize(const TgTokenizer *tokenizer, const TgTokenScope *scope,
                                const char *text, gsize len);
