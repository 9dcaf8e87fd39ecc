/* Colours as style sheets of browsers have them: names and hexadecimal numbers. */
#include "tokenizer/symbols/css_colors.h"

#include <stdlib.h>
#include <string.h>

static int compare_names(const void *key, const void *color)
{
    return g_ascii_strcasecmp(key, ((const TgCssColor *) color)->name);
}

/* "#RGB" or "#RRGGBB" */
static gboolean read_number(const char *spec, guint32 *rgb)
{
    const gsize n = strlen(spec + 1);
    const guint32 value = (guint32) g_ascii_strtoull(spec + 1, NULL, 16);

    if ((n != 3 && n != 6) || strspn(spec + 1, "0123456789abcdefABCDEF") != n)
        return FALSE;
    *rgb = n == 6 ? value
                  : 0x110000 * (value >> 8) + 0x1100 * (value >> 4 & 0xF) + 0x11 * (value & 0xF);
    return TRUE;
}

gboolean tg_css_color_parse(const char *spec, guint32 *rgb)
{
    if (spec[0] == '#')
        return read_number(spec, rgb);

    const TgCssColor *found =
        bsearch(spec, tg_css_colors, tg_css_n_colors, sizeof tg_css_colors[0], compare_names);
    if (found != NULL)
        *rgb = found->rgb;
    return found != NULL;
}
