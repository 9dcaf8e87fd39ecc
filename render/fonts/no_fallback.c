/* Without fontconfig the library uses TeX's fonts alone. */
#include "render/fonts/tables.h"

TgFallback *tg_fallback_new(void)
{
    return NULL;
}

void tg_fallback_free(TgFallback *fallback)
{
    (void) fallback;
}

TgFace *tg_fallback_find(TgFallback *fallback, gunichar code)
{
    (void) fallback, (void) code;
    return NULL;
}
