/* Pages as TIFF files, which pdftocairo writes eight times as fast as PNG. */
#include "render/tex/tex_pages.h"

#include <leptonica/allheaders.h>

#include "core/files/subprocess.h"

static gint compare_paths(gconstpointer a, gconstpointer b)
{
    return g_strcmp0(*(char *const *) a, *(char *const *) b);
}

/* Numbers have leading zeros, so order by name is order by number. */
static GPtrArray *list_pictures(const char *folder)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;

    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL)
        if (g_str_has_suffix(name, ".tif"))
            g_ptr_array_add(paths, g_build_filename(folder, name, NULL));
    g_ptr_array_sort(paths, compare_paths);
    return paths;
}

GPtrArray *tg_tex_pages_list(const TgPageReader *reader, GError **error)
{
    char dpi[G_ASCII_DTOSTR_BUF_SIZE], width[16], height[16];
    const char *argv[] = {
        reader->program,
        "-tiff",
        "-tiffcompression",
        "packbits",
        "-antialias",
        "none",
        "-r",
        dpi,
        "-x",
        "0",
        "-y",
        "0",
        "-W",
        width,
        "-H",
        height,
        "page.pdf",
        "page",
        NULL,
    };
    TgSubprocessEnd end;

    g_ascii_dtostr(dpi, sizeof dpi, reader->dpi);
    g_snprintf(width, sizeof width, "%u", reader->width_px);
    g_snprintf(height, sizeof height, "%u", reader->height_px);
    if (!tg_subprocess_run(argv, reader->env, reader->folder, reader->seconds, &end, error))
        return NULL;
    if (end != TG_SUBPROCESS_DONE)
        return g_ptr_array_new_with_free_func(g_free);
    return list_pictures(reader->folder);
}

TgRaster *tg_tex_pages_read(const char *path)
{
    PIX *pix = pixRead(path);

    if (pix == NULL || pixGetDepth(pix) != 32) {
        pixDestroy(&pix);
        return NULL;
    }
    const guint width = (guint) pixGetWidth(pix), height = (guint) pixGetHeight(pix);
    const gsize stride = (gsize) pixGetWpl(pix);
    const guint32 *words = pixGetData(pix); /* red, green and blue in the upper bytes */
    TgRaster *raster = g_new(TgRaster, 1);

    *raster = (TgRaster){ width, height, g_new(guint32, (gsize) width * height) };
    for (guint y = 0; y < height; y++)
        for (guint x = 0; x < width; x++)
            raster->pixels[(gsize) y * width + x] = words[y * stride + x] >> 8;
    pixDestroy(&pix);
    return raster;
}
