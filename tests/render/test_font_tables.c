/* Every character and parameter of the fonts of ams_metrics.tsv, and the designs of all fonts,
 * against TeX (tests/tools/make_font_golden.py). */
#include "tests/support/golden_rows.h"

#include "render/fonts/font.h"
#include "render/fonts/tables.h"

#define SIZE (10 * TG_SP_PER_PT)

enum { FONT, CODE, WIDTH, HEIGHT, DEPTH, ITALIC, SKEW, LARGER, N_FIELDS };

static void assert_number(char **row, guint column, gint64 ours)
{
    if (ours != g_ascii_strtoll(row[column], NULL, 10))
        fail_msg("%s, character %s, column %u: %" G_GINT64_FORMAT ", TeX says %s", row[FONT],
                 row[CODE], column, ours, row[column]);
}

static void check_character(const TgMetrics *metrics, char **row)
{
    const guint8 code = (guint8) g_ascii_strtoull(row[CODE], NULL, 10);
    const TgCharMetrics *box = &metrics->chars[code];

    if (box->tag == TG_CHAR_ABSENT)
        fail_msg("%s has no character %s", row[FONT], row[CODE]);
    assert_number(row, WIDTH, box->width);
    assert_number(row, HEIGHT, box->height);
    assert_number(row, DEPTH, box->depth);
    assert_number(row, ITALIC, box->italic);
    assert_number(row, SKEW, box->skew);
    assert_number(row, LARGER, box->tag == TG_CHAR_NEXT ? box->rest : 0);
}

TEST(test_font_tables__metrics_are_those_of_tex)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("fonts.tsv", N_FIELDS);
    TgMetrics *metrics = NULL;
    const TgTableFont *font = NULL;
    guint n_fonts = 0, n_chars = 0;

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);

        if (font == NULL || strcmp(font->name, row[FONT]) != 0) {
            assert_true(font == NULL || n_chars == font->n_chars);
            tg_metrics_free(metrics);
            font = tg_ams_find(row[FONT]);
            assert_non_null(font);
            metrics = tg_ams_metrics(font, SIZE);
            n_fonts++;
            n_chars = 0;
        }
        if (row[CODE][0] == 'p') {
            const guint number = (guint) g_ascii_strtoull(row[CODE] + 1, NULL, 10);
            if (number < TG_N_PARAMS)
                assert_number(row, WIDTH, metrics->params[number]);
        } else {
            check_character(metrics, row);
            n_chars++;
        }
    }
    tg_metrics_free(metrics);
    assert_int_equal(n_fonts, tg_ams_n_fonts);
}

/* The design that LaTeX loads; of St Mary's Road there are three here, which are those that
 * formulas at 12 pt need. */
TEST(test_font_tables__designs_are_those_of_latex)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("font_designs.tsv", 3);
    g_autoptr(TgFonts) set = tg_must(tg_fonts_new(&error));

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        const TgFontId id = (TgFontId) g_ascii_strtoull(row[0], NULL, 10);
        const TgScaled size = g_ascii_strtoll(row[1], NULL, 10);
        const char *ours = tg_must(tg_fonts_get(set, id, size, &error))->name;

        if (id == TG_FONT_STMARY && strchr("579", row[2][strlen("stmary")]) != NULL)
            continue;
        if (strcmp(ours, row[2]) != 0)
            fail_msg("font %s at %s sp: %s, LaTeX takes %s", row[0], row[1], ours, row[2]);
    }
    assert_true(rows->len > 1200);
}

/* Slots of characters in text against Latin Modern's encoding files (make_encoding_golden.py). */

static const struct {
    const char *font;
    const TgTextSlot *table; /* NULL: text */
} fonts[] = {
    { "accent", tg_accent_slots },
    { "companion", tg_companion_slots },
    { "symbols", tg_symbol_slots },
    { "text", NULL },
};

static gint slot_in(guint font, gunichar code)
{
    return fonts[font].table != NULL ? tg_text_slot_in(fonts[font].table, code)
           : code < 0x80             ? -1
                                     : tg_text_slot(code, FALSE);
}

TEST(test_encodings__are_those_of_latin_modern)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("encodings.tsv", 3);
    guint n_slots = 0;

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        const gunichar code = (gunichar) g_ascii_strtoull(row[1] + strlen("U+"), NULL, 16);

        for (guint k = 0; k < G_N_ELEMENTS(fonts); k++)
            if (strcmp(fonts[k].font, row[0]) == 0 &&
                slot_in(k, code) != g_ascii_strtoll(row[2], NULL, 10))
                fail_msg("%s %s: %d, not %s", row[0], row[1], slot_in(k, code), row[2]);
    }
    for (gunichar code = 1; code < 0x10000; code++)
        for (guint k = 0; k < G_N_ELEMENTS(fonts); k++)
            n_slots += slot_in(k, code) >= 0;
    assert_int_equal(n_slots, rows->len); /* nothing else */
}

/* ASCII stands for itself but for what OT1 has other signs for. */
TEST(test_encodings__ascii)
{
    for (gunichar code = 1; code < 0x80; code++) {
        const gboolean visible = code > 0x20 && code < 0x7F;

        assert_int_equal(tg_text_slot(code, TRUE), visible ? (gint) code : -1);
        assert_int_equal(tg_text_slot(code, FALSE),
                         strchr("\\_{}", (int) code) != NULL || !visible ? -1 : (gint) code);
    }
}

/* In OT1 the dashes stand where typewriter fonts have braces. */
TEST(test_encodings__typewriter_has_no_dashes)
{
    assert_int_equal(tg_text_slot(0x2013, FALSE), 0x7B);
    assert_int_equal(tg_text_slot(0x2013, TRUE), -1);
    assert_int_equal(tg_text_slot(0x2014, TRUE), -1);
    assert_int_equal(tg_text_slot(0x201C, TRUE), -1);
    assert_int_equal(tg_text_slot(0x2019, TRUE), 0x27);
    assert_int_equal(tg_text_slot(0x0131, TRUE), 0x10);
}
