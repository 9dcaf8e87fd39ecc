/* Reading outlines from font files with FreeType. */
#include "render/fonts/face.h"

#include <ft2build.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include "core/fail.h"
#include "render/fonts/face_encoding.h"
#include "render/fonts/font_files.h"

struct TgFace {
    char *metrics_name;   /* NULL for a face made from a file */
    char *path;           /* NULL until it is found */
    gint index;           /* of the face in its file */
    pthread_mutex_t lock; /* guards FreeType and the making of outlines */
    FT_Library library;
    FT_Face ft;
    TgEncoding encoding;
    const TgGlyphPixels *measured; /* NULL: none */
    gpointer outlines[256];        /* TgOutline by slot, set once, atomically */
    GHashTable *more;              /* slots from 256 on, under the lock */
};

TgFace *tg_face_new(const char *metrics_name)
{
    TgFace *face = g_new0(TgFace, 1);

    face->metrics_name = g_strdup(metrics_name);
    pthread_mutex_init(&face->lock, NULL);
    return face;
}

TgFace *tg_face_new_from_file(const char *path, gint index)
{
    TgFace *face = g_new0(TgFace, 1);

    face->path = g_strdup(path);
    face->index = index;
    pthread_mutex_init(&face->lock, NULL);
    return face;
}

static void outline_free(gpointer data)
{
    TgOutline *outline = data;

    if (outline == NULL)
        return;
    g_free(outline->ops);
    g_free(outline->points);
    g_free(outline);
}

void tg_face_free(TgFace *face)
{
    if (face == NULL)
        return;
    for (guint i = 0; i < G_N_ELEMENTS(face->outlines); i++)
        outline_free(face->outlines[i]);
    g_clear_pointer(&face->more, g_hash_table_unref);
    if (face->ft != NULL)
        FT_Done_Face(face->ft);
    if (face->library != NULL)
        FT_Done_FreeType(face->library);
    tg_encoding_clear(&face->encoding);
    pthread_mutex_destroy(&face->lock);
    g_free(face->metrics_name);
    g_free(face->path);
    g_free(face);
}

void tg_face_set_measured(TgFace *face, const TgGlyphPixels *table)
{
    face->measured = table;
}

static const TgGlyphPixels *find_measured(const TgFace *face, guint32 slot)
{
    const TgGlyphPixels *pixels = face->measured;

    if (pixels == NULL)
        return NULL;
    while (pixels->size_pt != 0 && pixels->slot != slot)
        pixels++;
    return pixels->size_pt != 0 ? pixels : NULL;
}

const TgGlyphPixels *tg_outline_measured(const TgOutline *outline, double size_pt, guint dpi)
{
    const TgGlyphPixels *first = outline->measured;

    for (const TgGlyphPixels *pixels = first;
         pixels != NULL && pixels->size_pt != 0 && pixels->slot == first->slot; pixels++)
        if (pixels->size_pt == size_pt && pixels->dpi == dpi)
            return pixels;
    return NULL;
}

/* Open the file and learn its encoding; called under the lock, once. */
static gboolean open_face(TgFace *face, GError **error)
{
    g_autofree char *file = NULL;

    if (face->metrics_name != NULL) {
        if (!tg_encoding_init(&face->encoding, face->metrics_name, &file, error))
            return FALSE;
        face->path = tg_font_find_file(file, error);
        if (face->path == NULL)
            return FALSE;
    }
    if (FT_Init_FreeType(&face->library) != 0 ||
        FT_New_Face(face->library, face->path, face->index, &face->ft) != 0)
        return tg_fail(error, TG_ERROR_FONT, "%s is not a font file", face->path);
    return TRUE;
}

/* ---- From FreeType's outline to ours --------------------------------------------------------- */

typedef struct {
    GByteArray *ops;
    GArray *points;
    double scale;  /* font units to em */
    double x, y;   /* of the pen, in font units */
    gboolean open; /* a contour is being drawn */
} Pen;

static void put_point(Pen *pen, double x, double y)
{
    const double at[2] = { x * pen->scale, y * pen->scale };

    g_array_append_vals(pen->points, at, 2);
}

static void put_op(Pen *pen, TgPathOp op)
{
    const guint8 byte = (guint8) op;

    g_byte_array_append(pen->ops, &byte, 1);
}

static void close_contour(Pen *pen)
{
    if (pen->open)
        put_op(pen, TG_PATH_CLOSE);
    pen->open = FALSE;
}

static void pen_to(Pen *pen, const FT_Vector *to)
{
    pen->x = (double) to->x;
    pen->y = (double) to->y;
}

static int outline_move_to(const FT_Vector *to, void *user)
{
    Pen *pen = user;

    close_contour(pen);
    put_op(pen, TG_PATH_MOVE);
    put_point(pen, (double) to->x, (double) to->y);
    pen_to(pen, to);
    pen->open = TRUE;
    return 0;
}

static int outline_line_to(const FT_Vector *to, void *user)
{
    Pen *pen = user;

    put_op(pen, TG_PATH_LINE);
    put_point(pen, (double) to->x, (double) to->y);
    pen_to(pen, to);
    return 0;
}

static int outline_cubic_to(const FT_Vector *a, const FT_Vector *b, const FT_Vector *to, void *user)
{
    Pen *pen = user;

    put_op(pen, TG_PATH_CURVE);
    put_point(pen, (double) a->x, (double) a->y);
    put_point(pen, (double) b->x, (double) b->y);
    put_point(pen, (double) to->x, (double) to->y);
    pen_to(pen, to);
    return 0;
}

/* A quadratic arc is a cubic one whose handles lie two thirds of the way to its control point. */
static int outline_conic_to(const FT_Vector *control, const FT_Vector *to, void *user)
{
    Pen *pen = user;
    const double cx = (double) control->x, cy = (double) control->y;
    const double x = (double) to->x, y = (double) to->y;

    put_op(pen, TG_PATH_CURVE);
    put_point(pen, pen->x + 2.0 / 3 * (cx - pen->x), pen->y + 2.0 / 3 * (cy - pen->y));
    put_point(pen, x + 2.0 / 3 * (cx - x), y + 2.0 / 3 * (cy - y));
    put_point(pen, x, y);
    pen_to(pen, to);
    return 0;
}

/* ---- Exact extents --------------------------------------------------------------------------- */

static void range_include(double *low, double *high, double value)
{
    *low = MIN(*low, value);
    *high = MAX(*high, value);
}

/* Widen a range by the extremes of a cubic between its ends: where its derivative is zero. */
static void range_include_cubic(double *low, double *high, double p0, double p1, double p2,
                                double p3)
{
    const double a = -p0 + 3 * p1 - 3 * p2 + p3, b = 2 * (p0 - 2 * p1 + p2), c = p1 - p0;
    double roots[2];
    guint n = 0;

    if (fabs(a) < 1e-12) {
        if (fabs(b) > 1e-12)
            roots[n++] = -c / b;
    } else {
        const double discriminant = b * b - 4 * a * c;
        if (discriminant >= 0) {
            roots[n++] = (-b + sqrt(discriminant)) / (2 * a);
            roots[n++] = (-b - sqrt(discriminant)) / (2 * a);
        }
    }
    for (guint i = 0; i < n; i++) {
        const double t = roots[i], s = 1 - t;
        if (t > 0 && t < 1)
            range_include(low, high,
                          s * s * s * p0 + 3 * s * s * t * p1 + 3 * s * t * t * p2 +
                              t * t * t * p3);
    }
}

static void measure_outline(TgOutline *outline)
{
    const double *p = outline->points;
    double x = 0, y = 0;

    if (outline->n_ops == 0)
        return;
    outline->x_min = outline->y_min = HUGE_VAL;
    outline->x_max = outline->y_max = -HUGE_VAL;
    for (guint i = 0; i < outline->n_ops; i++) {
        if (outline->ops[i] == TG_PATH_CLOSE)
            continue;
        if (outline->ops[i] == TG_PATH_CURVE) {
            range_include_cubic(&outline->x_min, &outline->x_max, x, p[0], p[2], p[4]);
            range_include_cubic(&outline->y_min, &outline->y_max, y, p[1], p[3], p[5]);
            p += 4;
        }
        x = p[0];
        y = p[1];
        p += 2;
        range_include(&outline->x_min, &outline->x_max, x);
        range_include(&outline->y_min, &outline->y_max, y);
    }
}

static TgOutline *read_outline(TgFace *face, guint32 slot)
{
    static const FT_Outline_Funcs funcs = {
        outline_move_to, outline_line_to, outline_conic_to, outline_cubic_to, 0, 0
    };
    const FT_UInt glyph = face->metrics_name != NULL
                              ? tg_encoding_glyph(&face->encoding, face->ft, slot)
                              : FT_Get_Char_Index(face->ft, slot);
    TgOutline *outline = g_new0(TgOutline, 1);

    outline->face = face;
    outline->glyph = glyph;
    if (glyph == 0 || FT_Load_Glyph(face->ft, glyph, FT_LOAD_NO_SCALE) != 0 ||
        face->ft->glyph->format != FT_GLYPH_FORMAT_OUTLINE)
        return outline;

    Pen pen = { g_byte_array_new(),
                g_array_new(FALSE, FALSE, sizeof(double)),
                1.0 / MAX(face->ft->units_per_EM, 1),
                0,
                0,
                FALSE };
    if (FT_Outline_Decompose(&face->ft->glyph->outline, &funcs, &pen) == 0) {
        close_contour(&pen);
        outline->n_ops = pen.ops->len;
    }
    outline->advance = (double) face->ft->glyph->metrics.horiAdvance * pen.scale;
    outline->ops = g_byte_array_free(pen.ops, FALSE);
    outline->points = (double *) (void *) g_array_free(pen.points, FALSE);
    measure_outline(outline);
    outline->measured = find_measured(face, slot);
    return outline;
}

static const TgOutline *outline_locked(TgFace *face, guint32 slot, GError **error)
{
    TgOutline *outline = slot < 256 ? face->outlines[slot]
                         : face->more != NULL
                             ? g_hash_table_lookup(face->more, GUINT_TO_POINTER(slot))
                             : NULL;

    if (outline != NULL || (face->ft == NULL && !open_face(face, error)))
        return outline;
    outline = read_outline(face, slot);
    if (slot < 256) {
        g_atomic_pointer_set(&face->outlines[slot], outline);
    } else {
        if (face->more == NULL)
            face->more = g_hash_table_new_full(NULL, NULL, NULL, outline_free);
        g_hash_table_insert(face->more, GUINT_TO_POINTER(slot), outline);
    }
    return outline;
}

const TgOutline *tg_face_outline(TgFace *face, guint32 slot, GError **error)
{
    if (slot < 256) {
        const TgOutline *known = g_atomic_pointer_get(&face->outlines[slot]);
        if (known != NULL)
            return known;
    }
    pthread_mutex_lock(&face->lock);
    const TgOutline *outline = outline_locked(face, slot, error);
    pthread_mutex_unlock(&face->lock);
    return outline;
}
