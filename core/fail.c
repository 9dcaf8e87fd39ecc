#include "core/fail.h"

GQuark tg_error_quark(void)
{
    return g_quark_from_static_string("texgauge-error-quark");
}

const char *tg_version(void)
{
    return TG_VERSION_STRING;
}

gboolean tg_fail(GError **error, TgErrorCode code, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    g_autofree char *message = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error_literal(error, TG_ERROR, code, message);
    return FALSE;
}
