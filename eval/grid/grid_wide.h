/* Tables wider than a terminal. */
#pragma once

#include "eval/grid/grid_page.h"

/** Whether a line is longer than @width. */
gboolean tg_grid_page_is_wide(const TgGridPage *page, guint width);

/**
 * Append a page that is too wide: with names shortened, columns in blocks below each other that
 * repeat the names; or, where a row is mostly text, a paragraph for each row.
 */
void tg_grid_page_append_narrow(GString *out, TgGridPage *page, guint width);
