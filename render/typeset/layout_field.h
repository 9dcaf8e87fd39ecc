/* Characters, fields and boxes: shared by the constructs of appendix G. */
#pragma once

#include "render/typeset/layout_state.h"

G_BEGIN_DECLS

/** Turn a math list into a horizontal list in @style (TeX's mlist_to_hlist); the list is used up,
 * and @style, or the last one in the list, stays in force. */
TgItem *tg_mlist_to_hlist(TgLayout *self, TgNoad *mlist, int style);

/** The same with the style in force kept. */
TgItem *tg_set_list(TgLayout *self, TgNoad *list, int style);

/** The box of a MAKE field in @style; the style in force is kept. */
TgItem *tg_make_box(TgLayout *self, const TgField *field, int style);

/** A field as a box in @style (TeX's clean_box). */
TgItem *tg_clean_box(TgLayout *self, TgField *field, int style);

/** The metrics of a CHAR field at the size in force, or NULL when there is no such character. */
const TgCharMetrics *tg_fetch(TgLayout *self, const TgField *field, const TgFont **font);

/** A character of a math font with its italic correction in the width (TeX's char_box). */
TgItem *tg_char_box(TgLayout *self, const TgFont *font, guint slot, guint32 token, guint32 color);

/** A character of a fallback font in its fixed box. */
TgItem *tg_unicode_item(TgLayout *self, gunichar code, TgScaled size, guint32 token, guint32 color);

/** How far an accent over the lone character @nucleus is moved: its kern with the skew character.
 */
TgScaled tg_skew(TgLayout *self, const TgField *nucleus);

/** Centre a box in a wider one (TeX's rebox). */
TgItem *tg_rebox(TgLayout *self, TgItem *box, TgScaled width);

G_END_DECLS
