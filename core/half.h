/* 16-bit floating-point numbers, by bit patterns: the same on every machine. */
#pragma once

#include <glib.h>

/** The IEEE 754 half-precision number @bits as a float; exact. */
float tg_half_to_float(guint16 bits);

/** @value as half precision, rounded to nearest, ties to even; too large becomes infinity. */
guint16 tg_half_from_float(float value);

/** The bfloat16 number @bits as a float; exact. */
float tg_bfloat_to_float(guint16 bits);
