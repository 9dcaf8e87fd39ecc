/* Layers of elements that do not touch, and the connected components on each. */
#include <leptonica/allheaders.h>

#include "core/fail.h"
#include "metrics/cdm/draw/draw.h"
#include "render/paint/drawing.h"

#define WHITE 0xFFFFFFFFu

enum { EIGHT_CONNECTED = 8, NO_OWNER = 0xFFFFFE /* the color of ink that is no element's */ };

/* ---- layers ---- */

typedef struct {
    guint n_elements;
    guint *of_element; /* the layer of each element, and one more for ink of no element */
    guint n;
    double px_per_sp;
} Layers;

/* Whether the ink of element @i touches that of an earlier element on @layer. */
static gboolean is_taken(const Layers *layers, const TgPixelRect *inks, guint i, guint layer)
{
    const TgPixelRect *a = &inks[i];

    for (const TgPixelRect *b = inks; b < a; b++)
        if (layers->of_element[b - inks] == layer && b->has_ink && a->x0 <= b->x1 + 1 &&
            b->x0 <= a->x1 + 1 && a->y0 <= b->y1 + 1 && b->y0 <= a->y1 + 1)
            return TRUE;
    return FALSE;
}

/* ---- painting ---- */

/* A rectangle may be larger than any paper; only what is on the picture is painted. */
static TgMark cut_rectangle(const Layers *layers, const TgMark *mark, const TgPixelRect *frame)
{
    const double scale = layers->px_per_sp;
    const TgScaled left = (TgScaled) ((frame->x0 - 1) / scale);
    const TgScaled right = (TgScaled) ((frame->x1 + 2) / scale);
    const TgScaled top = (TgScaled) ((frame->y0 - 1) / scale);
    const TgScaled bottom = (TgScaled) ((frame->y1 + 2) / scale);
    TgMark cut = *mark;

    if (mark->kind == TG_MARK_GLYPH)
        return cut;
    if (mark->kind == TG_MARK_UNICODE)
        cut.kind = TG_MARK_RULE; /* its em box, filled */
    cut.x = CLAMP(mark->x, left, right);
    cut.y = CLAMP(mark->y, top, bottom);
    cut.width = CLAMP(mark->x + mark->width, left, right) - cut.x;
    cut.height = CLAMP(mark->y + mark->height, top, bottom) - cut.y;
    return cut;
}

static PIX *paint_layer(const GArray *marks, const Layers *layers, guint layer,
                        const TgPixelRect *frame)
{
    const TgFrame picture = {
        .width = (guint) (frame->x1 - frame->x0 + 1),
        .height = (guint) (frame->y1 - frame->y0 + 1),
        .origin_x = -frame->x0,
        .origin_y = -frame->y0,
    };
    PIX *pix = pixCreateNoInit((l_int32) picture.width, (l_int32) picture.height, 32);

    pixSetAllArbitrary(pix, WHITE);
    for (guint i = 0; i < marks->len; i++) {
        const TgMark *mark = &g_array_index(marks, TgMark, i);

        if (layers->of_element[MIN(mark->token, layers->n_elements)] != layer)
            continue;
        const TgMark cut = cut_rectangle(layers, mark, frame);
        const guint32 owner = mark->token < layers->n_elements ? mark->token : (guint32) NO_OWNER;
        /* Leptonica keeps red, green and blue in the upper three bytes */
        tg_paint_flat_mark(&picture, layers->px_per_sp, &cut, owner << 8, pixGetData(pix));
    }
    return pix;
}

/* ---- finding ---- */

/* The element of a component; all ink in the component's box belongs to that element. */
static guint32 owner_at(const PIX *pix, const TgPixelRect *box)
{
    const guint32 *row = pixGetData((PIX *) pix) + (gsize) box->y0 * (gsize) pixGetWpl(pix);
    gint x = box->x0;

    while (x < box->x1 && row[x] == WHITE)
        x++;
    return row[x] >> 8;
}

static void find_components(const PIX *pix, const TgPixelRect *frame, guint n_elements,
                            TgCdmInk *out)
{
    PIX *gray = pixConvertRGBToGrayMinMax((PIX *) pix, L_CHOOSE_MIN);
    PIX *ink = pixThresholdToBinary(gray, 255);
    BOXA *boxes = pixConnCompBB(ink, EIGHT_CONNECTED);

    for (l_int32 i = 0; i < boxaGetCount(boxes); i++) {
        l_int32 x, y, width, height;

        boxaGetBoxGeometry(boxes, i, &x, &y, &width, &height);
        const TgPixelRect found = { x, y, x + width - 1, y + height - 1, TRUE };
        const TgPixelRect box = tg_pixel_rect_moved(found, frame->x0, frame->y0);
        const guint32 owner = owner_at(pix, &found);
        tg_pixel_rect_join(&out->all, box);
        if (owner < n_elements)
            tg_pixel_rect_join(&out->elements[owner], box);
    }
    boxaDestroy(&boxes);
    pixDestroy(&ink);
    pixDestroy(&gray);
}

/* ---- the whole page ---- */

gboolean tg_cdm_raster_inks(const GArray *marks, guint n_elements, TgCdmInk *ink, GError **error)
{
    const TgPixelRect frame = ink->all;
    g_autofree guint *of_element = g_new0(guint, n_elements + 1);
    Layers layers = { n_elements, of_element, 0, ink->paper.px_per_sp };

    if (!frame.has_ink)
        return TRUE;
    const guint64 width = (guint64) (frame.x1 - frame.x0) + 1;
    const guint64 height = (guint64) (frame.y1 - frame.y0) + 1;
    if (width * height > TG_CDM_RASTER_MAX_PIXELS)
        return tg_fail(error, TG_ERROR_PARSE,
                       "a picture of %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT
                       " pixels is too large to look for ink in",
                       width, height);
    /* every element goes to the first layer that has room for it */
    for (guint i = 0; i < layers.n_elements; i++) {
        guint layer = 0;

        while (ink->elements[i].has_ink && is_taken(&layers, ink->elements, i, layer))
            layer++;
        layers.of_element[i] = layer;
        layers.n = MAX(layers.n, layer + 1);
    }
    layers.of_element[layers.n_elements] = layers.n;
    ink->all = (TgPixelRect){ 0 };
    for (guint i = 0; i < n_elements; i++)
        ink->elements[i] = (TgPixelRect){ 0 };
    for (guint layer = 0; layer <= layers.n; layer++) { /* the last one has the ink of no element */
        PIX *pix = paint_layer(marks, &layers, layer, &frame);

        find_components(pix, &frame, n_elements, ink);
        pixDestroy(&pix);
    }
    return TRUE;
}
