/* Symbols composed of others in boxes: \vdots, \ddots, \cong, \notin. */
#pragma once

#include "render/typeset/build.h"

/** The box of a SYMBOL node whose symbol is TG_SYMBOL_DRAWN, in the style in force. */
TgItem *tg_drawn_symbol(TgLayout *self, const TgNode *node);
