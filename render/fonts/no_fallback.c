/* Without fontconfig the library uses TeX's fonts alone. */
#include "render/fonts/tables.h"

TgFallback *tg_fallback_new(void)
{
    return NULL;
}

void tg_fallback_free(G_GNUC_UNUSED TgFallback *fallback)
{
}

TgFace *tg_fallback_find(G_GNUC_UNUSED TgFallback *fallback, G_GNUC_UNUSED gunichar code)
{
    return NULL;
}
