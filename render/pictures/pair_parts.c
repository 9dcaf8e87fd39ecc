/* Colours of tones, and where marks are in the picture. */
#include "render/pictures/pair_parts.h"

guint32 tg_pair_tone_color(TgTone tone)
{
    static const guint32 colors[TG_N_TONES] = {
        [TG_TONE_GOOD] = 0x0B7F4F,      [TG_TONE_BAD] = 0xC92A0E,   [TG_TONE_MINOR] = 0xA86B00,
        [TG_TONE_STRUCTURE] = 0x5B45C0, [TG_TONE_FAINT] = 0x8A8A8A,
    };

    return colors[tone];
}

TgRect tg_pair_place_box(const TgPairPlace *place, TgRect box)
{
    return (TgRect){ place->x + place->zoom * box.x0, place->y + place->zoom * box.y0,
                     place->x + place->zoom * box.x1, place->y + place->zoom * box.y1 };
}

gboolean tg_pair_mark_is_shown(const TgPairMark *mark, const TgPairPictureOptions *options)
{
    return options->everything || (mark->tone != TG_TONE_GOOD && mark->tone != TG_TONE_FAINT);
}
