/* The arguments that the tolerant reader gives to commands and environments. */
#pragma once

#include <glib.h>

/**
 * The arguments of a macro, one character each: `{` a group or a single character or macro, `[` an
 * optional group in brackets, `*` an optional star; "" for a macro without.
 *
 * @name: without backslash
 */
const char *tg_cdm_macro_arguments(const char *name);

/** The same of an environment. */
const char *tg_cdm_environment_arguments(const char *name);
