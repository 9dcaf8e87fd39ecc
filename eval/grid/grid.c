#include "eval/grid/grid.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "core/json.h"
#include "core/number.h"
#include "eval/grid/private.h"

const char *const tg_grid_styles[] = { "table", "json", "csv", "md", "latex", NULL };

static void clear_cell(gpointer data)
{
    TgCell *cell = data;

    g_free(cell->text);
    g_free(cell->mark);
    json_decref(cell->json);
}

static void clear_column(gpointer data)
{
    TgColumnPlace *column = data;

    clear_cell(&column->head);
    g_free(column->csv);
    g_strfreev(column->path);
}

TgGrid *tg_grid_new(const char *title, guint n_keys)
{
    TgGrid *grid = g_new0(TgGrid, 1);

    grid->title = g_strdup(title);
    grid->n_keys = n_keys;
    grid->columns = g_array_new(FALSE, FALSE, sizeof(TgColumnPlace));
    g_array_set_clear_func(grid->columns, clear_column);
    grid->shown = g_array_new(FALSE, FALSE, sizeof(guint));
    grid->cells = g_array_new(FALSE, FALSE, sizeof(TgCell));
    g_array_set_clear_func(grid->cells, clear_cell);
    grid->notes = g_ptr_array_new_with_free_func(g_free);
    return grid;
}

void tg_grid_free(TgGrid *grid)
{
    if (grid == NULL)
        return;
    g_free(grid->title);
    g_array_unref(grid->columns);
    g_array_unref(grid->shown);
    g_array_unref(grid->cells);
    g_ptr_array_unref(grid->notes);
    g_free(grid);
}

static void add_column(TgGrid *grid, const char *head, const char *csv, char **path)
{
    const TgColumnPlace column = { .head = { .text = g_strdup(head) },
                                   .csv = g_strdup(csv),
                                   .path = path };

    g_return_if_fail(grid->cells->len == 0);
    if (head != NULL)
        g_array_append_vals(grid->shown, &grid->columns->len, 1);
    g_array_append_val(grid->columns, column);
}

void tg_grid_column(TgGrid *grid, const char *head, const char *csv, const char *path)
{
    add_column(grid, head, csv, path != NULL ? g_strsplit(path, ".", -1) : NULL);
}

void tg_grid_member(TgGrid *grid, const char *head, const char *csv, const char *object,
                    const char *member)
{
    char *path[] = { (char *) object, (char *) member, NULL };

    add_column(grid, head, csv, g_strdupv(path));
}

void tg_grid_column_scores(TgGrid *grid, gboolean share, const char *arrow)
{
    TgColumnPlace *column;

    g_return_if_fail(grid->columns->len > 0);
    column = &g_array_index(grid->columns, TgColumnPlace, grid->columns->len - 1);
    column->is_share = share;
    column->arrow = arrow;
}

void tg_grid_columns(TgGrid *grid, const TgGridColumn *columns, guint n)
{
    for (guint i = 0; i < n; i++)
        tg_grid_column(grid, columns[i].head, columns[i].csv, columns[i].path);
}

void tg_grid_head(TgGrid *grid, const char *text)
{
    tg_grid_column(grid, text, text, NULL);
}

void tg_grid_heads(TgGrid *grid, const char *const *texts)
{
    for (guint i = 0; texts[i] != NULL; i++)
        tg_grid_head(grid, texts[i]);
}

static void append_text(TgGrid *grid, guint kind, char *text, json_t *json)
{
    const TgCell cell = { .kind = kind, .text = text, .json = json };

    g_array_append_val(grid->cells, cell);
}

static void append_number(TgGrid *grid, guint kind, double low, double high, gint digits)
{
    const TgCell cell = { .kind = kind, .number = { low, high }, .digits = digits };

    g_array_append_val(grid->cells, cell);
}

void tg_grid_put(TgGrid *grid, const char *text)
{
    append_text(grid, TG_CELL_TEXT, g_strdup(text), NULL);
}

void tg_grid_putf(TgGrid *grid, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    append_text(grid, TG_CELL_TEXT, g_strdup_vprintf(format, args), NULL);
    va_end(args);
}

void tg_grid_put_name(TgGrid *grid, const char *name, const char *instead)
{
    const gboolean empty = name == NULL || *name == '\0';

    append_text(grid, TG_CELL_TEXT, g_strdup(empty ? instead : name), tg_json_text(name));
}

void tg_grid_put_json(TgGrid *grid, json_t *json)
{
    append_text(grid, TG_CELL_JSON, g_strdup(""), json);
}

void tg_grid_put_number(TgGrid *grid, double value, gint digits)
{
    append_number(grid, TG_CELL_NUMBER, value, NAN, digits);
}

void tg_grid_put_count(TgGrid *grid, guint64 count)
{
    append_number(grid, TG_CELL_NUMBER, (double) count, NAN, TG_CELL_COUNT);
}

void tg_grid_put_interval(TgGrid *grid, const double ends[2], gint digits)
{
    append_number(grid, TG_CELL_INTERVAL, ends[0], ends[1], digits);
}

void tg_grid_row(TgGrid *grid, const TgGridColumn *columns, guint n, gconstpointer row,
                 gboolean is_share)
{
    for (guint i = 0; i < n; i++) {
        const TgGridColumn *column = &columns[i];
        const gconstpointer at = (const char *) row + column->offset;

        switch (column->kind) {
        case TG_GRID_TEXT:
            tg_grid_put(grid, *(char *const *) at != NULL ? *(char *const *) at : "-");
            break;
        case TG_GRID_NAME:
            tg_grid_put_name(grid, *(const char *const *) at, "(none)");
            break;
        case TG_GRID_NUMBER:
            tg_grid_put_number(grid, *(const double *) at, column->digits);
            break;
        case TG_GRID_COUNT:
            tg_grid_put_count(grid, *(const guint *) at);
            break;
        case TG_GRID_P:
            append_number(grid, TG_CELL_NUMBER, *(const double *) at, NAN, TG_CELL_P);
            break;
        case TG_GRID_INTERVAL:
            tg_grid_put_interval(grid, at, column->digits);
            break;
        case TG_GRID_VALUE:
            tg_grid_put_json(grid, column->value(at));
            break;
        }
        if (column->scores && is_share)
            tg_grid_share(grid);
    }
}

static TgCell *last_cell(TgGrid *grid)
{
    g_return_val_if_fail(grid->cells->len > 0, NULL);
    return &g_array_index(grid->cells, TgCell, grid->cells->len - 1);
}

void tg_grid_mark(TgGrid *grid, gboolean best, const char *mark)
{
    TgCell *cell = last_cell(grid);

    cell->is_best = best;
    g_free(cell->mark);
    cell->mark = g_strdup(mark);
}

void tg_grid_share(TgGrid *grid)
{
    last_cell(grid)->is_share = TRUE;
}

void tg_grid_note(TgGrid *grid, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    g_ptr_array_add(grid->notes, g_strdup_vprintf(format, args));
    va_end(args);
}

guint tg_grid_n_rows(const TgGrid *grid)
{
    return grid->columns->len > 0 ? grid->cells->len / grid->columns->len : 0;
}

/* ---- what cells say ---- */

const TgColumnPlace *tg_grid_place(const TgGrid *grid, guint column)
{
    return &g_array_index(grid->columns, TgColumnPlace, column);
}

const TgCell *tg_grid_cell(const TgGrid *grid, guint row, guint column)
{
    return &g_array_index(grid->cells, TgCell, row * grid->columns->len + column);
}

const TgCell *tg_grid_shown_cell(const TgGrid *grid, guint row, guint i)
{
    const guint column = g_array_index(grid->shown, guint, i);

    return row == 0 ? &tg_grid_place(grid, column)->head : tg_grid_cell(grid, row - 1, column);
}

gboolean tg_cell_is_percent(const TgColumnPlace *column, const TgCell *cell, const TgGridForm *form)
{
    return form->percent && (column->is_share || cell->is_share);
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

static char *number_text(const TgCell *cell, guint end, gboolean percent, const TgGridForm *form)
{
    const double value = percent ? 100 * cell->number[end] : cell->number[end];
    char text[32];

    if (cell->digits == TG_CELL_COUNT)
        return format_fixed(value, 0);
    if (cell->digits != TG_CELL_P)
        return format_fixed(value, form->fixed ? form->digits
                                   : percent   ? MAX(cell->digits - 2, 0)
                                               : cell->digits);
    return g_strdup(isnan(value) ? "-" : g_ascii_formatd(text, sizeof text, "%.2g", value));
}

char *tg_cell_text(const TgColumnPlace *column, const TgCell *cell, const TgGridForm *form)
{
    const gboolean percent = tg_cell_is_percent(column, cell, form);

    if (cell->kind == TG_CELL_TEXT || cell->kind == TG_CELL_JSON)
        return g_strconcat(cell->text, percent && cell->kind == TG_CELL_TEXT ? " %" : "", NULL);
    char *low = number_text(cell, 0, percent, form);
    if (cell->kind == TG_CELL_NUMBER)
        return low;
    g_autofree char *high = number_text(cell, 1, percent, form);
    const gboolean is_defined = !isnan(cell->number[0]) && !isnan(cell->number[1]);
    char *text = is_defined ? g_strdup_printf("[%s, %s]", low, high) : g_strdup("-");
    g_free(low);
    return text;
}

char *tg_grid_shown_text(const TgGrid *grid, guint row, guint i, const TgGridForm *form)
{
    const TgColumnPlace *column = tg_grid_place(grid, g_array_index(grid->shown, guint, i));
    char *text = tg_cell_text(column, tg_grid_shown_cell(grid, row, i), form);

    if (row > 0 || column->arrow == NULL || form->style == TG_GRID_LATEX)
        return text;
    char *with_arrow = g_strconcat(text, " ", column->arrow, NULL);
    g_free(text);
    return with_arrow;
}

double tg_cell_number(const TgColumnPlace *column, const TgCell *cell, guint end,
                      const TgGridForm *form)
{
    const gboolean percent = tg_cell_is_percent(column, cell, form);
    const double value = percent ? 100 * cell->number[end] : cell->number[end];

    if (!form->fixed || cell->digits < 0 || !isfinite(value))
        return value;
    g_autofree char *text = format_fixed(value, form->digits);
    return g_ascii_strtod(text, NULL);
}
