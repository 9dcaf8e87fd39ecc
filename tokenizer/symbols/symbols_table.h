/* The rows behind tokenizer/symbols/symbols.h; nobody else reads them. */
#pragma once

#include "tokenizer/symbols/symbols.h"

extern const TgSymbol tg_symbol_commands[];
extern const guint tg_symbol_n_commands;

extern const TgSymbol tg_symbol_characters[];
extern const guint tg_symbol_n_characters;
