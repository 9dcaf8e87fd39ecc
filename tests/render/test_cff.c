/* Fonts of chosen glyphs: what FreeType reads is what was written. */
#include "tests/support/test_support.h"

#include <ft2build.h>
#include <string.h>

#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include "render/fonts/cff.h"

/* A triangle with one bent side, and a square with a hole, in units of the font size. The numbers
 * in thousandths are at the limits of each way to write them: 107, 108, 1131, 1132. */
static guint8 bent_ops[] = { TG_PATH_MOVE, TG_PATH_LINE, TG_PATH_CURVE, TG_PATH_CLOSE };
static double bent_points[] = {
    0.107, -0.108, 1.238, 1.024, 1.345, 1.132, -2, 3, 0.107, -0.108,
};
static guint8 ring_ops[] = { TG_PATH_MOVE, TG_PATH_LINE, TG_PATH_LINE, TG_PATH_CLOSE,
                             TG_PATH_MOVE, TG_PATH_LINE, TG_PATH_LINE, TG_PATH_CLOSE };
static double ring_points[] = { 0, 0, 1, 0, 1, 1, 0.25, 0.25, 0.75, 0.75, 0.75, 0.25 };

static const TgOutline bent = {
    .n_ops = 4, .ops = bent_ops, .points = bent_points, .y_max = 2, .advance = 0.5
};
static const TgOutline ring = {
    .n_ops = 8, .ops = ring_ops, .points = ring_points, .x_max = 1, .y_max = 1, .advance = -1.132
};

typedef struct {
    GBytes *bytes;
    FT_Library library;
    FT_Face face;
} Font;

static void font_open(Font *font, const TgCffGlyph *glyphs, guint n)
{
    gsize len;

    font->bytes = tg_cff_font("example", glyphs, n);
    const guint8 *data = g_bytes_get_data(font->bytes, &len);
    assert_int_equal(FT_Init_FreeType(&font->library), 0);
    assert_int_equal(FT_New_Memory_Face(font->library, data, (FT_Long) len, 0, &font->face), 0);
}

static void font_close(Font *font)
{
    FT_Done_Face(font->face);
    FT_Done_FreeType(font->library);
    g_bytes_unref(font->bytes);
}

/* The points of a glyph, which FreeType gives in font units. */
static void assert_points(FT_Face face, FT_UInt glyph, const gint *xy, gshort n)
{
    assert_int_equal(FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE), 0);
    const FT_Outline *outline = &face->glyph->outline;
    assert_int_equal(outline->n_points, n);
    for (gshort i = 0; i < n; i++) {
        assert_int_equal(outline->points[i].x, xy[2 * i]);
        assert_int_equal(outline->points[i].y, xy[2 * i + 1]);
    }
}

static void test_cff__outlines_and_widths_are_kept(void **state)
{
    const TgCffGlyph glyphs[] = { { &bent, 'a' }, { &ring, 'o' } };
    /* FreeType drops a last point that is the first again */
    static const gint bent_xy[] = { 107, -108, 1238, 1024, 1345, 1132, -2000, 3000 };
    static const gint ring_xy[] = { 0, 0, 1000, 0, 1000, 1000, 250, 250, 750, 750, 750, 250 };
    Font font;

    (void) state;
    font_open(&font, glyphs, G_N_ELEMENTS(glyphs));
    assert_int_equal(font.face->num_glyphs, 3); /* with .notdef */
    assert_int_equal(font.face->units_per_EM, 1000);
    assert_points(font.face, 1, bent_xy, 4);
    assert_int_equal(font.face->glyph->metrics.horiAdvance, 500);
    assert_points(font.face, 2, ring_xy, 6);
    assert_int_equal(font.face->glyph->outline.n_contours, 2);
    assert_int_equal(font.face->glyph->metrics.horiAdvance, -1132);
    assert_int_equal(font.face->bbox.yMax, 2000);
    font_close(&font);
}

static void test_cff__glyphs_mean_characters(void **state)
{
    const TgCffGlyph glyphs[] = {
        { &ring, 'o' }, { &ring, 0x1D4AA }, { &ring, 0 }, { &bent, 'o' }
    };
    char name[32];
    Font font;

    (void) state;
    font_open(&font, glyphs, G_N_ELEMENTS(glyphs));
    assert_int_equal(FT_Get_Char_Index(font.face, 0x1D4AA), 2);
    assert_int_equal(FT_Get_Char_Index(font.face, 'a'), 0);
    const FT_UInt o = FT_Get_Char_Index(font.face, 'o');
    assert_true(o == 1 || o == 4);
    assert_int_equal(FT_Get_Glyph_Name(font.face, 4, name, sizeof name), 0);
    assert_string_equal(name, "uni006F.4");
    assert_string_equal(FT_Get_Postscript_Name(font.face), "example");
    font_close(&font);
}

/* More curves than one operator takes: 48 operands, 6 for each. */
static void test_cff__long_outlines_are_kept(void **state)
{
    enum { N = 100 };
    guint8 ops[1 + N] = { TG_PATH_MOVE };
    double points[2 + 6 * N] = { 0 };
    const TgOutline many = { .n_ops = 1 + N, .ops = ops, .points = points };
    const TgCffGlyph glyph = { &many, 'm' };
    Font font;

    (void) state;
    for (guint i = 0; i < N; i++) {
        ops[1 + i] = TG_PATH_CURVE;
        for (guint k = 0; k < 6; k++)
            points[2 + 6 * i + k] = (6 * i + k + 1) / 1000.0;
    }
    font_open(&font, &glyph, 1);
    assert_int_equal(FT_Load_Glyph(font.face, 1, FT_LOAD_NO_SCALE), 0);
    const FT_Outline *outline = &font.face->glyph->outline;
    assert_int_equal(outline->n_points, 1 + 3 * N);
    assert_int_equal(outline->points[3 * N].x, 6 * N - 1);
    assert_int_equal(outline->points[3 * N].y, 6 * N);
    font_close(&font);
}

static void test_cff__the_file_is_as_the_note_says(void **state)
{
    const TgOutline dot = { .advance = 0.108 };
    const TgCffGlyph glyph = { &dot, 'x' };
    static const guint8 start[] = { 1, 0, 4, 4, /* header */
                                    0, 1, 4, 0, 0, 0, 1, 0, 0, 0, 2, 'N' };
    /* charset: ranges, from 391, none more; two charstrings: 0 endchar, 108 endchar; widths */
    static const guint8 end[] = { 2, 1, 135, 0, 0, 0,   2,  4,   0, 0,  0,   1,  0,   0, 0,
                                  3, 0, 0,   0, 6, 139, 14, 247, 0, 14, 139, 20, 139, 21 };
    gsize len;

    (void) state;
    g_autoptr(GBytes) bytes = tg_cff_font("N", &glyph, 1);
    const guint8 *data = g_bytes_get_data(bytes, &len);
    assert_true(len > sizeof start + sizeof end);
    assert_memory_equal(data, start, sizeof start);
    assert_memory_equal(data + len - sizeof end, end, sizeof end);
}

/* Character codes of The TeXbook, appendix F. */
static void test_cff__glyphs_of_tex_mean_characters(void **state)
{
    static const struct {
        const char *font;
        guint32 slot;
        gunichar character;
    } glyphs[] = {
        { "rm-lmr10", 'a', 'a' },   { "lmmi10", 'a', 'a' },     { "lmmi10", 0x0B, 0x3B1 },
        { "lmsy10", 0x70, 0x221A }, { "lmex10", 0x50, 0x2211 }, { "lmex10", 0x58, 0x2211 },
        { "lmex10", 0x52, 0x222B }, { "lmex10", 0x48, 0x222E }, { "lmex10", 0x00, '(' },
        { "lmex10", 0x21, ')' },    { "lmex10", 0x0A, 0x27E8 }, { "lmex10", 0x62, 0 },
        { "lmex10", 0x59, 0x220F }, { "lmex10", 0x61, 0x2210 }, { "lmex10", 0x46, 0x2A06 },
    };

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(glyphs); i++) {
        g_autoptr(GError) error = NULL;
        TgFace *face = tg_face_new(glyphs[i].font);
        const TgOutline *outline = tg_face_outline(face, glyphs[i].slot, &error);

        tg_assert_no_error(error);
        if (tg_outline_character(outline) != glyphs[i].character)
            fail_msg("%s %02X: U+%04X, not U+%04X", glyphs[i].font, glyphs[i].slot,
                     tg_outline_character(outline), glyphs[i].character);
        tg_face_free(face);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cff__outlines_and_widths_are_kept),
        cmocka_unit_test(test_cff__glyphs_mean_characters),
        cmocka_unit_test(test_cff__glyphs_of_tex_mean_characters),
        cmocka_unit_test(test_cff__long_outlines_are_kept),
        cmocka_unit_test(test_cff__the_file_is_as_the_note_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
