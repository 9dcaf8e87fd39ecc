/* A font made for a document, as a font of Cairo. */
#include "render/paint/glyph_font.h"

#include <cairo-ft.h>

#include "render/fonts/cff.h"

#define NAME "texgauge"

typedef struct {
    GArray *glyphs;          /* of TgCffGlyph */
    GHashTable *numbers;     /* of outlines in the font, from 1 on */
    cairo_font_face_t *face; /* NULL: glyphs are collected */
} Font;

/* Cairo may keep a font longer than we do, and so the file. */
typedef struct {
    GBytes *bytes;
    FT_Library library;
    FT_Face face;
} File;

static const cairo_user_data_key_t font_key, file_key;

static void font_free(void *data)
{
    Font *font = data;

    g_array_unref(font->glyphs);
    g_hash_table_unref(font->numbers);
    cairo_font_face_destroy(font->face);
    g_free(font);
}

static void file_free(void *data)
{
    File *file = data;

    if (file->face != NULL)
        FT_Done_Face(file->face);
    if (file->library != NULL)
        FT_Done_FreeType(file->library);
    g_bytes_unref(file->bytes);
    g_free(file);
}

static cairo_font_face_t *face_new(GBytes *bytes)
{
    File *file = g_new0(File, 1);
    gsize len;
    const guint8 *data = g_bytes_get_data(bytes, &len);

    file->bytes = g_bytes_ref(bytes);
    if (FT_Init_FreeType(&file->library) != 0 ||
        FT_New_Memory_Face(file->library, data, (FT_Long) len, 0, &file->face) != 0) {
        file_free(file);
        return NULL;
    }
    cairo_font_face_t *face = cairo_ft_font_face_create_for_ft_face(file->face, FT_LOAD_NO_HINTING);
    if (cairo_font_face_set_user_data(face, &file_key, file, file_free) != CAIRO_STATUS_SUCCESS) {
        cairo_font_face_destroy(face);
        file_free(file);
        return NULL;
    }
    return face;
}

static Font *font_of(cairo_surface_t *surface)
{
    return cairo_surface_get_user_data(surface, &font_key);
}

/* @font: (transfer full) */
static void attach_font(cairo_surface_t *surface, Font *font)
{
    if (cairo_surface_set_user_data(surface, &font_key, font, font_free) != CAIRO_STATUS_SUCCESS)
        font_free(font);
}

void tg_glyph_font_collect(cairo_surface_t *surface)
{
    Font *font = g_new(Font, 1);

    *font =
        (Font){ g_array_new(FALSE, FALSE, sizeof(TgCffGlyph)), g_hash_table_new(NULL, NULL), NULL };
    attach_font(surface, font);
}

void tg_glyph_font_use(cairo_surface_t *surface, cairo_surface_t *collected)
{
    const Font *glyphs = font_of(collected);

    if (glyphs == NULL || glyphs->glyphs->len == 0)
        return;
    g_autoptr(GBytes) bytes = tg_cff_font(
        NAME, (const TgCffGlyph *) (const void *) glyphs->glyphs->data, glyphs->glyphs->len);
    Font *font = g_new(Font, 1);
    *font =
        (Font){ g_array_ref(glyphs->glyphs), g_hash_table_ref(glyphs->numbers), face_new(bytes) };
    if (font->face != NULL)
        attach_font(surface, font);
    else
        font_free(font);
}

static void collect_glyph(Font *font, const TgOutline *outline)
{
    if (font->glyphs->len == TG_CFF_MAX_GLYPHS || g_hash_table_contains(font->numbers, outline))
        return;
    const TgCffGlyph glyph = { outline, tg_outline_character(outline) };
    g_array_append_val(font->glyphs, glyph);
    g_hash_table_insert(font->numbers, (gpointer) outline, GUINT_TO_POINTER(font->glyphs->len));
}

static void show_glyph(cairo_t *cr, const cairo_glyph_t *glyph, gunichar character)
{
    char text[6];
    const cairo_text_cluster_t cluster = { character != 0 ? g_unichar_to_utf8(character, text) : 0,
                                           1 };

    if (cluster.num_bytes > 0)
        cairo_show_text_glyphs(cr, text, cluster.num_bytes, glyph, 1, &cluster, 1, 0);
    else
        cairo_show_glyphs(cr, glyph, 1);
}

gboolean tg_glyph_font_show(cairo_t *cr, const TgOutline *outline, double x, double y, double sx,
                            double sy)
{
    Font *font = font_of(cairo_get_target(cr));
    cairo_matrix_t size;

    if (font == NULL || outline->face == NULL) /* turned, or larger than a font can hold */
        return FALSE;
    if (font->face == NULL) {
        collect_glyph(font, outline);
        return TRUE;
    }
    const guint number = GPOINTER_TO_UINT(g_hash_table_lookup(font->numbers, outline));
    if (number == 0)
        return FALSE;
    cairo_matrix_init_scale(&size, sx, sy);
    cairo_set_font_face(cr, font->face);
    cairo_set_font_matrix(cr, &size);
    show_glyph(cr, &(cairo_glyph_t){ number, x, y },
               g_array_index(font->glyphs, TgCffGlyph, number - 1).character);
    return TRUE;
}
