/* The tables that tables.py writes, in order of what they are searched by. */
#pragma once

#include "tokenizer/symbols/symbol.h"

/** A character beyond ASCII typed in mathematics, and the command it stands for. */
typedef struct {
    guint32 code;
    const TgSymbol *symbol;
} TgTypedSymbol;

/** A character that stands for a piece of LaTeX. */
typedef struct {
    guint32 code;
    const char *latex;
} TgTypedSource;

extern const TgSymbol tg_symbol_commands[];
extern const guint tg_symbol_n_commands;

/** By ASCII code; without a name: no symbol. */
extern const TgSymbol tg_symbol_characters[128];

extern const TgTypedSymbol tg_symbol_typed[];
extern const guint tg_symbol_n_typed;

extern const TgTypedSource tg_symbol_sources[];
extern const guint tg_symbol_n_sources;
