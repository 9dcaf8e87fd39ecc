/* Rewrites arrays that TeX leaves in the middle of a cell because of an error, so that they are
 * drawn as TeX draws them: a walk over the colored source with a stack of the open arrays. */
#include <string.h>

#include "core/fail.h"
#include "metrics/cdm/draw/draw.h"

/* The text width of the official A5 page, and the indentation of a paragraph at 12 pt. Rows of the
 * paragraph have no struts. */
#define PAGE_WIDTH "\\kern585.5pt "
#define PARAGRAPH  "\\\\[-3.5pt]\\kern17.6pt \\mathrm{"

/* Lines below a display stand further down than rows of an array, by these measured lengths: the
 * first line below a display of one row, the same with \hline, the first line below several rows,
 * other lines with \hline. */
#define BELOW_ROW      "[12.3pt]"
#define BELOW_ROW_RULE "[19.2pt]"
#define BELOW_ROWS     "[17.8pt]"
#define BELOW_RULE     "[9.2pt]"

/* \hline between lines ends one paragraph and begins the next, where the three blanks between two
 * cells are drawn, and letters are those of text. */
#define NEW_PARAGRAPH "\\rule{1pt}{0.4pt}\\kern16.6pt \\rm "
#define BLANKS        "\\kern11.75pt \\rm "

typedef enum {
    INTACT,
    IN_PARAGRAPH, /* in the cell that has \hline */
    IN_LINE,      /* after it, but a script in it began a formula that goes on */
    AT_MARGIN,    /* after it */
    BELOW,        /* in a later row */
} ArrayState;

/* An array that is open. */
typedef struct {
    guint depth;     /* braces that are open around it */
    guint n_columns; /* 0: not known */
    guint column;
    guint row;
    gsize start; /* in what has been written */
    gsize gap;   /* there, after the last `\\` below the display */
    ArrayState state;
    gboolean has_blanks; /* blanks between cells are drawn */
} Array;

typedef struct {
    const TgCdmText *colored;
    const char *at; /* there */
    TgCdmText *out;
    GArray *arrays;
    guint depth;
    gboolean is_stacked; /* lines follow the display */
    gboolean has_script; /* a paragraph contains a script */
    gboolean is_endless;
} ArrayRewriter;

static Array *innermost_array(const ArrayRewriter *self)
{
    return self->arrays->len > 0 ? &g_array_index(self->arrays, Array, self->arrays->len - 1)
                                 : NULL;
}

static void copy_bytes(ArrayRewriter *self, gsize length)
{
    const gsize start = (gsize) (self->at - self->colored->string->str);

    tg_cdm_text_copy(self->out, self->colored, start, start + length);
    self->at += length;
}

static void append_text(ArrayRewriter *self, const char *text)
{
    tg_cdm_text_append(self->out, text, tg_cdm_no_origin);
}

static void insert_text(ArrayRewriter *self, gsize at, const char *text)
{
    tg_cdm_text_splice(self->out, at, at, text);
}

/* The number of letters in a preamble of l, c, r and rules; 0 for any other, 1 for an empty one,
 * which TeX takes for one column. */
static guint count_columns(const char *preamble, gsize length)
{
    guint n = 0;

    for (gsize i = 0; i < length; i++) {
        if (strchr("lcr", preamble[i]) != NULL)
            n++;
        else if (strchr(" |", preamble[i]) == NULL)
            return 0;
    }
    return MAX(n, 1);
}

/* Copy `\begin{array} {cc}` and count its columns. */
static void open_array(ArrayRewriter *self)
{
    const char *open = self->at + strlen("\\begin{array}");
    Array array = { .depth = self->depth, .start = self->out->string->len };

    open += strspn(open, " ");
    const gsize length = *open == '{' ? strcspn(open + 1, "{}") : 0;
    const gboolean is_known = *open == '{' && open[1 + length] == '}';
    if (is_known)
        array.n_columns = count_columns(open + 1, length);
    g_array_append_val(self->arrays, array);
    copy_bytes(self, is_known ? (gsize) (open + length + 2 - self->at) : strlen("\\begin{array}"));
}

static void end_paragraph(ArrayRewriter *self)
{
    append_text(self, "}\\end{array}}" PAGE_WIDTH);
}

static void close_array(ArrayRewriter *self)
{
    const Array *array = innermost_array(self);
    const gboolean is_written = array == NULL || array->state == INTACT;

    if (array != NULL && array->state == IN_LINE)
        end_paragraph(self);
    if (is_written)
        copy_bytes(self, strlen("\\end{array}"));
    else
        self->at += strlen("\\end{array}");
    if (array != NULL)
        g_array_set_size(self->arrays, self->arrays->len - 1);
}

static void end_row(ArrayRewriter *self, Array *array)
{
    array->column = 0;
    array->row++;
    array->has_blanks = FALSE;
    if (array->state == IN_LINE)
        end_paragraph(self);
    if (array->state == INTACT) {
        copy_bytes(self, strlen("\\\\"));
    } else if (array->depth == 0 && self->arrays->len == 1 &&
               strstr(self->out->string->str, "\\left") == NULL) {
        /* The display has ended, so the next row becomes a line of text below it. Inside another
         * construct, it is not known what TeX does. */
        array->state = BELOW;
        self->at += strlen("\\\\");
        if (!self->is_stacked)
            insert_text(self, 0, "\\begin{array}{@{}l@{}}");
        append_text(self, "\\\\");
        array->gap = self->out->string->len;
        if (!self->is_stacked)
            append_text(self, array->row == 1 ? BELOW_ROW : BELOW_ROWS);
        append_text(self, " ");
        self->is_stacked = TRUE;
    } else { /* the rest of the array is dropped */
        const char *end = strstr(self->at, "\\end{array}");

        array->state = AT_MARGIN;
        self->at = end != NULL ? end : self->at + strlen(self->at);
    }
}

/* Rewrite a line across a table. TeX reports errors without end at \cline in a cell, and at \hline
 * in a paragraph after a formula. */
static void rewrite_line(ArrayRewriter *self, Array *array)
{
    const gboolean is_hline = tg_cdm_is_command(self->at, "\\hline");

    if (!is_hline || (array->state != INTACT && self->has_script))
        self->is_endless = TRUE;
    if (array->state == INTACT) { /* TeX leaves the alignment in the middle of a cell */
        insert_text(self, array->start, "\\mathrlap{\\begin{array}{@{}l@{}}");
        append_text(self, "\\mathrm{height}}\\end{array}" PARAGRAPH);
        array->state = IN_PARAGRAPH;
        self->at += strlen("\\hline");
        return;
    }
    if (is_hline && array->state == BELOW && array->column == 0) {
        /* \hline in a line below: pdfTeX puts the cells of the row after a paragraph's
         * indentation. */
        const gboolean is_first = self->out->string->str[array->gap] == '[';

        if (is_first && array->row == 1)
            tg_cdm_text_splice(self->out, array->gap, array->gap + strlen(BELOW_ROW), "");
        if (array->row == 1 || !is_first)
            insert_text(self, array->gap, is_first ? BELOW_ROW_RULE : BELOW_RULE);
        append_text(self, NEW_PARAGRAPH);
        array->has_blanks = TRUE;
    }
    self->at += strlen("\\hline");
}

static void rewrite_command(ArrayRewriter *self)
{
    Array *array = innermost_array(self);
    const char *at = self->at;
    const gboolean is_in_cell = array != NULL && self->depth == array->depth + 1;

    if (g_str_has_prefix(at, "\\begin{array}"))
        open_array(self);
    else if (g_str_has_prefix(at, "\\end{array}"))
        close_array(self);
    else if (array != NULL && g_str_has_prefix(at, "\\\\") && self->depth == array->depth)
        end_row(self, array);
    else if (is_in_cell && (tg_cdm_is_command(at, "\\hline") || tg_cdm_is_command(at, "\\cline")))
        rewrite_line(self, array);
    else
        copy_bytes(self, tg_cdm_command_length(at));
}

static void end_cell(ArrayRewriter *self)
{
    Array *array = innermost_array(self);

    if (array == NULL || self->depth != array->depth) {
        copy_bytes(self, 1);
        return;
    }
    array->column++;
    self->at++;
    if (array->has_blanks)
        append_text(self, BLANKS);
    if (array->state != INTACT)
        return;
    if (array->n_columns > 0 && array->column >= array->n_columns) {
        append_text(self, "\\\\");
        array->column = 0;
    } else {
        append_text(self, "&");
    }
}

static void close_brace(ArrayRewriter *self)
{
    Array *array = innermost_array(self);

    if (self->depth > 0)
        self->depth--;
    if (array == NULL || array->state != IN_PARAGRAPH || self->depth != array->depth) {
        copy_bytes(self, 1);
        return;
    }
    self->at++;
    array->state = self->has_script ? IN_LINE : AT_MARGIN;
    if (!self->has_script)
        end_paragraph(self);
}

static void rewrite_next(ArrayRewriter *self)
{
    Array *array = innermost_array(self);

    switch (*self->at) {
    case '\\':
        rewrite_command(self);
        break;
    case TG_CDM_COLOR:
    case '{':
        self->depth++;
        copy_bytes(self, 1);
        break;
    case '}':
        close_brace(self);
        break;
    case '&':
        end_cell(self);
        break;
    case '_':
    case '^':
        /* a script begins a formula, which goes on with the next cells and has no blanks */
        if (array != NULL && array->state == IN_PARAGRAPH)
            self->has_script = TRUE;
        if (array != NULL)
            array->has_blanks = FALSE;
        copy_bytes(self, 1);
        break;
    default:
        copy_bytes(self, (gsize) (g_utf8_next_char(self->at) - self->at));
    }
}

gboolean tg_cdm_rewrite_alignments(TgCdmText *colored, GError **error)
{
    if (strstr(colored->string->str, "\\begin{array}") == NULL)
        return TRUE;
    g_autoptr(GArray) arrays = g_array_new(FALSE, FALSE, sizeof(Array));
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(colored);
    ArrayRewriter self = {
        .colored = colored, .at = colored->string->str, .out = out, .arrays = arrays
    };

    while (*self.at != '\0')
        rewrite_next(&self);
    if (self.is_stacked)
        append_text(&self, "\\end{array}");
    tg_cdm_text_swap(colored, out);
    return !self.is_endless || tg_fail(error, TG_ERROR_PARSE, "TeX does not come to an end");
}
