/* What a grid holds, for the files that build and write it. */
#pragma once

#include <jansson.h>

#include "eval/grid/grid_form.h"

typedef enum { TG_CELL_TEXT, TG_CELL_NUMBER, TG_CELL_INTERVAL, TG_CELL_JSON } TgGridCellKind;

/* Instead of a number of decimals. */
enum { TG_CELL_COUNT = -1, TG_CELL_P = -2 };

typedef struct {
    TgGridCellKind kind;
    char *text;       /* of TEXT */
    char *mark;       /* behind it; NULL for none */
    double number[2]; /* of NUMBER and INTERVAL; may be NaN */
    gint digits;      /* of NUMBER and INTERVAL: decimals, TG_CELL_COUNT or TG_CELL_P */
    json_t *json;     /* of JSON, and of TEXT where its value differs from @text */
    gboolean is_best;
    gboolean is_share;
} TgGridCell;

typedef struct {
    TgGridCell head;   /* where tables for people show the column: text is not NULL */
    const char *arrow; /* behind it, or NULL */
    gboolean is_share; /* of all cells */
    char *csv;         /* name, or NULL */
    char **path;       /* in a row's JSON object, or NULL */
} TgGridPlace;

struct TgGrid {
    char *title;
    guint n_keys;
    GArray *columns;  /* of TgGridPlace */
    GArray *shown;    /* guint: the columns with a head */
    GArray *cells;    /* of TgGridCell, row by row */
    GPtrArray *notes; /* char * */
};

/* ---- grid_cells.c ---- */

const TgGridPlace *tg_grid_column_at(const TgGrid *grid, guint column);
const TgGridCell *tg_grid_cell_at(const TgGrid *grid, guint row, guint column);

/** A cell of what people see; row 0 is the head. */
const TgGridCell *tg_grid_shown_at(const TgGrid *grid, guint row, guint i);

/** Whether the cell is shown in percent. */
gboolean tg_grid_is_percent(const TgGridPlace *column, const TgGridCell *cell,
                            const TgGridForm *form);

/** What people read in a cell, without its mark. (transfer full) */
char *tg_grid_cell_text(const TgGridPlace *column, const TgGridCell *cell, const TgGridForm *form);

/** The same for tg_grid_shown_at(), with the arrow of a head. (transfer full) */
char *tg_grid_shown_text(const TgGrid *grid, guint row, guint i, const TgGridForm *form);

/** Number @end of a cell as programs get it. */
double tg_grid_number(const TgGridPlace *column, const TgGridCell *cell, guint end,
                      const TgGridForm *form);
