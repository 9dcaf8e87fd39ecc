/* The tolerant reading of a formula. */
#pragma once

#include "metrics/cdm/tolerant/unit.h"

/** Deeper nesting counts as not readable: the official program's interpreter ends there, too. */
#define TG_CDM_READER_MAX_DEPTH 300

/**
 * Read a line of LaTeX as pylatexenc's LatexWalker does when it tolerates errors: marks without a
 * partner are passed over, unknown commands take no arguments.
 *
 * Returns: (transfer full) the units, or NULL where the line nests too deep or takes too long
 */
TgCdmUnits *tg_cdm_read_units(const char *line);
