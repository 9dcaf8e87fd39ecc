#include "eval/page/page.h"

#include <math.h>
#include <string.h>

#include "core/hash.h"
#include "core/json.h"
#include "core/label_graph.h"
#include "core/utf8.h"
#include "render/paint/drawing.h"

/* Marks of one formula: beyond them a browser would be slow to show it. */
enum { MAX_MARKS = 5000, UNITS_PER_PT = 20, PER_EM = 1000 };

enum { MARK_RULE, MARK_STROKE, MARK_CHARACTER, MARK_GLYPH };

struct TgPageDrawings {
    TgFonts *fonts;
    TgRenderer *renderer;                             /* NULL: nothing is drawn */
    json_t *all;                                      /* tg_page_drawings_json() */
    json_t *glyphs, *sizes, *sources, *inks, *faults; /* its members */
    GHashTable *formulas;                             /* source to its number */
    GHashTable *outlines, *units; /* outline, and size in units, to their numbers */
};

TgPageDrawings *tg_page_drawings_new(gboolean draw, GError **error)
{
    g_autoptr(TgPageDrawings) drawings = g_new(TgPageDrawings, 1);

    *drawings = (TgPageDrawings){
        .glyphs = json_array(),
        .sizes = json_array(),
        .sources = json_array(),
        .inks = json_array(),
        .faults = json_array(),
        .formulas = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .outlines = g_hash_table_new(NULL, NULL),
        .units = g_hash_table_new(NULL, NULL),
    };
    drawings->all =
        json_pack("{s:o, s:o, s:o, s:o, s:o}", "glyphs", drawings->glyphs, "sizes", drawings->sizes,
                  "tex", drawings->sources, "ink", drawings->inks, "fault", drawings->faults);
    if (draw) {
        drawings->fonts = tg_fonts_new(error);
        if (drawings->fonts == NULL)
            return NULL;
        drawings->renderer = tg_renderer_new(drawings->fonts);
    }
    return g_steal_pointer(&drawings);
}

void tg_page_drawings_free(TgPageDrawings *drawings)
{
    if (drawings == NULL)
        return;
    json_decref(drawings->all);
    g_hash_table_unref(drawings->units);
    g_hash_table_unref(drawings->outlines);
    g_hash_table_unref(drawings->formulas);
    tg_renderer_free(drawings->renderer);
    tg_fonts_unref(drawings->fonts);
    g_free(drawings);
}

/* UTF-16 units between two bytes. */
static guint utf16_units(const char *tex, guint from, guint to)
{
    guint units = 0;
    gunichar code;

    for (guint at = from; at < to && tex[at] != '\0';) {
        if ((guchar) tex[at] < 0x80) { /* nearly all of LaTeX */
            at++;
            units++;
            continue;
        }
        at += tg_utf8_decode(tex + at, strnlen(tex + at, 4), &code);
        units += code > 0xFFFF ? 2 : 1;
    }
    return units;
}

guint tg_page_utf16_offset(const char *tex, guint byte)
{
    return utf16_units(tex, 0, byte);
}

/* ---- packing ---- */

static void put_number(GString *out, gint64 value)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    guint64 rest = value < 0 ? (guint64) -value << 1 | 1 : (guint64) value << 1;

    do {
        const guint digit = rest & 31;

        rest >>= 5;
        g_string_append_c(out, digits[digit | (rest > 0 ? 32 : 0)]);
    } while (rest > 0);
}

static gint units_of(double sp)
{
    return (gint) lround(CLAMP(sp * UNITS_PER_PT / TG_SP_PER_PT, -1e8, 1e8));
}

static char *path_of(const TgOutline *outline)
{
    static const struct {
        char letter;
        guint n_points;
    } ops[] = { [TG_PATH_MOVE] = { 'M', 1 },
                [TG_PATH_LINE] = { 'L', 1 },
                [TG_PATH_CURVE] = { 'C', 3 },
                [TG_PATH_CLOSE] = { 'Z', 0 } };
    GString *path = g_string_new(NULL);
    const double *point = outline->points;

    for (guint i = 0; i < outline->n_ops; i++) {
        g_string_append_c(path, ops[outline->ops[i]].letter);
        for (guint k = 0; k < ops[outline->ops[i]].n_points; k++, point += 2)
            g_string_append_printf(path, "%ld %ld ", lround(point[0] * PER_EM),
                                   lround(-point[1] * PER_EM));
    }
    return g_string_free(path, FALSE);
}

static guint glyph_of(TgPageDrawings *drawings, const TgOutline *outline)
{
    const guint number = tg_hash_number(drawings->outlines, (gpointer) outline);
    const double box[] = { outline->x_min, -outline->y_max, outline->x_max, -outline->y_min };

    if (json_array_size(drawings->glyphs) == number * (1 + G_N_ELEMENTS(box))) {
        g_autofree char *path = path_of(outline);

        json_array_append_new(drawings->glyphs, json_string(path));
        for (guint i = 0; i < G_N_ELEMENTS(box); i++)
            json_array_append_new(drawings->glyphs, json_integer(lround(box[i] * PER_EM)));
    }
    return number;
}

static guint size_of(TgPageDrawings *drawings, gint size)
{
    const guint number = tg_hash_number(drawings->units, GINT_TO_POINTER(size));

    if (number == json_array_size(drawings->sizes))
        json_array_append_new(drawings->sizes, json_integer(size));
    return number;
}

static void put_tokens(GString *out, const TgDrawing *drawing, const char *tex)
{
    guint end = 0, end_byte = 0; /* of the token before, after which most tokens begin */

    put_number(out, drawing->n_tokens);
    for (guint i = 0; i < drawing->n_tokens; i++) {
        const TgDrawnToken *token = &drawing->tokens[i];
        const guint from = token->start >= end_byte ? end + utf16_units(tex, end_byte, token->start)
                                                    : utf16_units(tex, 0, token->start);
        const guint to = from + utf16_units(tex, token->start, token->end);

        put_number(out, (gint64) from - end);
        put_number(out, (gint64) to - from);
        end = to;
        end_byte = token->end;
    }
}

gboolean tg_page_drawings_add(TgPageDrawings *drawings, const char *tex, guint *number,
                              GError **error)
{
    g_autoptr(TgDrawing) drawing = NULL;
    g_autoptr(GError) trouble = NULL;
    json_t *ink = NULL;
    const char *fault = NULL;

    *number = tg_hash_number(drawings->formulas, g_strdup(tex));
    if (*number < json_array_size(drawings->sources))
        return TRUE;
    const gboolean is_drawn = drawings->renderer != NULL && !tg_is_label_graph(tex);
    if (is_drawn)
        drawing = tg_renderer_draw(drawings->renderer, tex, strlen(tex), NULL, &trouble);
    if (trouble != NULL && !g_error_matches(trouble, TG_ERROR, TG_ERROR_PARSE)) {
        g_propagate_error(error, g_steal_pointer(&trouble));
        return FALSE;
    }
    if (drawing != NULL && drawing->n_marks <= MAX_MARKS) {
        g_autoptr(GString) out = g_string_new(NULL);
        TgRect frame = { 0, 0, 0, 0 };

        tg_locate_all(drawing->marks, drawing->n_marks, 1, &frame);
        put_number(out, units_of(frame.x0));
        put_number(out, units_of(frame.y0));
        put_number(out, units_of(frame.x1 - frame.x0));
        put_number(out, units_of(frame.y1 - frame.y0));
        put_tokens(out, drawing, tex);
        static const guint kinds[] = { [TG_MARK_GLYPH] = MARK_GLYPH,
                                       [TG_MARK_UNICODE] = MARK_CHARACTER,
                                       [TG_MARK_RULE] = MARK_RULE,
                                       [TG_MARK_STROKE] = MARK_STROKE };
        gint64 x = 0, y = 0, token = 0;

        for (guint i = 0; i < drawing->n_marks; i++) {
            const TgMark *mark = &drawing->marks[i];
            const guint kind = kinds[mark->kind];
            const gint to_x = units_of(mark->x), to_y = units_of(mark->y);
            /* ink of no token, such as a tag's, takes the number after the last */
            const gint64 owner = MIN(mark->token, drawing->n_tokens);

            put_number(out, kind == MARK_GLYPH ? kind + glyph_of(drawings, mark->outline) : kind);
            put_number(out, to_x - x);
            put_number(out, to_y - y);
            put_number(out, owner - token);
            if (kind == MARK_GLYPH) {
                put_number(out, size_of(drawings, units_of(mark->size)));
            } else {
                put_number(out, units_of(mark->width));
                put_number(out, units_of(mark->height));
            }
            if (kind == MARK_STROKE || kind == MARK_CHARACTER)
                put_number(out, mark->code);
            x = to_x;
            y = to_y;
            token = owner;
        }
        ink = json_string(out->str);
        fault = drawing->n_faults > 0 ? drawing->faults[0].message : NULL;
    } else if (is_drawn) {
        fault = trouble != NULL ? trouble->message : "too large to be drawn here";
    }
    json_array_append_new(drawings->sources, tg_json_text(tex));
    json_array_append_new(drawings->inks, ink != NULL ? ink : json_null());
    json_array_append_new(drawings->faults, tg_json_text(fault));
    return TRUE;
}

json_t *tg_page_drawings_json(const TgPageDrawings *drawings)
{
    return json_incref(drawings->all);
}
