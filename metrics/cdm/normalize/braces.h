/* Lists of tokens and the braces in them; the bracing pass that ends stage 3. */
#pragma once

#include "metrics/cdm/dialects/dialect.h"
#include "metrics/cdm/normalize/text.h"

/** The parts of @text between single spaces, empty ones included. (transfer full, owns strings) */
GPtrArray *tg_cdm_split(const char *text);

/** The opposite of tg_cdm_split(). (transfer full) */
char *tg_cdm_join(const GPtrArray *tokens);

/** Whether there is a token at @at and it is @wanted. */
gboolean tg_cdm_token_is(const GPtrArray *tokens, guint at, const char *wanted);

/**
 * Find where a group ends, counting @open and @close from the token at @start on.
 *
 * @end: (out) index of the closing token
 *
 * Returns: FALSE when the group does not end
 */
gboolean tg_cdm_find_closing(const GPtrArray *tokens, guint start, const char *open,
                             const char *close, guint *end);

/** The roles in which the official program knows commands, each named by its arguments. */
typedef enum {
    TG_CDM_ROLE_NONE,
    TG_CDM_ROLE_ONE_VISIBLE,   /**< one argument, draws something of its own: `\hat` */
    TG_CDM_ROLE_ONE_INVISIBLE, /**< one argument and nothing else: `\mathbf` */
    TG_CDM_ROLE_BRACKET,       /**< an optional argument and one: `\sqrt` */
    TG_CDM_ROLE_TWO_VISIBLE,   /**< two arguments: `\frac` */
    TG_CDM_ROLE_TWO_INVISIBLE, /**< `\overset` */
} TgCdmRole;

TgCdmRole tg_cdm_role(const char *token, TgCdmVocabulary vocabulary);

/** Give every command a brace group for each argument; FALSE where braces do not match. */
gboolean tg_cdm_fill_braces(TgCdmText *text, TgCdmVocabulary vocabulary);
