/* Reporting what is wrong with an input. */
#include "core/fail.h"

G_GNUC_PRINTF(3, 0)
static gboolean fail_with(GError **error, TgErrorCode code, const char *format, va_list args)
{
    g_autofree char *message = g_strdup_vprintf(format, args);

    g_set_error_literal(error, TG_ERROR, code, message);
    return FALSE;
}

gboolean tg_fail(GError **error, TgErrorCode code, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fail_with(error, code, format, args);
    va_end(args);
    return FALSE;
}

gboolean tg_fail_input(GError **error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fail_with(error, TG_ERROR_INPUT, format, args);
    va_end(args);
    return FALSE;
}

gboolean tg_fail_usage(GError **error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fail_with(error, TG_ERROR_USAGE, format, args);
    va_end(args);
    return FALSE;
}
