/* Tables with a header: shared by CSV and TSV. */
#pragma once

#include "datasets/readers/reader.h"

typedef struct {
    char *text; /* @len bytes, not always ended by NUL */
    gsize len;
} TgCell;

typedef struct {
    char **names; /**< of the columns, without outer blanks */
    guint n_names;
    int *columns; /**< the column of each slot of the map, or -1 */
} TgTable;

/** Whether a header with these cells (text between @separator) would be understood. */
gboolean tg_table_sniff(const TgSniff *sniff, const char *separator);

/**
 * Take the header from what reading a table's first row gave.
 *
 * @status: of reading it
 * @cells: its TgCells, if it was read
 * @header: has its line, or its fault
 *
 * Returns: FALSE with TG_ERROR_INPUT, "FILE:LINE: ...", or as reading has set @error
 */
gboolean tg_table_open(TgTable *self, const TgReader *reader, TgReadStatus status,
                       const GArray *cells, const TgRecord *header, GError **error);

/** Fill @out, whose file and line are set, from a row. If it has a fault, as far as text is sound.
 */
void tg_table_fill(const TgTable *self, TgReader *reader, const GArray *cells, TgRecord *out);

void tg_table_close(TgTable *self);
