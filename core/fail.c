/* Reporting what is wrong with an input. */
#include "core/fail.h"

gboolean tg_fail_input(GError **error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    g_autofree char *message = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error_literal(error, TG_ERROR, TG_ERROR_INPUT, message);
    return FALSE;
}
