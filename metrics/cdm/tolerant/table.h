/* Tables are not printed: their units are listed. */
#pragma once

#include "metrics/cdm/tolerant/unit.h"

/**
 * Append all units of @list, and what is in them, as tokens with a space behind each: a macro's
 * name, every character; `\begin` and `{tabular}` are two.
 */
void tg_cdm_list_tokens(const char *line, const GPtrArray *list, GString *out);
