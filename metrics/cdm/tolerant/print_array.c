/* Environments, all of which are printed as arrays. */
#include <string.h>

#include "metrics/cdm/tolerant/printer.h"

/* Delimiters around the array. */
static const struct {
    const char *name, *left, *right;
} fences[] = {
    { "pmatrix", "\\left(", "\\right)" },           { "bmatrix", "\\left[", "\\right]" },
    { "Bmatrix", "\\left\\{", "\\right\\}" },       { "vmatrix", "\\left|", "\\right|" },
    { "Vmatrix", "\\left\\Vert", "\\right\\Vert" }, { "cases", "\\left\\{", "\\right." },
    { "dcases", "\\left\\{", "\\right." },          { "rcases", "\\left.", "\\right\\}" },
};

/* A cell is units @from to @end; behind `\\*` the star stands before them. */
typedef struct {
    guint from, end, row;
    const TgCdmUnit *star;
} Cell;

static gboolean is_cell_end(const TgCdmPrinter *printer, const TgCdmUnit *unit)
{
    return unit->kind == TG_CDM_UNIT_SPECIALS && printer->line->string->str[unit->at.start] == '&';
}

/* All cells, row by row. (transfer full) */
static GArray *split_cells(const TgCdmPrinter *printer, const GPtrArray *children)
{
    GArray *cells = g_array_new(FALSE, FALSE, sizeof(Cell));
    Cell cell = { 0 };

    for (guint i = 0; i < children->len; i++) {
        const TgCdmUnit *unit = children->pdata[i];
        const gboolean row_end = tg_cdm_unit_is_macro(unit, "\\");

        if (!row_end && !is_cell_end(printer, unit))
            continue;
        cell.end = i;
        g_array_append_val(cells, cell);
        cell = (Cell){ i + 1, i + 1, cell.row + row_end, row_end ? unit->arguments[0] : NULL };
    }
    cell.end = children->len;
    g_array_append_val(cells, cell);
    return cells;
}

/* ---- the preamble ---- */

static gboolean has_two_columns(const char *name)
{
    return strcmp(name, "cases") == 0 || strcmp(name, "dcases") == 0 || strcmp(name, "rcases") == 0;
}

static gboolean is_aligned(const char *name)
{
    return g_str_has_prefix(name, "aligned");
}

static void print_letters_of(TgCdmPrinter *printer, TgCdmRange at)
{
    for (guint32 i = at.start; i < at.end; i++) {
        const char letter[2] = { printer->line->string->str[i], '\0' };

        if (strchr("lcr", letter[0]) != NULL)
            tg_cdm_print_token(printer, letter, (TgCdmRange){ i, i + 1 });
    }
}

/* The letters l, c and r of an argument's characters. */
static void print_argument_columns(TgCdmPrinter *printer, const TgCdmUnit *argument)
{
    if (argument->kind == TG_CDM_UNIT_CHARACTERS) {
        print_letters_of(printer, argument->at);
        return;
    }
    for (guint i = 0; argument->children != NULL && i < argument->children->len; i++) {
        const TgCdmUnit *unit = argument->children->pdata[i];

        if (unit->kind == TG_CDM_UNIT_CHARACTERS)
            print_letters_of(printer, unit->at);
    }
}

/* The cells of the widest row, or of the first. */
static guint count_columns(const GArray *cells, gboolean widest)
{
    guint n = 0, in_row = 0, row = 0;

    for (guint i = 0; i < cells->len; i++) {
        const Cell *cell = &g_array_index(cells, Cell, i);

        in_row = cell->row == row ? in_row + 1 : 1;
        row = cell->row;
        if (widest || row == 0)
            n = MAX(n, in_row);
    }
    return n;
}

static void print_columns(TgCdmPrinter *printer, const TgCdmUnit *unit, const GArray *cells)
{
    const TgCdmUnit *argument =
        unit->n_arguments > 0 ? unit->arguments[unit->n_arguments - 1] : NULL;
    const gboolean aligned = is_aligned(unit->name);

    tg_cdm_print_mark(printer, "{");
    if (has_two_columns(unit->name)) {
        tg_cdm_print_mark(printer, "l");
        tg_cdm_print_mark(printer, "l");
    } else if (argument != NULL) {
        print_argument_columns(printer, argument);
    } else {
        for (guint i = 0, n = count_columns(cells, aligned); i < n; i++)
            tg_cdm_print_mark(printer, aligned && i % 2 == 0 ? "r" : "l");
    }
    tg_cdm_print_mark(printer, "}");
}

/* ---- rows ---- */

/* The cell in braces; nothing for one without content. Returns whether it was printed. */
static gboolean print_cell(TgCdmPrinter *printer, const TgCdmUnit *unit, const Cell *cell,
                           gboolean indented)
{
    const gsize start = printer->out->string->len;

    tg_cdm_print_mark(printer, "{");
    const gsize inside = printer->out->string->len;
    if (indented) {
        tg_cdm_print_mark(printer, "{");
        tg_cdm_print_mark(printer, "}");
    }
    if (cell->star != NULL)
        tg_cdm_print_unit(printer, cell->star);
    tg_cdm_print_slice(printer, unit->children, cell->from, cell->end);
    if (printer->out->string->len == inside) {
        tg_cdm_text_splice(printer->out, start, inside, "");
        return FALSE;
    }
    tg_cdm_print_mark(printer, "}");
    return TRUE;
}

/* Cells @from on, up to the end of their row. Returns where the next row begins; a row without
 * content leaves no trace. */
static guint print_row(TgCdmPrinter *printer, const TgCdmUnit *unit, const GArray *cells,
                       guint from)
{
    const guint row = g_array_index(cells, Cell, from).row;
    const gsize start = printer->out->string->len;
    gboolean has_content = FALSE;
    guint i = from;

    for (; i < cells->len && g_array_index(cells, Cell, i).row == row; i++) {
        const gboolean indented = is_aligned(unit->name) && (i - from) % 2 == 1;

        if (i > from)
            tg_cdm_print_mark(printer, "&");
        has_content |= print_cell(printer, unit, &g_array_index(cells, Cell, i), indented);
    }
    if (!has_content)
        tg_cdm_text_splice(printer->out, start, printer->out->string->len, "");
    return i;
}

static void print_rows(TgCdmPrinter *printer, const TgCdmUnit *unit, const GArray *cells)
{
    gsize separator = 0;

    for (guint next = 0; next < cells->len;) {
        const gsize start = printer->out->string->len;

        next = print_row(printer, unit, cells, next);
        if (printer->out->string->len == start)
            continue;
        separator = printer->out->string->len;
        tg_cdm_print_mark(printer, "\\\\");
    }
    if (separator > 0)
        tg_cdm_text_splice(printer->out, separator, printer->out->string->len, "");
}

void tg_cdm_print_environment(TgCdmPrinter *printer, const TgCdmUnit *environment)
{
    g_autoptr(GArray) cells = split_cells(printer, environment->children);
    TgCdmPrinter inner = *printer;
    guint fence = 0;

    inner.in_text = inner.in_script = FALSE;
    while (fence < G_N_ELEMENTS(fences) && strcmp(fences[fence].name, environment->name) != 0)
        fence++;
    if (fence < G_N_ELEMENTS(fences))
        tg_cdm_print_mark(&inner, fences[fence].left);
    tg_cdm_print_mark(&inner, "\\begin{array}");
    print_columns(&inner, environment, cells);
    print_rows(&inner, environment, cells);
    tg_cdm_print_mark(&inner, "\\end{array}");
    if (fence < G_N_ELEMENTS(fences))
        tg_cdm_print_mark(&inner, fences[fence].right);
}
