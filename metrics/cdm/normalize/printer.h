/* A parsed formula as the official normaliser prints it. */
#pragma once

#include "metrics/cdm/normalize/parser.h"

/**
 * Print a tree as tokens with a space behind each.
 *
 * @line: the text that was parsed
 * @out: an empty text, traced as @line is
 *
 * Returns: FALSE when a part cannot be printed: an argument that is missing, a colour
 */
gboolean tg_cdm_syntax_print(const TgCdmSyntax *syntax, const TgCdmText *line, TgCdmText *out);
