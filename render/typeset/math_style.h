/* TeX's styles of mathematics. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Display, text, script and scriptscript style; with TG_CRAMPED superscripts rise less. */
typedef enum {
    TG_DISPLAY = 0,
    TG_TEXT = 2,
    TG_SCRIPT = 4,
    TG_SCRIPTSCRIPT = 6,
    TG_CRAMPED = 1,
} TgMathStyle;

static inline int tg_cramped(int style)
{
    return style | TG_CRAMPED;
}

static inline int tg_sub_style(int style)
{
    return 2 * (style / 4) + TG_SCRIPT + TG_CRAMPED;
}

static inline int tg_sup_style(int style)
{
    return 2 * (style / 4) + TG_SCRIPT + (style & 1);
}

static inline int tg_num_style(int style)
{
    return style + 2 - 2 * (style / 6);
}

static inline int tg_denom_style(int style)
{
    return 2 * (style / 2) + TG_CRAMPED + 2 - 2 * (style / 6);
}

G_END_DECLS
