/* Sums of doubles that do not depend on the order of the terms. */
#pragma once

#include <glib.h>

/** A sum kept as non-overlapping parts; zero it to start. Copying it copies the sum. */
typedef struct {
    double part[40]; /* increasing magnitude; doubles span 2098 bits, 53 each: 40 is enough */
    guint n;
} TgExactSum;

/** Add a finite number, without loss. */
void tg_exact_sum_add(TgExactSum *sum, double term);

/**
 * The sum, correctly rounded: the same for every order of the terms, so threads, shards and merged
 * files agree to the last bit. Source: Shewchuk (1997), Adaptive Precision Floating-Point
 * Arithmetic; rounding as in Python's math.fsum.
 */
double tg_exact_sum_value(const TgExactSum *sum);
