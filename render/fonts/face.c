/* Outlines of font files, read with FreeType, and the encodings of the files. */
#include <ft2build.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include "core/fail.h"
#include "render/fonts/font.h"

struct TgFace {
    char *metrics_name;   /* NULL for a face made from a file */
    char *path;           /* NULL until it is found */
    gint index;           /* of the face in its file */
    pthread_mutex_t lock; /* guards FreeType and the making of outlines */
    FT_Library library;
    FT_Face ft;
    char *names[256];              /* glyph names of a Type 1 font by slot, from a .enc file */
    gunichar (*code)(guint32);     /* for other fonts: slot to code of their character map */
    const TgGlyphPixels *measured; /* NULL: none */
    gpointer outlines[256];        /* TgOutline by slot, set once, atomically */
    GHashTable *more;              /* slots from 256 on, under the lock */
};

/* ---- Encodings ------------------------------------------------------------------------------- */

/* The BaKoMa fonts keep ASCII codes in place and move the control codes up. */
static gunichar bakoma_code(guint32 slot)
{
    if (slot < 0x0A)
        return 0xA1 + slot;
    if (slot <= 0x20)
        return 0xA3 + slot;
    return slot == 0x7F ? 0xC4 : slot;
}

static gunichar identity_code(guint32 slot)
{
    return slot;
}

/* Euler's upright Greek is drawn with the upright Greek of Latin Modern Math. */
static gunichar euler_code(guint32 slot)
{
    static const guint16 greek[] = {
        0x0393, 0x0394, 0x0398, 0x039B, 0x039E, 0x03A0, 0x03A3, 0x03A5, 0x03A6, 0x03A8,
        0x03A9, 0x03B1, 0x03B2, 0x03B3, 0x03B4, 0x03F5, 0x03B6, 0x03B7, 0x03B8, 0x03B9,
        0x03BA, 0x03BB, 0x03BC, 0x03BD, 0x03BE, 0x03C0, 0x03C1, 0x03C3, 0x03C4, 0x03C5,
        0x03D5, 0x03C7, 0x03C8, 0x03C9, 0x03B5, 0x03D1, 0x03D6, 0x03F1, 0x03C2, 0x03C6,
    };

    return slot < G_N_ELEMENTS(greek) ? greek[slot] : slot;
}

/* Read the names of the PostScript array in a .enc file: `/enc [ /Gamma /Delta ... ] def`. */
static gboolean parse_names(const char *text, char **names)
{
    gboolean inside = FALSE;
    guint n = 0;

    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '%') {
            at += strcspn(at, "\n") - 1;
        } else if (*at == '[') {
            inside = TRUE;
        } else if (*at == ']') {
            return inside;
        } else if (*at == '/') {
            const gsize len = strcspn(at + 1, " \t\r\n/[]%");
            if (inside && n < 256)
                names[n++] = g_strndup(at + 1, len);
            at += len;
        }
    }
    return FALSE;
}

static gboolean read_names(TgFace *face, const char *file, GError **error)
{
    g_autofree char *path = tg_font_find_file(file, error);
    g_autofree char *text = NULL;

    if (path == NULL)
        return FALSE;
    if (!g_file_get_contents(path, &text, NULL, NULL) || !parse_names(text, face->names))
        return tg_fail(error, TG_ERROR_FONT, "%s is not an encoding file", path);
    return TRUE;
}

/* Find the file of a TeX font, and the encoding of that file. */
static gboolean find_file(TgFace *face, GError **error)
{
    /* by prefix of the metrics' name; the first match is used */
    static const struct {
        const char *prefix;
        const char *encoding; /* .enc file of a Type 1 font, or NULL */
        const char *file;     /* outline file of other fonts, else NULL */
        gunichar (*code)(guint32);
    } encodings[] = {
        { "rm-lmcsc", "lm-rmsc.enc", NULL, NULL },
        { "rm-lmt", "lm-rmtt.enc", NULL, NULL },
        { "rm-lm", "lm-rm.enc", NULL, NULL },
        { "ts1-lm", "lm-ts1.enc", NULL, NULL },
        { "lmmi", "lm-mathit.enc", NULL, NULL },
        { "lmsy", "lm-mathsy.enc", NULL, NULL },
        { "lmbsy", "lm-mathsy.enc", NULL, NULL },
        { "lmex", "lm-mathex.enc", NULL, NULL },
        { "msam", NULL, "msam10.ttf", bakoma_code },
        { "msbm", NULL, "msbm10.ttf", bakoma_code },
        { "euf", NULL, "eufm10.ttf", bakoma_code },
        { "rsfs", NULL, "rsfs10.ttf", identity_code },
        { "eur", NULL, "latinmodern-math.otf", euler_code },
        { "stmary", NULL, "stmary10.ttf", identity_code },
    };
    guint i = 0;

    while (!g_str_has_prefix(face->metrics_name, encodings[i].prefix)) {
        if (++i == G_N_ELEMENTS(encodings))
            return tg_fail(error, TG_ERROR_INTERNAL, "no outline font for %s", face->metrics_name);
    }
    if (encodings[i].encoding != NULL && !read_names(face, encodings[i].encoding, error))
        return FALSE;
    face->code = encodings[i].code;

    const char *dash = strchr(face->metrics_name, '-'); /* after the name of the encoding */
    g_autofree char *type1 =
        g_strconcat(dash != NULL ? dash + 1 : face->metrics_name, ".pfb", NULL);
    face->path = tg_font_find_file(encodings[i].file != NULL ? encodings[i].file : type1, error);
    return face->path != NULL;
}

/* ---- Faces ----------------------------------------------------------------------------------- */

TgFace *tg_face_new(const char *metrics_name, const TgGlyphPixels *measured)
{
    TgFace *face = g_new0(TgFace, 1);

    face->metrics_name = g_strdup(metrics_name);
    face->measured = measured;
    pthread_mutex_init(&face->lock, NULL);
    return face;
}

TgFace *tg_face_new_from_file(const char *path, gint index)
{
    TgFace *face = tg_face_new(NULL, NULL);

    face->path = g_strdup(path);
    face->index = index;
    face->code = identity_code;
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
    for (guint i = 0; i < 256; i++) {
        outline_free(face->outlines[i]);
        g_free(face->names[i]);
    }
    g_clear_pointer(&face->more, g_hash_table_unref);
    if (face->ft != NULL)
        FT_Done_Face(face->ft);
    if (face->library != NULL)
        FT_Done_FreeType(face->library);
    pthread_mutex_destroy(&face->lock);
    g_free(face->metrics_name);
    g_free(face->path);
    g_free(face);
}

/* Open the file; called under the lock until it succeeds. */
static gboolean open_face(TgFace *face, GError **error)
{
    if (face->path == NULL && !find_file(face, error))
        return FALSE;
    if ((face->library == NULL && FT_Init_FreeType(&face->library) != 0) ||
        FT_New_Face(face->library, face->path, face->index, &face->ft) != 0)
        return tg_fail(error, TG_ERROR_FONT, "%s is not a font file", face->path);
    return TRUE;
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

/* ---- From FreeType's outline to ours --------------------------------------------------------- */

typedef struct {
    GByteArray *ops;
    GArray *points;
    double scale;  /* font units to em */
    double x, y;   /* of the pen, in font units */
    gboolean open; /* a contour is being drawn */
} Pen;

/* Append an operator and its points; the pen then stands at the last point. */
static int put_operator(Pen *pen, TgPathOp op, guint n, const double (*points)[2])
{
    const guint8 byte = (guint8) op;

    g_byte_array_append(pen->ops, &byte, 1);
    for (guint i = 0; i < n; i++) {
        const double at[2] = { points[i][0] * pen->scale, points[i][1] * pen->scale };

        g_array_append_vals(pen->points, at, 2);
        pen->x = points[i][0];
        pen->y = points[i][1];
    }
    return 0;
}

static void close_contour(Pen *pen)
{
    if (pen->open)
        put_operator(pen, TG_PATH_CLOSE, 0, NULL);
    pen->open = FALSE;
}

static int move_to(const FT_Vector *to, void *user)
{
    const double points[][2] = { { (double) to->x, (double) to->y } };
    Pen *pen = user;

    close_contour(pen);
    pen->open = TRUE;
    return put_operator(pen, TG_PATH_MOVE, 1, points);
}

static int line_to(const FT_Vector *to, void *user)
{
    const double points[][2] = { { (double) to->x, (double) to->y } };

    return put_operator(user, TG_PATH_LINE, 1, points);
}

static int cubic_to(const FT_Vector *a, const FT_Vector *b, const FT_Vector *to, void *user)
{
    const double points[][2] = { { (double) a->x, (double) a->y },
                                 { (double) b->x, (double) b->y },
                                 { (double) to->x, (double) to->y } };

    return put_operator(user, TG_PATH_CURVE, 3, points);
}

/* Append a quadratic arc as a cubic arc, whose handles lie two thirds of the way to the control
 * point. */
static int conic_to(const FT_Vector *control, const FT_Vector *to, void *user)
{
    const Pen *pen = user;
    const double cx = (double) control->x, cy = (double) control->y;
    const double x = (double) to->x, y = (double) to->y;
    const double points[][2] = {
        { pen->x + 2.0 / 3 * (cx - pen->x), pen->y + 2.0 / 3 * (cy - pen->y) },
        { x + 2.0 / 3 * (cx - x), y + 2.0 / 3 * (cy - y) },
        { x, y },
    };

    return put_operator(user, TG_PATH_CURVE, 3, points);
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

/* ---- Outlines -------------------------------------------------------------------------------- */

static TgOutline *read_outline(TgFace *face, guint32 slot)
{
    static const FT_Outline_Funcs funcs = { move_to, line_to, conic_to, cubic_to, 0, 0 };
    const char *name = slot < 256 ? face->names[slot] : NULL;
    const FT_UInt glyph = face->code != NULL ? FT_Get_Char_Index(face->ft, face->code(slot))
                          : name != NULL     ? FT_Get_Name_Index(face->ft, name)
                                             : 0;
    TgOutline *outline = g_new0(TgOutline, 1);

    if (glyph == 0 || FT_Load_Glyph(face->ft, glyph, FT_LOAD_NO_SCALE) != 0 ||
        face->ft->glyph->format != FT_GLYPH_FORMAT_OUTLINE)
        return outline;

    Pen pen = { .ops = g_byte_array_new(),
                .points = g_array_new(FALSE, FALSE, sizeof(double)),
                .scale = 1.0 / MAX(face->ft->units_per_EM, 1) };
    if (FT_Outline_Decompose(&face->ft->glyph->outline, &funcs, &pen) == 0) {
        close_contour(&pen);
        outline->n_ops = pen.ops->len;
    }
    outline->advance = (double) face->ft->glyph->metrics.horiAdvance * pen.scale;
    outline->ops = g_byte_array_free(pen.ops, FALSE);
    outline->points = (double *) (void *) g_array_free(pen.points, FALSE);
    measure_outline(outline);
    const TgGlyphPixels *pixels = face->measured;
    while (pixels != NULL && pixels->size_pt != 0 && pixels->slot != slot)
        pixels++;
    outline->measured = pixels != NULL && pixels->size_pt != 0 ? pixels : NULL;
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
    const TgOutline *outline = slot < 256 ? g_atomic_pointer_get(&face->outlines[slot]) : NULL;

    if (outline != NULL)
        return outline;
    pthread_mutex_lock(&face->lock);
    outline = outline_locked(face, slot, error);
    pthread_mutex_unlock(&face->lock);
    return outline;
}
