/* What a grid holds, for the files that build and write it. */
#pragma once

#include <glib.h>
#include <jansson.h>

typedef enum { TG_CELL_TEXT, TG_CELL_NUMBER, TG_CELL_INTERVAL, TG_CELL_JSON } TgGridCellKind;

typedef struct {
    TgGridCellKind kind;
    char *text;       /* as people read it */
    char *mark;       /* behind it; NULL for none */
    double number[2]; /* of NUMBER and INTERVAL; may be NaN */
    json_t *json;     /* of JSON, and of TEXT where its value differs from @text */
    gboolean is_best;
} TgGridCell;

typedef struct {
    TgGridCell head; /* where tables for people show the column: text is not NULL */
    char *csv;       /* name, or NULL */
    char *path;      /* in a row's JSON object, or NULL */
} TgGridPlace;

struct TgGrid {
    char *title;
    guint n_keys;
    GArray *columns;  /* of TgGridPlace */
    GArray *shown;    /* guint: the columns with a head */
    GArray *cells;    /* of TgGridCell, row by row */
    GPtrArray *notes; /* char * */
};
