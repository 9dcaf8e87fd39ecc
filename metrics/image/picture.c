/* Drawing a formula, cropping the picture to its ink, and keeping it for the other metrics. */
#include "metrics/image/image.h"

#include <string.h>

#include "core/fail.h"
#include "render/paint/drawing.h"

enum { WHITE = 255 };

/* ---- objects ---- */

static void picture_clear(gpointer object)
{
    TgFormulaPicture *picture = object;

    g_free((guint8 *) picture->gray.pixels);
    g_free(picture->trouble);
}

void tg_formula_picture_unref(gpointer picture)
{
    g_atomic_rc_box_release_full(picture, picture_clear);
}

static gsize picture_size(gconstpointer object)
{
    const TgFormulaPicture *picture = object;

    return sizeof *picture + (gsize) picture->gray.width * picture->gray.height;
}

static const TgSharedKind kind = { g_atomic_rc_box_acquire, tg_formula_picture_unref,
                                   picture_size };

/* ---- cropping ---- */

/* Where the pixels are that are not white. */
static TgPixelRect find_ink(TgGray gray)
{
    TgPixelRect ink = { 0 };

    for (guint y = 0; y < gray.height; y++) {
        const guint8 *row = gray.pixels + y * gray.stride;
        guint first = 0, last = gray.width;

        while (first < gray.width && row[first] == WHITE)
            first++;
        if (first == gray.width)
            continue;
        while (row[last - 1] == WHITE)
            last--;
        tg_pixel_rect_join(
            &ink, (TgPixelRect){ (gint) first, (gint) y, (gint) last - 1, (gint) y, TRUE });
    }
    return ink;
}

/* ---- drawing ---- */

static gboolean picture_paint(TgFormulaPicture *picture, const TgDrawing *drawing, guint margin,
                              GError **error)
{
    const TgFrame frame = tg_drawing_frame(drawing);
    const guint64 n = (guint64) frame.width * frame.height;
    guint n_faults;

    if (n > TG_FORMULA_PICTURE_MAX_PIXELS)
        return tg_fail(error, TG_ERROR_DATA, "too-large: a picture of %u x %u pixels", frame.width,
                       frame.height);
    g_autofree guint8 *pixels = g_malloc(n);
    memset(pixels, WHITE, n);
    tg_paint_gray(drawing, pixels);
    const TgGray gray = { pixels, frame.width, frame.height, frame.width };
    const TgPixelRect ink = find_ink(gray);
    const TgFormulaFault *first = tg_drawing_faults(drawing, &n_faults);
    if (ink.has_ink) {
        /* copy the ink with a margin around it */
        const guint ink_width = (guint) (ink.x1 - ink.x0 + 1);
        const guint ink_height = (guint) (ink.y1 - ink.y0 + 1);
        const guint width = ink_width + 2 * margin, height = ink_height + 2 * margin;

        guint8 *cropped = memset(g_malloc((gsize) width * height), WHITE, (gsize) width * height);
        for (guint y = 0; y < ink_height; y++)
            memcpy(cropped + (gsize) (y + margin) * width + margin,
                   gray.pixels + (y + (guint) ink.y0) * gray.stride + ink.x0, ink_width);
        picture->gray = (TgGray){ cropped, width, height, width };
    } else {
        picture->trouble = n_faults > 0
                               ? g_strdup_printf("%s, column %u", first->message, first->column)
                               : g_strdup("the formula has no ink");
    }
    return TRUE;
}

TgRenderer *tg_formula_renderer(TgEnv *env, TgFonts *fonts)
{
    return tg_env_local(env, fonts, (TgLocalMake) tg_renderer_new,
                        (GDestroyNotify) tg_renderer_free);
}

static TgFormulaPicture *picture_draw(TgEnv *env, const TgFormulaPictureStyle *style,
                                      const char *latex, GError **error)
{
    const TgRenderOptions options = { .size = sizeof options, .size_pt = 12, .dpi = style->dpi };
    TgRenderer *renderer = tg_formula_renderer(env, style->fonts);
    g_autoptr(TgFormulaPicture) picture = g_atomic_rc_box_new0(TgFormulaPicture);
    GError *fault = NULL;

    if (latex[strspn(latex, " \t\r\n")] == '\0')
        return g_steal_pointer(&picture);
    g_autoptr(TgDrawing) drawing =
        tg_renderer_draw(renderer, latex, strlen(latex), &options, &fault);
    if (drawing == NULL && !g_error_matches(fault, TG_ERROR, TG_ERROR_PARSE)) {
        g_propagate_error(error, fault);
        return NULL;
    }
    if (drawing == NULL) { /* beyond the typesetter's bounds: a fact about the formula */
        picture->trouble = g_strdup(fault->message);
        g_error_free(fault);
    } else if (!picture_paint(picture, drawing, (guint) style->margin_px, error)) {
        return NULL;
    }
    return g_steal_pointer(&picture);
}

TgFormulaPicture *tg_formula_picture(TgEnv *env, const TgFormulaPictureStyle *style,
                                     const char *latex, GError **error)
{
    char dpi[G_ASCII_DTOSTR_BUF_SIZE], settings[G_ASCII_DTOSTR_BUF_SIZE + 32];

    g_snprintf(settings, sizeof settings, "dpi=%s:margin=%d",
               g_ascii_dtostr(dpi, sizeof dpi, style->dpi), style->margin_px);
    TgFormulaPicture *picture = tg_env_find_shared(env, &kind, settings, latex);
    if (picture != NULL)
        return picture;
    picture = picture_draw(env, style, latex, error);
    if (picture != NULL)
        tg_env_share(env, &kind, settings, latex, picture);
    return picture;
}
