/* A grid as aligned text and as Markdown. */
#include "eval/grid/private.h"

#include <string.h>

#include "core/utf8.h"

enum { GAP = 2 };

/* What people see of a grid; row 0 is the head. */
typedef struct {
    guint n_keys, n_columns, n_rows;
    gboolean markdown;
    char **text;   /* [n_rows][n_columns] */
    guint *widths; /* [n_columns] of the longest text */
} Page;

/* Whether a character of Markdown is more than text: emphasis, code, HTML, entities, links,
 * columns, formulas, and what GitHub makes links of: addresses of pages. (Those of people it links
 * whatever is before @.) */
static gboolean is_markup(const char *text, const char *at)
{
    return strchr("|<[*_`~\\&$", *at) != NULL || g_str_has_prefix(at, "://") ||
           (*at == '.' && at - text >= 3 && g_ascii_strncasecmp(at - 3, "www", 3) == 0);
}

static void append_markdown(GString *out, const char *text)
{
    g_autofree char *visible = tg_visible(text, NULL);

    for (const char *at = visible; *at != '\0'; at++) {
        if (is_markup(visible, at))
            g_string_append_c(out, '\\');
        g_string_append_c(out, *at);
    }
}

void tg_markdown_append_line(GString *out, const char *text)
{
    const gsize start = out->len;

    append_markdown(out, text);
    const char *line = out->str + start;
    const gsize n = strspn(line, "0123456789"); /* "1." and "1)" begin a list */
    if (*line != '\0' &&
        (strchr("#>+-=", *line) != NULL || (n > 0 && strchr(".)", line[n]) != NULL)))
        g_string_insert_c(out, (gssize) (start + n), '\\');
    g_string_append_c(out, '\n');
}

/* A cell as it is written: no line break or other control, and in Markdown no markup. */
static char *clean_text(const TgCell *cell, const char *shown, gboolean markdown)
{
    GString *text = g_string_new(markdown && cell->is_best ? "**" : NULL);
    g_autofree char *line = g_strdelimit(g_strdup(shown), "\t\r\n", ' ');

    if (markdown)
        append_markdown(text, line);
    else
        tg_visible_append(text, line, NULL);
    g_string_append(text, !cell->is_best ? "" : markdown ? "**" : "*");
    g_string_append(text, cell->mark != NULL ? cell->mark : "");
    return g_string_free(text, FALSE);
}

static void page_init(Page *page, const TgGrid *grid, const TgGridForm *form)
{
    *page = (Page){ .n_keys = MIN(grid->n_keys, grid->shown->len),
                    .n_columns = grid->shown->len,
                    .n_rows = tg_grid_n_rows(grid) + 1,
                    .markdown = form->style == TG_GRID_MARKDOWN };
    page->text = g_new0(char *, (gsize) page->n_rows * page->n_columns + 1);
    page->widths = g_new0(guint, page->n_columns + 1);
    for (guint c = 0; c < page->n_columns; c++) {
        gboolean padded =
            FALSE; /* in text a mark follows the best: the others have a blank there */

        for (guint r = 1; !page->markdown && r < page->n_rows; r++)
            padded = padded || tg_grid_shown_cell(grid, r, c)->is_best;
        for (guint r = 0; r < page->n_rows; r++) {
            const TgCell *cell = tg_grid_shown_cell(grid, r, c);
            g_autofree char *plain = tg_grid_shown_text(grid, r, c, form);
            g_autofree char *shown = g_strconcat(plain, padded && !cell->is_best ? " " : "", NULL);
            char *text = clean_text(cell, shown, page->markdown);

            page->text[r * page->n_columns + c] = text;
            page->widths[c] = MAX(page->widths[c], tg_columns_of(text));
        }
    }
}

/* A line of the first @n_keys columns and those from @first to @end. */
static void append_row(GString *out, const Page *page, guint row, guint n_keys, guint first,
                       guint end)
{
    const char *gap = page->markdown ? "| " : "";

    for (guint c = 0; c < end; c++) {
        const char *text = page->text[row * page->n_columns + c];
        const int blanks = (int) (page->widths[c] - tg_columns_of(text));

        if (c >= n_keys && c < first)
            continue;
        if (c < page->n_keys)
            g_string_append_printf(out, "%s%s%*s", gap, text, blanks, "");
        else
            g_string_append_printf(out, "%s%*s%s", gap, blanks, "", text);
        gap = page->markdown ? " | " : "  ";
    }
    g_string_append(out, page->markdown ? " |" : "");
    while (!page->markdown && out->len > 0 && out->str[out->len - 1] == ' ')
        g_string_truncate(out, out->len - 1);
    g_string_append_c(out, '\n');
}

/*
 * What is wider than @width (0: nothing is) goes on in blocks below each other. They repeat the
 * names, as many of them as take half of a line, but at least the first.
 */
static void append_blocks(GString *out, const Page *page, guint width)
{
    guint n_keys = 0, names = 0, total = 0, end;

    for (guint c = 0; c < page->n_columns; c++)
        total += page->widths[c] + (c > 0 ? GAP : 0);
    if (width == 0 || total <= width) {
        n_keys = page->n_keys;
        width = G_MAXUINT;
    }
    while (n_keys < page->n_keys && (n_keys == 0 || names + page->widths[n_keys] <= width / 2))
        names += page->widths[n_keys++] + GAP;
    for (guint first = n_keys; first < page->n_columns || first == n_keys; first = end) {
        guint taken = names + (first < page->n_columns ? page->widths[first] : 0);

        for (end = first + 1; end < page->n_columns; end++) {
            taken += GAP + page->widths[end];
            if (taken > width)
                break;
        }
        g_string_append(out, first > n_keys ? "\n" : "");
        for (guint r = 0; r < page->n_rows; r++) {
            append_row(out, page, r, n_keys, first, MIN(end, page->n_columns));
            if (r > 0 || !page->markdown)
                continue;
            for (guint c = 0; c < page->n_columns; c++)
                g_string_append(out, c < page->n_keys ? "|:---" : "|---:");
            g_string_append(out, "|\n");
        }
    }
}

void tg_wrap_append(GString *out, const char *text, guint indent, guint width)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    guint taken = 0;

    for (guint i = 0; words[i] != NULL; i++) {
        const guint n = tg_columns_of(words[i]);
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

/* A line of text, in Markdown after @mark. */
static void append_line(GString *out, const char *mark, const char *text, const TgGridForm *form)
{
    g_autofree char *visible = tg_visible(text, NULL);

    if (form->style != TG_GRID_MARKDOWN) {
        tg_wrap_append(out, visible, 0, form->width);
        return;
    }
    g_string_append(out, mark);
    tg_markdown_append_line(out, visible);
}

void tg_grid_append_aligned(GString *out, const TgGrid *grid, const TgGridForm *form)
{
    const gboolean markdown = form->style == TG_GRID_MARKDOWN;
    Page page;

    page_init(&page, grid, form);
    if (grid->title != NULL)
        append_line(out, "### ", grid->title, form);
    if (grid->title != NULL && markdown)
        g_string_append_c(out, '\n');
    append_blocks(out, &page, markdown ? 0 : form->width);
    for (guint i = 0; i < grid->notes->len; i++)
        append_line(out, "\n", grid->notes->pdata[i], form);
    g_strfreev(page.text);
    g_free(page.widths);
}
