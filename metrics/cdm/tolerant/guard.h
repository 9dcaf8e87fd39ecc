/* What the tolerant normaliser refuses before it reads. */
#pragma once

#include <glib.h>

/** Longer formulas, in characters, are not read. */
#define TG_CDM_GUARD_MAX_LENGTH 20000

/**
 * Whether a formula's braces, environments, `\left` and `\right` and math delimiters are in order,
 * as OmniDocBench 1.6 counts them: it takes the second backslash of `\\{` for that of an escaped
 * brace, and `\\[2mm]` for the beginning of a displayed formula.
 */
gboolean tg_cdm_guard_passes(const char *line);
