/* Tables of text cells, and the forms in which people and papers want them. */
#pragma once

#include <texgauge/summary.h>

/** A table: a head, rows, and how many columns at its left are names. */
typedef struct TgGrid TgGrid;

/**
 * @title: stands above the table, may be NULL; copied
 * @n_keys: columns from the left that hold names (aligned left); the others hold numbers
 */
TgGrid *tg_grid_new(const char *title, guint n_keys);
void tg_grid_free(TgGrid *grid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgGrid, tg_grid_free)

/** Add a column to the head; before any cell. Copied. */
void tg_grid_head(TgGrid *grid, const char *text);

/** Add the next cell, row by row. */
void tg_grid_put(TgGrid *grid, const char *text);
void tg_grid_putf(TgGrid *grid, const char *format, ...) G_GNUC_PRINTF(2, 3);

/**
 * The next cell is a number with @digits decimals, "-" for NaN; @digits below 0 means for programs:
 * 10 significant digits, empty for NaN.
 */
void tg_grid_put_number(TgGrid *grid, double value, gint digits);

/** A line below the table: what a mark means, what was left out. Copied. */
void tg_grid_note(TgGrid *grid, const char *text);

/** Rows below the head. */
guint tg_grid_n_rows(const TgGrid *grid);

/** Append the table in one of the styles TABLE, CSV, MARKDOWN, LATEX. */
void tg_grid_append(GString *out, const TgGrid *grid, TgSummaryStyle style);

/** Append @text as one CSV field, quoted where needed. */
void tg_csv_append(GString *out, const char *text);
