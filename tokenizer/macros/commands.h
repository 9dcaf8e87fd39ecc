/* The table of commands that are no symbols: what each does and which arguments it takes. */
#pragma once

#include "tokenizer/macros/command.h"

/** All but symbols in the order of their names (bytes), @n of them. */
const TgCommand *tg_command_table(guint *n);
