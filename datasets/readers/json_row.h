/* A JSON value as a row: shared by JSONL and JSON documents. */
#pragma once

#include "datasets/readers/reader.h"

/**
 * Where programs write NaN and infinities as values, which JSON does not know (Python does so),
 * put null instead.
 *
 * Returns: (transfer full) the new text, or NULL if there is nothing to replace
 */
GString *tg_json_replace_nan(const char *text, gsize n);

/**
 * Parse @n bytes, which must hold one value; member names must not repeat.
 *
 * @at: NULL, or where to put the number of bytes read; text behind the value is then allowed
 *
 * Returns: (transfer full), or NULL with @error filled: line and column inside the text, message
 */
json_t *tg_json_parse(const char *text, gsize n, gsize *at, json_error_t *error);

/**
 * Fill @out, whose file and line are set, from an object (by its fields), a text (the formula), a
 * list of texts (several references), or on the side of the predictions null (there is none).
 * Anything else is a fault.
 */
void tg_json_fill(TgReader *reader, json_t *value, TgRecord *out);
