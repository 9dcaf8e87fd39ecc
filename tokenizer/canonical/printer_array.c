/* Writing arrays as LaTeX. */
#include "tokenizer/canonical/printer_array.h"

#include <string.h>

#include "tokenizer/canonical/printer_text.h"
#include "tokenizer/macros/commands.h"

static void put_columns(TgLatexWriter *self, const TgColumnItem *items, guint32 n)
{
    static const char letters[] = "c|@!><";

    tg_latex_put(self, "{");
    for (guint32 i = 0; i < n; i++) {
        const gboolean named = items[i].kind == TG_COLUMN_CELL;
        const char letter[] = { named ? (char) items[i].align : letters[items[i].kind], '\0' };

        tg_latex_put(self, letter);
        if (items[i].material != NULL)
            tg_latex_put_argument(self, items[i].material);
        if (items[i].kind == TG_COLUMN_CELL && strchr("pmb", letter[0]) != NULL) {
            tg_latex_put_length_argument(self, items[i].width);
        }
    }
    tg_latex_put(self, "}");
}

/* \hline or a rule of booktabs. */
static void put_line(TgLatexWriter *self, const TgBetween *between)
{
    static const char *const names[TG_N_LINES] = { "hline", "toprule", "midrule", "bottomrule",
                                                   NULL };
    const gboolean thick = between->thickness.value != 0;

    if (between->line == TG_LINE_PLAIN && thick) {
        tg_latex_put_command(self, "specialrule");
        tg_latex_put_length_argument(self, between->thickness);
        tg_latex_put(self, "{0pt}{0pt}");
        return;
    }
    tg_latex_put_command(self, names[between->line]);
    if (thick)
        tg_latex_put_length_option(self, between->thickness);
}

/* \cline, \cmidrule without its columns. */
static void put_part_line(TgLatexWriter *self, const TgBetween *between)
{
    static const char *const trims[] = { "", "(l)", "(r)", "(lr)" };

    tg_latex_put_command(self, between->line == TG_LINE_CMID ? "cmidrule" : "cline");
    if (between->thickness.value != 0)
        tg_latex_put_length_option(self, between->thickness);
    tg_latex_put(self, trims[between->trim & 3]);
}

static void put_between(TgLatexWriter *self, const TgBetween *between)
{
    g_autofree char *range = NULL;

    switch ((TgBetweenKind) between->kind) {
    case TG_BETWEEN_HLINE:
        put_line(self, between);
        break;
    case TG_BETWEEN_CLINE:
        range = g_strdup_printf("{%u-%u}", between->first, between->last);
        put_part_line(self, between);
        tg_latex_put(self, range);
        break;
    case TG_BETWEEN_SPACE:
        tg_latex_put_command(self, "noalign");
        tg_latex_put(self, "{");
        tg_latex_put_command(self, "vskip");
        tg_latex_put_open_length(self, between->space);
        tg_latex_put(self, "}");
        break;
    case TG_BETWEEN_TEXT:
        tg_latex_put_command(self, "intertext");
        tg_latex_put_words_argument(self, between->text);
        break;
    }
}

/* Lines, space and text before row @row. Returns whether there is any. */
static gboolean put_before_row(TgLatexWriter *self, const TgArray *array, guint32 row,
                               guint32 *next)
{
    const guint32 first = *next;

    for (; *next < array->n_between && array->between[*next].row == row; ++*next)
        put_between(self, &array->between[*next]);
    return *next > first;
}

/* \hdotsfor[distance]{n}, if the cell is that. */
static gboolean put_dots(TgLatexWriter *self, const TgCell *cell)
{
    const TgNode *dots = cell->content->u.list.first;

    if (cell->columns == NULL || dots == NULL || dots->kind != TG_NODE_SYMBOL ||
        dots->u.symbol.dots == 0)
        return FALSE;
    tg_latex_put_command(self, "hdotsfor");
    if (dots->u.symbol.dots != 65536) {
        char number[G_ASCII_DTOSTR_BUF_SIZE];

        tg_latex_put(self, "[");
        tg_latex_put(self,
                     g_ascii_formatd(number, sizeof number, "%.6g", dots->u.symbol.dots / 65536.0));
        tg_latex_put(self, "]");
    }
    g_autofree char *span = g_strdup_printf("{%u}", cell->span);
    tg_latex_put(self, span);
    return TRUE;
}

static void put_cell(TgLatexWriter *self, const TgCell *cell)
{
    if (put_dots(self, cell))
        return;

    const gint32 stretch = self->stretch;
    const TgSettings *settings = self->settings;
    g_autofree char *span = g_strdup_printf("{%u}", cell->span);

    if (cell->columns != NULL) {
        tg_latex_put_command(self, "multicolumn");
        tg_latex_put(self, span);
        put_columns(self, cell->columns, cell->n_columns);
        tg_latex_put(self, "{");
    }
    if (cell->text)
        tg_latex_put_words(self, cell->content);
    else
        tg_latex_put_items(self, cell->content);
    if (cell->columns != NULL)
        tg_latex_put(self, "}");
    self->stretch = stretch;
    self->settings = settings;
}

/* A bracket or star that begins a row would belong to the \\ before it. */
static void guard_row(TgLatexWriter *self, gsize row_start)
{
    const char first = self->out->str[row_start];

    if (first == '[' || first == '*')
        g_string_insert(self->out, (gssize) row_start, "\\relax ");
}

static void put_row_end(TgLatexWriter *self, const TgRow *row)
{
    tg_latex_put_command(self, "\\");
    if (row->gap.value != 0) {
        tg_latex_put_length_option(self, row->gap);
    }
}

static void put_rows(TgLatexWriter *self, const TgArray *array)
{
    guint32 next = 0;

    for (guint32 r = 0; r < array->n_rows; r++) {
        const TgRow *row = &array->rows[r];

        put_before_row(self, array, r, &next);
        const gsize start = self->out->len;
        for (guint32 i = 0; i < row->n_cells; i++) {
            if (i > 0)
                tg_latex_put(self, "&");
            put_cell(self, &row->cells[i]);
        }
        if (r > 0 && self->out->len > start)
            guard_row(self, start);
        if (row->ended || r + 1 < array->n_rows)
            put_row_end(self, row);
    }
    put_before_row(self, array, array->n_rows, &next);
}

/* The arguments of \begin{..}. */
static void put_arguments(TgLatexWriter *self, const TgArray *array)
{
    const TgEnvironmentInfo *info = tg_environment_find(array->name);
    const char align[] = { '[', (char) array->align, ']', '\0' };
    g_autofree char *number = NULL;

    if (info == NULL)
        return;
    if (array->align != 'c')
        tg_latex_put(self, align);
    switch ((TgEnvironmentArgs) info->args) {
    case TG_ENV_ARGS_COLUMNS:
    case TG_ENV_ARGS_COLUMN:
        put_columns(self, array->columns, array->n_column_items);
        break;
    case TG_ENV_ARGS_NUMBER:
        number = g_strdup_printf("{%u}", (array->n_columns + 1) / 2);
        tg_latex_put(self, number);
        break;
    case TG_ENV_ARGS_PRESET:
        if (array->n_column_items > 0) {
            const char preset[] = { '[', (char) array->columns[0].align, ']', '\0' };
            tg_latex_put(self, preset);
        }
        break;
    default:
        break;
    }
}

/* \matrix{..}, \substack{..}; \shortstack has an alignment. */
static void put_row_command(TgLatexWriter *self, const TgArray *array)
{
    tg_latex_put_command(self, array->name);
    if (array->environment == TG_ENV_SHORTSTACK && array->columns[0].align != 'c')
        tg_latex_put(self, array->columns[0].align == 'l' ? "[l]" : "[r]");
    tg_latex_put(self, "{");
    put_rows(self, array);
    tg_latex_put(self, "}");
}

static gboolean is_command(const TgArray *array)
{
    return array->environment >= TG_ENV_PLAIN_MATRIX ||
           (array->environment == TG_ENV_SUBARRAY && strcmp(array->name, "substack") == 0);
}

void tg_latex_put_array(TgLatexWriter *self, const TgNode *node)
{
    const TgArray *array = node->u.array;

    if (array->stretch != self->stretch) {
        char number[G_ASCII_DTOSTR_BUF_SIZE];

        tg_latex_put_command(self, "def\\arraystretch");
        tg_latex_put(self, "{");
        tg_latex_put(self,
                     g_ascii_formatd(number, sizeof number, "%.6g", array->stretch / 65536.0));
        tg_latex_put(self, "}");
        self->stretch = array->stretch;
    }
    tg_latex_put_settings(self, array->settings);
    if (is_command(array)) {
        put_row_command(self, array);
        return;
    }
    tg_latex_put_command(self, "begin");
    tg_latex_put(self, "{");
    tg_latex_put(self, array->name);
    tg_latex_put(self, "}");
    put_arguments(self, array);
    put_rows(self, array);
    tg_latex_put_command(self, "end");
    tg_latex_put(self, "{");
    tg_latex_put(self, array->name);
    tg_latex_put(self, "}");
}
