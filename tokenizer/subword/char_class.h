/* Character classes that subword tokenizers split at: Unicode properties, as in regex engines. */
#pragma once

#include <glib.h>

/** Unicode White_Space: what `\s` matches (U+0085 does; U+200B, U+FEFF and U+001C-1F do not). */
gboolean tg_char_is_white(gunichar c);

/** What `\w` matches: Alphabetic, Mark, Decimal_Number, Connector_Punctuation, Join_Control. */
gboolean tg_char_is_word(gunichar c);

/** `\p{L}` */
gboolean tg_char_is_letter(gunichar c);

/** `\p{N}` */
gboolean tg_char_is_number(gunichar c);

/** `\p{P}` or one of ASCII's 32 punctuation characters (so `$+<=>^`|~` too). */
gboolean tg_char_is_punctuation(gunichar c);
