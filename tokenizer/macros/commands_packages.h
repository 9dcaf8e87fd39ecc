/* The table of commands of packages that LaTeX in other words defines: braket, physics, mathtools.
 */
#pragma once

#include "tokenizer/macros/command.h"

/** In the order of their names. */
extern const TgCommand tg_package_commands[];
extern const guint tg_n_package_commands;
