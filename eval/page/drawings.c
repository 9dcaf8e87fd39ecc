#include "eval/page/page.h"

#include <math.h>
#include <string.h>

#include "core/json.h"
#include "core/label_graph.h"
#include "core/utf8.h"
#include "render/paint/drawing.h"

/* Marks of one formula: beyond them a browser would be slow to show it. */
enum { MAX_MARKS = 5000, UNITS_PER_PT = 20, PER_EM = 1000 };

enum { MARK_RULE, MARK_STROKE, MARK_CHARACTER, MARK_GLYPH };

struct TgPageDrawings {
    TgFonts *fonts;
    TgRenderer *renderer; /* NULL: nothing is drawn */
    GHashTable *numbers;  /* source to its number + 1 */
    GPtrArray *sources;   /* of char * */
    GPtrArray *inks;      /* of char *, NULL: not drawn */
    GPtrArray *faults;    /* of char *, NULL: none */
    GHashTable *glyphs;   /* outline to its number + 1 */
    GPtrArray *outlines;  /* of const TgOutline * */
    GArray *sizes;        /* of gint, units */
};

TgPageDrawings *tg_page_drawings_new(gboolean draw, GError **error)
{
    g_autoptr(TgPageDrawings) drawings = g_new0(TgPageDrawings, 1);

    drawings->sources = g_ptr_array_new_with_free_func(g_free);
    drawings->inks = g_ptr_array_new_with_free_func(g_free);
    drawings->faults = g_ptr_array_new_with_free_func(g_free);
    drawings->numbers = g_hash_table_new(g_str_hash, g_str_equal);
    drawings->glyphs = g_hash_table_new(NULL, NULL);
    drawings->outlines = g_ptr_array_new();
    drawings->sizes = g_array_new(FALSE, FALSE, sizeof(gint));
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
    g_array_unref(drawings->sizes);
    g_ptr_array_unref(drawings->outlines);
    g_hash_table_unref(drawings->glyphs);
    g_hash_table_unref(drawings->numbers);
    g_ptr_array_unref(drawings->faults);
    g_ptr_array_unref(drawings->inks);
    g_ptr_array_unref(drawings->sources);
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

static guint glyph_of(TgPageDrawings *drawings, const TgOutline *outline)
{
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(drawings->glyphs, outline));

    if (number == 0) {
        g_ptr_array_add(drawings->outlines, (gpointer) outline);
        number = drawings->outlines->len;
        g_hash_table_insert(drawings->glyphs, (gpointer) outline, GUINT_TO_POINTER(number));
    }
    return number - 1;
}

static guint size_of(TgPageDrawings *drawings, gint size)
{
    for (guint i = 0; i < drawings->sizes->len; i++) {
        if (g_array_index(drawings->sizes, gint, i) == size)
            return i;
    }
    g_array_append_val(drawings->sizes, size);
    return drawings->sizes->len - 1;
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
    char *ink = NULL, *fault = NULL, *source;

    *number = GPOINTER_TO_UINT(g_hash_table_lookup(drawings->numbers, tex));
    if (*number > 0) {
        (*number)--;
        return TRUE;
    }
    const gboolean is_drawn = drawings->renderer != NULL && !tg_is_label_graph(tex);
    if (is_drawn)
        drawing = tg_renderer_draw(drawings->renderer, tex, strlen(tex), NULL, &trouble);
    if (trouble != NULL && !g_error_matches(trouble, TG_ERROR, TG_ERROR_PARSE)) {
        g_propagate_error(error, g_steal_pointer(&trouble));
        return FALSE;
    }
    if (drawing != NULL && drawing->n_marks <= MAX_MARKS) {
        GString *out = g_string_new(NULL);
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
        ink = g_string_free(out, FALSE);
        fault = drawing->n_faults > 0 ? g_strdup(drawing->faults[0].message) : NULL;
    } else if (is_drawn) {
        fault = g_strdup(trouble != NULL ? trouble->message : "too large to be drawn here");
    }
    source = g_strdup(tex);
    *number = drawings->sources->len;
    g_ptr_array_add(drawings->sources, source);
    g_ptr_array_add(drawings->inks, ink);
    g_ptr_array_add(drawings->faults, fault);
    g_hash_table_insert(drawings->numbers, source, GUINT_TO_POINTER(*number + 1));
    return TRUE;
}

/* ---- JSON ---- */

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

static json_t *glyphs_json(const TgPageDrawings *drawings)
{
    json_t *glyphs = json_array();

    for (guint i = 0; i < drawings->outlines->len; i++) {
        const TgOutline *o = drawings->outlines->pdata[i];
        g_autofree char *path = path_of(o);

        json_array_append_new(glyphs, json_string(path));
        json_array_append_new(glyphs, json_integer(lround(o->x_min * PER_EM)));
        json_array_append_new(glyphs, json_integer(lround(-o->y_max * PER_EM)));
        json_array_append_new(glyphs, json_integer(lround(o->x_max * PER_EM)));
        json_array_append_new(glyphs, json_integer(lround(-o->y_min * PER_EM)));
    }
    return glyphs;
}

json_t *tg_page_drawings_json(const TgPageDrawings *drawings)
{
    json_t *sizes = json_array();

    for (guint i = 0; i < drawings->sizes->len; i++)
        json_array_append_new(sizes, json_integer(g_array_index(drawings->sizes, gint, i)));
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "glyphs", glyphs_json(drawings), "sizes", sizes,
                     "tex", tg_json_texts(drawings->sources), "ink", tg_json_texts(drawings->inks),
                     "fault", tg_json_texts(drawings->faults));
}
