/* Space between atoms (The TeXbook, chapter 18) and the unit mu. */
#pragma once

#include "render/fonts/font_metrics.h"

G_BEGIN_DECLS

/** Space between atoms of two classes in a style, in 2^-16 mu; 0 where there is none. */
TgScaled tg_atom_space(guint left, guint right, int style);

/** @amount of mu, in 2^-16, in sp. */
TgScaled tg_mu_to_sp(TgScaled mu_in_sp, TgScaled amount);

G_END_DECLS
