/* Fuzz target: a font file; its outlines are finite, inside their boxes, and can be painted. */
#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/fuzz.h"

#include <cairo.h>
#include <math.h>

#include "render/paint/drawing.h"
#include "tests/fuzz/memory_file.h"

#define SIZE 32

/* No point of an outline lies outside its box, but the handles of curves. */
static void check_outline(const TgOutline *outline)
{
    const double *p = outline->points;

    g_assert_true(isfinite(outline->advance) && isfinite(outline->x_min) &&
                  isfinite(outline->x_max) && isfinite(outline->y_min) && isfinite(outline->y_max));
    g_assert_true(outline->x_min <= outline->x_max && outline->y_min <= outline->y_max);
    for (guint i = 0; i < outline->n_ops; i++) {
        if (outline->ops[i] == TG_PATH_CLOSE)
            continue;
        if (outline->ops[i] == TG_PATH_CURVE)
            p += 4;
        g_assert_true(p[0] >= outline->x_min && p[0] <= outline->x_max);
        g_assert_true(p[1] >= outline->y_min && p[1] <= outline->y_max);
        p += 2;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const guint32 slots[] = { 0, 'A', 'a', '1', '(', 0xA1, 0x222B, 0x1D465, 0x10FFFF };
    g_autoptr(GError) error = NULL;
    TgFace *face = tg_face_new_from_file(memory_file(data, size), size % 16 == 15);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, SIZE, SIZE);
    cairo_t *cr = cairo_create(surface);

    for (guint i = 0; i < G_N_ELEMENTS(slots); i++) {
        const TgOutline *outline = tg_face_outline(face, slots[i], &error);

        if (outline == NULL) {
            g_assert_error(error, TG_ERROR, TG_ERROR_FONT);
            break;
        }
        check_outline(outline);
        tg_outline_path(cr, outline, 1, SIZE - 1, SIZE, SIZE);
        cairo_fill(cr);
    }
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    tg_face_free(face);
    return 0;
}
