/* texgauge --version --build: what a score may depend on beside our own code. */
#include "cli/cli.h"

#include <cairo.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include <jansson.h>
#include <zlib.h>
#include <zstd.h>

#include "render/fonts/font.h"

static void print_file(const char *kind, const char *name, const char *path)
{
    g_autofree char *bytes = NULL;
    gsize n;

    if (path == NULL || !g_file_get_contents(path, &bytes, &n, NULL)) {
        printf("%-5s %-22s not found\n", kind, name);
        return;
    }
    g_autofree char *sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (guchar *) bytes, n);
    printf("%-5s %-22s sha256 %.12s  %s\n", kind, name, sum, path);
}

void cli_print_build(void)
{
    const char *const *fonts = tg_font_families();
    FT_Library freetype;
    FT_Int major = 0, minor = 0, patch = 0;

    if (FT_Init_FreeType(&freetype) == 0) {
        FT_Library_Version(freetype, &major, &minor, &patch);
        FT_Done_FreeType(freetype);
    }
    printf("compiler              %s\n", __VERSION__);
    printf("glib                  %u.%u.%u\n", glib_major_version, glib_minor_version,
           glib_micro_version);
    printf("jansson               %s\n", jansson_version_str());
    printf("cairo                 %s\n", cairo_version_string());
    printf("freetype              %d.%d.%d\n", major, minor, patch);
    printf("zlib                  %s\n", zlibVersion());
    printf("zstd                  %s\n", ZSTD_versionString());
    printf("fontconfig            %s\n", TG_FONTCONFIG_VERSION);
    printf("leptonica             %s\n", TG_LEPTONICA_VERSION);
    printf("fonts                 %s\n", tg_fonts_hash());
    for (guint i = 0; fonts[i] != NULL; i++) {
        g_autofree char *path = tg_font_find_file(fonts[i], NULL);

        print_file("font", fonts[i], path);
    }
}
