/* FORTE's tables: which spellings are one symbol, its kind, and which symbols look alike. */
#pragma once

#include <texgauge/types.h>

#include "metrics/forte/reading/token.h"
#include "tokenizer/symbols/symbols.h"

/** Immutable; any number of threads may read it. */
typedef struct TgForteTables TgForteTables;

/** What a command or character is written out as. */
typedef struct {
    const TgForteName *names; /**< several for \iint, none for a command that shows nothing */
    guint8 n;
    guint8 blackboard; /**< 1: letters in blackboard bold */
    guint8 function;   /**< 1: upright letters of a function's name */
} TgForteSpelling;

typedef enum {
    TG_FORTE_NO_PAIR,
    TG_FORTE_VARIANT,    /**< two shapes of one sign */
    TG_FORTE_LOOK_ALIKE, /**< easily taken for one another */
} TgFortePair;

/** The longest file that is read, in bytes. */
#define TG_FORTE_TABLES_MAX (4u << 20)

/**
 * Read a file of tables; its format stands in datasets/forte-tables.tsv.
 *
 * Returns: (transfer full) the tables, or NULL with TG_ERROR_INPUT naming path and line
 */
TgForteTables *tg_forte_tables_load(const char *path, GError **error);
void tg_forte_tables_free(TgForteTables *tables);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgForteTables, tg_forte_tables_free)

/** How the command @name (without backslash, @len bytes) is written, or NULL: not listed. */
const TgForteSpelling *tg_forte_tables_command(const TgForteTables *tables, const char *name,
                                               gsize len);

/** How a character is written, or NULL: as itself. */
const TgForteSpelling *tg_forte_tables_character(const TgForteTables *tables, gunichar code);

/** How a symbol of the parser is written; never NULL. */
const TgForteSpelling *tg_forte_tables_symbol(const TgForteTables *tables, const TgSymbol *symbol);

/** The accent of a command ("widehat"), or 0. */
TgForteName tg_forte_tables_accent(const TgForteTables *tables, const char *command);

/** The accent of a combining character, or 0. */
TgForteName tg_forte_tables_mark(const TgForteTables *tables, gunichar mark);

/** The accent that @name makes when it stands over one letter (\overset), or 0. */
TgForteName tg_forte_tables_over(const TgForteTables *tables, TgForteName name);

/** The name of the negation of @name, or 0. */
TgForteName tg_forte_tables_negation(const TgForteTables *tables, TgForteName name);

/** The kind of a symbol; what no row lists is a letter, a digit or TG_FORTE_SYMBOL. */
TgForteKind tg_forte_tables_kind(const TgForteTables *tables, TgForteName name);

/** Whether two names are a pair; symmetric. */
TgFortePair tg_forte_tables_pair(const TgForteTables *tables, TgForteName a, TgForteName b);

/** The name of @len bytes: its code point, its number in the tables, or 0. */
TgForteName tg_forte_tables_find(const TgForteTables *tables, const char *name, gsize len);

/** The text of a name below TG_FORTE_STRANGERS that is no character; static with @tables. */
const char *tg_forte_tables_text(const TgForteTables *tables, TgForteName name);
