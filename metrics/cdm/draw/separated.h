/* What TeX draws of a token that the official program puts into a colour of its own. */
#pragma once

#include <glib.h>

/** What is drawn in a token's place. */
typedef struct {
    const char *latex; /**< '@' stands for the token; "" when TeX draws nothing; static */
    gboolean own_ink;  /**< whether that ink counts as the token's */
    gboolean is_fatal; /**< TeX reads on to the end of the file and makes no page */
} TgCdmSeparated;

/**
 * A colour around a token is a group to TeX, so a command that waits for arguments does not find
 * them: most vanish with an error that TeX passes over, some go on with nothing. Commands that the
 * official template (article, amsmath, amssymb, upgreek, xcolor, booktabs) does not define vanish
 * too, as does what pdfTeX has no character for.
 *
 * @token: NUL-terminated
 * @is_chinese: Han characters are set (the CJK template)
 */
TgCdmSeparated tg_cdm_separated(const char *token, gboolean is_chinese);
