/* The formulas that a command works on: arguments, or the lines of a file. */
#pragma once

#include <glib.h>

/** One formula. */
typedef struct {
    char *text;  /**< bytes as they were given, followed by a NUL */
    gsize len;   /**< of @text; beyond its first NUL where there are several */
    char *place; /**< "FILE:LINE: " for messages; empty for a word of the command line */
} CliFormula;

/**
 * Collect the formulas.
 *
 * @words: formulas; "-" is all of stdin without its last line end
 * @input: a file with a formula on each line, also where it is empty; "-" is stdin; NULL: none
 *
 * Returns: (transfer full) an array of CliFormula, or NULL with @error set to
 *   TG_ERROR_USAGE  there are neither words nor an @input, or both
 *   TG_ERROR_INPUT  a file cannot be read, or has more than 256 MiB
 */
GPtrArray *cli_formulas_new(char **words, const char *input, GError **error);
