/* Lines of a paragraph, broken as TeX breaks them (The TeXbook, chapter 14), without hyphenation.
 */
#pragma once

#include "render/typeset/boxes/layout_state.h"

G_BEGIN_DECLS

/** What the code of a kern says of a place in text; its font has the stretch of a space. */
typedef enum {
    TG_PLACE_NONE,
    TG_PLACE_SPACE, /**< a space between words: a line may end here */
    TG_PLACE_TIE,   /**< one at which it may not */
    TG_PLACE_BREAK, /**< where it has to; its height comes below */
} TgPlace;

/**
 * A list of text as lines of @width below each other, set as LaTeX sets \parbox: as loosely as it
 * takes, without an indent.
 *
 * @reference: what stands on the baseline: 't' the first line, 'b' the last, 'c' the middle on the
 *   axis
 * @depth: the last line has at least this depth
 */
TgItem *tg_paragraph(TgLayout *self, TgItem *list, TgScaled width, char reference, TgScaled depth);

G_END_DECLS
