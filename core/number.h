/* Numbers: strict reading, the one way in which results are rounded, sums that do not depend on the
 * order of the terms, 16-bit floats. */
#pragma once

#include <texgauge/types.h>

/** Significant digits of every number that leaves the program. */
#define TG_DIGITS 10

/**
 * @value rounded to TG_DIGITS significant decimal digits. Results are rounded when they are
 * computed, not when they are written, so that a summary pooled in memory equals a summary pooled
 * from the file.
 */
double tg_number_round(double value);

/** @value as the shortest text with TG_DIGITS digits ("%.10g", point as decimal mark). */
void tg_number_format(double value, char out[32]);

/**
 * Read a whole string as a finite number; white space, trailing text, hexadecimal, inf and nan are
 * rejected. Independent of the locale.
 */
gboolean tg_number_parse(const char *text, double *out);

/** The ending of a regular noun after the number @n: "1 pair", "2 pairs". */
static inline const char *tg_plural(guint64 n)
{
    return n == 1 ? "" : "s";
}

/** A sum kept as non-overlapping parts; zero it to start. Copying it copies the sum. */
typedef struct {
    /* in increasing magnitude; 40 parts of 53 bits cover the 2098 bits of doubles */
    double part[40];
    guint n;
} TgExactSum;

/** Add a finite number without rounding. */
void tg_exact_sum_add(TgExactSum *sum, double term);

/**
 * The sum, correctly rounded: the same for every order of the terms, so that threads, shards and
 * merged files agree to the last bit. Source: Shewchuk (1997), Adaptive Precision Floating-Point
 * Arithmetic; rounding as in Python's math.fsum.
 */
double tg_exact_sum_value(const TgExactSum *sum);

/** The IEEE 754 half-precision number @bits as a float; exact. */
float tg_half_to_float(guint16 bits);

/** @value as half precision, rounded to nearest, ties to even; values above the range become
 * infinity. */
guint16 tg_half_from_float(float value);

/** The bfloat16 number @bits as a float; exact. */
float tg_bfloat_to_float(guint16 bits);
