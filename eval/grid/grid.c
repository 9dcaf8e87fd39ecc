/* Tables of typed cells: what they hold, and every form in which they are written. */
#include "eval/grid/grid.h"

#include <csv.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "core/json.h"
#include "core/number.h"
#include "core/utf8.h"

typedef struct {
    TgGridKind kind;  /* a name is a TEXT */
    char *text;       /* of TEXT and VALUE */
    char *mark;       /* after it; NULL for none */
    double number[2]; /* of the others; may be NaN; two of INTERVAL */
    gint digits;      /* of NUMBER and INTERVAL: decimals */
    json_t *json;     /* of VALUE, and of TEXT where its value differs from @text */
    gboolean is_best;
    gboolean is_share;
} Cell;

typedef struct {
    Cell head;       /* where tables for people show the column: text is not NULL */
    char *csv;       /* name, or NULL */
    char **path;     /* in a row's JSON object, or NULL */
    TgGridColumn of; /* of its texts the arrow alone is used */
} Column;

struct TgGrid {
    char *title;
    guint n_keys;
    GArray *columns;  /* of Column */
    GArray *shown;    /* guint: the columns with a head */
    GArray *cells;    /* of Cell, row by row */
    GPtrArray *notes; /* char * */
};

const char *const tg_grid_styles[] = { "table", "json", "csv", "md", "latex", NULL };
G_STATIC_ASSERT(G_N_ELEMENTS(tg_grid_styles) == TG_GRID_LATEX + 2);

static void clear_cell(gpointer data)
{
    Cell *cell = data;

    g_free(cell->text);
    g_free(cell->mark);
    json_decref(cell->json);
}

static void clear_column(gpointer data)
{
    Column *column = data;

    clear_cell(&column->head);
    g_free(column->csv);
    g_strfreev(column->path);
}

TgGrid *tg_grid_new(const char *title, guint n_keys)
{
    TgGrid *grid = g_new0(TgGrid, 1);

    grid->title = g_strdup(title);
    grid->n_keys = n_keys;
    grid->columns = g_array_new(FALSE, FALSE, sizeof(Column));
    g_array_set_clear_func(grid->columns, clear_column);
    grid->shown = g_array_new(FALSE, FALSE, sizeof(guint));
    grid->cells = g_array_new(FALSE, FALSE, sizeof(Cell));
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

void tg_grid_column(TgGrid *grid, const TgGridColumn *of)
{
    Column column = { .head = { .text = g_strdup(of->head) }, .csv = g_strdup(of->csv), .of = *of };

    g_return_if_fail(grid->cells->len == 0);
    if (of->path != NULL) {
        g_autoptr(GStrvBuilder) path = g_strv_builder_new();
        g_auto(GStrv) names = g_strsplit(of->path, ".", -1);

        g_strv_builder_addv(path, (const char **) names);
        if (of->member != NULL)
            g_strv_builder_add(path, of->member);
        column.path = g_strv_builder_end(path);
    }
    if (of->head != NULL)
        g_array_append_vals(grid->shown, &grid->columns->len, 1);
    g_array_append_val(grid->columns, column);
}

void tg_grid_head(TgGrid *grid, const char *text)
{
    tg_grid_column(grid, &(TgGridColumn){ text, text });
}

void tg_grid_heads(TgGrid *grid, const char *const *texts)
{
    for (guint i = 0; texts[i] != NULL; i++)
        tg_grid_head(grid, texts[i]);
}

static void put_cell(TgGrid *grid, Cell cell)
{
    g_array_append_val(grid->cells, cell);
}

void tg_grid_put(TgGrid *grid, const char *text)
{
    put_cell(grid, (Cell){ .text = g_strdup(text) });
}

void tg_grid_putf(TgGrid *grid, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    put_cell(grid, (Cell){ .text = g_strdup_vprintf(format, args) });
    va_end(args);
}

void tg_grid_put_name(TgGrid *grid, const char *name, const char *instead)
{
    const gboolean empty = name == NULL || *name == '\0';

    put_cell(grid, (Cell){ .text = g_strdup(empty ? instead : name), .json = tg_json_text(name) });
}

void tg_grid_put_number(TgGrid *grid, double value, gint digits)
{
    put_cell(grid, (Cell){ TG_GRID_NUMBER, .number = { value, NAN }, .digits = digits });
}

void tg_grid_put_count(TgGrid *grid, guint64 count)
{
    put_cell(grid, (Cell){ TG_GRID_COUNT, .number = { (double) count, NAN } });
}

void tg_grid_put_interval(TgGrid *grid, const double ends[2], gint digits)
{
    put_cell(grid, (Cell){ TG_GRID_INTERVAL, .number = { ends[0], ends[1] }, .digits = digits });
}

void tg_grid_row(TgGrid *grid, gconstpointer row, gboolean is_share)
{
    for (guint i = 0; i < grid->columns->len; i++) {
        const TgGridColumn *column = &g_array_index(grid->columns, Column, i).of;
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
            put_cell(grid, (Cell){ TG_GRID_P, .number = { *(const double *) at, NAN } });
            break;
        case TG_GRID_INTERVAL:
            tg_grid_put_interval(grid, at, column->digits);
            break;
        case TG_GRID_VALUE:
            put_cell(grid, (Cell){ TG_GRID_VALUE, g_strdup(""), .json = column->value(at) });
            break;
        }
        if (column->scores && is_share)
            tg_grid_share(grid);
    }
}

char *tg_level_text(double level)
{
    char text[32];

    return g_strdup_printf("%s %%", g_ascii_formatd(text, sizeof text, "%.4g", 100 * level));
}

TgGrid *tg_grid_new_of(const char *title, guint n_keys, const TgGridColumn *columns, guint n,
                       const GPtrArray *rows)
{
    TgGrid *grid = tg_grid_new(title, n_keys);

    for (guint i = 0; i < n; i++)
        tg_grid_column(grid, &columns[i]);
    for (guint i = 0; rows != NULL && i < rows->len; i++)
        tg_grid_row(grid, rows->pdata[i], FALSE);
    return grid;
}

const char *tg_shown_name(const char *name)
{
    return name != NULL && *name != '\0' ? name : "(none)";
}

static Cell *last_cell(TgGrid *grid)
{
    g_return_val_if_fail(grid->cells->len > 0, NULL);
    return &g_array_index(grid->cells, Cell, grid->cells->len - 1);
}

void tg_grid_mark(TgGrid *grid, gboolean best, const char *mark)
{
    Cell *cell = last_cell(grid);

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

static const Column *column_at(const TgGrid *grid, guint column)
{
    return &g_array_index(grid->columns, Column, column);
}

static const Cell *cell_at(const TgGrid *grid, guint row, guint column)
{
    return &g_array_index(grid->cells, Cell, row * grid->columns->len + column);
}

static const Cell *shown_cell(const TgGrid *grid, guint row, guint i)
{
    const guint column = g_array_index(grid->shown, guint, i);

    return row == 0 ? &column_at(grid, column)->head : cell_at(grid, row - 1, column);
}

static gboolean is_number(const Cell *cell)
{
    return cell->kind != TG_GRID_TEXT && cell->kind != TG_GRID_VALUE;
}

static gboolean is_percent(const Column *column, const Cell *cell, const TgGridForm *form)
{
    return form->percent && (column->of.is_share || cell->is_share);
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

static char *number_text(const Cell *cell, guint end, gboolean percent, const TgGridForm *form)
{
    const double value = percent ? 100 * cell->number[end] : cell->number[end];
    char text[32];

    if (cell->kind == TG_GRID_COUNT)
        return format_fixed(value, 0);
    if (cell->kind != TG_GRID_P)
        return format_fixed(value, form->fixed ? form->digits
                                   : percent   ? MAX(cell->digits - 2, 0)
                                               : cell->digits);
    return g_strdup(isnan(value) ? "-" : g_ascii_formatd(text, sizeof text, "%.2g", value));
}

static char *cell_text(const Column *column, const Cell *cell, const TgGridForm *form)
{
    const gboolean percent = is_percent(column, cell, form);

    if (!is_number(cell))
        return g_strconcat(cell->text, percent && cell->kind == TG_GRID_TEXT ? " %" : "", NULL);
    char *low = number_text(cell, 0, percent, form);
    if (cell->kind != TG_GRID_INTERVAL)
        return low;
    g_autofree char *high = number_text(cell, 1, percent, form);
    const gboolean is_defined = !isnan(cell->number[0]) && !isnan(cell->number[1]);
    char *text = is_defined ? g_strdup_printf("[%s, %s]", low, high) : g_strdup("-");
    g_free(low);
    return text;
}

static char *shown_text(const TgGrid *grid, guint row, guint i, const TgGridForm *form)
{
    const Column *column = column_at(grid, g_array_index(grid->shown, guint, i));
    char *text = cell_text(column, shown_cell(grid, row, i), form);

    if (row > 0 || column->of.arrow == NULL || form->style == TG_GRID_LATEX)
        return text;
    char *with_arrow = g_strconcat(text, " ", column->of.arrow, NULL);
    g_free(text);
    return with_arrow;
}

static double cell_number(const Column *column, const Cell *cell, guint end, const TgGridForm *form)
{
    const gboolean percent = is_percent(column, cell, form);
    const double value = percent ? 100 * cell->number[end] : cell->number[end];

    if (!form->fixed || cell->kind == TG_GRID_COUNT || cell->kind == TG_GRID_P || !isfinite(value))
        return value;
    g_autofree char *text = format_fixed(value, form->digits);
    return g_ascii_strtod(text, NULL);
}

/* ---- aligned text and Markdown ---- */

enum { GAP = 2 };

/* The visible cells of a grid; row 0 is the head. */
typedef struct {
    guint n_keys, n_columns, n_rows;
    gboolean markdown;
    char **text;   /* [n_rows][n_columns] with their marks, but not for LaTeX */
    guint *widths; /* [n_columns] of the longest text and its mark */
} Page;

/* A character of Markdown may be more than text: emphasis, code, HTML, entities, links, columns,
 * formulas, and what GitHub makes links of: addresses of pages. (Those of people it links whatever
 * is before @.) */
static void append_markdown(GString *out, const char *text)
{
    g_autofree char *visible = tg_visible(text, NULL);

    for (const char *at = visible; *at != '\0'; at++) {
        if (strchr("|<[*_`~\\&$", *at) != NULL || g_str_has_prefix(at, "://") ||
            (*at == '.' && at - visible >= 3 && g_ascii_strncasecmp(at - 3, "www", 3) == 0))
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
static char *clean_text(const Cell *cell, const char *shown, gboolean markdown)
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
    const gboolean is_latex = form->style == TG_GRID_LATEX;

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
            padded = padded || shown_cell(grid, r, c)->is_best;
        for (guint r = 0; r < page->n_rows; r++) {
            const Cell *cell = shown_cell(grid, r, c);
            g_autofree char *plain = shown_text(grid, r, c, form);
            g_autofree char *shown = g_strconcat(plain, padded && !cell->is_best ? " " : "", NULL);
            char *text =
                is_latex ? g_steal_pointer(&plain) : clean_text(cell, shown, page->markdown);
            const guint mark = is_latex && cell->mark != NULL ? 1 : 0;

            page->text[r * page->n_columns + c] = text;
            page->widths[c] = MAX(page->widths[c], tg_columns_of(text) + mark);
        }
    }
}

static void page_clear(Page *page)
{
    g_strfreev(page->text);
    g_free(page->widths);
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
 * A grid wider than @width (0: no limit) goes on in blocks below each other. They repeat the
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

static void append_aligned(GString *out, const TgGrid *grid, const TgGridForm *form)
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
    page_clear(&page);
}

/* ---- LaTeX ----
 *
 * One table with booktabs, within the margins of an article on A4: what is wider than its text is
 * set in a smaller font, long texts break into lines, and what is still too wide is scaled down;
 * what is longer than a page is a longtable. */

/* An article on A4 with 10 pt is 345 pt wide; widths of characters are those of wide text. */
enum { TEXT_WIDTH = 345, INDENT = 15, MAX_ROWS = 30, MIN_KEY = 8, BREAK_STEP = 3 };
static const double normal_char = 5.6, normal_gap = 12, small_char = 4.8, small_gap = 6;

/* A grid while it is written as LaTeX. */
typedef struct {
    const TgGrid *grid;
    Page page;
    guint *limits; /* [n_keys] characters that a key may take in a line */
    gboolean small;
    gboolean is_scaled; /* to the width of the text */
    gboolean is_long;   /* may go on over the page's end */
} LatexTable;

/* The LaTeX form of each ASCII character, whatever the encoding of its fonts. */
static const char *const latex_of[128] = {
    ['#'] = "\\#",
    ['$'] = "\\$",
    ['%'] = "\\%",
    ['&'] = "\\&",
    ['_'] = "\\_",
    ['{'] = "\\{",
    ['}'] = "\\}",
    ['\\'] = "\\textbackslash{}",
    ['^'] = "\\textasciicircum{}",
    ['~'] = "\\textasciitilde{}",
    ['<'] = "\\textless{}",
    ['>'] = "\\textgreater{}",
    ['|'] = "\\textbar{}",
    ['`'] = "\\textasciigrave{}",
    ['-'] = "-{}",
    ['\''] = "'{}", /* not the dash of --, not the quotes of '' */
};

/* A line of text, with what steers the order of text and other controls shown. */
static char *visible_line(const char *text)
{
    g_autofree char *line = g_strdelimit(g_strdup(text), "\t\r\n", ' ');

    return tg_visible(line, NULL);
}

/* @step: after how many characters a line may end; 0: nowhere but at spaces */
static void append_latex_text(GString *out, const char *text, guint step)
{
    g_autofree char *line = visible_line(text);
    guint n = 0;

    for (const char *at = line; *at != '\0'; at++) {
        const guchar c = (guchar) *at;
        const gboolean joins = c == '-' || c == '\''; /* with the next character */

        if (step > 0 && n > 0 && n % step == 0 && (c & 0xC0) != 0x80)
            g_string_append(out, "\\allowbreak{}");
        n += (c & 0xC0) != 0x80;
        if (c < 128 && latex_of[c] != NULL && (!joins || at[1] == *at))
            g_string_append(out, latex_of[c]);
        else
            g_string_append_c(out, *at);
    }
}

/* A comment ends with its line. */
static void append_latex_comment(GString *out, const char *text)
{
    g_autofree char *line = visible_line(text);

    g_string_append_printf(out, "%% %s\n", line);
}

static void append_latex_cell(GString *out, const Cell *cell, const char *text, gboolean first,
                              guint step)
{
    /* After a row's end TeX would take these for an argument of \\ or of the rule. */
    g_string_append(out, first && (*text == '[' || *text == '*') ? "{}" : "");
    g_string_append(out, cell->is_best ? "\\textbf{" : "");
    append_latex_text(out, text, step);
    g_string_append(out, cell->is_best ? "}" : "");
    if (cell->mark != NULL) {
        g_string_append(out, "\\textsuperscript{");
        append_latex_text(out, cell->mark, 0);
        g_string_append_c(out, '}');
    }
}

static double latex_width(const guint *chars, guint first, guint end, double of_char, double gap)
{
    double width = 0;

    for (guint c = first; c < end; c++)
        width += chars[c] * of_char + gap;
    return width;
}

/* The longest keys take less until all of them leave room for numbers. */
static void limit_keys(const Page *page, guint *limits)
{
    const guint n_keys = page->n_keys;
    const double numbers =
        latex_width(page->widths, n_keys, page->n_columns, small_char, small_gap);
    const double room =
        MAX(TEXT_WIDTH - numbers, TEXT_WIDTH * (page->n_columns > n_keys ? 0.6 : 1));

    memcpy(limits, page->widths, n_keys * sizeof *limits);
    while (latex_width(limits, 0, n_keys, small_char, small_gap) > room) {
        guint longest = 0;

        for (guint c = 1; c < n_keys; c++)
            longest = limits[c] > limits[longest] ? c : longest;
        if (limits[longest] <= MIN_KEY)
            break;
        limits[longest]--;
    }
}

static gboolean is_broken(const LatexTable *table, guint column)
{
    return table->small && column < table->page.n_keys &&
           table->limits[column] < table->page.widths[column];
}

static void append_latex_row(GString *out, const LatexTable *table, guint row)
{
    for (guint c = 0; c < table->page.n_columns; c++) {
        g_string_append(out, c > 0 ? " & " : "");
        g_string_append(out, is_broken(table, c) ? "\\raggedright " : "");
        append_latex_cell(out, shown_cell(table->grid, row, c),
                          table->page.text[row * table->page.n_columns + c], c == 0,
                          is_broken(table, c) ? BREAK_STEP : 0);
    }
    g_string_append(out, table->small ? " \\tabularnewline\n" : " \\\\\n");
    g_string_append(out, row == 0 ? "\\midrule\n" : "");
    g_string_append(out, row == 0 && table->is_long ? "\\endhead\n" : "");
}

/* The head and the rows from @first to before @end. */
static void append_latex_rows(GString *out, const LatexTable *table, guint first, guint end)
{
    const char *name = table->is_long ? "longtable" : "tabular";

    g_string_append(out, table->is_scaled ? "\\resizebox{\\linewidth}{!}{%\n" : "");
    g_string_append_printf(out, "\\begin{%s}%s{", name, table->is_long ? "[l]" : "");
    for (guint c = 0; c < table->page.n_columns; c++) {
        if (is_broken(table, c))
            g_string_append_printf(out, "p{%upt}", (guint) (table->limits[c] * small_char));
        else
            g_string_append_c(out, c < table->page.n_keys ? 'l' : 'r');
    }
    g_string_append(out, "}\n\\toprule\n");
    append_latex_row(out, table, 0);
    for (guint r = first; r < end; r++)
        append_latex_row(out, table, r);
    g_string_append_printf(out, "\\bottomrule\n\\end{%s}%s\n", name, table->is_scaled ? "}" : "");
}

static void append_latex(GString *out, const TgGrid *grid, const TgGridForm *form)
{
    const guint n_rows = tg_grid_n_rows(grid), n_columns = grid->shown->len;
    g_autofree guint *limits = g_new0(guint, n_columns + 1);
    LatexTable table = { .grid = grid, .limits = limits };
    const Page *page = &table.page;
    guint rows_of_page = MAX_ROWS;

    page_init(&table.page, grid, form);
    limit_keys(page, limits);
    table.small =
        latex_width(page->widths, 0, n_columns, normal_char, normal_gap) > TEXT_WIDTH - INDENT;
    for (guint c = 0; c < page->n_keys; c++)
        rows_of_page = is_broken(&table, c) ? MAX_ROWS / 3 : rows_of_page;
    table.is_scaled = table.small && latex_width(limits, 0, page->n_keys, small_char, small_gap) +
                                             latex_width(page->widths, page->n_keys, n_columns,
                                                         small_char, small_gap) >
                                         TEXT_WIDTH;
    table.is_long = n_rows > rows_of_page && !table.is_scaled;
    g_string_append_printf(out, "%% needs \\usepackage{booktabs%s%s}\n",
                           table.is_long ? ",longtable" : "", table.is_scaled ? ",graphicx" : "");
    if (grid->title != NULL)
        append_latex_comment(out, grid->title);
    if (table.small)
        g_string_append(out, "{\\noindent\\footnotesize\\setlength{\\tabcolsep}{3pt}%\n");
    /* LaTeX cannot scale a longtable, so it becomes a table a page. */
    for (guint first = 1, end; first == 1 || first <= n_rows; first = end) {
        end = table.is_scaled ? MIN(first + rows_of_page, n_rows + 1) : n_rows + 1;
        g_string_append(out, first > 1 ? "\n\\medskip\n\\noindent\n" : "");
        append_latex_rows(out, &table, first, end);
        end = MAX(end, 2);
    }
    g_string_append(out, table.small ? "}\n" : "");
    for (guint i = 0; i < grid->notes->len; i++)
        append_latex_comment(out, grid->notes->pdata[i]);
    page_clear(&table.page);
}

/* ---- HTML ---- */

void tg_html_append(GString *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    g_autofree char *text = g_markup_vprintf_escaped(format, args);
    va_end(args);
    g_string_append(out, text);
}

/* Beyond this width a name may be broken into lines. */
enum { LONG_CELL = 60 };

static void append_html_cell(GString *out, const Cell *cell, const char *text, gboolean head,
                             gboolean key)
{
    g_string_append(out, head ? "<th scope=\"col\"" : key ? "<th scope=\"row\"" : "<td");
    g_string_append(out, !key                              ? ">"
                         : tg_columns_of(text) > LONG_CELL ? " class=\"key long\">"
                                                           : " class=\"key\">");
    tg_html_append(out, cell->is_best ? "<strong>%s</strong>" : "%s", text);
    if (cell->mark != NULL)
        tg_html_append(out, "<sup>%s</sup>", cell->mark);
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
    if (grid->title != NULL)
        tg_html_append(out, "<caption>%s</caption>\n", grid->title);
    for (guint r = 0; r <= tg_grid_n_rows(grid); r++) {
        g_string_append(out, r == 0 ? "<thead><tr>" : "<tr>");
        for (guint c = 0; c < grid->shown->len; c++) {
            const Cell *cell = shown_cell(grid, r, c);
            const gboolean is_count = cell->kind == TG_GRID_COUNT && cell->number[0] >= 0;
            g_autofree char *text =
                is_count ? tg_count_text((guint64) cell->number[0]) : shown_text(grid, r, c, form);

            append_html_cell(out, cell, text, r == 0, c < grid->n_keys);
        }
        g_string_append(out, r == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n");
    }
    g_string_append(out, "</tbody></table></div>\n");
    for (guint i = 0; i < grid->notes->len; i++)
        tg_html_append(out, "<p class=\"note\">%s</p>\n", (const char *) grid->notes->pdata[i]);
}

/* ---- CSV and JSON ---- */

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
static gboolean has_ends(const Column *column)
{
    return g_str_has_suffix(column->csv, "_*");
}

static void append_csv_name(GString *out, const Column *column, const TgGridForm *form)
{
    static const char *const ends[] = { "low", "high" };
    const char *unit = is_percent(column, &column->head, form) ? " %" : "";
    const gsize stem = strlen(column->csv) - (has_ends(column) ? 1 : 0);

    for (guint i = 0; i < (has_ends(column) ? 2 : 1); i++) {
        g_autofree char *name = g_strdup_printf("%.*s%s%s", (int) stem, column->csv,
                                                has_ends(column) ? ends[i] : "", unit);

        g_string_append(out, i > 0 ? "," : "");
        append_csv_text(out, name);
    }
}

/* Numbers stand without quotes, NaN as an empty cell. */
static void append_csv_cell(GString *out, const Column *column, const Cell *cell,
                            const TgGridForm *form)
{
    const gboolean ends = cell->kind == TG_GRID_INTERVAL && has_ends(column);

    if (!is_number(cell) || (cell->kind == TG_GRID_INTERVAL && !ends)) {
        g_autofree char *text = cell_text(column, cell, form);

        append_csv_text(out, text);
        return;
    }
    for (guint i = 0; i < (ends ? 2 : 1); i++) {
        const double number = cell_number(column, cell, i, form);
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
            const Column *column = column_at(grid, c);

            if (column->csv == NULL)
                continue;
            g_string_append(out, first ? "" : ",");
            first = FALSE;
            if (r == 0)
                append_csv_name(out, column, form);
            else
                append_csv_cell(out, column, cell_at(grid, r - 1, c), form);
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

static json_t *cell_json(const Column *column, const Cell *cell, const TgGridForm *form)
{
    if (!is_number(cell))
        return cell->json != NULL ? json_incref(cell->json) : tg_json_text(cell->text);
    json_t *low = tg_json_number(cell_number(column, cell, 0, form));
    if (cell->kind != TG_GRID_INTERVAL)
        return low;
    return json_pack("[o, o]", low, tg_json_number(cell_number(column, cell, 1, form)));
}

json_t *tg_grid_rows_json(const TgGrid *grid, const TgGridForm *form)
{
    json_t *rows = json_array();

    for (guint r = 0; r < tg_grid_n_rows(grid); r++) {
        json_t *row = json_object();

        for (guint c = 0; c < grid->columns->len; c++) {
            const Column *column = column_at(grid, c);

            if (column->path != NULL)
                set_at_path(row, column->path, cell_json(column, cell_at(grid, r, c), form));
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

void tg_grid_append(GString *out, const TgGrid *grid, const TgGridForm *form)
{
    g_return_if_fail(form->style != TG_GRID_JSON);
    if (form->style == TG_GRID_LATEX)
        append_latex(out, grid, form);
    else if (form->style == TG_GRID_CSV)
        append_csv(out, grid, form);
    else
        append_aligned(out, grid, form);
}

char *tg_grid_text(const TgGrid *grid, const TgGridForm *form)
{
    GString *out = g_string_new(NULL);

    tg_grid_append(out, grid, form);
    return g_string_free(out, FALSE);
}
