/* Commands of text that mathematics takes too. */
#pragma once

#include <glib.h>

/** The command of text that shows @code in mathematics (\i, \o), or NULL. */
const char *tg_latex_text_symbol(gunichar code);
