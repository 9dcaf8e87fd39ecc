/* A pair's picture as SVG. */
#include <math.h>
#include <string.h>

#include "render/pictures/pair_brush.h"

/* Outlines are written in thousandths of the font size, as the fonts have them. */
#define UNITS 1000.0

typedef struct {
    TgPairBrush base;
    GString *defs, *body;
    GHashTable *ids; /* of outlines and clips: key to its id */
} SvgBrush;

static GString *body_of(TgPairBrush *brush)
{
    return ((SvgBrush *) brush)->body;
}

/* ---- numbers, colours, text ------------------------------------------------------------------ */

/* At most two decimals, without zeros at the end. */
static void append_number(GString *out, double value)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    const double rounded = round(value * 100) / 100;

    g_string_append(out,
                    g_ascii_formatd(buffer, sizeof buffer, "%.6g", rounded == 0 ? 0 : rounded));
}

static void append_attribute(GString *out, const char *name, double value)
{
    g_string_append_printf(out, " %s=\"", name);
    append_number(out, value);
    g_string_append_c(out, '"');
}

static void append_box(GString *out, TgRect box)
{
    append_attribute(out, "x", box.x0);
    append_attribute(out, "y", box.y0);
    append_attribute(out, "width", box.x1 - box.x0);
    append_attribute(out, "height", box.y1 - box.y0);
}

/* Characters that XML has no place for become blanks. */
static void append_text(GString *out, const char *text)
{
    for (; *text != '\0'; text = g_utf8_next_char(text)) {
        const gunichar c = g_utf8_get_char(text);

        if (c == '<' || c == '>' || c == '&')
            g_string_append(out, c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&amp;");
        else if (c < 0x20 || c == 0x7F || (c & 0xFFFE) == 0xFFFE)
            g_string_append_c(out, ' ');
        else
            g_string_append_unichar(out, c);
    }
}

/* ---- boxes and lines ------------------------------------------------------------------------- */

static void append_pen(GString *out, const TgPairPen *pen)
{
    g_string_append_printf(out, " fill=\"none\" stroke=\"#%06X\"", pen->rgb);
    append_attribute(out, "stroke-width", pen->width);
    if (pen->opacity < 1)
        append_attribute(out, "stroke-opacity", pen->opacity);
    for (guint i = 0; i < pen->n_dashes; i++) {
        g_string_append(out, i == 0 ? " stroke-dasharray=\"" : ",");
        append_number(out, pen->dashes[i]);
    }
    g_string_append(out, pen->n_dashes > 0 ? "\"/>\n" : "/>\n");
}

static void brush_fill(TgPairBrush *brush, TgRect box, guint32 rgb, double opacity)
{
    GString *out = body_of(brush);

    g_string_append(out, "<rect");
    append_box(out, box);
    g_string_append_printf(out, " fill=\"#%06X\"", rgb);
    if (opacity < 1)
        append_attribute(out, "fill-opacity", opacity);
    g_string_append(out, "/>\n");
}

static void brush_frame(TgPairBrush *brush, TgRect box, const TgPairPen *pen)
{
    g_string_append(body_of(brush), "<rect");
    append_box(body_of(brush), box);
    append_pen(body_of(brush), pen);
}

static void brush_line(TgPairBrush *brush, TgPairSegment segment, const TgPairPen *pen)
{
    GString *out = body_of(brush);

    g_string_append(out, "<path d=\"M");
    append_number(out, segment.x0);
    g_string_append_c(out, ' ');
    append_number(out, segment.y0);
    g_string_append_c(out, 'L');
    append_number(out, segment.x1);
    g_string_append_c(out, ' ');
    append_number(out, segment.y1);
    g_string_append_c(out, '"');
    append_pen(out, pen);
}

/* ---- glyphs ---------------------------------------------------------------------------------- */

/* The points of an operation, whole and from the point before it. */
static void append_points(GString *out, const double *points, guint n, gint *x, gint *y)
{
    gint last_x = *x, last_y = *y;

    for (guint i = 0; i < n; i++) {
        last_x = (gint) lround(points[2 * i] * UNITS);
        last_y = (gint) lround(-points[2 * i + 1] * UNITS);
        g_string_append_printf(out, last_x >= *x && i > 0 ? " %d" : "%d", last_x - *x);
        g_string_append_printf(out, last_y >= *y ? " %d" : "%d", last_y - *y);
    }
    *x = last_x;
    *y = last_y;
}

/* The outline as path data. (transfer full) */
static char *outline_data(const TgOutline *outline)
{
    static const char letters[] = {
        [TG_PATH_MOVE] = 'm', [TG_PATH_LINE] = 'l', [TG_PATH_CURVE] = 'c'
    };
    GString *out = g_string_new(NULL);
    const double *p = outline->points;
    gint x = 0, y = 0, start_x = 0, start_y = 0;

    for (guint i = 0; i < outline->n_ops; i++) {
        const TgPathOp op = (TgPathOp) outline->ops[i];
        const guint n = op == TG_PATH_CURVE ? 3 : 1;

        if (op == TG_PATH_CLOSE) {
            g_string_append_c(out, 'z');
            x = start_x;
            y = start_y;
            continue;
        }
        g_string_append_c(out, letters[op]);
        append_points(out, p, n, &x, &y);
        p += 2 * n;
        if (op == TG_PATH_MOVE) {
            start_x = x;
            start_y = y;
        }
    }
    return g_string_free(out, FALSE);
}

/* The id of an outline, which is defined when it is first used. */
static const char *outline_id(SvgBrush *self, const TgOutline *outline)
{
    char *id = g_hash_table_lookup(self->ids, outline);

    if (id != NULL)
        return id;
    g_autofree char *data = outline_data(outline);
    id = g_strdup_printf("g%08x", g_str_hash(data));
    g_hash_table_insert(self->ids, (gpointer) outline, id);
    g_string_append_printf(self->defs, "<path id=\"%s\" d=\"%s\"/>\n", id, data);
    return id;
}

/* ---- drawings -------------------------------------------------------------------------------- */

/* Marks of one colour and size share a group. */
typedef struct {
    guint32 rgb;
    double wide, high; /* pixels of the drawing for 1/UNITS of the size; 0: no group */
} Group;

static void end_group(GString *out, Group *group)
{
    if (group->high > 0)
        g_string_append(out, "</g>\n");
    group->high = 0;
}

static void need_group(GString *out, Group *group, Group wanted)
{
    if (group->rgb == wanted.rgb && group->wide == wanted.wide && group->high == wanted.high)
        return;
    end_group(out, group);
    *group = wanted;
    g_string_append_printf(out, "<g fill=\"#%06X\"", wanted.rgb);
    if (wanted.high != 1 || wanted.wide != 1) {
        char wide[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE];

        g_string_append_printf(out, " transform=\"scale(%s %s)\"",
                               g_ascii_formatd(wide, sizeof wide, "%.6g", wanted.wide),
                               g_ascii_formatd(high, sizeof high, "%.6g", wanted.high));
    }
    g_string_append(out, ">\n");
}

static void append_glyph(SvgBrush *self, Group *group, const TgOutline *outline, guint32 rgb,
                         double x, double y, double wide, double high)
{
    const Group wanted = { rgb, wide / UNITS, high / UNITS };

    need_group(self->body, group, wanted);
    g_string_append_printf(self->body, "<use xlink:href=\"#%s\" x=\"%ld\" y=\"%ld\"/>\n",
                           outline_id(self, outline), lround(x / wanted.wide),
                           lround(y / wanted.high));
}

static void append_polygon(SvgBrush *self, Group *group, const TgPolygon *polygon, guint32 rgb)
{
    need_group(self->body, group, (Group){ rgb, 1, 1 });
    g_string_append(self->body, "<path d=\"");
    for (guint i = 0; i < polygon->n; i++) {
        g_string_append_c(self->body, i == 0 ? 'M' : 'L');
        append_number(self->body, polygon->x[i]);
        g_string_append_c(self->body, ' ');
        append_number(self->body, polygon->y[i]);
    }
    g_string_append(self->body, "z\"/>\n");
}

static void append_mark(SvgBrush *self, Group *group, const TgDrawing *drawing, const TgMark *mark,
                        guint32 rgb)
{
    const double scale = drawing->px_per_sp, size = (double) mark->size * scale;
    double x = (double) mark->x * scale, y = (double) mark->y * scale;
    const TgOutline *outline = mark->kind == TG_MARK_GLYPH ? mark->outline : NULL;
    double stretch = mark->x_stretch;

    if (mark->kind == TG_MARK_UNICODE)
        outline = tg_paint_unicode_outline(drawing, mark, &x, &y, &stretch);
    if (outline != NULL && outline->n_ops > 0) {
        append_glyph(self, group, outline, rgb, x, y, size * stretch, size);
        return;
    }
    const TgPolygon polygon = tg_mark_polygon(mark, scale);
    append_polygon(self, group, &polygon, rgb);
}

/* The id of a clip. */
static const char *clip_id(SvgBrush *self, const TgRect *clip)
{
    char *id = g_hash_table_lookup(self->ids, clip);

    if (id != NULL)
        return id;
    g_autoptr(GString) box = g_string_new(NULL);
    append_box(box, *clip);
    id = g_strdup_printf("c%08x", g_str_hash(box->str));
    g_hash_table_insert(self->ids, (gpointer) clip, id);
    g_string_append_printf(self->defs, "<clipPath id=\"%s\"><rect%s/></clipPath>\n", id, box->str);
    return id;
}

static void brush_ink(TgPairBrush *brush, const TgPairInk *ink)
{
    SvgBrush *self = (SvgBrush *) brush;
    const TgFrame frame = tg_drawing_frame(ink->drawing);
    Group group = { 0 };

    g_string_append(self->body, "<g transform=\"translate(");
    append_number(self->body, ink->x);
    g_string_append_c(self->body, ' ');
    append_number(self->body, ink->y);
    g_string_append(self->body, ")scale(");
    append_number(self->body, ink->zoom);
    g_string_append(self->body, ")\"");
    if (ink->clip != NULL)
        g_string_append_printf(self->body, " clip-path=\"url(#%s)\"", clip_id(self, ink->clip));
    g_string_append(self->body, "><g transform=\"translate(");
    append_number(self->body, frame.origin_x);
    g_string_append_c(self->body, ' ');
    append_number(self->body, frame.origin_y);
    g_string_append(self->body, ")\">\n");
    for (guint i = 0; i < ink->drawing->n_marks; i++) {
        const TgMark *mark = &ink->drawing->marks[i];

        append_mark(self, &group, ink->drawing, mark, ink->color(mark, ink->data));
    }
    end_group(self->body, &group);
    g_string_append(self->body, "</g></g>\n");
}

static void brush_text(TgPairBrush *brush, const TgPairText *text)
{
    GString *out = body_of(brush);

    g_string_append(out, "<text");
    append_attribute(out, "x", text->x);
    append_attribute(out, "y", text->y);
    append_attribute(out, "font-size", text->size_px);
    append_attribute(out, "textLength", tg_drawing_frame(text->drawing).width);
    if (text->font == TG_PLAIN_MONO)
        g_string_append(out, " font-family=\"Latin Modern Mono,monospace\"");
    if (text->font == TG_PLAIN_BOLD)
        g_string_append(out, " font-weight=\"bold\"");
    g_string_append_printf(out, " fill=\"#%06X\">", text->rgb);
    append_text(out, text->text);
    g_string_append(out, "</text>\n");
}

/* ---- the file -------------------------------------------------------------------------------- */

static void append_start(GString *out, const TgCanvas *canvas, double scale)
{
    const double pt_per_px = 72 / canvas->dpi;

    g_string_append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                         "<svg xmlns=\"http://www.w3.org/2000/svg\" "
                         "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"");
    append_number(out, canvas->width * pt_per_px);
    g_string_append(out, "pt\" height=\"");
    append_number(out, canvas->height * pt_per_px);
    g_string_append(out, "pt\" viewBox=\"0 0 ");
    append_number(out, canvas->width / scale);
    g_string_append_c(out, ' ');
    append_number(out, canvas->height / scale);
    g_string_append(out, "\" font-family=\"Latin Modern Roman,CMU Serif,Georgia,serif\">\n");
}

GBytes *tg_pair_brush_svg(const TgCanvas *canvas, double scale, TgPairPaint paint,
                          gconstpointer data)
{
    SvgBrush brush = { { brush_fill, brush_frame, brush_line, brush_ink, brush_text },
                       g_string_new(NULL),
                       g_string_new(NULL),
                       g_hash_table_new_full(NULL, NULL, NULL, g_free) };
    g_autoptr(GString) out = g_string_new(NULL);

    paint(&brush.base, data);
    append_start(out, canvas, scale);
    g_string_append_printf(out, "<defs>\n%s</defs>\n", brush.defs->str);
    g_string_append(out, "<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n");
    g_string_append_len(out, brush.body->str, (gssize) brush.body->len);
    g_string_append(out, "</svg>\n");
    g_string_free(brush.defs, TRUE);
    g_string_free(brush.body, TRUE);
    g_hash_table_unref(brush.ids);
    return g_string_free_to_bytes(g_steal_pointer(&out));
}
