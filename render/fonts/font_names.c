/* Which design stands for a font at a size, and in which files it is. */
#include "render/fonts/font.h"

#include <string.h>

/* Sizes below @below take @name; the last row of a font takes the rest. */
typedef struct {
    TgFontId id;
    TgScaled below;
    const char *name;
} Design;

/* After the font definition files of lmodern, amsfonts, jknapltx, upgreek and stmaryrd. */
static const Design designs[] = {
    { TG_FONT_ROMAN, TG_PT(5.5), "rm-lmr5" },
    { TG_FONT_ROMAN, TG_PT(6.5), "rm-lmr6" },
    { TG_FONT_ROMAN, TG_PT(7.5), "rm-lmr7" },
    { TG_FONT_ROMAN, TG_PT(8.5), "rm-lmr8" },
    { TG_FONT_ROMAN, TG_PT(9.5), "rm-lmr9" },
    { TG_FONT_ROMAN, TG_PT(11), "rm-lmr10" },
    { TG_FONT_ROMAN, TG_PT(15), "rm-lmr12" },
    { TG_FONT_ROMAN, G_MAXINT64, "rm-lmr17" },
    { TG_FONT_ROMAN_ITALIC, TG_PT(7.5), "rm-lmri7" },
    { TG_FONT_ROMAN_ITALIC, TG_PT(8.5), "rm-lmri8" },
    { TG_FONT_ROMAN_ITALIC, TG_PT(9.5), "rm-lmri9" },
    { TG_FONT_ROMAN_ITALIC, TG_PT(11), "rm-lmri10" },
    { TG_FONT_ROMAN_ITALIC, G_MAXINT64, "rm-lmri12" },
    { TG_FONT_ROMAN_SLANTED, TG_PT(8.5), "rm-lmro8" },
    { TG_FONT_ROMAN_SLANTED, TG_PT(9.5), "rm-lmro9" },
    { TG_FONT_ROMAN_SLANTED, TG_PT(11), "rm-lmro10" },
    { TG_FONT_ROMAN_SLANTED, TG_PT(15), "rm-lmro12" },
    { TG_FONT_ROMAN_SLANTED, G_MAXINT64, "rm-lmro17" },
    { TG_FONT_ROMAN_CAPS, G_MAXINT64, "rm-lmcsc10" },
    { TG_FONT_BOLD, TG_PT(5.5), "rm-lmbx5" },
    { TG_FONT_BOLD, TG_PT(6.5), "rm-lmbx6" },
    { TG_FONT_BOLD, TG_PT(7.5), "rm-lmbx7" },
    { TG_FONT_BOLD, TG_PT(8.5), "rm-lmbx8" },
    { TG_FONT_BOLD, TG_PT(9.5), "rm-lmbx9" },
    { TG_FONT_BOLD, TG_PT(11), "rm-lmbx10" },
    { TG_FONT_BOLD, G_MAXINT64, "rm-lmbx12" },
    { TG_FONT_BOLD_ITALIC, G_MAXINT64, "rm-lmbxi10" },
    { TG_FONT_BOLD_SLANTED, G_MAXINT64, "rm-lmbxo10" },
    { TG_FONT_SANS, TG_PT(8.5), "rm-lmss8" },
    { TG_FONT_SANS, TG_PT(9.5), "rm-lmss9" },
    { TG_FONT_SANS, TG_PT(11), "rm-lmss10" },
    { TG_FONT_SANS, TG_PT(15.5), "rm-lmss12" },
    { TG_FONT_SANS, G_MAXINT64, "rm-lmss17" },
    { TG_FONT_SANS_SLANTED, TG_PT(8.5), "rm-lmsso8" },
    { TG_FONT_SANS_SLANTED, TG_PT(9.5), "rm-lmsso9" },
    { TG_FONT_SANS_SLANTED, TG_PT(11), "rm-lmsso10" },
    { TG_FONT_SANS_SLANTED, TG_PT(15.5), "rm-lmsso12" },
    { TG_FONT_SANS_SLANTED, G_MAXINT64, "rm-lmsso17" },
    { TG_FONT_SANS_BOLD, G_MAXINT64, "rm-lmssbx10" },
    { TG_FONT_SANS_BOLD_SLANTED, G_MAXINT64, "rm-lmssbo10" },
    { TG_FONT_MONO, TG_PT(8.5), "rm-lmtt8" },
    { TG_FONT_MONO, TG_PT(9.5), "rm-lmtt9" },
    { TG_FONT_MONO, TG_PT(11), "rm-lmtt10" },
    { TG_FONT_MONO, G_MAXINT64, "rm-lmtt12" },
    { TG_FONT_MONO_ITALIC, G_MAXINT64, "rm-lmtti10" },
    { TG_FONT_MONO_SLANTED, G_MAXINT64, "rm-lmtto10" },
    { TG_FONT_MONO_BOLD, G_MAXINT64, "rm-lmtk10" },
    { TG_FONT_LETTERS, TG_PT(5.5), "lmmi5" },
    { TG_FONT_LETTERS, TG_PT(6.5), "lmmi6" },
    { TG_FONT_LETTERS, TG_PT(7.5), "lmmi7" },
    { TG_FONT_LETTERS, TG_PT(8.5), "lmmi8" },
    { TG_FONT_LETTERS, TG_PT(9.5), "lmmi9" },
    { TG_FONT_LETTERS, TG_PT(11), "lmmi10" },
    { TG_FONT_LETTERS, G_MAXINT64, "lmmi12" },
    { TG_FONT_LETTERS_BOLD, TG_PT(6), "lmmib5" },
    { TG_FONT_LETTERS_BOLD, TG_PT(8), "lmmib7" },
    { TG_FONT_LETTERS_BOLD, G_MAXINT64, "lmmib10" },
    { TG_FONT_SYMBOLS, TG_PT(5.5), "lmsy5" },
    { TG_FONT_SYMBOLS, TG_PT(6.5), "lmsy6" },
    { TG_FONT_SYMBOLS, TG_PT(7.5), "lmsy7" },
    { TG_FONT_SYMBOLS, TG_PT(8.5), "lmsy8" },
    { TG_FONT_SYMBOLS, TG_PT(9.5), "lmsy9" },
    { TG_FONT_SYMBOLS, G_MAXINT64, "lmsy10" },
    { TG_FONT_SYMBOLS_BOLD, TG_PT(6), "lmbsy5" },
    { TG_FONT_SYMBOLS_BOLD, TG_PT(8), "lmbsy7" },
    { TG_FONT_SYMBOLS_BOLD, G_MAXINT64, "lmbsy10" },
    { TG_FONT_LARGE, G_MAXINT64, "lmex10" },
    { TG_FONT_AMS_A, TG_PT(6), "msam5" },
    { TG_FONT_AMS_A, TG_PT(8), "msam7" },
    { TG_FONT_AMS_A, G_MAXINT64, "msam10" },
    { TG_FONT_AMS_B, TG_PT(6), "msbm5" },
    { TG_FONT_AMS_B, TG_PT(8), "msbm7" },
    { TG_FONT_AMS_B, G_MAXINT64, "msbm10" },
    { TG_FONT_FRAKTUR, TG_PT(6), "eufm5" },
    { TG_FONT_FRAKTUR, TG_PT(8), "eufm7" },
    { TG_FONT_FRAKTUR, G_MAXINT64, "eufm10" },
    { TG_FONT_FRAKTUR_BOLD, TG_PT(6), "eufb5" },
    { TG_FONT_FRAKTUR_BOLD, TG_PT(8), "eufb7" },
    { TG_FONT_FRAKTUR_BOLD, G_MAXINT64, "eufb10" },
    { TG_FONT_SCRIPT, TG_PT(6.5), "rsfs5" },
    { TG_FONT_SCRIPT, TG_PT(7.5), "rsfs7" },
    { TG_FONT_SCRIPT, G_MAXINT64, "rsfs10" },
    { TG_FONT_EULER, TG_PT(6), "eurm5" },
    { TG_FONT_EULER, TG_PT(8), "eurm7" },
    { TG_FONT_EULER, G_MAXINT64, "eurm10" },
    { TG_FONT_EULER_BOLD, TG_PT(6), "eurb5" },
    { TG_FONT_EULER_BOLD, TG_PT(8), "eurb7" },
    { TG_FONT_EULER_BOLD, G_MAXINT64, "eurb10" },
    { TG_FONT_STMARY, TG_PT(6.5), "stmary6" },
    { TG_FONT_STMARY, TG_PT(8.5), "stmary8" },
    { TG_FONT_STMARY, G_MAXINT64, "stmary10" },
    { TG_FONT_COMPANION, TG_PT(5.5), "ts1-lmr5" },
    { TG_FONT_COMPANION, TG_PT(6.5), "ts1-lmr6" },
    { TG_FONT_COMPANION, TG_PT(7.5), "ts1-lmr7" },
    { TG_FONT_COMPANION, TG_PT(8.5), "ts1-lmr8" },
    { TG_FONT_COMPANION, TG_PT(9.5), "ts1-lmr9" },
    { TG_FONT_COMPANION, TG_PT(11), "ts1-lmr10" },
    { TG_FONT_COMPANION, TG_PT(15), "ts1-lmr12" },
    { TG_FONT_COMPANION, G_MAXINT64, "ts1-lmr17" },
};

const char *tg_font_name(TgFontId id, TgScaled size)
{
    for (guint i = 0; i < G_N_ELEMENTS(designs); i++) {
        if (designs[i].id == id && size < designs[i].below)
            return designs[i].name;
    }
    g_return_val_if_reached("rm-lmr12");
}

/* Where packages put their files; the first two are also what TEXGAUGE_FONTS may point to. */
static const char *const subfolders[] = {
    "",
    "tfm/public/lm",
    "type1/public/lm",
    "enc/dvips/lm",
    "opentype/public/lm-math",
    "truetype/lyx",
};
static const char *const default_folders = "/usr/share/texmf/fonts:/usr/share/fonts";

static const char *package_of(const char *name)
{
    if (g_str_has_suffix(name, ".ttf"))
        return "fonts-lyx";
    return g_str_has_suffix(name, ".otf") ? "fonts-lmodern" : "lmodern";
}

char *tg_font_find_file(const char *name, GError **error)
{
    const char *folders = g_getenv("TEXGAUGE_FONTS");
    g_auto(GStrv) list =
        g_strsplit(folders != NULL && *folders != '\0' ? folders : default_folders, ":", -1);

    for (guint i = 0; list[i] != NULL; i++) {
        for (guint k = 0; k < G_N_ELEMENTS(subfolders); k++) {
            g_autofree char *path = g_build_filename(list[i], subfolders[k], name, NULL);
            if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
                return g_steal_pointer(&path);
        }
    }
    g_set_error(error, TG_ERROR, TG_ERROR_FONT,
                "font file %s not found: install the Debian package %s, or set TEXGAUGE_FONTS to "
                "the folder that has it",
                name, package_of(name));
    return NULL;
}
