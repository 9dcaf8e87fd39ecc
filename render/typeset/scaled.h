/* Arithmetic with scaled points (TeX §§100-107). */
#pragma once

#include "render/fonts/font_metrics.h"

G_BEGIN_DECLS

/** x/2, rounded up for odd x. */
static inline TgScaled tg_half(TgScaled x)
{
    return (x & 1) != 0 ? (x + 1) / 2 : x / 2;
}

/** x n / d, truncated towards zero. */
static inline TgScaled tg_xn_over_d(TgScaled x, TgScaled n, TgScaled d)
{
    return x * n / d;
}

G_END_DECLS
