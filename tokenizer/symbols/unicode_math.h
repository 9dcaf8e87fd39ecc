/* What characters beyond ASCII mean when they are typed into a formula. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * The command that shows @code: "leq" for U+2264.
 *
 * Returns: static, without backslash; NULL when no symbol of LaTeX shows it. Threads: any.
 */
const char *tg_unicode_command(gunichar code);

/**
 * LaTeX source that means the same as a character which is no single symbol: "^{2}" for U+00B2,
 * "\frac{1}{2}" for U+00BD, "\mathbb{R}" for U+211D, "\mathbf{x}" for U+1D431.
 *
 * @buffer: room for the source, TG_UNICODE_SOURCE_MAX bytes with the NUL
 *
 * Returns: whether there is one. Threads: any.
 * Source: the decompositions of the Unicode Character Database; letters after Unicode Technical
 * Report 25.
 */
gboolean tg_unicode_source(gunichar code, char *buffer);

#define TG_UNICODE_SOURCE_MAX 64

G_END_DECLS
