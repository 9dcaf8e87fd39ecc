/* Fonts loaded once and shared: metrics by font and size, faces by file; designs and encodings. */
#include "render/fonts/font.h"
#include "core/fail.h"

#include <pthread.h>
#include <string.h>

#include "render/fonts/tables.h"

/* ---- Designs and encodings ------------------------------------------------------------------- */

/* The name of the design that LaTeX uses for @id at @size: "msbm10". */
static const char *font_name(TgFontId id, TgScaled size)
{
    for (guint i = 0; i < tg_font_n_designs; i++) {
        if (tg_font_designs[i].font == id && size < tg_font_designs[i].below)
            return tg_font_designs[i].name;
    }
    g_return_val_if_reached("rm-lmr12");
}

gint tg_text_slot_in(const TgTextSlot *table, gunichar code)
{
    while (table->code != 0 && table->code != code)
        table++;
    return table->code != 0 ? table->slot : -1;
}

gint tg_text_slot(gunichar code, gboolean mono)
{
    if (code < 0x80) {
        const gboolean has = code > 0x20 && code < 0x7F && (mono || !strchr("\\_{}", (int) code));
        return has ? (gint) code : -1;
    }
    const gint slot = tg_text_slot_in(tg_text_slots, code);
    /* where typewriter fonts have ASCII, others have dashes and quotation marks */
    const gboolean is_ascii = slot >= 0x20 && slot <= 0x7E && code != 0x2018 && code != 0x2019;
    return mono && is_ascii ? -1 : slot;
}

/* ---- The set --------------------------------------------------------------------------------- */

struct TgFonts {
    gatomicrefcount refs;
    pthread_mutex_t lock; /* guards the tables below; their values never change */
    GHashTable *fonts;    /* gint64, of size and id -> TgFont */
    GHashTable *faces;    /* metrics name -> TgFace */
    TgFallback *fallback; /* made when first needed */
};

static void font_free(gpointer data)
{
    TgFont *font = data;

    tg_metrics_free((TgMetrics *) font->metrics);
    g_free(font);
}

static TgMetrics *load_metrics(TgFontId id, const char *name, TgScaled size, GError **error)
{
    /* \skewchar of the fonts that are no AMS fonts; no other font has accents over a letter */
    static const guint8 skewchars[TG_N_FONTS] = {
        [TG_FONT_LETTERS] = 0x7F,
        [TG_FONT_LETTERS_BOLD] = 0x7F,
        [TG_FONT_SYMBOLS] = 0x30,
        [TG_FONT_SYMBOLS_BOLD] = 0x30,
    };
    const TgTableFont *ams = tg_ams_find(name);
    if (ams != NULL)
        return tg_ams_metrics(ams, size);

    g_autofree char *file = g_strconcat(name, ".tfm", NULL);
    g_autofree char *path = tg_font_find_file(file, error);
    g_autofree char *data = NULL;
    gsize len;
    if (path == NULL)
        return NULL;

    g_autoptr(GError) cause = NULL;
    if (!g_file_get_contents(path, &data, &len, &cause))
        return tg_null(error, TG_ERROR_FONT, "%s", cause->message);
    TgMetrics *metrics = tg_tfm_read((const guint8 *) data, len, size, error);
    if (metrics == NULL)
        g_prefix_error(error, "%s: ", path);
    for (guint c = 0; metrics != NULL && skewchars[id] != 0 && c < 256; c++)
        metrics->chars[c].skew = tg_metrics_pair(metrics, (guint8) c, skewchars[id]).kern;
    return metrics;
}

static const TgFont *get_locked(TgFonts *set, TgFontId id, TgScaled size, GError **error)
{
    const gint64 key = size * TG_N_FONTS + id;
    TgFont *font = g_hash_table_lookup(set->fonts, &key);

    if (font != NULL)
        return font;

    const char *name = font_name(id, size);
    TgMetrics *metrics = load_metrics(id, name, size, error);
    if (metrics == NULL)
        return NULL;
    TgFace *face = g_hash_table_lookup(set->faces, name);
    if (face == NULL) {
        face = tg_face_new(name, tg_computer_modern_pixels[id]);
        g_hash_table_insert(set->faces, (gpointer) name, face);
    }
    font = g_new0(TgFont, 1);
    *font = (TgFont){ .name = name, .size = size, .metrics = metrics, .face = face };
    g_hash_table_insert(set->fonts, g_memdup2(&key, sizeof key), font);
    return font;
}

const TgFont *tg_fonts_get(TgFonts *set, TgFontId id, TgScaled size, GError **error)
{
    pthread_mutex_lock(&set->lock);
    const TgFont *font = get_locked(set, id, size, error);
    pthread_mutex_unlock(&set->lock);
    return font;
}

TgFace *tg_fonts_fallback(TgFonts *set, gunichar code)
{
    pthread_mutex_lock(&set->lock);
    if (set->fallback == NULL)
        set->fallback = tg_fallback_new();
    TgFace *face = tg_fallback_find(set->fallback, code);
    pthread_mutex_unlock(&set->lock);
    return face;
}

gboolean tg_fonts_imitate_computer_modern(TgFonts *set, GError **error)
{
    for (guint i = 0; i < tg_computer_modern_n_fonts; i++) {
        const TgTableFont *from = &tg_computer_modern_fonts[i];
        const TgFont *to = tg_fonts_get(set, from->font, from->size_pt * TG_SP_PER_PT, error);

        if (to == NULL)
            return FALSE;
        tg_metrics_replace((TgMetrics *) to->metrics, from); /* no other code has the set yet */
    }
    return TRUE;
}

TgFonts *tg_fonts_new(GError **error)
{
    static const TgFontId usual[] = { TG_FONT_ROMAN, TG_FONT_LETTERS, TG_FONT_SYMBOLS,
                                      TG_FONT_LARGE };
    static const TgScaled sizes[] = { 12 * TG_SP_PER_PT, 8 * TG_SP_PER_PT, 6 * TG_SP_PER_PT };
    g_autoptr(TgFonts) set = g_new0(TgFonts, 1);

    g_atomic_ref_count_init(&set->refs);
    pthread_mutex_init(&set->lock, NULL);
    set->fonts = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, font_free);
    set->faces =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify) tg_face_free);
    for (guint i = 0; i < G_N_ELEMENTS(usual); i++) {
        for (guint k = 0; k < G_N_ELEMENTS(sizes); k++) {
            if (get_locked(set, usual[i], sizes[k], error) == NULL)
                return NULL;
        }
    }
    return g_steal_pointer(&set);
}

TgFonts *tg_fonts_ref(TgFonts *set)
{
    g_return_val_if_fail(set != NULL, NULL);
    g_atomic_ref_count_inc(&set->refs);
    return set;
}

void tg_fonts_unref(TgFonts *set)
{
    if (set == NULL || !g_atomic_ref_count_dec(&set->refs))
        return;
    g_hash_table_unref(set->fonts);
    g_hash_table_unref(set->faces);
    tg_fallback_free(set->fallback);
    pthread_mutex_destroy(&set->lock);
    g_free(set);
}
