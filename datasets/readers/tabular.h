/* Tables with a header row: what CSV and TSV share. */
#pragma once

#include "datasets/readers/reader.h"

/** A cell of a row. */
typedef struct {
    char *text; /* @len bytes, not always ended by NUL */
    gsize len;
} TgTabularCell;

typedef struct TgTabular TgTabular;

/** Reads the next row into @self->cells; @out has its line, and a fault if the row is broken. */
typedef TgReadStatus (*TgReadCells)(TgTabular *self, TgRecord *out, GError **error);

/** The head of the reader of a table; comes zeroed. */
struct TgTabular {
    TgReader base;
    TgReadCells read_cells;
    GArray *cells; /**< TgTabularCell: of the last row */
    char **names;  /**< of the columns, stripped */
    guint n_names;
    int *columns;          /**< the column of each slot of the map, or -1 */
    gboolean fills_faulty; /**< broken rows are filled from the cells that could be read */
};

/** Whether a header with these cells (text between @separator) would be understood. */
gboolean tg_tabular_sniff(const TgSniff *sniff, const char *separator);

/**
 * Read the header.
 *
 * Returns: FALSE with TG_ERROR_INPUT, "FILE:LINE: ..."
 */
gboolean tg_tabular_open(TgTabular *self, TgReadCells read_cells, GError **error);

/** TgReaderClass.next */
gboolean tg_tabular_next(TgReader *reader, TgRecord *out, GError **error);

/** TgReaderClass.close */
void tg_tabular_close(TgReader *reader);
