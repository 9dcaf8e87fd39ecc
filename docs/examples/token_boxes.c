/*
 * Draws a formula to a PNG and prints the box of each token in its pixels.
 *
 *   cc token_boxes.c -o token_boxes $(pkg-config --cflags --libs texgauge)
 *   ./token_boxes '\frac{a}{b}' fraction.png
 */
#include <stdio.h>
#include <string.h>

#include <texgauge/render.h>

int main(int argc, char **argv)
{
    const char *tex = argc > 1 ? argv[1] : "\\frac{a}{b}", *path = argc > 2 ? argv[2] : "out.png";
    g_autoptr(GError) error = NULL;
    g_autoptr(TgFonts) fonts = tg_fonts_new(&error);
    g_autoptr(TgRenderer) renderer = fonts != NULL ? tg_renderer_new(fonts) : NULL;
    g_autoptr(TgDrawing) drawing =
        renderer != NULL ? tg_renderer_draw(renderer, tex, strlen(tex), NULL, &error) : NULL;
    g_autoptr(GBytes) png =
        drawing != NULL ? tg_drawing_encode(drawing, TG_FORMAT_PNG, TG_INK_NATURAL, &error) : NULL;
    gsize size;
    guint n;

    const char *bytes = png != NULL ? g_bytes_get_data(png, &size) : NULL;
    if (bytes == NULL || !g_file_set_contents(path, bytes, (gssize) size, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    const TgDrawnToken *tokens = tg_drawing_tokens(drawing, &n);
    for (guint i = 0; i < n; i++)
        printf("%-8s %7.2f %7.2f %7.2f %7.2f\n", tokens[i].name, tokens[i].box.x0, tokens[i].box.y0,
               tokens[i].box.x1, tokens[i].box.y1);
    return 0;
}
