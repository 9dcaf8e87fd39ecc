/* The table of commands that are no symbols: what each does and which arguments it takes. */
#pragma once

#include "tokenizer/macros/command.h"

/** All but symbols in the order of their names (bytes), @n of them. */
const TgCommand *tg_command_table(guint *n);

/** The command that makes a combining character in text: \' for U+0301; NULL: none. */
const TgCommand *tg_command_of_mark(gunichar mark);
