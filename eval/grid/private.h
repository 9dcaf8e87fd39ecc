/* What a grid holds, for the files that write it. */
#pragma once

#include "eval/grid/grid.h"

/* Instead of a number of decimals. */
enum { TG_CELL_COUNT = -1, TG_CELL_P = -2 };

typedef struct {
    enum { TG_CELL_TEXT, TG_CELL_NUMBER, TG_CELL_INTERVAL, TG_CELL_JSON } kind;
    char *text;       /* of TEXT */
    char *mark;       /* after it; NULL for none */
    double number[2]; /* of NUMBER and INTERVAL; may be NaN */
    gint digits;      /* of NUMBER and INTERVAL: decimals, TG_CELL_COUNT or TG_CELL_P */
    json_t *json;     /* of JSON, and of TEXT where its value differs from @text */
    gboolean is_best;
    gboolean is_share;
} TgCell;

typedef struct {
    TgCell head;       /* where tables for people show the column: text is not NULL */
    const char *arrow; /* after it, or NULL */
    gboolean is_share; /* of all cells */
    char *csv;         /* name, or NULL */
    char **path;       /* in a row's JSON object, or NULL */
} TgColumnPlace;

struct TgGrid {
    char *title;
    guint n_keys;
    GArray *columns;  /* of TgColumnPlace */
    GArray *shown;    /* guint: the columns with a head */
    GArray *cells;    /* of TgCell, row by row */
    GPtrArray *notes; /* char * */
};

const TgColumnPlace *tg_grid_place(const TgGrid *grid, guint column);
const TgCell *tg_grid_cell(const TgGrid *grid, guint row, guint column);

/** A cell of what people see; row 0 is the head. */
const TgCell *tg_grid_shown_cell(const TgGrid *grid, guint row, guint i);

/** What people read in a cell, without its mark. (transfer full) */
char *tg_cell_text(const TgColumnPlace *column, const TgCell *cell, const TgGridForm *form);

/** The same for tg_grid_shown_cell(), with the arrow of a head. (transfer full) */
char *tg_grid_shown_text(const TgGrid *grid, guint row, guint i, const TgGridForm *form);

/** Number @end of a cell as programs get it. */
double tg_cell_number(const TgColumnPlace *column, const TgCell *cell, guint end,
                      const TgGridForm *form);

/** Whether a cell is shown in percent. */
gboolean tg_cell_is_percent(const TgColumnPlace *column, const TgCell *cell,
                            const TgGridForm *form);

/** grid_text.c: as aligned text or Markdown. */
void tg_grid_append_aligned(GString *out, const TgGrid *grid, const TgGridForm *form);

/** grid_latex.c */
void tg_grid_append_latex(GString *out, const TgGrid *grid, const TgGridForm *form);
