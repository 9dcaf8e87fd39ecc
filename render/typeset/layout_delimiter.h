/* Delimiters that grow. */
#pragma once

#include "render/typeset/layout_state.h"

G_BEGIN_DECLS

/** A delimiter of at least height plus depth @size, centred on the axis (TeX's var_delimiter). */
TgItem *tg_var_delimiter(TgLayout *self, const TgDelimiter *delimiter, TgScaled size);

/** The delimiter of \left or \right around something that reaches @height up and @depth down. */
TgItem *tg_left_right(TgLayout *self, const TgDelimiter *delimiter, TgScaled height,
                      TgScaled depth);

G_END_DECLS
