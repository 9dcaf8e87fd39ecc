/* Fuzz target: whatever parses is set, its boxes located, and small pictures painted. */
#include "tests/fuzz/fuzz.h"

#include <math.h>

#include <texgauge/render.h>

#define MAX_PAINTED (1u << 20) /* pixels: painting large pictures tests nothing new */
#define MAX_SIDE    32767      /* of tg_drawing_raster() */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static TgRenderer *renderer; /* kept between inputs, as in a run */
    TgRenderOptions options = TG_RENDER_OPTIONS_INIT;

    if (renderer == NULL) {
        TgFonts *fonts = tg_fonts_new(NULL);
        if (fonts == NULL)
            return 0;
        renderer = tg_renderer_new(fonts);
        tg_fonts_unref(fonts);
    }
    options.dpi = 50;
    g_autoptr(TgDrawing) drawing =
        tg_renderer_draw(renderer, (const char *) data, size, &options, NULL);
    if (drawing == NULL)
        return 0;

    guint n;
    const TgDrawnToken *tokens = tg_drawing_tokens(drawing, &n);
    const TgFrame picture = tg_drawing_frame(drawing);
    for (guint i = 0; i < n; i++)
        g_assert_true(isfinite(tokens[i].box.x0) && tokens[i].box.x0 <= tokens[i].box.x1 &&
                      tokens[i].box.y0 <= tokens[i].box.y1);
    if ((guint64) picture.width * picture.height <= MAX_PAINTED) {
        g_autoptr(TgRaster) raster = tg_drawing_raster(drawing, TG_INK_FLAT, NULL);
        g_assert_true(raster != NULL || MAX(picture.width, picture.height) > MAX_SIDE);
    }
    return 0;
}
