/* Stage 2 of the official normaliser: from LaTeX to tokens, by way of its parser. */
#pragma once

#include "metrics/cdm/normalize/text.h"

/** Parse a cleaned formula and print its tree; FALSE, and @text stays, where the official parser
 * fails. */
gboolean tg_cdm_tokenize_formula(TgCdmText *text);

/** The same for a table, whose tokens are not printed but listed as they are read. */
gboolean tg_cdm_tokenize_table(TgCdmText *text);

/** Display environments become those that a parser knows; contents are not searched again. */
void tg_cdm_rename_environments(TgCdmText *text);

/** A table as it is parsed: a line without comment and labels, with its end. */
void tg_cdm_prepare_table(TgCdmText *line);
