#include "eval/report/token_class.h"

#include <string.h>

#include "tokenizer/symbols/symbols.h"

const char *tg_token_class_name(TgTokenClass token_class)
{
    static const char *const names[TG_N_TOKEN_CLASSES] = {
        "letter",       "digit",      "Greek letter", "binary operator", "relation",
        "big operator", "function",   "delimiter",    "punctuation",     "accent",
        "script (^ _)", "group ({})", "other symbol", "command",         "other",
    };

    return names[token_class];
}

static gboolean is_greek(gunichar code)
{
    /* Greek and Coptic, and the variants that mathematics borrows (\varepsilon is U+03B5) */
    return code >= 0x0370 && code <= 0x03FF;
}

static TgTokenClass class_of_symbol(const TgSymbol *symbol)
{
    if (symbol->kind == TG_SYMBOL_ACCENT)
        return TG_TOKEN_ACCENT;
    if (symbol->kind == TG_SYMBOL_OPERATOR)
        return TG_TOKEN_FUNCTION;
    if (is_greek(symbol->codepoint))
        return TG_TOKEN_GREEK;
    switch ((TgMathClass) symbol->math_class) {
    case TG_CLASS_OP:
        return TG_TOKEN_BIG;
    case TG_CLASS_BIN:
        return TG_TOKEN_OPERATOR;
    case TG_CLASS_REL:
        return TG_TOKEN_RELATION;
    case TG_CLASS_OPEN:
    case TG_CLASS_CLOSE:
        return TG_TOKEN_DELIMITER;
    case TG_CLASS_PUNCT:
        return TG_TOKEN_PUNCTUATION;
    case TG_CLASS_ORD:
    case TG_CLASS_INNER:
    case TG_CLASS_NONE:
        break;
    }
    return TG_TOKEN_SYMBOL;
}

static TgTokenClass class_of_character(gunichar code)
{
    const TgSymbol *symbol = tg_symbol_find_char(code);

    if (g_unichar_isdigit(code))
        return TG_TOKEN_DIGIT;
    if (code == '^' || code == '_')
        return TG_TOKEN_SCRIPT;
    if (code == '{' || code == '}')
        return TG_TOKEN_GROUP;
    if (code == '&' || code == '~')
        return TG_TOKEN_COMMAND;
    if (is_greek(code))
        return TG_TOKEN_GREEK;
    if (g_unichar_isalpha(code))
        return TG_TOKEN_LETTER;
    return symbol != NULL ? class_of_symbol(symbol) : TG_TOKEN_OTHER;
}

TgTokenClass tg_token_class(const char *token, gsize len)
{
    static const char *const fences[] = { "\\left", "\\right", "\\middle" };
    const TgSymbol *symbol;

    if (len == 0)
        return TG_TOKEN_OTHER;
    if (*token != '\\')
        return class_of_character(g_utf8_get_char_validated(token, (gssize) len));
    for (guint i = 0; i < G_N_ELEMENTS(fences); i++) {
        if (strlen(fences[i]) == len && memcmp(token, fences[i], len) == 0)
            return TG_TOKEN_DELIMITER;
    }
    symbol = tg_symbol_find(token + 1, len - 1);
    return symbol != NULL ? class_of_symbol(symbol) : TG_TOKEN_COMMAND;
}
