/* Tokenizing a text by a named rule. */
#pragma once

#include <texgauge/tokens.h>

#include "core/arena.h"
#include "core/cache.h"

/* ---- Byte strings numbered by first appearance, so that tokens compare as integers ----------- */

typedef struct {
    const char *bytes;
    guint32 len;
    guint32 slot; /* index of its slot, to clear it quickly */
} TgInternedString;

/** A set of byte strings; zero it to start. Borrows the strings until the next reset. */
typedef struct {
    struct TgInternSlot *slots; /* open addressing, at most half full */
    guint32 n_slots;            /* a power of two */
    TgInternedString *strings;
    guint32 n;
} TgInterner;

/** The number of a string: 0 for the first, and the same for equal strings. */
guint32 tg_interner_number(TgInterner *self, const char *bytes, guint32 len);

/** Remove all strings. */
void tg_interner_reset(TgInterner *self);

void tg_interner_clear(TgInterner *self);

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
    TgInterner *interner;
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
