/* Every character and parameter of the fonts of ams_metrics.tsv, and the designs of all fonts,
 * against TeX (tests/tools/make_font_golden.py). */
#include "tests/support/golden_rows.h"

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
    const TgCharPair skew = tg_metrics_pair(metrics, code, TG_AMS_SKEWCHAR);

    if (box->tag == TG_CHAR_ABSENT)
        fail_msg("%s has no character %s", row[FONT], row[CODE]);
    assert_number(row, WIDTH, box->width);
    assert_number(row, HEIGHT, box->height);
    assert_number(row, DEPTH, box->depth);
    assert_number(row, ITALIC, box->italic);
    assert_number(row, SKEW, skew.kind == TG_PAIR_KERN ? skew.kern : 0);
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

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        const TgFontId id = (TgFontId) g_ascii_strtoull(row[0], NULL, 10);
        const char *ours = tg_font_name(id, g_ascii_strtoll(row[1], NULL, 10));

        if (id == TG_FONT_STMARY && strchr("579", row[2][strlen("stmary")]) != NULL)
            continue;
        if (strcmp(ours, row[2]) != 0)
            fail_msg("font %s at %s sp: %s, LaTeX takes %s", row[0], row[1], ours, row[2]);
    }
    assert_true(rows->len > 1200);
}
