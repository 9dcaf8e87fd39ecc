/* The constructs of appendix G, one file each: layout_fraction.c, layout_radical.c, ... Each sets
 * noad->hlist, or makes the nucleus a box and leaves the scripts to the caller. */
#pragma once

#include "render/typeset/layout_state.h"

G_BEGIN_DECLS

/** Returns: the italic correction of the operator. */
TgScaled tg_make_operator(TgLayout *self, TgNoad *noad);
/** @delta: how far a superscript moves to the right of a subscript */
void tg_make_scripts(TgLayout *self, TgNoad *noad, TgScaled delta);

void tg_make_fraction(TgLayout *self, TgNoad *noad);
void tg_make_radical(TgLayout *self, TgNoad *noad);
void tg_make_accent(TgLayout *self, TgNoad *noad);
void tg_make_over(TgLayout *self, TgNoad *noad);
void tg_make_under(TgLayout *self, TgNoad *noad);
void tg_make_vcenter(TgLayout *self, TgNoad *noad);

/** The overlined box of TeX's overbar: rule of @thickness, @gap above the box. */
TgItem *tg_overbar(TgLayout *self, TgItem *box, TgScaled gap, TgScaled thickness, guint32 token,
                   guint32 color);

G_END_DECLS
