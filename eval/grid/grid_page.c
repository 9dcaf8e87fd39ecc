#include "eval/grid/grid_page.h"

#include <string.h>

#include "core/visible.h"
#include "eval/grid/grid.h"
#include "eval/grid/grid_cells.h"

guint tg_grid_width_of(const char *text)
{
    guint width = 0;

    for (; *text != '\0'; text = g_utf8_next_char(text)) {
        const gunichar c = g_utf8_get_char(text);

        width += g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
    }
    return width;
}

/* A cell as it is written: no line break or other control, and in Markdown nothing that is HTML. */
static char *clean_text(const TgGridCell *cell, const char *shown, gboolean markdown)
{
    GString *text = g_string_new(markdown && cell->is_best ? "**" : NULL);

    g_autofree char *line = g_strdelimit(g_strdup(shown), "\t\r\n", ' ');
    g_autofree char *visible = tg_visible(line, NULL);

    for (const char *c = visible; *c != '\0'; c++) {
        if (markdown && strchr("|<[*_`~\\", *c) != NULL)
            g_string_append_c(text, '\\');
        g_string_append_c(text, *c);
    }
    g_string_append(text, !cell->is_best ? "" : markdown ? "**" : "*");
    g_string_append(text, cell->mark != NULL ? cell->mark : "");
    return g_string_free(text, FALSE);
}

/* In text a mark follows the best numbers of a column: the others have a blank there. */
static gboolean has_best(const TgGrid *grid, guint column)
{
    gboolean any = FALSE;

    for (guint r = 1; r <= tg_grid_n_rows(grid); r++)
        any = any || tg_grid_shown_at(grid, r, column)->is_best;
    return any;
}

TgGridPage *tg_grid_page_new(const TgGrid *grid, const TgGridForm *form)
{
    TgGridPage *page = g_new0(TgGridPage, 1);

    page->markdown = form->style == TG_GRID_MARKDOWN;
    page->n_keys = MIN(grid->n_keys, grid->shown->len);
    page->n_columns = grid->shown->len;
    page->n_rows = tg_grid_n_rows(grid) + 1;
    page->text = g_new0(char *, (gsize) page->n_rows * page->n_columns + 1);
    page->widths = g_new0(guint, page->n_columns + 1);
    for (guint c = 0; c < page->n_columns; c++) {
        const gboolean padded = !page->markdown && has_best(grid, c);

        for (guint r = 0; r < page->n_rows; r++) {
            const TgGridCell *cell = tg_grid_shown_at(grid, r, c);
            g_autofree char *plain = tg_grid_shown_text(grid, r, c, form);
            g_autofree char *shown = g_strconcat(plain, padded && !cell->is_best ? " " : "", NULL);
            char *text = clean_text(cell, shown, page->markdown);

            page->text[r * page->n_columns + c] = text;
            page->widths[c] = MAX(page->widths[c], tg_grid_width_of(text));
        }
    }
    return page;
}

void tg_grid_page_free(TgGridPage *page)
{
    g_strfreev(page->text);
    g_free(page->widths);
    g_free(page);
}

static void append_padded(GString *out, const char *text, guint width, gboolean left)
{
    const guint taken = tg_grid_width_of(text);

    if (left)
        g_string_append(out, text);
    for (guint i = taken; i < width; i++)
        g_string_append_c(out, ' ');
    if (!left)
        g_string_append(out, text);
}

void tg_grid_page_append_row(GString *out, const TgGridPage *page, guint row, guint first,
                             guint end)
{
    const gboolean markdown = page->markdown;
    const char *gap = markdown ? "| " : "";

    for (guint c = 0; c < end; c++) {
        if (c >= page->n_keys && c < first)
            continue;
        g_string_append(out, gap);
        append_padded(out, page->text[row * page->n_columns + c], page->widths[c],
                      c < page->n_keys);
        gap = markdown ? " | " : "  ";
    }
    g_string_append(out, markdown ? " |" : "");
    while (!markdown && out->len > 0 && out->str[out->len - 1] == ' ')
        g_string_truncate(out, out->len - 1);
    g_string_append_c(out, '\n');
}
