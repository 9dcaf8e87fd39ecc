/* The table of commands that are no symbols: what each does and which arguments it takes. */
#pragma once

#include "tokenizer/macros/command.h"

/** The command called @name (@len bytes, without backslash), or NULL. */
const TgCommand *tg_command_find(const char *name, gsize len);

/** Whether @name is a command that only packages define, so that a formula may define it, too. */
gboolean tg_command_is_of_package(const char *name, gsize len);
/** The same in KaTeX and MathJax, for what LaTeX has not. */
const TgCommand *tg_command_find_browser(const char *name, gsize len);

/** All other commands in the order of their names (bytes), @n of them. */
const TgCommand *tg_command_table(guint *n);
