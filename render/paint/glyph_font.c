/* Cairo's fonts of our faces. */
#include "render/paint/glyph_font.h"

#include <cairo-ft.h>

/* Cairo may keep a font longer than we do, and so the file. */
typedef struct {
    FT_Library library;
    FT_Face face;
} File;

static const cairo_user_data_key_t file_key;

static void file_free(void *data)
{
    File *file = data;

    if (file->face != NULL)
        FT_Done_Face(file->face);
    if (file->library != NULL)
        FT_Done_FreeType(file->library);
    g_free(file);
}

static void font_free(gpointer font)
{
    cairo_font_face_destroy(font);
}

/* FreeType's faces belong to one user at a time, so Cairo has one of its own. */
static gpointer font_new(const char *path, gint index)
{
    File *file = g_new0(File, 1);

    if (FT_Init_FreeType(&file->library) != 0 ||
        FT_New_Face(file->library, path, index, &file->face) != 0) {
        file_free(file);
        return NULL;
    }
    cairo_font_face_t *font = cairo_ft_font_face_create_for_ft_face(file->face, FT_LOAD_NO_HINTING);
    if (cairo_font_face_set_user_data(font, &file_key, file, file_free) != CAIRO_STATUS_SUCCESS) {
        cairo_font_face_destroy(font);
        file_free(file);
        return NULL;
    }
    return font;
}

gboolean tg_glyph_font_show(cairo_t *cr, const TgOutline *outline, double x, double y, double sx,
                            double sy)
{
    cairo_font_face_t *font =
        outline->face != NULL ? tg_face_attachment(outline->face, font_new, font_free) : NULL;
    const cairo_glyph_t glyph = { outline->glyph, x, y };
    cairo_matrix_t size;

    if (font == NULL)
        return FALSE;
    cairo_matrix_init_scale(&size, sx, sy);
    cairo_set_font_face(cr, font);
    cairo_set_font_matrix(cr, &size);
    cairo_show_glyphs(cr, &glyph, 1);
    return TRUE;
}
