/* The table of commands that KaTeX and MathJax have beyond LaTeX. */
#pragma once

#include "tokenizer/macros/command.h"

/** In the order of their names. */
extern const TgCommand tg_browser_commands[];
extern const guint tg_n_browser_commands;
