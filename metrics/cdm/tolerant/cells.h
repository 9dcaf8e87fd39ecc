/* Rows and cells of matrices in LaTeX source, for respelling. */
#pragma once

#include "metrics/cdm/normalize/text.h"

/** Take off braces around the whole text, as long as something is in them, and white space. */
void tg_cdm_strip_groups(TgCdmText *text);

/**
 * Take off braces around every cell of an array or matrix, and white space; an empty last cell or
 * row vanishes.
 */
void tg_cdm_tidy_cells(TgCdmText *text);

/**
 * The rows of an array of one left-aligned column, if @text is just that; without empty ones.
 *
 * Returns: (transfer full) (element-type TgCdmText) owning array, or NULL if it is not
 */
GPtrArray *tg_cdm_column_rows(const TgCdmText *text);
