/* The table of commands that are characters of text. */
#pragma once

#include "tokenizer/macros/command.h"

/** The commands that are characters of text, in the order of their names; @value is the character.
 */
extern const TgCommand tg_text_commands[];
extern const guint tg_n_text_commands;
