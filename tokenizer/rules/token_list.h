/* Inside of a token sequence, and how a rule writes one. */
#pragma once

#include <texgauge/tokens.h>

#include "core/arena.h"
#include "core/cache.h"
#include "tokenizer/rules/interner.h"

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

/** Start a sequence of at most @capacity tokens of @text. */
TgTokens *tg_token_list_new(const TgTokenScope *scope, const char *text, gsize capacity);

/** A sequence of the @n bytes of @text as tokens, whose ids are left to be filled in. */
TgTokens *tg_token_list_new_bytes(const TgTokenScope *scope, const char *text, gsize n);

/** The id of a token that is not one ASCII character. */
static inline guint32 tg_token_id(const TgTokenScope *scope, const char *bytes, gsize len)
{
    return TG_FIRST_INTERNED + tg_interner_number(scope->interner, bytes, (guint32) len);
}

/** Append the token of @len bytes from @start. */
static inline void tg_token_list_add(TgTokens *list, const TgTokenScope *scope, gsize start,
                                     gsize len)
{
    const char *bytes = list->text + start;

    list->spans[list->n] = (TgSpan){ (guint32) start, (guint32) len };
    list->ids[list->n++] = len == 1 && (guchar) *bytes < TG_FIRST_INTERNED
                               ? (guchar) *bytes
                               : tg_token_id(scope, bytes, len);
}
