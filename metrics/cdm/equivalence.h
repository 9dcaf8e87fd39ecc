/* Which tokens the official program takes for the same symbol. */
#pragma once

#include <glib.h>

#include "metrics/cdm/dialects/dialect.h"

/** A row of a table of synonyms. */
typedef struct {
    const char *token, *canonical;
} TgCdmSynonym;

/** In strcmp() order of their tokens. */
extern const TgCdmSynonym tg_cdm_synonyms[];
extern const guint tg_cdm_n_synonyms;

/** The table of the programs of 2024. */
extern const TgCdmSynonym tg_cdm_synonyms_2024[];
extern const guint tg_cdm_n_synonyms_2024;

/**
 * The canonical form of an element's name: two elements whose names differ but whose canonical
 * forms agree cost little to match. Sized delimiters lose their size, synonyms become one name.
 *
 * The rules and the table are the official program's, with its slips (`\bigcup` and `\bigcap`
 * both become `p`, `\ne` and `\neq` stay different), because its scores are to be reproduced. That
 * of 2024 had another table and other rules.
 *
 * Returns: (transfer full) the canonical form
 *
 * Source: UniMERNet/cdm at commit 5a2c80d, as docs/metrics/cdm.md records it.
 */
char *tg_cdm_canonical_token(const char *token, TgCdmVocabulary vocabulary);
