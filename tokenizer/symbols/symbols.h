/* Looking symbols up by command and by character. */
#pragma once

#include "tokenizer/symbols/symbol.h"

G_BEGIN_DECLS

/**
 * The symbol of a command: "alpha" for \alpha, "{" for \{.
 *
 * @name: @len bytes without the backslash, not NUL-terminated
 *
 * Returns: static, or NULL when there is no such symbol. Threads: any.
 */
const TgSymbol *tg_symbol_find(const char *name, gsize len);

/**
 * The symbol that a character typed in mathematics shows: TeX's mathcode for ASCII, and for the
 * rest of Unicode the command with that code point (`≤` is \leq).
 *
 * Returns: static, or NULL when there is none. Threads: any.
 */
const TgSymbol *tg_symbol_find_char(gunichar code);

/** The symbol that stands for @symbol in canonical forms: the same, or one that draws alike. */
static inline const TgSymbol *tg_symbol_canonical(const TgSymbol *symbol)
{
    return symbol->canonical != NULL ? symbol->canonical : symbol;
}

/** All commands in strcmp() order, @n (out) of them; static. */
const TgSymbol *tg_symbol_list(guint *n);

G_END_DECLS
