/* Names of commands that FORTE's tables do not list. */
#pragma once

#include <texgauge/types.h>

#include "metrics/forte/reading/tables.h"

/** Names of unknown commands in one pair. Belongs to one thread. */
typedef struct TgForteNames TgForteNames;

/** @tables: borrowed, must outlive the names */
TgForteNames *tg_forte_names_new(const TgForteTables *tables);
void tg_forte_names_free(TgForteNames *names);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgForteNames, tg_forte_names_free)

/** Room for a character as text. */
#define TG_FORTE_NAME_BUFFER 8

/** The tables; borrowed. */
const TgForteTables *tg_forte_names_tables(const TgForteNames *names);

/** The text of a name; borrowed from @names or in @buffer. */
const char *tg_forte_names_text(const TgForteNames *names, TgForteName name,
                                char buffer[TG_FORTE_NAME_BUFFER]);

/** The number of the unknown name of @len bytes. */
TgForteName tg_forte_names_add(TgForteNames *names, const char *text, gsize len);
