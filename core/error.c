#include <texgauge/types.h>

GQuark tg_error_quark(void)
{
    return g_quark_from_static_string("texgauge-error-quark");
}

const char *tg_version(void)
{
    return TG_VERSION_STRING;
}
