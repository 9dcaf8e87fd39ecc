/* FORTE's reading: a formula as canonical tokens with marks of structure. */
#pragma once

#include <texgauge/types.h>

#include "metrics/forte/tables.h"

/** Names of the pair in hand that no table knows (unknown commands). Belongs to one thread. */
typedef struct TgForteNames TgForteNames;

/** @tables: borrowed, must outlive the names */
TgForteNames *tg_forte_names_new(const TgForteTables *tables);
void tg_forte_names_free(TgForteNames *names);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgForteNames, tg_forte_names_free)

/** Room for a character as text. */
#define TG_FORTE_NAME_BUFFER 8

/** The text of a name; borrowed from @names or in @buffer. */
const char *tg_forte_names_text(const TgForteNames *names, TgForteName name,
                                char buffer[TG_FORTE_NAME_BUFFER]);

/** The number of the unknown name of @len bytes. */
TgForteName tg_forte_names_add(TgForteNames *names, const char *text, gsize len);

/**
 * Read a formula tolerantly: faults of the source are repaired and counted.
 *
 * @tex: UTF-8, with or without dollars
 * @tokens: of TgForteToken; emptied, then filled
 * @repairs: (out) how many faults the parser met
 *
 * Returns: TRUE, or FALSE with TG_ERROR_PARSE: a bound of the parser (depth, size) was exceeded
 */
gboolean tg_forte_read(TgForteNames *names, const char *tex, GArray *tokens, guint *repairs,
                       GError **error);
