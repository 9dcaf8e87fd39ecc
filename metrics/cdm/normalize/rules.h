/* Stage 3 of the official normaliser: textual rules. */
#pragma once

#include "metrics/cdm/dialects/dialect.h"
#include "metrics/cdm/normalize/text.h"

/** Apply all rules of the vocabulary, one after the other over the whole text of tokens. */
void tg_cdm_apply_rules(TgCdmText *tokens, gboolean is_table, TgCdmVocabulary vocabulary);
