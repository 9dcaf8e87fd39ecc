/* The official program's reading of a formula: an old KaTeX parser that accepts unknown commands.
 */
#pragma once

#include "metrics/cdm/normalize/tree.h"

/** Brace groups and switches may be nested this deep; deeper input counts as not readable. */
#define TG_CDM_MAX_DEPTH 500

/** A parsed formula; owns its nodes. */
typedef struct {
    GPtrArray *nodes;     /**< all of them */
    GPtrArray *children;  /**< the formula's own */
    GString *tokens_read; /**< every token in the order of reading, a blank behind each */
} TgCdmSyntax;

/**
 * Parse one line of LaTeX.
 *
 * Returns: (transfer full) the tree, or NULL where the official parser reports an error
 */
TgCdmSyntax *tg_cdm_syntax_parse(const char *line);

void tg_cdm_syntax_free(TgCdmSyntax *syntax);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgCdmSyntax, tg_cdm_syntax_free)

/**
 * Print a tree as blank-separated tokens.
 *
 * @origins: (nullable) array of TgCdmRange: for each byte printed what of the line it comes from
 *
 * Returns: (transfer full) the text, or NULL when a part cannot be printed (an argument that is
 * missing, a colour)
 */
char *tg_cdm_syntax_print(const TgCdmSyntax *syntax, GArray *origins);
