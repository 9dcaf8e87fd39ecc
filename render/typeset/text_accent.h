/* Accents over and under letters of text. */
#pragma once

#include "render/typeset/layout_state.h"

G_BEGIN_DECLS

/** A letter with an accent. */
typedef struct {
    const TgFont *font;
    gunichar letter; /**< 0: none, as in \^{} */
    TgItem *body;    /**< base of an accent below when it is more than a letter, or NULL */
    gunichar mark;   /**< combining character */
    guint32 letter_token, mark_token;
} TgTextAccent;

/** Whether an accent goes below its letter. */
gboolean tg_text_accent_is_below(gunichar mark);

/**
 * Letter and accent as LaTeX's OT1 encoding composes them.
 *
 * Returns: a horizontal list, the mark alone over no letter, or NULL when TeX's fonts lack the
 * mark.
 */
TgItem *tg_text_accent(TgLayout *self, const TgTextAccent *accent);

/** The Polish letters: @letter is L or l; OT1 strikes it through. Returns: a horizontal list. */
TgItem *tg_text_stroked(TgLayout *self, const TgFont *font, gunichar letter, guint32 token);

G_END_DECLS
