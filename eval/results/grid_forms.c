/* A grid as aligned text, Markdown, LaTeX, HTML, CSV and JSON. */
#include <csv.h>
#include <math.h>
#include <string.h>

#include "core/json.h"
#include "core/number.h"
#include "eval/results/grid.h"
#include "eval/results/grid_cells.h"

static const TgGridPlace *column_at(const TgGrid *grid, guint column)
{
    return &g_array_index(grid->columns, TgGridPlace, column);
}

static const TgGridCell *cell_at(const TgGrid *grid, guint row, guint column)
{
    return &g_array_index(grid->cells, TgGridCell, row * grid->columns->len + column);
}

/* A cell of what people see; row 0 is the head. */
static const TgGridCell *shown_at(const TgGrid *grid, guint row, guint i)
{
    const guint column = g_array_index(grid->shown, guint, i);

    return row == 0 ? &column_at(grid, column)->head : cell_at(grid, row - 1, column);
}

static const char *note_at(const TgGrid *grid, guint i)
{
    return grid->notes->pdata[i];
}

/* ---- for people ---- */

/* Display width: code points, wide East Asian ones counted twice. */
static guint width_of(const char *text)
{
    guint width = 0;

    for (; *text != '\0'; text = g_utf8_next_char(text)) {
        const gunichar c = g_utf8_get_char(text);

        width += g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
    }
    return width;
}

static void append_padded(GString *out, const char *text, guint width, gboolean left)
{
    const guint padding = width - width_of(text);

    if (left)
        g_string_append(out, text);
    for (guint i = 0; i < padding; i++)
        g_string_append_c(out, ' ');
    if (!left)
        g_string_append(out, text);
}

/* A cell as it is written: no line break or other control, and in Markdown nothing that is HTML. */
static char *cell_text(const TgGridCell *cell, gboolean markdown)
{
    GString *text = g_string_new(markdown && cell->is_best ? "**" : NULL);

    for (const char *c = cell->text; *c != '\0'; c++) {
        if (markdown && strchr("|<*_`\\", *c) != NULL)
            g_string_append_c(text, '\\');
        g_string_append_c(text, g_ascii_iscntrl(*c) ? ' ' : *c);
    }
    g_string_append(text, markdown && cell->is_best ? "**" : "");
    g_string_append(text, cell->mark != NULL ? cell->mark : "");
    return g_string_free(text, FALSE);
}

static void append_aligned_row(GString *out, const TgGrid *grid, guint row, const guint *widths,
                               gboolean markdown)
{
    g_string_append(out, markdown ? "| " : "");
    for (guint c = 0; c < grid->shown->len; c++) {
        g_autofree char *text = cell_text(shown_at(grid, row, c), markdown);

        if (c > 0)
            g_string_append(out, markdown ? " | " : "  ");
        append_padded(out, text, widths[c], c < grid->n_keys);
    }
    g_string_append(out, markdown ? " |" : "");
    while (!markdown && out->len > 0 && out->str[out->len - 1] == ' ')
        g_string_truncate(out, out->len - 1);
    g_string_append_c(out, '\n');
}

/* Aligned columns, joined and framed as the style wants. */
static void append_aligned(GString *out, const TgGrid *grid, gboolean markdown)
{
    g_autofree guint *widths = g_new0(guint, grid->shown->len);

    for (guint r = 0; r <= tg_grid_n_rows(grid); r++) {
        for (guint c = 0; c < grid->shown->len; c++) {
            g_autofree char *text = cell_text(shown_at(grid, r, c), markdown);

            widths[c] = MAX(widths[c], width_of(text));
        }
    }
    if (grid->title != NULL)
        g_string_append_printf(out, markdown ? "### %s\n\n" : "%s\n", grid->title);
    for (guint r = 0; r <= tg_grid_n_rows(grid); r++) {
        append_aligned_row(out, grid, r, widths, markdown);
        if (r > 0 || !markdown)
            continue;
        for (guint c = 0; c < grid->shown->len; c++)
            g_string_append(out, c < grid->n_keys ? "|:---" : "|---:");
        g_string_append(out, "|\n");
    }
    for (guint i = 0; i < grid->notes->len; i++)
        g_string_append_printf(out, "%s%s\n", markdown ? "\n" : "", note_at(grid, i));
}

static void append_latex_text(GString *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("_%&#$", *text) != NULL)
            g_string_append_printf(out, "\\%c", *text);
        else if (strchr("\\^~{}", *text) != NULL)
            g_string_append_printf(out, "\\char%d{}", (guchar) *text);
        else if (g_ascii_iscntrl(*text))
            g_string_append_c(out, ' ');
        else
            g_string_append_c(out, *text);
    }
}

static void append_latex_cell(GString *out, const TgGridCell *cell)
{
    g_string_append(out, cell->is_best ? "\\textbf{" : "");
    append_latex_text(out, cell->text);
    g_string_append(out, cell->is_best ? "}" : "");
    if (cell->mark != NULL) {
        g_string_append(out, "\\textsuperscript{");
        append_latex_text(out, cell->mark);
        g_string_append_c(out, '}');
    }
}

static void append_latex(GString *out, const TgGrid *grid)
{
    g_string_append(out, "% needs \\usepackage{booktabs}\n");
    if (grid->title != NULL)
        g_string_append_printf(out, "%% %s\n", grid->title);
    g_string_append(out, "\\begin{tabular}{");
    for (guint c = 0; c < grid->shown->len; c++)
        g_string_append_c(out, c < grid->n_keys ? 'l' : 'r');
    g_string_append(out, "}\n\\toprule\n");
    for (guint r = 0; r <= tg_grid_n_rows(grid); r++) {
        for (guint c = 0; c < grid->shown->len; c++) {
            g_string_append(out, c > 0 ? " & " : "");
            append_latex_cell(out, shown_at(grid, r, c));
        }
        g_string_append(out, r == 0 ? " \\\\\n\\midrule\n" : " \\\\\n");
    }
    g_string_append(out, "\\bottomrule\n\\end{tabular}\n");
    for (guint i = 0; i < grid->notes->len; i++)
        g_string_append_printf(out, "%% %s\n", note_at(grid, i));
}

static void append_html_text(GString *out, const char *text)
{
    g_autofree char *escaped = g_markup_escape_text(text, -1);

    g_string_append(out, escaped);
}

/* Beyond this width a name may be broken into lines. */
enum { LONG_CELL = 60 };

static void append_html_cell(GString *out, const TgGridCell *cell, gboolean head, gboolean key)
{
    g_string_append(out, head ? "<th scope=\"col\"" : key ? "<th scope=\"row\"" : "<td");
    g_string_append(out, !key                               ? ">"
                         : width_of(cell->text) > LONG_CELL ? " class=\"key long\">"
                                                            : " class=\"key\">");
    g_string_append(out, cell->is_best ? "<strong>" : "");
    append_html_text(out, cell->text);
    g_string_append(out, cell->is_best ? "</strong>" : "");
    if (cell->mark != NULL) {
        g_string_append(out, "<sup>");
        append_html_text(out, cell->mark);
        g_string_append(out, "</sup>");
    }
    g_string_append(out, head || key ? "</th>" : "</td>");
}

void tg_grid_append_html(GString *out, const TgGrid *grid)
{
    g_string_append(out, "<div class=\"table\"><table>\n");
    if (grid->title != NULL) {
        g_string_append(out, "<caption>");
        append_html_text(out, grid->title);
        g_string_append(out, "</caption>\n");
    }
    for (guint r = 0; r <= tg_grid_n_rows(grid); r++) {
        g_string_append(out, r == 0 ? "<thead><tr>" : "<tr>");
        for (guint c = 0; c < grid->shown->len; c++)
            append_html_cell(out, shown_at(grid, r, c), r == 0, c < grid->n_keys);
        g_string_append(out, r == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n");
    }
    g_string_append(out, "</tbody></table></div>\n");
    for (guint i = 0; i < grid->notes->len; i++) {
        g_string_append(out, "<p class=\"note\">");
        append_html_text(out, note_at(grid, i));
        g_string_append(out, "</p>\n");
    }
}

/* ---- for programs ---- */

void tg_csv_append(GString *out, const char *text)
{
    const size_t len = strlen(text);
    const size_t quoted = csv_write(NULL, 0, text, len);
    g_autofree char *field = g_malloc(quoted);

    csv_write(field, quoted, text, len);
    g_string_append_len(out, field, (gssize) quoted);
}

static void append_csv_number(GString *out, double number)
{
    char text[32] = "";

    if (!isnan(number))
        tg_number_format(number, text);
    tg_csv_append(out, text);
}

/* Whether CSV has two columns for an interval, "NAME_low" and "NAME_high". */
static gboolean has_ends(const TgGridPlace *column)
{
    return g_str_has_suffix(column->csv, "_*");
}

static void append_csv_name(GString *out, const TgGridPlace *column)
{
    if (!has_ends(column)) {
        tg_csv_append(out, column->csv);
        return;
    }
    g_autofree char *stem = g_strndup(column->csv, strlen(column->csv) - 1);
    g_autofree char *low = g_strconcat(stem, "low", NULL);
    g_autofree char *high = g_strconcat(stem, "high", NULL);

    tg_csv_append(out, low);
    g_string_append_c(out, ',');
    tg_csv_append(out, high);
}

static void append_csv_cell(GString *out, const TgGridPlace *column, const TgGridCell *cell)
{
    if (cell->kind == TG_CELL_NUMBER) {
        append_csv_number(out, cell->number[0]);
    } else if (cell->kind == TG_CELL_INTERVAL && has_ends(column)) {
        append_csv_number(out, cell->number[0]);
        g_string_append_c(out, ',');
        append_csv_number(out, cell->number[1]);
    } else {
        tg_csv_append(out, cell->text);
    }
}

static void append_csv(GString *out, const TgGrid *grid)
{
    for (guint r = 0; r <= tg_grid_n_rows(grid); r++) {
        gboolean first = TRUE;

        for (guint c = 0; c < grid->columns->len; c++) {
            const TgGridPlace *column = column_at(grid, c);

            if (column->csv == NULL)
                continue;
            g_string_append(out, first ? "" : ",");
            first = FALSE;
            if (r == 0)
                append_csv_name(out, column);
            else
                append_csv_cell(out, column, cell_at(grid, r - 1, c));
        }
        g_string_append_c(out, '\n');
    }
}

/* Put @value at a path of member names with dots between them. (transfer full) */
static void set_at_path(json_t *object, const char *path, json_t *value)
{
    g_auto(GStrv) names = g_strsplit(path, ".", -1);
    guint i = 0;

    for (; names[i + 1] != NULL; i++) {
        if (json_object_get(object, names[i]) == NULL)
            json_object_set_new(object, names[i], json_object());
        object = json_object_get(object, names[i]);
    }
    json_object_set_new(object, names[i], value);
}

static json_t *cell_json(const TgGridCell *cell)
{
    switch (cell->kind) {
    case TG_CELL_NUMBER:
        return tg_json_number(cell->number[0]);
    case TG_CELL_INTERVAL:
        return json_pack("[o, o]", tg_json_number(cell->number[0]),
                         tg_json_number(cell->number[1]));
    default:
        return cell->json != NULL ? json_incref(cell->json) : tg_json_text(cell->text);
    }
}

json_t *tg_grid_rows_json(const TgGrid *grid)
{
    json_t *rows = json_array();

    for (guint r = 0; r < tg_grid_n_rows(grid); r++) {
        json_t *row = json_object();

        for (guint c = 0; c < grid->columns->len; c++) {
            const char *path = column_at(grid, c)->path;

            if (path != NULL)
                set_at_path(row, path, cell_json(cell_at(grid, r, c)));
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

json_t *tg_grid_json(const TgGrid *grid)
{
    json_t *head = json_array(), *rows = json_array(), *notes = json_array();

    for (guint r = 0; r <= tg_grid_n_rows(grid); r++) {
        json_t *row = r == 0 ? head : json_array();

        for (guint c = 0; c < grid->shown->len; c++) {
            const TgGridCell *cell = shown_at(grid, r, c);

            json_array_append_new(row, cell->kind == TG_CELL_NUMBER
                                           ? tg_json_number(cell->number[0])
                                           : tg_json_text(cell->text));
        }
        if (r > 0)
            json_array_append_new(rows, row);
    }
    for (guint i = 0; i < grid->notes->len; i++)
        json_array_append_new(notes, tg_json_text(note_at(grid, i)));
    return json_pack("{s:o, s:o, s:o, s:o}", "title", tg_json_text(grid->title), "head", head,
                     "rows", rows, "notes", notes);
}

void tg_grid_append(GString *out, const TgGrid *grid, TgGridStyle style)
{
    switch (style) {
    case TG_GRID_TABLE:
    case TG_GRID_MARKDOWN:
        append_aligned(out, grid, style == TG_GRID_MARKDOWN);
        break;
    case TG_GRID_LATEX:
        append_latex(out, grid);
        break;
    case TG_GRID_CSV:
        append_csv(out, grid);
        break;
    case TG_GRID_JSON:
        g_return_if_reached();
    }
}
