/* Slots of characters in text against Latin Modern's encoding files (make_encoding_golden.py). */
#include "tests/support/golden_rows.h"

#include "render/fonts/font.h"

static gint text_slot(gunichar code)
{
    return code < 0x80 ? -1 : tg_text_slot(code, FALSE);
}

static const struct {
    const char *font;
    gint (*slot)(gunichar code);
} fonts[] = {
    { "accent", tg_text_accent_slot },
    { "companion", tg_text_companion_slot },
    { "symbols", tg_text_symbol_slot },
    { "text", text_slot },
};

TEST(test_encodings__are_those_of_latin_modern)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("encodings.tsv", 3);
    guint n_slots = 0;

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        const gunichar code = (gunichar) g_ascii_strtoull(row[1] + strlen("U+"), NULL, 16);

        for (guint k = 0; k < G_N_ELEMENTS(fonts); k++)
            if (strcmp(fonts[k].font, row[0]) == 0 &&
                fonts[k].slot(code) != g_ascii_strtoll(row[2], NULL, 10))
                fail_msg("%s %s: %d, not %s", row[0], row[1], fonts[k].slot(code), row[2]);
    }
    for (gunichar code = 1; code < 0x10000; code++)
        for (guint k = 0; k < G_N_ELEMENTS(fonts); k++)
            n_slots += fonts[k].slot(code) >= 0;
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
