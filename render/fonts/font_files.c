/* The places of font files. */
#include "render/fonts/font.h"

#include "core/fail.h"
#include "core/files/datadir.h"

/* The folders that packages put their files in; TEXGAUGE_FONTS may also point to the first two. */
static const char *const subfolders[] = {
    "",
    "tfm/public/lm",
    "type1/public/lm",
    "enc/dvips/lm",
    "opentype/public/lm-math",
    "truetype/lyx",
};
static const char *default_folders[] = { "/usr/share/texmf/fonts", "/usr/share/fonts", NULL };

/* The folders to search: the user's choice, or those of our own data and of Debian's packages.
 */
static char **font_folders(void)
{
    const char *chosen = g_getenv("TEXGAUGE_FONTS");

    if (chosen != NULL && *chosen != '\0')
        return g_strsplit(chosen, ":", -1);

    g_autofree char *bundled = tg_datadir_find("fonts", NULL);
    g_autoptr(GStrvBuilder) folders = g_strv_builder_new();
    if (bundled != NULL)
        g_strv_builder_add(folders, bundled);
    g_strv_builder_addv(folders, default_folders);
    return g_strv_builder_end(folders);
}

char *tg_font_find_file(const char *name, GError **error)
{
    g_auto(GStrv) list = font_folders();

    for (guint i = 0; list[i] != NULL; i++) {
        for (guint k = 0; k < G_N_ELEMENTS(subfolders); k++) {
            g_autofree char *path = g_build_filename(list[i], subfolders[k], name, NULL);
            if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
                return g_steal_pointer(&path);
        }
    }
    return tg_null(
        error, TG_ERROR_FONT,
        "font file %s not found: install the Debian package %s, or set TEXGAUGE_FONTS to "
        "the folder that has it",
        name,
        g_str_has_suffix(name, ".ttf")   ? "fonts-lyx"
        : g_str_has_suffix(name, ".otf") ? "fonts-lmodern"
                                         : "lmodern");
}

const char *const tg_font_families[] = {
    "lmr12.pfb",  "lmmi12.pfb", "lmsy10.pfb",   "lmex10.pfb",           "msam10.ttf", "msbm10.ttf",
    "eufm10.ttf", "rsfs10.ttf", "stmary10.ttf", "latinmodern-math.otf", NULL,
};

static char *hash_families(void)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

    for (guint i = 0; tg_font_families[i] != NULL; i++) {
        g_autofree char *path = tg_font_find_file(tg_font_families[i], NULL), *bytes = NULL;
        gsize n;

        if (path != NULL && g_file_get_contents(path, &bytes, &n, NULL))
            g_checksum_update(sum, (const guchar *) bytes, (gssize) n);
    }
    return g_strndup(g_checksum_get_string(sum), 12);
}

const char *tg_fonts_hash(void)
{
    static char *hash;

    if (g_once_init_enter(&hash))
        g_once_init_leave(&hash, hash_families());
    return hash;
}
