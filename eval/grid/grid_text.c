/* A grid as aligned text and as Markdown. */
#include "eval/grid/grid_text.h"

#include "core/visible.h"
#include "eval/grid/grid_cells.h"
#include "eval/grid/grid_wide.h"

static void append_page(GString *out, const TgGridPage *page)
{
    for (guint r = 0; r < page->n_rows; r++) {
        tg_grid_page_append_row(out, page, r, page->n_keys, page->n_columns);
        if (r > 0 || !page->markdown)
            continue;
        for (guint c = 0; c < page->n_columns; c++)
            g_string_append(out, c < page->n_keys ? "|:---" : "|---:");
        g_string_append(out, "|\n");
    }
}

void tg_wrap_append(GString *out, const char *text, guint indent, guint width)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    guint taken = 0;

    for (guint i = 0; words[i] != NULL; i++) {
        const guint n = tg_grid_width_of(words[i]);
        const gboolean breaks = width > 0 && taken > indent && taken + 1 + n > width;

        if (breaks) {
            while (out->len > 0 && out->str[out->len - 1] == ' ')
                g_string_truncate(out, out->len - 1);
            g_string_append_printf(out, "\n%*s", (int) indent, "");
        } else if (i > 0)
            g_string_append_c(out, ' ');
        g_string_append(out, words[i]);
        taken = (breaks ? indent : i == 0 ? 0 : taken + 1) + n;
    }
    g_string_append_c(out, '\n');
}

void tg_grid_append_aligned(GString *out, const TgGrid *grid, const TgGridForm *form)
{
    const gboolean markdown = form->style == TG_GRID_MARKDOWN;
    const guint width = markdown ? 0 : form->width;
    TgGridPage *page = tg_grid_page_new(grid, form);

    g_autofree char *title = grid->title != NULL ? tg_visible(grid->title, NULL) : NULL;
    if (title != NULL && markdown)
        g_string_append_printf(out, "### %s\n\n", title);
    else if (title != NULL)
        tg_wrap_append(out, title, 0, width);
    if (width > 0 && tg_grid_page_is_wide(page, width))
        tg_grid_page_append_narrow(out, page, width);
    else
        append_page(out, page);
    for (guint i = 0; i < grid->notes->len; i++) {
        g_string_append(out, markdown ? "\n" : "");
        g_autofree char *note = tg_visible(grid->notes->pdata[i], NULL);
        tg_wrap_append(out, note, 0, width);
    }
    tg_grid_page_free(page);
}
