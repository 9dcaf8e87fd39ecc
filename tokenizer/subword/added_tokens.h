/* Added tokens: strings that a tokenizer finds in a text before anything else looks at it. */
#pragma once

#include <glib.h>

/** How one added token is found; as in a tokenizer.json. */
typedef struct {
    guint32 id;
    gboolean single_word; /**< not inside a word */
    gboolean lstrip;      /**< takes the white space before it along */
    gboolean rstrip;      /**< and after it */
} TgAddedToken;

/** The longest added token, in bytes. */
#define TG_ADDED_TOKEN_MAX 512

/** A set of added tokens; constant while only searched. */
typedef struct TgAddedTokens TgAddedTokens;

TgAddedTokens *tg_added_tokens_new(void);
void tg_added_tokens_free(TgAddedTokens *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgAddedTokens, tg_added_tokens_free)

/** Add @text; FALSE if it is there already, empty, or longer than TG_ADDED_TOKEN_MAX. */
gboolean tg_added_tokens_add(TgAddedTokens *set, const char *text, gsize len, TgAddedToken token);

gboolean tg_added_tokens_is_empty(const TgAddedTokens *set);

/**
 * Find the first added token at or after @from; the longest on a tie.
 *
 * @start, @end: (out) the bytes that it takes, white space by lstrip and rstrip included; @start
 *   is not before @from
 *
 * Returns: the token, borrowed; NULL if there is none
 */
const TgAddedToken *tg_added_tokens_find(const TgAddedTokens *set, const char *text, gsize len,
                                         gsize from, gsize *start, gsize *end);
