/* 16-bit floating-point numbers. */
#include "core/half.h"

#include <string.h>

static float float_of_bits(guint32 bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static guint32 bits_of_float(float value)
{
    guint32 bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

float tg_half_to_float(guint16 half)
{
    const guint32 sign = (guint32) (half & 0x8000) << 16;
    const guint32 exponent = half >> 10 & 31, fraction = half & 0x3ff;

    if (exponent == 31) /* infinity, NaN */
        return float_of_bits(sign | 0x7f800000 | fraction << 13);
    if (exponent > 0)
        return float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
    /* Subnormal: a multiple of 2^-24, which float holds exactly. */
    return (sign ? -1.0f : 1.0f) * (float) fraction * 0x1p-24f;
}

guint16 tg_half_from_float(float value)
{
    const guint32 bits = bits_of_float(value);
    const guint16 sign = (guint16) (bits >> 16 & 0x8000);
    const guint32 magnitude = bits & 0x7fffffff;

    if (magnitude > 0x7f800000)
        return sign | 0x7e00; /* NaN */
    if (magnitude >= 0x47800000)
        return sign | 0x7c00; /* 2^16 and above, infinity */
    if (magnitude < 0x38800000) {
        /* Below 2^-14: a multiple of 2^-24. Adding 0.5 makes the float unit round for us: its last
         * bit is then 2^-24, and the sum's bits count those units. */
        return sign | (guint16) (bits_of_float(float_of_bits(magnitude) + 0.5f) - 0x3f000000);
    }
    /* Drop 13 bits, to nearest, ties to even; a carry moves into the exponent as it should. */
    const guint32 odd = magnitude >> 13 & 1;
    return sign | (guint16) ((magnitude - 0x38000000 + 0xfff + odd) >> 13);
}

float tg_bfloat_to_float(guint16 bits)
{
    return float_of_bits((guint32) bits << 16);
}
