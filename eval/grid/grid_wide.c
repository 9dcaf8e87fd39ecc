#include "eval/grid/grid_wide.h"

#include <string.h>

enum { GAP = 2, MIN_NAME = 6 };

/* The columns [@first, @end) side by side. */
static guint total_width(const TgGridPage *page, guint first, guint end)
{
    guint width = 0;

    for (guint c = first; c < end; c++)
        width += page->widths[c] + (c > first ? GAP : 0);
    return width;
}

gboolean tg_grid_page_is_wide(const TgGridPage *page, guint width)
{
    return total_width(page, 0, page->n_columns) > width;
}

/* ---- short names ---- */

/* The characters at the beginning (at the end) of @text that are at most @width wide. */
static glong fitting(const char *text, guint width, gboolean at_end)
{
    const glong n = g_utf8_strlen(text, -1);
    glong k = 0;

    for (guint taken = 0; k < n; k++) {
        const gunichar c = g_utf8_get_char(g_utf8_offset_to_pointer(text, at_end ? n - 1 - k : k));

        taken += g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
        if (taken > width)
            break;
    }
    return k;
}

/* @text with an ellipsis in its middle, at most @width wide. (transfer full) */
static char *shorten(const char *text, guint width)
{
    if (tg_grid_width_of(text) <= width)
        return g_strdup(text);
    const guint tail = (width - 1) / 2;
    const glong front = fitting(text, width - 1 - tail, FALSE), back = fitting(text, tail, TRUE);
    const glong n = g_utf8_strlen(text, -1);
    g_autofree char *head = g_utf8_substring(text, 0, front);

    return g_strconcat(head, "…", g_utf8_offset_to_pointer(text, n - back), NULL);
}

/* Whether texts of a column that differ still do at @width. */
static gboolean stay_distinct(const TgGridPage *page, guint column, guint width)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (guint r = 0; r < page->n_rows; r++) {
        const char *text = page->text[r * page->n_columns + column];
        char *name = shorten(text, width);
        const char *before = g_hash_table_lookup(seen, name);

        if (before != NULL && strcmp(before, text) != 0) {
            g_free(name);
            return FALSE;
        }
        g_hash_table_insert(seen, name, (gpointer) text);
    }
    return TRUE;
}

/* Shorten the texts of a column to @width, or as far beyond as they need to differ. */
static void shorten_column(TgGridPage *page, guint column, guint width)
{
    while (width < page->widths[column] && !stay_distinct(page, column, width))
        width++;
    if (width >= page->widths[column])
        return;
    for (guint r = 0; r < page->n_rows; r++) {
        char **text = &page->text[r * page->n_columns + column];
        char *name = shorten(*text, width);

        g_free(*text);
        *text = name;
    }
    page->widths[column] = width;
}

/* Shorten the longest names until all columns of names take @width. */
static void shorten_keys(TgGridPage *page, guint width)
{
    g_autofree guint *limits = g_memdup2(page->widths, page->n_keys * sizeof *limits);
    guint total = total_width(page, 0, page->n_keys);

    while (total > width) {
        guint longest = 0;

        for (guint c = 1; c < page->n_keys; c++)
            if (limits[c] > limits[longest])
                longest = c;
        if (limits[longest] <= MIN_NAME)
            break;
        limits[longest]--;
        total--;
    }
    for (guint c = 0; c < page->n_keys; c++)
        if (limits[c] < page->widths[c])
            shorten_column(page, c, limits[c]);
}

/* ---- blocks of columns ---- */

static void append_blocks(GString *out, const TgGridPage *page, guint width)
{
    const guint keys = page->n_keys > 0 ? total_width(page, 0, page->n_keys) + GAP : 0;

    for (guint first = page->n_keys, end; first < page->n_columns; first = end) {
        for (end = first + 1; end < page->n_columns; end++)
            if (keys + total_width(page, first, end + 1) > width)
                break;
        if (first > page->n_keys)
            g_string_append_c(out, '\n');
        for (guint r = 0; r < page->n_rows; r++)
            tg_grid_page_append_row(out, page, r, first, end);
    }
}

/* ---- a paragraph a row ---- */

/* "head  text" in lines of at most @width, the later ones indented as the text. */
static void append_field(GString *out, const char *head, guint indent, const char *text,
                         guint width)
{
    const guint room = width > indent + MIN_NAME ? width - indent : MIN_NAME;

    g_string_append(out, head);
    for (guint i = tg_grid_width_of(head); i < indent; i++)
        g_string_append_c(out, ' ');
    do {
        const glong n = MAX(fitting(text, room, FALSE), *text != '\0');
        const char *rest = g_utf8_offset_to_pointer(text, n);

        g_string_append_len(out, text, rest - text);
        text = rest;
        g_string_append_c(out, '\n');
        for (guint i = 0; *text != '\0' && i < indent; i++)
            g_string_append_c(out, ' ');
    } while (*text != '\0');
}

static void append_paragraphs(GString *out, const TgGridPage *page, guint width)
{
    guint indent = 0;

    for (guint c = 0; c < page->n_columns; c++)
        indent = MAX(indent, tg_grid_width_of(page->text[c]) + GAP);
    for (guint r = 1; r < page->n_rows; r++) {
        g_string_append(out, r > 1 ? "\n" : "");
        for (guint c = 0; c < page->n_columns; c++)
            append_field(out, page->text[c], MIN(indent, width / 2),
                         page->text[r * page->n_columns + c], width);
    }
}

/* Rows that are mostly text say nothing when it is cut. */
static gboolean is_mostly_text(const TgGridPage *page)
{
    return page->n_keys > 2;
}

void tg_grid_page_append_narrow(GString *out, TgGridPage *page, guint width)
{
    guint widest = 0;

    if (is_mostly_text(page)) {
        append_paragraphs(out, page, width);
        return;
    }
    for (guint c = page->n_keys; c < page->n_columns; c++)
        widest = MAX(widest, page->widths[c]);
    shorten_keys(page, MIN(width / 2, width > widest + GAP ? width - widest - GAP : 0));
    const guint keys = page->n_keys > 0 ? total_width(page, 0, page->n_keys) + GAP : 0;
    for (guint c = page->n_keys; c < page->n_columns; c++)
        if (keys + page->widths[c] > width)
            shorten_column(page, c, width > keys + MIN_NAME ? width - keys : MIN_NAME);
    append_blocks(out, page, width);
}
