/* From a cleaned formula to tokens by way of the tolerant reader. */
#pragma once

#include "metrics/cdm/normalize/text.h"

/** Read a cleaned formula and print it; FALSE, and @text stays, where the guard fails, the reader
 * gives up, or nothing is left. */
gboolean tg_cdm_tolerant_tokenize_formula(TgCdmText *text);

/** The same for a table, whose tokens are not printed but listed. */
gboolean tg_cdm_tolerant_tokenize_table(TgCdmText *text);
