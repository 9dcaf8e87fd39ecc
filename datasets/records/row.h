/* From the values of one row to a record: the part that all formats share. */
#pragma once

#include "datasets/records/fields.h"
#include "datasets/records/record.h"

/**
 * Fill @out, whose file and line are set, from @values, which tg_field_map_bind() or
 * tg_field_map_collect() found. What cannot be used becomes a fault; the rest is filled all the
 * same.
 *
 * Scores of raters may be numbers, text that is one, lists of these ("7;8;9", "[7, 8]", JSON lists)
 * and objects of these; an empty or null one is a rater who gave none. Under an alias, an
 * object of lists is one of groups, and what holds no scores is left alone; under a name that was
 * asked for that is a fault.
 *
 * @object: the JSON row, to name its members in messages; NULL for a table
 */
void tg_row_fill(const TgFieldMap *map, TgFileSide side, const TgValue *values, json_t *object,
                 TgRecord *out);

/** Add the @len bytes of @text to the references of @out, or make them its prediction. */
void tg_row_take_formula(const TgFieldMap *map, TgFileSide side, const char *text, gsize len,
                         TgRecord *out);
