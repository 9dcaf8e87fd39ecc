/* Tokens of the official program's parser. */
#pragma once

#include <glib.h>

typedef enum {
    TG_CDM_TOKEN_TEXT,  /**< a character, a command, or `--` and `---` */
    TG_CDM_TOKEN_SPACE, /**< a run of white space; in text mode only */
    TG_CDM_TOKEN_END,   /**< the end of the input */
    TG_CDM_TOKEN_BAD,   /**< a character that no token begins with */
} TgCdmTokenKind;

/** A token is the part of the input from @start to @end. */
typedef struct {
    TgCdmTokenKind kind;
    const char *start, *end;
} TgCdmToken;

/** The token at @input; @text_mode keeps white space. */
TgCdmToken tg_cdm_lex(const char *input, gboolean text_mode);

/**
 * A length at @input: a sign, a number, two lower-case letters, with white space around each.
 *
 * @size: (out) (transfer full) the number without superfluous zeros, a space, and the unit; set
 *   only when there is a length
 *
 * Returns: the token, or one of kind TG_CDM_TOKEN_BAD
 */
TgCdmToken tg_cdm_lex_size(const char *input, char **size);

/** A colour at @input: letters, or # and letters and digits; or a TG_CDM_TOKEN_BAD. */
TgCdmToken tg_cdm_lex_color(const char *input);
