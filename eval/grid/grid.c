#include "eval/grid/grid.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "core/fail.h"
#include "core/json.h"
#include "eval/grid/grid_cells.h"

static const char *const style_names[] = { "table", "json", "csv", "md", "latex" };

gboolean tg_grid_style_parse(const char *name, TgGridStyle *out, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(style_names); i++)
        if (strcmp(name, style_names[i]) == 0) {
            *out = (TgGridStyle) i;
            return TRUE;
        }
    return tg_fail_usage(error, "no summary style '%s'; there are table, json, csv, md, latex",
                         name);
}

static void clear_cell(gpointer data)
{
    TgGridCell *cell = data;

    g_free(cell->text);
    g_free(cell->mark);
    json_decref(cell->json);
}

static void clear_column(gpointer data)
{
    TgGridPlace *column = data;

    clear_cell(&column->head);
    g_free(column->csv);
    g_strfreev(column->path);
}

TgGrid *tg_grid_new(const char *title, guint n_keys)
{
    TgGrid *grid = g_new0(TgGrid, 1);

    grid->title = g_strdup(title);
    grid->n_keys = n_keys;
    grid->columns = g_array_new(FALSE, FALSE, sizeof(TgGridPlace));
    g_array_set_clear_func(grid->columns, clear_column);
    grid->shown = g_array_new(FALSE, FALSE, sizeof(guint));
    grid->cells = g_array_new(FALSE, FALSE, sizeof(TgGridCell));
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
    const TgGridPlace column = { .head = { .text = g_strdup(head) },
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
    TgGridPlace *column;

    g_return_if_fail(grid->columns->len > 0);
    column = &g_array_index(grid->columns, TgGridPlace, grid->columns->len - 1);
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

static void append_text(TgGrid *grid, TgGridCellKind kind, char *text, json_t *json)
{
    const TgGridCell cell = { .kind = kind, .text = text, .json = json };

    g_array_append_val(grid->cells, cell);
}

static void append_number(TgGrid *grid, TgGridCellKind kind, double low, double high, gint digits)
{
    const TgGridCell cell = { .kind = kind, .number = { low, high }, .digits = digits };

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

void tg_grid_put_absent(TgGrid *grid)
{
    append_text(grid, TG_CELL_TEXT, g_strdup(""), json_null());
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

void tg_grid_put_p(TgGrid *grid, double p)
{
    append_number(grid, TG_CELL_NUMBER, p, NAN, TG_CELL_P);
}

void tg_grid_put_interval(TgGrid *grid, const double ends[2], gint digits)
{
    append_number(grid, TG_CELL_INTERVAL, ends[0], ends[1], digits);
}

static TgGridCell *last_cell(TgGrid *grid)
{
    g_return_val_if_fail(grid->cells->len > 0, NULL);
    return &g_array_index(grid->cells, TgGridCell, grid->cells->len - 1);
}

void tg_grid_mark(TgGrid *grid, gboolean best, const char *mark)
{
    TgGridCell *cell = last_cell(grid);

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
