/* Asking fontconfig for a font that has a character. */
#include "render/fonts/tables.h"

#include <fontconfig/fontconfig.h>

struct TgFallback {
    FcConfig *config;
    GHashTable *by_code; /* code point -> TgFace (borrowed) or NULL */
    GHashTable *by_file; /* "path:index" -> TgFace */
};

TgFallback *tg_fallback_new(void)
{
    TgFallback *fallback = g_new0(TgFallback, 1);

    fallback->config = FcInitLoadConfigAndFonts();
    fallback->by_code = g_hash_table_new(NULL, NULL);
    fallback->by_file =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify) tg_face_free);
    return fallback;
}

void tg_fallback_free(TgFallback *fallback)
{
    if (fallback == NULL)
        return;
    g_hash_table_unref(fallback->by_code);
    g_hash_table_unref(fallback->by_file);
    if (fallback->config != NULL)
        FcConfigDestroy(fallback->config);
    g_free(fallback);
}

static TgFace *open_match(TgFallback *fallback, FcPattern *match, gunichar code)
{
    FcCharSet *chars;
    FcChar8 *file;
    int index = 0;

    if (FcPatternGetCharSet(match, FC_CHARSET, 0, &chars) != FcResultMatch ||
        !FcCharSetHasChar(chars, code) ||
        FcPatternGetString(match, FC_FILE, 0, &file) != FcResultMatch)
        return NULL;
    FcPatternGetInteger(match, FC_INDEX, 0, &index);

    g_autofree char *key = g_strdup_printf("%s:%d", (const char *) file, index);
    TgFace *face = g_hash_table_lookup(fallback->by_file, key);
    if (face == NULL) {
        face = tg_face_new_from_file((const char *) file, index);
        g_hash_table_insert(fallback->by_file, g_steal_pointer(&key), face);
    }
    return face;
}

/* Find a scalable font with outlines that has the character, preferably with serifs. */
static TgFace *look_up(TgFallback *fallback, gunichar code)
{
    FcPattern *pattern = FcPatternCreate();
    FcCharSet *wanted = FcCharSetCreate();
    FcResult result;

    FcCharSetAddChar(wanted, code);
    FcPatternAddCharSet(pattern, FC_CHARSET, wanted);
    FcPatternAddBool(pattern, FC_SCALABLE, FcTrue);
    FcPatternAddBool(pattern, FC_OUTLINE, FcTrue);
    FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *) "serif");
    FcPatternAddInteger(pattern, FC_WEIGHT, FC_WEIGHT_REGULAR);
    FcPatternAddInteger(pattern, FC_SLANT, FC_SLANT_ROMAN);
    FcConfigSubstitute(fallback->config, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);

    FcPattern *match = FcFontMatch(fallback->config, pattern, &result);
    TgFace *face = match != NULL ? open_match(fallback, match, code) : NULL;
    if (match != NULL)
        FcPatternDestroy(match);
    FcPatternDestroy(pattern);
    FcCharSetDestroy(wanted);
    return face;
}

TgFace *tg_fallback_find(TgFallback *fallback, gunichar code)
{
    gpointer face;

    if (g_hash_table_lookup_extended(fallback->by_code, GUINT_TO_POINTER(code), NULL, &face))
        return face;
    face = fallback->config != NULL ? look_up(fallback, code) : NULL;
    g_hash_table_insert(fallback->by_code, GUINT_TO_POINTER(code), face);
    return face;
}
