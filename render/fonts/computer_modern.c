/* By how much Computer Modern's letters are declared higher than Latin Modern's. */
#include "render/fonts/computer_modern.h"

typedef struct {
    TgFontId font;
    gint size_pt;
    guint8 first, last; /* slots */
    gint difference;    /* of the heights, in sp */
} Difference;

static const Difference differences[] = {
    { TG_FONT_ROMAN, 12, 0x00, 0x0A, -12058 }, /* capital Greek */
    { TG_FONT_ROMAN, 12, 0x14, 0x14, -55203 }, /* check */
    { TG_FONT_ROMAN, 12, 0x16, 0x16, -51053 }, /* bar */
    { TG_FONT_ROMAN, 12, '!', '!', -3321 },
    { TG_FONT_ROMAN, 12, '0', '9', 11572 },
    { TG_FONT_ROMAN, 12, 'A', 'Z', -12058 },
    { TG_FONT_ROMAN, 12, 0x5E, 0x5E, -3321 }, /* hat */
    { TG_FONT_ROMAN, 12, 0x5F, 0x5F, 26710 }, /* dot */
    { TG_FONT_ROMAN, 12, 'd', 'd', -3321 },
    { TG_FONT_ROMAN, 12, 'h', 'h', -3321 },
    { TG_FONT_ROMAN, 12, 'i', 'i', 26710 },
    { TG_FONT_ROMAN, 12, 'l', 'l', -3321 },
    { TG_FONT_ROMAN, 12, 't', 't', -11520 },
    { TG_FONT_ROMAN, 12, 0x7E, 0x7F, 26710 }, /* tilde, two dots */
    { TG_FONT_ROMAN, 8, 0x00, 0x0A, -16079 },
    { TG_FONT_ROMAN, 8, 0x16, 0x16, -20647 },
    { TG_FONT_ROMAN, 8, '+', '+', -4628 },
    { TG_FONT_ROMAN, 8, 0x5E, 0x5E, 2924 },
    { TG_FONT_ROMAN, 8, 0x5F, 0x5F, 13735 },
    { TG_FONT_ROMAN, 8, 'd', 'd', 2920 },
    { TG_FONT_ROMAN, 8, 'l', 'l', 2920 },
    { TG_FONT_ROMAN, 8, 't', 't', 1091 },
    { TG_FONT_ROMAN, 8, 0x7E, 0x7E, 13739 },
    { TG_FONT_ROMAN, 6, '+', '+', -2185 },
    { TG_FONT_BOLD, 12, 'F', 'F', 9885 },
    { TG_FONT_BOLD, 12, 'l', 'l', -7286 },
};

gboolean tg_font_set_imitate_computer_modern(TgFontSet *set, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(differences); i++) {
        const Difference *difference = &differences[i];
        const TgFont *font =
            tg_font_set_get(set, difference->font, difference->size_pt * 65536, error);

        if (font == NULL)
            return FALSE;
        TgMetrics *metrics = (TgMetrics *) font->metrics; /* nobody else has the set yet */
        for (guint slot = difference->first; slot <= difference->last; slot++)
            metrics->chars[slot].height += difference->difference;
    }
    return TRUE;
}
