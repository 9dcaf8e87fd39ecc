#include "core/number.h"

#include <math.h>
#include <string.h>

double tg_number_round(double value)
{
    char text[32];

    if (!isfinite(value) || value == 0.0)
        return value == 0.0 ? 0.0 : value; /* no negative zero in results */
    if (value == floor(value) && fabs(value) < 1e10)
        return value; /* the common case, and exact */
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
