/* Values as JSON, in the form that all output of this program has. */
#pragma once

#include <glib.h>
#include <jansson.h>

/** A number: null for NaN, an integer where it is one, else a real. (transfer full) */
json_t *tg_json_number(double value);

/** A string made valid UTF-8; null for NULL. (transfer full) */
json_t *tg_json_text(const char *text);

/** A metric's detail: tuples and arrays become arrays, dictionaries objects. (transfer full) */
json_t *tg_json_variant(GVariant *variant);

/** Append @value as compact JSON, reals with 10 significant digits, keys in insertion order;
 * no control character and no bidirectional mark but as \uXXXX. */
void tg_json_append(GString *out, const json_t *value);
