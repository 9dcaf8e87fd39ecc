/* TFM files, the table of AMS fonts, design sizes and outlines. */
#include "tests/support/test_support.h"

#include "render/fonts/tables.h"

#define PT(x) ((TgScaled) (x) *TG_SP_PER_PT)

/* Worked with TeX: \font\x=cmr10 at 12pt has a quad of 786434 sp; fix_words of 1 give the size. */
TEST(test_metrics__scale_as_tex)
{
    assert_int_equal(tg_metrics_scale(1 << 20, PT(12)), PT(12));
    assert_int_equal(tg_metrics_scale(1048579, PT(12)), 786434);
    assert_int_equal(tg_metrics_scale(-(1 << 20), PT(12)), -PT(12));
    assert_int_equal(tg_metrics_scale(0, PT(12)), 0);
    assert_int_equal(tg_metrics_scale(1 << 19, PT(500)), PT(250));
    assert_int_equal(tg_metrics_scale(815562, PT(10)), 509726);
}

static const TgFont *get(TgFonts *set, TgFontId id, TgScaled size)
{
    const TgFont *font = tg_must(tg_fonts_get(set, id, size, &error));

    return font;
}

/* Values that TeX shows with \fontdimen, \fontcharwd and a box of `fi` (TeX Live 2022). */
TEST(test_font__latin_modern_metrics)
{
    g_autoptr(TgFonts) set = tg_must(tg_fonts_new(&error));
    const TgMetrics *roman = get(set, TG_FONT_ROMAN, PT(12))->metrics;
    const TgMetrics *symbols = get(set, TG_FONT_SYMBOLS, PT(12))->metrics;
    const TgMetrics *large = get(set, TG_FONT_LARGE, PT(12))->metrics;

    assert_string_equal(get(set, TG_FONT_ROMAN, PT(12))->name, "rm-lmr12");
    assert_string_equal(get(set, TG_FONT_LETTERS, PT(8))->name, "lmmi8");
    assert_string_equal(get(set, TG_FONT_SYMBOLS, PT(6))->name, "lmsy6");
    assert_int_equal(roman->params[TG_PARAM_QUAD], 770037);
    assert_int_equal(symbols->params[TG_PARAM_AXIS_HEIGHT], 196608);
    assert_int_equal(large->params[TG_PARAM_RULE_THICKNESS], 31456);
    assert_int_equal(large->chars[0x50].tag, TG_CHAR_NEXT);
    assert_int_equal(large->chars[0x50].rest, 0x58);
    assert_int_equal(large->chars[0x30].tag, TG_CHAR_EXTENSIBLE);
    assert_int_equal(large->recipes[large->chars[0x30].rest].repeat, 0x42);
    assert_int_equal(symbols->chars[255].tag, TG_CHAR_ABSENT);
    assert_ptr_equal(get(set, TG_FONT_ROMAN, PT(12))->metrics, roman);

    assert_int_equal(tg_metrics_pair(roman, 'f', 'i').ligature, 0x0C);
    assert_int_equal(tg_metrics_pair(roman, 'f', 'i').kern, 0);
    assert_int_equal(tg_metrics_pair(roman, 'A', 'V').ligature, -1);
    assert_true(tg_metrics_pair(roman, 'A', 'V').kern < 0);
    assert_int_equal(tg_metrics_pair(roman, 'i', 'i').ligature, -1);
    assert_int_equal(tg_metrics_pair(roman, 'i', 'i').kern, 0);
}

TEST(test_font__ams_metrics)
{
    g_autoptr(TgFonts) set = tg_must(tg_fonts_new(&error));
    const TgMetrics *msam = get(set, TG_FONT_AMS_A, PT(10))->metrics;
    const TgFont *script = get(set, TG_FONT_SCRIPT, PT(10));

    assert_int_equal(msam->chars[0].width, 509726);
    assert_string_equal(get(set, TG_FONT_AMS_B, PT(6))->name, "msbm7");
    assert_int_equal(script->metrics->chars['A'].skew, tg_metrics_scale(407792, PT(10)));
}

/* Every character with a box has an outline, and its advance is the width in the metrics. */
TEST(test_font__outlines_fit_metrics)
{
    g_autoptr(TgFonts) set = tg_must(tg_fonts_new(&error));
    static const struct {
        TgFontId id;
        double tolerance; /* the TrueType fonts round their advances */
        guint strangers;  /* characters with another advance: the wide accents of msbm have none */
    } fonts[] = {
        { TG_FONT_ROMAN, 6e-4, 0 },   { TG_FONT_LETTERS, 6e-4, 0 }, { TG_FONT_SYMBOLS, 6e-4, 0 },
        { TG_FONT_LARGE, 6e-4, 0 },   { TG_FONT_AMS_A, 1.5e-3, 0 }, { TG_FONT_AMS_B, 1.5e-3, 4 },
        { TG_FONT_FRAKTUR, 2e-3, 0 }, { TG_FONT_SCRIPT, 2e-3, 0 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(fonts); i++) {
        const TgFont *font = get(set, fonts[i].id, PT(10));
        guint strangers = 0;

        for (guint c = 0; c < 127; c++) { /* 127 stands for no glyph in script fonts */
            const TgCharMetrics *box = &font->metrics->chars[c];
            const TgOutline *outline = tg_must(tg_face_outline(font->face, c, &error));

            assert_true(outline->n_ops == 0 || outline->ops[0] == TG_PATH_MOVE);
            if (box->tag == TG_CHAR_ABSENT)
                continue;
            const double width = (double) box->width / (double) font->size;
            strangers += fabs(width - outline->advance) > fonts[i].tolerance;
        }
        assert_int_equal(strangers, fonts[i].strangers);
    }
}

/* The ink of `x` in Latin Modern Roman 10, by its AFM file: [12 0 516 431]. That of the script `F`
 * ends inside of the curve 827 838 781 729, where 73 t^2 - 136 t + 11 is 0: at 828.37. */
TEST(test_face__extents_are_exact)
{
    g_autoptr(TgFonts) set = tg_must(tg_fonts_new(&error));
    const TgOutline *x =
        tg_must(tg_face_outline(get(set, TG_FONT_ROMAN, PT(10))->face, 'x', &error));

    tg_assert_near(x->x_min, 0.012, 1e-3);
    tg_assert_near(x->x_max, 0.516, 1e-3);
    tg_assert_near(x->y_max, 0.431, 1e-3);
    tg_assert_near(x->y_min, 0, 1e-12);
    tg_assert_near(tg_face_outline(get(set, TG_FONT_SYMBOLS, PT(10))->face, 'F', NULL)->x_max,
                   0.82837, 1e-4);
}

TEST(test_tfm__refuses_broken_files)
{
    GError *error = NULL;
    g_autofree char *path = tg_font_find_file("rm-lmr12.tfm", &error);
    g_autofree char *data = NULL;
    gsize len;

    tg_assert_no_error(error);
    assert_true(g_file_get_contents(path, &data, &len, NULL));
    assert_null(tg_tfm_read((const guint8 *) data, 10, PT(12), &error));
    tg_assert_error(error, TG_ERROR_FONT, "too short");
    assert_null(tg_tfm_read((const guint8 *) data, len - 4, PT(12), &error));
    tg_assert_error(error, TG_ERROR_FONT, "length");

    /* Whatever byte is changed, what is read keeps its promises: see also the fuzz target. */
    for (gsize i = 0; i < len; i++) {
        const char kept = data[i];

        data[i] = (char) (kept ^ 0x55);
        TgMetrics *metrics = tg_tfm_read((const guint8 *) data, len, PT(12), &error);
        assert_true((metrics == NULL) == (error != NULL));
        for (guint c = 0; metrics != NULL && c < 256; c++)
            tg_metrics_pair(metrics, (guint8) c, (guint8) (c * 7));
        tg_metrics_free(metrics);
        g_clear_error(&error);
        data[i] = kept;
    }
}

TEST(test_font__missing_file_names_the_package)
{
    g_setenv("TEXGAUGE_FONTS", TG_NO_SUCH_PATH, TRUE);
    tg_assert_fails(tg_fonts_new(&error), TG_ERROR_FONT, "lmodern");
    tg_assert_fails(tg_font_find_file("msam10.ttf", &error), TG_ERROR_FONT, "fonts-lyx");
    g_unsetenv("TEXGAUGE_FONTS");
}
