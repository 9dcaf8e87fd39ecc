/* The names of faults. */
#include "tokenizer/tree/parse_error.h"

const char *tg_parse_error_kind_name(TgParseErrorKind kind)
{
    static const char *const names[] = {
        "unknown-command",
        "unknown-environment",
        "missing-argument",
        "brace",
        "delimiter",
        "environment",
        "alignment",
        "script",
        "fraction",
        "limits",
        "length",
        "columns",
        "mode",
        "character",
        "macro",
        "color",
        "chemistry",
        "limit",
    };

    G_STATIC_ASSERT(G_N_ELEMENTS(names) == TG_PARSE_LIMIT + 1);
    return names[kind];
}
