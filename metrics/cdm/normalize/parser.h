/* The official program's reading of a formula: an old KaTeX parser that accepts unknown commands.
 */
#pragma once

#include "metrics/cdm/normalize/tree.h"

/** Brace groups and switches may be nested this deep; deeper input counts as not readable. */
#define TG_CDM_MAX_DEPTH 500

/**
 * Parse one line of LaTeX.
 *
 * Returns: (transfer full) the tree, or NULL where the official parser reports an error
 */
TgCdmSyntax *tg_cdm_syntax_parse(const char *line);
