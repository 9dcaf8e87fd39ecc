/* Contact sheets: layout of cells, and painting. */
#include "render/pictures/contact_sheet.h"

#include <math.h>
#include <string.h>

#include "render/paint/canvas.h"
#include "render/paint/drawing.h"
#include "render/paint/paint.h"
#include "render/pictures/plain_text.h"

/* Lengths in inches. */
#define COLUMN_IN  2.25
#define PADDING_IN 0.06
#define LABEL_IN   0.13 /* of a line of text */
#define ASCENT_IN  0.09 /* its baseline below its top */

#define TEXT_PT    6.0
#define MAX_LABEL  400 /* characters: more than any sheet is wide */
#define LABEL_RGB  0x555555u
#define NUMBER_RGB 0x1B6CA8u
#define NOTE_RGB   0xB3261Eu
#define FRAME_RGB  0xD5D5D5u

typedef struct {
    const TgDrawing *drawing; /* NULL: none */
    TgDrawing *number, *label, *note;
    double x, y, width, height; /* in pixels */
    double scale;               /* of the drawing */
} ContactCell;

typedef struct {
    ContactCell *cells;
    guint n, n_columns;
    double dpi, width, height;
    TgInkColors colors;
} ContactSheet;

static void contact_sheet_clear(ContactSheet *sheet)
{
    for (guint i = 0; i < sheet->n; i++) {
        tg_drawing_unref(sheet->cells[i].number);
        tg_drawing_unref(sheet->cells[i].label);
        tg_drawing_unref(sheet->cells[i].note);
    }
    g_free(sheet->cells);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ContactSheet, contact_sheet_clear)

/* ---- Lines of text --------------------------------------------------------------------------- */

/* One line, no wider than @room: set in full, then shortened by as much as it is too wide. */
static TgDrawing *set_line(const ContactSheet *sheet, TgRenderer *renderer, const char *text,
                           TgPlainFont font, double room, GError **error)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    glong n = MIN(g_utf8_strlen(valid, -1), MAX_LABEL);

    for (;;) {
        g_autofree char *line = tg_plain_text_shorten(valid, n);
        TgDrawing *drawing = tg_plain_text_draw(renderer, line, font, TEXT_PT, sheet->dpi, error);
        if (drawing == NULL || n == 0 || tg_drawing_frame(drawing).width <= room)
            return drawing;
        const double fits = n * room / tg_drawing_frame(drawing).width;
        n = CLAMP((glong) fits - 3, 0, n - 1); /* 3 for the dots */
        tg_drawing_unref(drawing);
    }
}

static double line_width(const TgDrawing *line)
{
    return line != NULL ? tg_drawing_frame(line).width : 0;
}

static gboolean set_lines(const ContactSheet *sheet, TgRenderer *renderer,
                          const TgContactCell *source, ContactCell *cell, GError **error)
{
    const double room = cell->width - 2 * PADDING_IN * sheet->dpi, gap = PADDING_IN * sheet->dpi;

    if (source->number != NULL && (cell->number = set_line(sheet, renderer, source->number,
                                                           TG_PLAIN_BOLD, room, error)) == NULL)
        return FALSE;
    if (source->label != NULL &&
        (cell->label = set_line(sheet, renderer, source->label, TG_PLAIN_MONO,
                                room - line_width(cell->number) - gap, error)) == NULL)
        return FALSE;
    return source->note == NULL || (cell->note = set_line(sheet, renderer, source->note,
                                                          TG_PLAIN_ROMAN, room, error)) != NULL;
}

/* ---- Layout ---------------------------------------------------------------------------------- */

/* The columns that a cell takes, and how its drawing is made smaller if that is all there are. */
static guint columns_of(const ContactSheet *sheet, ContactCell *cell)
{
    const double column = COLUMN_IN * sheet->dpi, padding = 2 * PADDING_IN * sheet->dpi;
    guint n = 1;

    cell->scale = 1;
    if (cell->drawing != NULL) {
        const double width = tg_drawing_frame(cell->drawing).width;
        n = (guint) CLAMP(ceil((width + padding) / column), 1, sheet->n_columns);
        cell->scale = MIN(1, (n * column - padding) / width);
    }
    cell->width = n * column;
    return n;
}

static double cell_height(const ContactSheet *sheet, const ContactCell *cell)
{
    const double line = LABEL_IN * sheet->dpi;
    double height = 2 * PADDING_IN * sheet->dpi;

    if (cell->number != NULL || cell->label != NULL)
        height += line;
    if (cell->drawing != NULL)
        height += tg_drawing_frame(cell->drawing).height * cell->scale;
    return height + (cell->note != NULL ? line : 0);
}

/* Cells @first to @end stand in one row, as high as the highest of them. */
static void end_row(ContactSheet *sheet, guint first, guint end)
{
    double height = 0;

    for (guint i = first; i < end; i++)
        height = MAX(height, cell_height(sheet, &sheet->cells[i]));
    for (guint i = first; i < end; i++)
        sheet->cells[i].height = height;
    sheet->height += height;
}

static gboolean lay_out_cells(ContactSheet *sheet, TgRenderer *renderer,
                              const TgContactCell *sources, GError **error)
{
    guint column = 0, first = 0;

    for (guint i = 0; i < sheet->n; i++) {
        ContactCell *cell = &sheet->cells[i];
        const guint taken = columns_of(sheet, cell);

        if (column + taken > sheet->n_columns) {
            end_row(sheet, first, i);
            first = i;
            column = 0;
        }
        cell->x = column * COLUMN_IN * sheet->dpi;
        cell->y = sheet->height;
        column += taken;
        if (!set_lines(sheet, renderer, &sources[i], cell, error))
            return FALSE;
    }
    end_row(sheet, first, sheet->n);
    sheet->width = sheet->n_columns * COLUMN_IN * sheet->dpi;
    return TRUE;
}

/* ---- Painting -------------------------------------------------------------------------------- */

static guint32 one_color(const TgMark *mark, gconstpointer data)
{
    (void) mark;
    return *(const guint32 *) data;
}

/* @y: the top of its line */
static void paint_line(cairo_t *cr, const ContactSheet *sheet, const TgDrawing *line, double x,
                       double y, guint32 rgb)
{
    if (line == NULL)
        return;
    const TgFrame picture = tg_drawing_frame(line);
    cairo_save(cr);
    cairo_translate(cr, x - picture.origin_x, y + ASCENT_IN * sheet->dpi - picture.origin_y);
    tg_paint_drawing(cr, line, one_color, &rgb);
    cairo_restore(cr);
}

static void paint_cell(cairo_t *cr, const ContactSheet *sheet, const ContactCell *cell)
{
    const double padding = PADDING_IN * sheet->dpi, line = LABEL_IN * sheet->dpi;
    const double x = cell->x + padding;
    double y = cell->y + padding;

    cairo_rectangle(cr, cell->x, cell->y, cell->width, cell->height);
    cairo_set_line_width(cr, sheet->dpi / 200);
    tg_set_color(cr, FRAME_RGB, 1);
    cairo_stroke(cr);

    paint_line(cr, sheet, cell->number, x, y, NUMBER_RGB);
    paint_line(cr, sheet, cell->label,
               x + (cell->number != NULL ? padding : 0) + line_width(cell->number), y, LABEL_RGB);
    if (cell->number != NULL || cell->label != NULL)
        y += line;
    if (cell->drawing != NULL) {
        cairo_save(cr);
        cairo_translate(cr, x, y);
        cairo_scale(cr, cell->scale, cell->scale);
        tg_paint_drawing(cr, cell->drawing, tg_ink_color, &sheet->colors);
        cairo_restore(cr);
        y += tg_drawing_frame(cell->drawing).height * cell->scale;
    }
    paint_line(cr, sheet, cell->note, x, y, NOTE_RGB);
}

static void paint_contact_sheet(cairo_t *cr, gconstpointer data)
{
    const ContactSheet *sheet = data;

    for (guint i = 0; i < sheet->n; i++)
        paint_cell(cr, sheet, &sheet->cells[i]);
}

GBytes *tg_contact_sheet_encode(const TgContactCell *cells, guint n, guint n_columns, double dpi,
                                TgRenderer *renderer, TgPictureFormat format, TgInkColors colors,
                                GError **error)
{
    g_return_val_if_fail(cells != NULL && n > 0 && renderer != NULL, NULL);

    if (n_columns < 1 || n_columns > 40 || !(dpi >= 10 && dpi <= 4800) || colors == TG_INK_FLAT) {
        g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                    "a sheet has 1 to 40 columns and 10 to 4800 dpi, and no flat colours");
        return NULL;
    }
    g_auto(ContactSheet) sheet = { .n = n, .n_columns = n_columns, .dpi = dpi, .colors = colors };

    sheet.cells = g_new0(ContactCell, n);
    for (guint i = 0; i < n; i++)
        sheet.cells[i].drawing = cells[i].drawing;
    if (!lay_out_cells(&sheet, renderer, cells, error))
        return NULL;
    const TgCanvas canvas = { (guint) MIN(ceil(sheet.width), G_MAXINT),
                              (guint) MIN(ceil(sheet.height), G_MAXINT), dpi };
    return tg_canvas_encode(&canvas, format, paint_contact_sheet, &sheet, error);
}
