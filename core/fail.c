#include "core/fail.h"

#include "core/utf8.h"

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

gboolean tg_fail_unknown(GError **error, const char *kind, const char *name,
                         const char *const *known)
{
    g_autofree char *list = g_strjoinv(", ", (char **) known);
    const char *meant = tg_nearest_name(name, known);

    return tg_fail_usage(error, "unknown %s '%s'; the %ss are %s%s%s%s", kind, name, kind, list,
                         meant != NULL ? " (did you mean '" : "", meant != NULL ? meant : "",
                         meant != NULL ? "'?)" : "");
}
