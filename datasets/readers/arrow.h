/* Tables of Arrow's C stream interface as rows. */
#pragma once

#include <texgauge/arrow.h>

#include "datasets/readers/reader.h"

/**
 * Read a table. The field "b" of a struct "a" is the column "a.b"; a null is a field that the row
 * does not have. The line of a record is its row.
 *
 * @table: taken over, with success and without
 * @name: for messages
 *
 * Returns: (transfer full), or NULL with TG_ERROR_INPUT (not a table, a column that is missing) or
 * TG_ERROR_USAGE (a column of a type that is not read)
 */
TgReader *tg_reader_open_table(struct ArrowArrayStream *table, const char *name,
                               const TgFieldMap *fields, gboolean replace_bad_bytes,
                               GError **error);
