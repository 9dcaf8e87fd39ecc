/* Numbers as text: strict reading, and the one way in which results are rounded. */
#pragma once

#include <texgauge/types.h>

/** Significant digits of every number that leaves the program. */
#define TG_DIGITS 10

/**
 * @value rounded to TG_DIGITS significant decimal digits. Results are rounded when they are made,
 * not when they are written, so a summary pooled in memory equals one pooled from the file.
 */
double tg_number_round(double value);

/** @value as the shortest text with TG_DIGITS digits ("%.10g", point as decimal mark). */
void tg_number_format(double value, char out[32]);

/**
 * Read a whole string as a finite number; white space, trailing text, hexadecimal, inf and nan are
 * rejected. Independent of the locale.
 */
gboolean tg_number_parse(const char *text, double *out);
