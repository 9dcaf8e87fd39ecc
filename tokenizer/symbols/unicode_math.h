/* LaTeX source for characters beyond ASCII that are no single symbol. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * LaTeX source that means the same as a character which is no symbol by itself: "^{2}" for U+00B2,
 * "\frac{1}{2}" for U+00BD, "\mathbb{R}" for U+211D, "\mathbf{x}" for U+1D431.
 *
 * @buffer: room for the source, TG_UNICODE_SOURCE_MAX bytes with the NUL
 *
 * Returns: whether there is one. Threads: any.
 */
gboolean tg_unicode_source(gunichar code, char *buffer);

#define TG_UNICODE_SOURCE_MAX 64

/** Combining characters that are not treated as others. */
enum {
    TG_MARK_OGONEK = 0x0328,
    TG_MARK_CIRCLE = 0x20DD,
};

/** Whether @code is a number or letter in a circle, which has such a source in text, too. */
gboolean tg_unicode_is_circled(gunichar code);

G_END_DECLS
