/* The typesetter as an object: made once, used for one formula after the other. */
#pragma once

#include "render/fonts/font.h"
#include "render/typeset/item.h"
#include "render/typeset/math_style.h"
#include "tokenizer/tree/tree.h"

G_BEGIN_DECLS

typedef struct TgLayout TgLayout;

/** @fonts: kept alive by the layout */
TgLayout *tg_layout_new(TgFontSet *fonts);
void tg_layout_free(TgLayout *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgLayout, tg_layout_free)

/** Drop the formula before and start with text of normal size. */
void tg_layout_reset(TgLayout *self);

/**
 * Set a whole formula, as TeX sets `\hbox{$\displaystyle ..$}` in 12 pt.
 *
 * @style: TG_DISPLAY or TG_TEXT
 *
 * Returns: (transfer none) its box, valid until the next one; NULL with @error set to
 *   TG_ERROR_FONT   a font file is missing or broken
 *   TG_ERROR_PARSE  constructs that have to be measured before they are set are nested too deeply
 */
const TgItem *tg_layout_tree(TgLayout *self, const TgTree *tree, int style, GError **error);

/** Memory for what is made of that box, given back with the next formula. */
TgArena *tg_layout_arena(TgLayout *self);

G_END_DECLS
