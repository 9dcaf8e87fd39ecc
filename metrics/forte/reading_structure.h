/* Scripts, fractions, roots and rows in FORTE's tokens: a function for each kind of node. */
#pragma once

#include "metrics/forte/reader.h"

/** The children that are drawn, in their order: delimiters, scripts with their marks, bodies. */
void tg_forte_read_children(TgForteReader *self, const TgNode *node);

void tg_forte_read_scripts(TgForteReader *self, const TgNode *node);
void tg_forte_read_stack(TgForteReader *self, const TgNode *node);
void tg_forte_read_arrow(TgForteReader *self, const TgNode *node);
void tg_forte_read_fraction(TgForteReader *self, const TgNode *node);
void tg_forte_read_radical(TgForteReader *self, const TgNode *node);
void tg_forte_read_array(TgForteReader *self, const TgNode *node);

/** A break between lines outside of any array. */
void tg_forte_read_break(TgForteReader *self, const TgNode *node);
