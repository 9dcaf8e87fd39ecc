/* A grid as HTML, CSV and JSON, and in every form. */
#include <csv.h>
#include <math.h>
#include <string.h>

#include "core/json.h"
#include "core/number.h"
#include "core/utf8.h"
#include "eval/grid/private.h"

/* ---- for people ---- */

static void append_html_text(GString *out, const char *text)
{
    g_autofree char *escaped = g_markup_escape_text(text, -1);

    g_string_append(out, escaped);
}

/* Beyond this width a name may be broken into lines. */
enum { LONG_CELL = 60 };

static void append_html_cell(GString *out, const TgCell *cell, const char *text, gboolean head,
                             gboolean key)
{
    g_string_append(out, head ? "<th scope=\"col\"" : key ? "<th scope=\"row\"" : "<td");
    g_string_append(out, !key                              ? ">"
                         : tg_columns_of(text) > LONG_CELL ? " class=\"key long\">"
                                                           : " class=\"key\">");
    g_string_append(out, cell->is_best ? "<strong>" : "");
    append_html_text(out, text);
    g_string_append(out, cell->is_best ? "</strong>" : "");
    if (cell->mark != NULL) {
        g_string_append(out, "<sup>");
        append_html_text(out, cell->mark);
        g_string_append(out, "</sup>");
    }
    g_string_append(out, head || key ? "</th>" : "</td>");
}

char *tg_count_text(guint64 count)
{
    GString *out = g_string_new(NULL);

    g_string_printf(out, "%" G_GUINT64_FORMAT, count);
    for (gssize at = (gssize) out->len - 3; at > 0; at -= 3)
        g_string_insert_c(out, at, ',');
    return g_string_free(out, FALSE);
}

void tg_grid_append_html(GString *out, const TgGrid *grid, const TgGridForm *form)
{
    g_string_append(out, "<div class=\"table\"><table>\n");
    if (grid->title != NULL) {
        g_string_append(out, "<caption>");
        append_html_text(out, grid->title);
        g_string_append(out, "</caption>\n");
    }
    for (guint r = 0; r <= tg_grid_n_rows(grid); r++) {
        g_string_append(out, r == 0 ? "<thead><tr>" : "<tr>");
        for (guint c = 0; c < grid->shown->len; c++) {
            const TgCell *cell = tg_grid_shown_cell(grid, r, c);
            const gboolean is_count = cell->kind == TG_CELL_NUMBER &&
                                      cell->digits == TG_CELL_COUNT && cell->number[0] >= 0;
            g_autofree char *text = is_count ? tg_count_text((guint64) cell->number[0])
                                             : tg_grid_shown_text(grid, r, c, form);

            append_html_cell(out, cell, text, r == 0, c < grid->n_keys);
        }
        g_string_append(out, r == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n");
    }
    g_string_append(out, "</tbody></table></div>\n");
    for (guint i = 0; i < grid->notes->len; i++) {
        g_string_append(out, "<p class=\"note\">");
        append_html_text(out, grid->notes->pdata[i]);
        g_string_append(out, "</p>\n");
    }
}

/* ---- for programs ---- */

/* A field in quotes; what a spreadsheet would take for a formula begins with '. */
static void append_csv_text(GString *out, const char *text)
{
    double number;
    static const char starts[] = "=+-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20"; /* also full-width ones */
    g_autofree char *visible = tg_visible(text, "\t\r\n");
    const gboolean is_formula = *visible != '\0' &&
                                g_utf8_strchr(starts, -1, g_utf8_get_char(visible)) != NULL &&
                                visible[1] != '\0' && !tg_number_parse(visible, &number);
    g_autofree char *inert = g_strconcat(is_formula ? "'" : "", visible, NULL);
    const gsize length = strlen(inert), quoted = csv_write(NULL, 0, inert, length);
    g_autofree char *field = g_malloc(quoted);

    csv_write(field, quoted, inert, length);
    g_string_append_len(out, field, (gssize) quoted);
}

/* Whether CSV has two columns for an interval, "NAME_low" and "NAME_high". */
static gboolean has_ends(const TgColumnPlace *column)
{
    return g_str_has_suffix(column->csv, "_*");
}

static void append_csv_name(GString *out, const TgColumnPlace *column, const TgGridForm *form)
{
    static const char *const ends[] = { "low", "high" };
    const char *unit = tg_cell_is_percent(column, &column->head, form) ? " %" : "";
    const gsize stem = strlen(column->csv) - (has_ends(column) ? 1 : 0);

    for (guint i = 0; i < (has_ends(column) ? 2 : 1); i++) {
        g_autofree char *name = g_strdup_printf("%.*s%s%s", (int) stem, column->csv,
                                                has_ends(column) ? ends[i] : "", unit);

        g_string_append(out, i > 0 ? "," : "");
        append_csv_text(out, name);
    }
}

/* Numbers stand without quotes, NaN as an empty cell. */
static void append_csv_cell(GString *out, const TgColumnPlace *column, const TgCell *cell,
                            const TgGridForm *form)
{
    const gboolean ends = cell->kind == TG_CELL_INTERVAL && has_ends(column);

    if (cell->kind != TG_CELL_NUMBER && !ends) {
        g_autofree char *text = tg_cell_text(column, cell, form);

        append_csv_text(out, text);
        return;
    }
    for (guint i = 0; i < (ends ? 2 : 1); i++) {
        const double number = tg_cell_number(column, cell, i, form);
        char text[32] = "";

        if (!isnan(number))
            tg_number_format(number, text);
        g_string_append_printf(out, "%s%s", i > 0 ? "," : "", text);
    }
}

static void append_csv(GString *out, const TgGrid *grid, const TgGridForm *form)
{
    for (guint r = 0; r <= tg_grid_n_rows(grid); r++) {
        gboolean first = TRUE;

        for (guint c = 0; c < grid->columns->len; c++) {
            const TgColumnPlace *column = tg_grid_place(grid, c);

            if (column->csv == NULL)
                continue;
            g_string_append(out, first ? "" : ",");
            first = FALSE;
            if (r == 0)
                append_csv_name(out, column, form);
            else
                append_csv_cell(out, column, tg_grid_cell(grid, r - 1, c), form);
        }
        g_string_append_c(out, '\n');
    }
}

/* Put @value at a path of member names. (transfer full) */
static void set_at_path(json_t *object, char *const *names, json_t *value)
{
    guint i = 0;

    for (; names[i + 1] != NULL; i++) {
        if (json_object_get(object, names[i]) == NULL)
            json_object_set_new(object, names[i], json_object());
        object = json_object_get(object, names[i]);
    }
    json_object_set_new(object, names[i], value);
}

static json_t *cell_json(const TgColumnPlace *column, const TgCell *cell, const TgGridForm *form)
{
    switch (cell->kind) {
    case TG_CELL_NUMBER:
        return tg_json_number(tg_cell_number(column, cell, 0, form));
    case TG_CELL_INTERVAL:
        return json_pack("[o, o]", tg_json_number(tg_cell_number(column, cell, 0, form)),
                         tg_json_number(tg_cell_number(column, cell, 1, form)));
    default:
        return cell->json != NULL ? json_incref(cell->json) : tg_json_text(cell->text);
    }
}

json_t *tg_grid_rows_json(const TgGrid *grid, const TgGridForm *form)
{
    json_t *rows = json_array();

    for (guint r = 0; r < tg_grid_n_rows(grid); r++) {
        json_t *row = json_object();

        for (guint c = 0; c < grid->columns->len; c++) {
            const TgColumnPlace *column = tg_grid_place(grid, c);

            if (column->path != NULL)
                set_at_path(row, column->path, cell_json(column, tg_grid_cell(grid, r, c), form));
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

void tg_grid_append(GString *out, const TgGrid *grid, const TgGridForm *form)
{
    g_return_if_fail(form->style != TG_GRID_JSON);
    if (form->style == TG_GRID_LATEX)
        tg_grid_append_latex(out, grid, form);
    else if (form->style == TG_GRID_CSV)
        append_csv(out, grid, form);
    else
        tg_grid_append_aligned(out, grid, form);
}
