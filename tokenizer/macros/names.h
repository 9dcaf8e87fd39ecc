/* What a control sequence means to LaTeX, packages and browsers: all tables under one hash. */
#pragma once

#include "tokenizer/macros/command.h"
#include "tokenizer/symbols/symbol.h"

/** The meanings of one name. */
typedef struct {
    const char *name;
    const TgCommand *command; /**< of LaTeX or a package; NULL: none */
    const TgSymbol *symbol;   /**< NULL: none */
    const TgCommand *browser; /**< of KaTeX and MathJax, for what LaTeX has not; NULL: none */
    guint8 of_package;        /**< only packages define the command: a formula may define it, too */
} TgName;

/** The meanings of @name (@len bytes, without backslash), or NULL when it has none. */
const TgName *tg_name_find(const char *name, gsize len);

/** The command called @name, or NULL. */
const TgCommand *tg_command_find(const char *name, gsize len);
