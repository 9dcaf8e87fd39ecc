/* Numbers as text: strict reading, and the one way in which results are rounded. */
#include "core/number.h"

#include <math.h>
#include <string.h>

/* Powers of ten that are doubles exactly. */
static const double ten_to[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

/* floor(log2(@magnitude)) of a normal number, without a call. */
static int binary_exponent(double magnitude)
{
    guint64 bits;

    memcpy(&bits, &magnitude, sizeof bits);
    return (int) (bits >> 52) - 1023;
}

/* The power of ten, if ten_to[] has it, that leaves @magnitude TG_DIGITS digits before the point.
 */
static gboolean find_scale(double magnitude, double *scale)
{
    const int binary = binary_exponent(magnitude);
    const int exponent = (binary + 4096) * 1233 / 4096 - 1233; /* floor(binary * log10(2)) */
    int digits = TG_DIGITS - 1 - exponent;

    if (digits <= 0 || digits >= (int) G_N_ELEMENTS(ten_to))
        return FALSE;
    if (magnitude * ten_to[digits] >= ten_to[TG_DIGITS])
        digits--;
    *scale = ten_to[digits];
    return TRUE;
}

/* Whether @a * @b, which is @whole and a half as a double, is rounded up: by its exact value, then
 * to even. */
static gboolean rounds_up_from_half(double a, double b, double product, gint64 whole)
{
    const double error = fma(a, b, -product);

    return error > 0 || (error == 0 && whole % 2 == 1);
}

/*
 * @magnitude rounded to a multiple of 1 / @scale, half to even. Every score of every pair passes
 * here, so it must not cost as much as printing and reading again; and it gives the same bits,
 * since a quotient of exact numbers is rounded once, as strtod() does.
 */
static double round_scaled(double magnitude, double scale)
{
    const double product = magnitude * scale;
    gint64 whole = (gint64) product;
    const double rest = product - (double) whole; /* exact, in steps larger than the error */

    if (rest > 0.5 || (rest == 0.5 && rounds_up_from_half(magnitude, scale, product, whole)))
        whole++;
    return (double) whole / scale;
}

double tg_number_round(double value)
{
    const double magnitude = fabs(value);
    char text[32];
    double scale;

    if (magnitude < ten_to[TG_DIGITS] && magnitude == (double) (gint64) magnitude)
        return value + 0.0; /* the common case, and exact; no negative zero in results */
    if (!isfinite(value))
        return value;
    if (find_scale(magnitude, &scale))
        return copysign(round_scaled(magnitude, scale), value);
    tg_number_format(value, text);
    return g_ascii_strtod(text, NULL);
}

void tg_number_format(double value, char out[32])
{
    g_ascii_formatd(out, 32, "%." G_STRINGIFY(TG_DIGITS) "g", value);
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
