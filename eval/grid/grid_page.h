/* The texts of a grid on their way to aligned text. */
#pragma once

#include "eval/grid/grid_form.h"

/** What people see of a grid; row 0 is the head. */
typedef struct {
    guint n_keys, n_columns, n_rows;
    gboolean markdown;
    char **text;   /**< [n_rows][n_columns] */
    guint *widths; /**< [n_columns] of the longest text */
} TgGridPage;

TgGridPage *tg_grid_page_new(const TgGrid *grid, const TgGridForm *form);
void tg_grid_page_free(TgGridPage *page);

/** Display width: code points, wide East Asian ones counted twice. */
guint tg_grid_width_of(const char *text);

/** Append a line: the keys and the columns [@first, @end). */
void tg_grid_page_append_row(GString *out, const TgGridPage *page, guint row, guint first,
                             guint end);
