#include "tests/support/test_support.h"

#include <zlib.h>

#include "eval/page/page.h"

enum { MAX_NUMBERS = 100, FIRST_GLYPH = 3 };

/* Numbers of a base-64 variable-length code, as https://tc39.es/ecma426 describes it. */
static guint unpack(const char *text, gint64 out[MAX_NUMBERS])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    gint64 value = 0;
    guint n = 0, shift = 0;

    for (; *text != '\0'; text++) {
        const gint64 digit = strchr(digits, *text) - digits;

        value |= (digit & 31) << shift;
        shift += 5;
        if (digit & 32)
            continue;
        assert_true(n < MAX_NUMBERS);
        out[n++] = value & 1 ? -(value >> 1) : value >> 1;
        value = shift = 0;
    }
    return n;
}

static const char *ink_of(const json_t *json, guint formula)
{
    return json_string_value(json_array_get(json_object_get(json, "ink"), formula));
}

static TgPageDrawings *drawings_of(const char *const *formulas, gboolean draw)
{
    TgPageDrawings *drawings = tg_must(tg_page_drawings_new(draw, &error));
    for (guint i = 0; formulas[i] != NULL; i++) {
        guint number;

        tg_must(tg_page_drawings_add(drawings, formulas[i], &number, &error));
        assert_int_equal(number, i);
    }
    return drawings;
}

/* Two letters of one kind: both places name one outline, and the second is an advance further. */
TEST(test_page_drawings__keep_an_outline_once)
{
    const char *const formulas[] = { "xx", NULL };
    g_autoptr(TgPageDrawings) drawings = drawings_of(formulas, TRUE);
    json_auto_t *json = tg_page_drawings_json(drawings);
    gint64 n[MAX_NUMBERS];
    static const struct {
        guint at;
        gint64 wanted;
    } numbers[] = {
        { 4, 2 },
        { 5, 0 },
        { 6, 1 },
        { 7, 0 },
        { 8, 1 }, /* tokens: bytes 0 to 1 and 1 to 2 */
        { 9, FIRST_GLYPH },
        { 10, 0 },
        { 12, 0 }, /* the mark: outline, x, y, token, size */
        { 14, FIRST_GLYPH },
        { 16, 0 },
        { 17, 1 }, /* the next token */
    };

    assert_int_equal(unpack(ink_of(json, 0), n), 4 + 1 + 2 * 2 + 2 * 5);
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        assert_int_equal(n[numbers[i].at], numbers[i].wanted);
    /* x is 0.571527 em wide in cmmi12, 0.565 em and a little in Latin Modern's 12 pt: 20 units/pt
     */
    assert_true(n[15] > 130 && n[15] < 142);
    assert_int_equal(json_array_size(json_object_get(json, "glyphs")), 5);
}

TEST(test_page_drawings__draw_a_formula_once)
{
    const char *const formulas[] = { "x^2", "\\frac{1}{2}", NULL };
    g_autoptr(TgPageDrawings) drawings = drawings_of(formulas, TRUE);
    guint number = 7;

    assert_true(tg_page_drawings_add(drawings, "x^2", &number, NULL));
    assert_int_equal(number, 0);
    json_auto_t *json = tg_page_drawings_json(drawings);
    assert_int_equal(json_array_size(json_object_get(json, "tex")), 2);
    assert_true(strlen(ink_of(json, 1)) < 100);
}

/* A formula that cannot be drawn is shown with the reason; without drawings there are only
 * sources. */
TEST(test_page_drawings__say_why_there_is_none)
{
    const char *const formulas[] = { "\\nosuchcommand x", "x", NULL };
    g_autoptr(TgPageDrawings) drawings = drawings_of(formulas, TRUE);
    g_autoptr(TgPageDrawings) sources = drawings_of(formulas, FALSE);
    json_auto_t *json = tg_page_drawings_json(drawings);
    json_auto_t *plain = tg_page_drawings_json(sources);
    const json_t *faults = json_object_get(json, "fault");

    assert_non_null(strstr(json_string_value(json_array_get(faults, 0)), "nosuchcommand"));
    assert_true(json_is_null(json_array_get(faults, 1)));
    assert_null(ink_of(plain, 1));
    assert_true(json_is_null(json_array_get(json_object_get(plain, "fault"), 0)));
}

/* JavaScript counts U+1D465 as two and é as one. */
TEST(test_page_drawings__count_as_javascript_does)
{
    static const char text[] = "\xc3\xa9\xf0\x9d\x91\xa5z";

    static const guint cases[][2] = { { 0, 0 }, { 2, 1 }, { 6, 3 }, { 7, 4 }, { 99, 4 } };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_int_equal(tg_page_utf16_offset(text, cases[i][0]), cases[i][1]);
}

/* Small data stay text that is safe inside HTML; large ones are zlib's format in base 64. */
TEST(test_page_drawings__pack_large_data)
{
    static const char open[] = "<script type=\"text/plain\" id=\"b\">", close[] = "</script>";
    g_autofree char *text = g_strnfill((3u << 20) - 1, 'a');
    json_auto_t *small = json_pack("[s]", "</script>&"), *large = json_pack("[s]", text);
    g_autofree char *plain = tg_page_data("a", small), *packed = tg_page_data("b", large);
    g_autofree guint8 *back = g_malloc(4u << 20);
    uLongf n_back = 4u << 20;
    gsize n;
    assert_string_equal(plain, "<script type=\"application/json\" id=\"a\">"
                               "[\"\\u003c/script\\u003e\\u0026\"]</script>");
    assert_true(g_str_has_prefix(packed, open) && g_str_has_suffix(packed, close));
    assert_true(strlen(packed) < 10000);
    packed[strlen(packed) - strlen(close)] = '\0';
    g_autofree guint8 *bytes = g_base64_decode(packed + strlen(open), &n);
    assert_int_equal(uncompress(back, &n_back, bytes, n), Z_OK);
    assert_int_equal(n_back, strlen(text) + strlen("[\"\"]"));
    assert_memory_equal(back + 2, text, strlen(text));
}
