#include <texgauge/types.h>

G_DEFINE_QUARK(texgauge - error - quark, tg_error)

const char *tg_version(void)
{
    return TG_VERSION_STRING;
}
