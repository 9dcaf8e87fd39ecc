/* JSON with NUL in object keys, which jansson refuses: another character stands for it there. */
#pragma once

#include <texgauge/types.h>

/**
 * Put a character that does not occur in @json for every "\u0000" in an object key.
 *
 * @json: @len bytes, valid JSON or not
 * @stand_in: (out) that character in UTF-8, or "" where no key has a NUL; at least 7 bytes
 *
 * Returns: (transfer full) the text, not longer than @json; NULL where no key has a NUL, or where
 * every candidate occurs (the parser then says what is wrong)
 */
char *tg_nul_keys_replace(const char *json, gsize len, gsize *out_len, char stand_in[7]);

/** A key with NUL in the place of @stand_in. (transfer full) @len: (out) */
char *tg_nul_keys_restore(const char *key, const char *stand_in, gsize *len);
