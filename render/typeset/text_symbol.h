/* Characters of text that LaTeX takes from other fonts or draws with rules. */
#pragma once

#include "render/typeset/layout_state.h"

G_BEGIN_DECLS

/**
 * The sign of @node, a CHAR, when it comes from another font than the text around it.
 *
 * @wanted, @size: font and size of the text
 * @token: whose ink it is
 *
 * Returns: a horizontal list, or NULL: the font itself has it, or no font
 */
TgItem *tg_text_symbol(TgLayout *self, TgTextFont wanted, TgScaled size, const TgNode *node,
                       guint32 token);

G_END_DECLS
