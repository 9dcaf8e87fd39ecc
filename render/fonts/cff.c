/* Writing fonts in the Compact Font Format: one Top DICT, no subroutines. */
#include "render/fonts/cff.h"

#include <math.h>
#include <string.h>

#define UNITS      1000.0 /* per em, what FontMatrix is where it is not given */
#define FIRST_SID  391    /* of the strings that a font brings along */
#define STACK_SIZE 48     /* operands of a charstring's operator */

typedef enum {
    OP_FONT_BBOX = 5,
    OP_CHARSET = 15,
    OP_CHARSTRINGS = 17,
    OP_PRIVATE = 18,
    OP_DEFAULT_WIDTH = 20,
    OP_NOMINAL_WIDTH = 21,
} DictOp;

typedef enum { OP_NONE = 0, OP_LINE = 5, OP_CURVE = 8, OP_END = 14, OP_MOVE = 21 } CharOp;

/* ---- numbers and lists ----------------------------------------------------------------------- */

static void put_bytes(GByteArray *out, guint32 value, guint n)
{
    while (n-- > 0)
        g_byte_array_append(out, &(guint8){ (guint8) (value >> 8 * n) }, 1);
}

/* An operand, of 16 bits at most. */
static void put_number(GByteArray *out, gint value)
{
    value = CLAMP(value, G_MININT16, G_MAXINT16);
    if (ABS(value) <= 107) {
        put_bytes(out, (guint32) (value + 139), 1);
    } else if (ABS(value) <= 1131) {
        const guint32 above = (guint32) ABS(value) - 108;
        put_bytes(out, ((value > 0 ? 247u : 251u) << 8) + above, 2);
    } else {
        put_bytes(out, 28, 1);
        put_bytes(out, (guint16) value, 2);
    }
}

/* An operand that has the same length whatever it is: an offset that is not known yet. */
static void put_offset(GByteArray *out, guint offset)
{
    put_bytes(out, 29, 1);
    put_bytes(out, offset, 4);
}

/* @items: of GByteArray */
static void put_index(GByteArray *out, const GPtrArray *items)
{
    guint end = 1;

    put_bytes(out, items->len, 2);
    if (items->len == 0)
        return;
    put_bytes(out, 4, 1); /* bytes of an offset */
    put_bytes(out, end, 4);
    for (guint i = 0; i < items->len; i++) {
        end += ((const GByteArray *) items->pdata[i])->len;
        put_bytes(out, end, 4);
    }
    for (guint i = 0; i < items->len; i++) {
        const GByteArray *item = items->pdata[i];
        g_byte_array_append(out, item->data, item->len);
    }
}

static GPtrArray *items_new(void)
{
    return g_ptr_array_new_with_free_func((GDestroyNotify) g_byte_array_unref);
}

static void add_string(GPtrArray *items, const char *text)
{
    GByteArray *item = g_byte_array_new();

    g_byte_array_append(item, (const guint8 *) text, (guint) strlen(text));
    g_ptr_array_add(items, item);
}

/* ---- charstrings ----------------------------------------------------------------------------- */

/* Operators follow their operands, and one may stand for several lines or curves. */
typedef struct {
    GByteArray *out;
    CharOp op; /* whose operands are written */
    guint n;   /* how many */
    gint x, y; /* of the pen */
} Pen;

static void pen_begin(Pen *pen, CharOp op, guint n)
{
    if (pen->op != OP_NONE && (op != pen->op || op == OP_MOVE || pen->n + n > STACK_SIZE)) {
        put_bytes(pen->out, pen->op, 1);
        pen->n = 0;
    }
    pen->op = op;
    pen->n += n;
}

static void pen_point(Pen *pen, const double *point)
{
    const gint x = (gint) lround(point[0] * UNITS), y = (gint) lround(point[1] * UNITS);

    put_number(pen->out, x - pen->x);
    put_number(pen->out, y - pen->y);
    pen->x = x;
    pen->y = y;
}

/* Contours are closed by the next one or by the end. */
static GByteArray *charstring_new(const TgOutline *outline)
{
    static const CharOp ops[] = {
        [TG_PATH_MOVE] = OP_MOVE, [TG_PATH_LINE] = OP_LINE, [TG_PATH_CURVE] = OP_CURVE
    };
    Pen pen = { .out = g_byte_array_new() };
    const double *point = outline->points;

    put_number(pen.out, (gint) lround(outline->advance * UNITS));
    for (guint i = 0; i < outline->n_ops; i++) {
        const TgPathOp op = (TgPathOp) outline->ops[i];

        if (op == TG_PATH_CLOSE)
            continue;
        const guint n = op == TG_PATH_CURVE ? 3 : 1;
        pen_begin(&pen, ops[op], 2 * n);
        for (guint k = 0; k < n; k++, point += 2)
            pen_point(&pen, point);
    }
    pen_begin(&pen, OP_END, 0);
    put_bytes(pen.out, OP_END, 1);
    return pen.out;
}

/* The glyphs' outlines, behind an empty .notdef. */
static GPtrArray *charstrings_new(const TgCffGlyph *glyphs, guint n)
{
    const TgOutline missing = { 0 };
    GPtrArray *strings = items_new();

    g_ptr_array_add(strings, charstring_new(&missing));
    for (guint i = 0; i < n; i++)
        g_ptr_array_add(strings, charstring_new(glyphs[i].outline));
    return strings;
}

/* ---- the font -------------------------------------------------------------------------------- */

/* Names by the rules of the Adobe Glyph List: several may mean the same character. */
static GPtrArray *names_new(const TgCffGlyph *glyphs, guint n)
{
    GPtrArray *names = items_new();

    for (guint i = 0; i < n; i++) {
        const guint code = glyphs[i].character;
        g_autofree char *name = code == 0       ? g_strdup_printf("glyph%u", i + 1)
                                : code > 0xFFFF ? g_strdup_printf("u%X.%u", code, i + 1)
                                                : g_strdup_printf("uni%04X.%u", code, i + 1);
        add_string(names, name);
    }
    return names;
}

static void put_bbox(GByteArray *out, const TgCffGlyph *glyphs, guint n)
{
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;

    for (guint i = 0; i < n; i++) {
        x0 = MIN(x0, glyphs[i].outline->x_min);
        y0 = MIN(y0, glyphs[i].outline->y_min);
        x1 = MAX(x1, glyphs[i].outline->x_max);
        y1 = MAX(y1, glyphs[i].outline->y_max);
    }
    put_number(out, (gint) floor(x0 * UNITS));
    put_number(out, (gint) floor(y0 * UNITS));
    put_number(out, (gint) ceil(x1 * UNITS));
    put_number(out, (gint) ceil(y1 * UNITS));
    put_bytes(out, OP_FONT_BBOX, 1);
}

/* What stands behind the indexes: who each glyph is, then charstrings and their widths. */
typedef struct {
    GByteArray *charset, *charstrings, *private;
} Body;

static void body_init(Body *body, const TgCffGlyph *glyphs, guint n)
{
    g_autoptr(GPtrArray) strings = charstrings_new(glyphs, n);

    *body = (Body){ g_byte_array_new(), g_byte_array_new(), g_byte_array_new() };
    if (n == 0) {
        put_bytes(body->charset, 0, 1); /* a list, which leaves .notdef out */
    } else {
        put_bytes(body->charset, 2, 1); /* ranges of 16 bits: all our own names */
        put_bytes(body->charset, FIRST_SID, 2);
        put_bytes(body->charset, n - 1, 2);
    }
    put_index(body->charstrings, strings);
    put_number(body->private, 0);
    put_bytes(body->private, OP_DEFAULT_WIDTH, 1);
    put_number(body->private, 0);
    put_bytes(body->private, OP_NOMINAL_WIDTH, 1);
}

static void body_clear(Body *body)
{
    g_byte_array_unref(body->charset);
    g_byte_array_unref(body->charstrings);
    g_byte_array_unref(body->private);
}

/* All before the body, which begins at @start. */
static GByteArray *head_new(const char *name, const TgCffGlyph *glyphs, guint n, const Body *body,
                            guint start)
{
    g_autoptr(GPtrArray) fonts = items_new(), dicts = items_new(), none = items_new();
    g_autoptr(GPtrArray) names = names_new(glyphs, n);
    GByteArray *out = g_byte_array_new(), *dict = g_byte_array_new();
    const guint charstrings = start + body->charset->len;

    put_bbox(dict, glyphs, n);
    put_offset(dict, start);
    put_bytes(dict, OP_CHARSET, 1);
    put_offset(dict, charstrings);
    put_bytes(dict, OP_CHARSTRINGS, 1);
    put_number(dict, (gint) body->private->len);
    put_offset(dict, charstrings + body->charstrings->len);
    put_bytes(dict, OP_PRIVATE, 1);
    g_ptr_array_add(dicts, dict);
    add_string(fonts, name);
    put_bytes(out, 0x01000404, 4); /* version 1.0, four bytes of header, four of an offset */
    put_index(out, fonts);
    put_index(out, dicts);
    put_index(out, names);
    put_index(out, none); /* global subroutines */
    return out;
}

GBytes *tg_cff_font(const char *name, const TgCffGlyph *glyphs, guint n)
{
    Body body;

    g_return_val_if_fail(n <= TG_CFF_MAX_GLYPHS, NULL);
    body_init(&body, glyphs, n);
    g_autoptr(GByteArray) draft = head_new(name, glyphs, n, &body, 0);
    GByteArray *font = head_new(name, glyphs, n, &body, draft->len);
    g_byte_array_append(font, body.charset->data, body.charset->len);
    g_byte_array_append(font, body.charstrings->data, body.charstrings->len);
    g_byte_array_append(font, body.private->data, body.private->len);
    body_clear(&body);
    return g_byte_array_free_to_bytes(font);
}
