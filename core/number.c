/* Numbers: reading, rounding, sums that do not depend on the order, 16-bit floats. */
#include "core/number.h"

#include <math.h>
#include <string.h>

/* The powers of ten that double represents exactly. */
static const double ten_to[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

/* floor(log2(@magnitude)) of a normal number, without calling the C library. */
static int binary_exponent(double magnitude)
{
    guint64 bits;

    memcpy(&bits, &magnitude, sizeof bits);
    return (int) (bits >> 52) - 1023;
}

/* The power of ten, 0 if ten_to[] lacks it, that leaves @magnitude TG_DIGITS digits before the
 * point. */
static int find_scale(double magnitude)
{
    const int binary = binary_exponent(magnitude);
    const int exponent = (binary + 4096) * 1233 / 4096 - 1233; /* floor(binary * log10(2)) */
    const int digits = TG_DIGITS - 1 - exponent;

    if (digits <= 0 || digits >= (int) G_N_ELEMENTS(ten_to))
        return 0;
    return magnitude * ten_to[digits] >= ten_to[TG_DIGITS] ? digits - 1 : digits;
}

/* Whether @a * @b is rounded up. As a double the product is @whole and a half; the exact product
 * decides, and a tie goes to even. */
static gboolean rounds_up_from_half(double a, double b, double product, gint64 whole)
{
    const double error = fma(a, b, -product);

    return error > 0 || (error == 0 && whole % 2 == 1);
}

/* @magnitude * @scale rounded half to even. Every score of every pair is rounded here, so this must
 * be faster than printf(), whose digits it gives. */
static gint64 round_scaled(double magnitude, double scale)
{
    const double product = magnitude * scale;
    const gint64 whole = (gint64) product;
    /* the difference is exact, in steps larger than the error of the product */
    const double rest = product - (double) whole;

    return whole +
           (rest > 0.5 || (rest == 0.5 && rounds_up_from_half(magnitude, scale, product, whole)));
}

double tg_number_round(double value)
{
    const double magnitude = fabs(value);
    char text[32];

    if (magnitude < ten_to[TG_DIGITS] && magnitude == (double) (gint64) magnitude)
        /* most values take this branch, which is exact; + 0.0 makes a negative zero positive */
        return value + 0.0;
    if (!isfinite(value))
        return value;
    const double scale = ten_to[find_scale(magnitude)];
    if (scale > 1) /* a quotient of two exact numbers is rounded once, as by strtod() */
        return copysign((double) round_scaled(magnitude, scale) / scale, value);
    tg_number_format(value, text);
    return g_ascii_strtod(text, NULL);
}

void tg_number_format(double value, char out[32])
{
    const double magnitude = fabs(value);
    int places = magnitude >= 1e-4 ? find_scale(magnitude) : 0;
    char digits[32], *at = digits + sizeof digits - 1;

    /* numbers with an exponent, not finite or rare: printf() is slow but right */
    if (places == 0) {
        g_ascii_formatd(out, 32, "%." G_STRINGIFY(TG_DIGITS) "g", value);
        return;
    }
    gint64 whole = round_scaled(magnitude, ten_to[places]);
    for (; places > 0 && whole % 10 == 0; places--)
        whole /= 10;
    *at = '\0';
    for (int n = 0; whole > 0 || n <= places; n++, whole /= 10) {
        if (n == places && n > 0)
            *--at = '.';
        *--at = (char) ('0' + whole % 10);
    }
    if (value < 0)
        *--at = '-';
    strcpy(out, at);
}

gboolean tg_number_parse(const char *text, double *out)
{
    char *end = NULL;
    const size_t len = strlen(text);

    if (len == 0 || strspn(text, "+-.0123456789eE") != len)
        return FALSE;
    *out = g_ascii_strtod(text, &end);
    return end == text + len && isfinite(*out);
}

/* ---- sums ---- */

void tg_exact_sum_add(TgExactSum *sum, double term)
{
    guint kept = 0;

    for (guint i = 0; i < sum->n; i++) {
        double low = sum->part[i];
        double high;

        if (fabs(term) < fabs(low)) {
            const double swap = term;
            term = low;
            low = swap;
        }
        high = term + low;
        low -= high - term;
        if (low != 0.0)
            sum->part[kept++] = low;
        term = high;
    }
    g_assert(kept < G_N_ELEMENTS(sum->part));
    sum->part[kept++] = term;
    sum->n = kept;
}

double tg_exact_sum_value(const TgExactSum *sum)
{
    guint i = sum->n;
    double high, low = 0.0;

    if (i == 0)
        return 0.0;
    high = sum->part[--i];
    while (i > 0) {
        const double above = high;
        const double next = sum->part[--i];

        high = above + next;
        low = next - (high - above);
        if (low != 0.0)
            break;
    }
    /* A half-way case: the parts below decide, so that the sum is rounded as the exact sum is. */
    if (i > 0 && ((low < 0.0 && sum->part[i - 1] < 0.0) || (low > 0.0 && sum->part[i - 1] > 0.0))) {
        const double twice = low * 2.0;
        const double up = high + twice;

        if (twice == up - high)
            high = up;
    }
    return high;
}

/* ---- 16-bit floating-point numbers ---- */

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
    /* Drop 13 bits, round to nearest, ties to even; a carry correctly goes into the exponent. */
    const guint32 odd = magnitude >> 13 & 1;
    return sign | (guint16) ((magnitude - 0x38000000 + 0xfff + odd) >> 13);
}

float tg_bfloat_to_float(guint16 bits)
{
    return float_of_bits((guint32) bits << 16);
}
