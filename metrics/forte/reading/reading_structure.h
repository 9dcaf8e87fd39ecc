/* Scripts, fractions, roots and rows in FORTE's tokens: a function for each kind of node. */
#pragma once

#include "metrics/forte/reading/reader.h"

/** The children that are drawn, in their order: delimiters, scripts with their marks, bodies. */
void tg_forte_read_children(TgForteReader *self, const TgNode *node);

/** Whether @item of the superscript @sup is a prime; `^{'}` has it in braces of its own. */
gboolean tg_forte_is_prime(const TgNode *sup, const TgNode *item);

void tg_forte_read_scripts(TgForteReader *self, const TgNode *node);
void tg_forte_read_stack(TgForteReader *self, const TgNode *node);
void tg_forte_read_arrow(TgForteReader *self, const TgNode *node);
void tg_forte_read_fraction(TgForteReader *self, const TgNode *node);
void tg_forte_read_radical(TgForteReader *self, const TgNode *node);
void tg_forte_read_array(TgForteReader *self, const TgNode *node);

/**
 * The sign of a root typed before what it is over, `√2`: a root.
 *
 * Returns: the last item that was read, of the list that @surd stands in
 */
const TgNode *tg_forte_read_surd(TgForteReader *self, const TgNode *surd);

/** A break between lines outside of any array. */
void tg_forte_read_break(TgForteReader *self, const TgNode *node);
