/* What the cells of a grid say, to people and to programs. */
#include "eval/grid/grid_cells.h"

#include <math.h>
#include <string.h>

#include "core/number.h"

const TgGridPlace *tg_grid_column_at(const TgGrid *grid, guint column)
{
    return &g_array_index(grid->columns, TgGridPlace, column);
}

const TgGridCell *tg_grid_cell_at(const TgGrid *grid, guint row, guint column)
{
    return &g_array_index(grid->cells, TgGridCell, row * grid->columns->len + column);
}

const TgGridCell *tg_grid_shown_at(const TgGrid *grid, guint row, guint i)
{
    const guint column = g_array_index(grid->shown, guint, i);

    return row == 0 ? &tg_grid_column_at(grid, column)->head
                    : tg_grid_cell_at(grid, row - 1, column);
}

gboolean tg_grid_is_percent(const TgGridPlace *column, const TgGridCell *cell,
                            const TgGridForm *form)
{
    return form->percent && (column->is_share || cell->is_share);
}

/* Decimals of a number that is neither a count nor a p-value. */
static gint decimals(const TgGridCell *cell, gboolean percent, const TgGridForm *form)
{
    return form->fixed ? form->digits : percent ? MAX(cell->digits - 2, 0) : cell->digits;
}

/* @value with @digits decimals, whatever the locale; no "-0". (transfer full) */
static char *format_fixed(double value, gint digits)
{
    char text[400], pattern[16];
    const char *start = text;

    if (isnan(value))
        return g_strdup("-");
    g_snprintf(pattern, sizeof pattern, "%%.%df", CLAMP(digits, 0, 15));
    g_ascii_formatd(text, sizeof text, pattern, value);
    if (*start == '-' && strspn(start + 1, "0.") == strlen(start + 1))
        start++;
    return g_strdup(start);
}

static char *number_text(const TgGridCell *cell, guint end, gboolean percent,
                         const TgGridForm *form)
{
    const double value = percent ? 100 * cell->number[end] : cell->number[end];
    char text[32];

    if (cell->digits == TG_CELL_COUNT)
        return format_fixed(value, 0);
    if (cell->digits != TG_CELL_P)
        return format_fixed(value, decimals(cell, percent, form));
    return g_strdup(isnan(value) ? "-" : g_ascii_formatd(text, sizeof text, "%.2g", value));
}

static char *interval_text(const TgGridCell *cell, gboolean percent, const TgGridForm *form)
{
    g_autofree char *low = number_text(cell, 0, percent, form);
    g_autofree char *high = number_text(cell, 1, percent, form);

    if (isnan(cell->number[0]) || isnan(cell->number[1]))
        return g_strdup("-");
    return g_strdup_printf("[%s, %s]", low, high);
}

char *tg_grid_cell_text(const TgGridPlace *column, const TgGridCell *cell, const TgGridForm *form)
{
    const gboolean percent = tg_grid_is_percent(column, cell, form);

    switch (cell->kind) {
    case TG_CELL_NUMBER:
        return number_text(cell, 0, percent, form);
    case TG_CELL_INTERVAL:
        return interval_text(cell, percent, form);
    default:
        return g_strconcat(cell->text, percent && cell->kind == TG_CELL_TEXT ? " %" : "", NULL);
    }
}

char *tg_grid_shown_text(const TgGrid *grid, guint row, guint i, const TgGridForm *form)
{
    const TgGridPlace *column = tg_grid_column_at(grid, g_array_index(grid->shown, guint, i));
    char *text = tg_grid_cell_text(column, tg_grid_shown_at(grid, row, i), form);

    if (row > 0 || column->arrow == NULL || form->style == TG_GRID_LATEX)
        return text;
    char *with_arrow = g_strconcat(text, " ", column->arrow, NULL);
    g_free(text);
    return with_arrow;
}

double tg_grid_number(const TgGridPlace *column, const TgGridCell *cell, guint end,
                      const TgGridForm *form)
{
    const gboolean percent = tg_grid_is_percent(column, cell, form);
    const double value = percent ? 100 * cell->number[end] : cell->number[end];

    if (!form->fixed || cell->digits < 0 || !isfinite(value))
        return value;
    g_autofree char *text = format_fixed(value, form->digits);
    return g_ascii_strtod(text, NULL);
}
