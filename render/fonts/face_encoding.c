/* Encodings: .enc files for Latin Modern, character maps for the TrueType fonts. */
#include "render/fonts/face_encoding.h"

#include <string.h>

#include "core/fail.h"
#include "render/fonts/font_files.h"

/* ---- Character maps -------------------------------------------------------------------------- */

/* The BaKoMa fonts keep ASCII codes in place and move the control codes up. */
static gunichar bakoma_code(guint slot)
{
    if (slot < 0x0A)
        return 0xA1 + slot;
    if (slot <= 0x20)
        return 0xA3 + slot;
    return slot == 0x7F ? 0xC4 : slot;
}

static gunichar identity_code(guint slot)
{
    return slot;
}

/* Euler's upright Greek is drawn with the upright Greek of Latin Modern Math. */
static gunichar euler_code(guint slot)
{
    static const guint16 greek[] = {
        0x0393, 0x0394, 0x0398, 0x039B, 0x039E, 0x03A0, 0x03A3, 0x03A5, 0x03A6, 0x03A8,
        0x03A9, 0x03B1, 0x03B2, 0x03B3, 0x03B4, 0x03F5, 0x03B6, 0x03B7, 0x03B8, 0x03B9,
        0x03BA, 0x03BB, 0x03BC, 0x03BD, 0x03BE, 0x03C0, 0x03C1, 0x03C3, 0x03C4, 0x03C5,
        0x03D5, 0x03C7, 0x03C8, 0x03C9, 0x03B5, 0x03D1, 0x03D6, 0x03F1, 0x03C2, 0x03C6,
    };

    return slot < G_N_ELEMENTS(greek) ? greek[slot] : slot;
}

/* ---- Encoding files -------------------------------------------------------------------------- */

/* The names of the PostScript array in a .enc file: `/enc [ /Gamma /Delta ... ] def`. */
static gboolean parse_names(const char *text, char **names)
{
    const char *at = text;
    guint n = 0;
    gboolean inside = FALSE;

    while (*at != '\0') {
        if (*at == '%') {
            at += strcspn(at, "\n");
        } else if (*at == '[') {
            inside = TRUE;
            at++;
        } else if (*at == ']') {
            return inside;
        } else if (*at == '/') {
            const gsize len = strcspn(at + 1, " \t\r\n/[]%");
            if (inside && n < 256)
                names[n++] = g_strndup(at + 1, len);
            at += 1 + len;
        } else {
            at++;
        }
    }
    return FALSE;
}

static gboolean read_names(TgEncoding *encoding, const char *file, GError **error)
{
    g_autofree char *path = tg_font_find_file(file, error);
    g_autofree char *text = NULL;

    if (path == NULL)
        return FALSE;
    if (!g_file_get_contents(path, &text, NULL, NULL) || !parse_names(text, encoding->names))
        return tg_fail(error, TG_ERROR_FONT, "%s is not an encoding file", path);
    return TRUE;
}

/* ---- Which font has which -------------------------------------------------------------------- */

/* By prefix of the metrics' name; the first that fits counts. */
static const struct {
    const char *prefix;
    const char *encoding; /* .enc file of a Type 1 font, or NULL */
    const char *file;     /* outline file of other fonts, else NULL */
    gunichar (*code)(guint);
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

gboolean tg_encoding_init(TgEncoding *encoding, const char *metrics_name, char **file,
                          GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(encodings); i++) {
        if (!g_str_has_prefix(metrics_name, encodings[i].prefix))
            continue;
        if (encodings[i].encoding == NULL) {
            encoding->code = encodings[i].code;
            *file = g_strdup(encodings[i].file);
            return TRUE;
        }
        if (!read_names(encoding, encodings[i].encoding, error))
            return FALSE;
        const char *dash = strchr(metrics_name, '-'); /* behind the name of the encoding */
        *file = g_strconcat(dash != NULL ? dash + 1 : metrics_name, ".pfb", NULL);
        return TRUE;
    }
    return tg_fail(error, TG_ERROR_INTERNAL, "no outline font for %s", metrics_name);
}

void tg_encoding_clear(TgEncoding *encoding)
{
    for (guint i = 0; i < G_N_ELEMENTS(encoding->names); i++)
        g_free(encoding->names[i]);
}

FT_UInt tg_encoding_glyph(const TgEncoding *encoding, FT_Face face, guint32 slot)
{
    if (encoding->code != NULL)
        return FT_Get_Char_Index(face, encoding->code(slot));
    if (slot >= 256 || encoding->names[slot] == NULL)
        return 0;
    return FT_Get_Name_Index(face, encoding->names[slot]);
}
