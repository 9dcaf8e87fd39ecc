/* Few colours: areas and tones keep theirs, edges get fewer shades. */
#include "tests/support/test_support.h"

#include "render/pictures/pair_parts.h"
#include "render/pictures/pair_shades.h"

#define SIDE 64u
#define AREA 0x1234A6u /* no tone, and between the steps of a channel */

static const TgCanvas canvas = { SIDE, SIDE, 200 };

static guint32 *white_new(void)
{
    guint32 *pixels = g_new(guint32, SIDE * SIDE);

    for (guint i = 0; i < SIDE * SIDE; i++)
        pixels[i] = 0xFFFFFFFF;
    return pixels;
}

static guint count_colors(const guint32 *pixels)
{
    g_autoptr(GHashTable) colors = g_hash_table_new(NULL, NULL);

    for (guint i = 0; i < SIDE * SIDE; i++)
        g_hash_table_add(colors, GUINT_TO_POINTER(pixels[i] & 0xFFFFFF));
    return g_hash_table_size(colors);
}

/* With four steps a channel is 0, 63, 127, 191 or 255. */
static void test_pair_shades__edges_are_rounded(void **state)
{
    g_autofree guint32 *pixels = white_new();

    (void) state;
    pixels[0] = 0xFF000000;
    pixels[5] = 0x202020; /* 0.502 steps */
    pixels[7] = 0x1F1F1F; /* 0.486 */
    pixels[9] = 0xFF8000; /* 4, 2.008, 0 */
    tg_pair_reduce_shades(&canvas, pixels, 4);
    assert_int_equal(pixels[0] & 0xFFFFFF, 0);
    assert_int_equal(pixels[1] & 0xFFFFFF, 0xFFFFFF);
    assert_int_equal(pixels[5] & 0xFFFFFF, 0x3F3F3F);
    assert_int_equal(pixels[7] & 0xFFFFFF, 0);
    assert_int_equal(pixels[9] & 0xFFFFFF, 0xFF7F00);
}

/* An area of 12 x 12 has 100 pixels inside, one of 5 x 5 has 9. */
static void test_pair_shades__areas_and_tones_stay(void **state)
{
    const guint32 tone = tg_pair_tone_color(TG_TONE_BAD);
    g_autofree guint32 *pixels = white_new();

    (void) state;
    for (guint y = 0; y < 12; y++)
        for (guint x = 0; x < 12; x++)
            pixels[(10 + y) * SIDE + 10 + x] = AREA;
    for (guint y = 0; y < 5; y++)
        for (guint x = 0; x < 5; x++)
            pixels[(40 + y) * SIDE + 40 + x] = AREA + 1;
    pixels[60] = tone;
    tg_pair_reduce_shades(&canvas, pixels, 5);
    assert_int_equal(pixels[10 * SIDE + 10] & 0xFFFFFF, AREA);
    assert_int_equal(pixels[42 * SIDE + 42] & 0xFFFFFF, 0x003399); /* fifths: 0, 1, 3 */
    assert_int_equal(pixels[60] & 0xFFFFFF, tone);
}

/* 64 colours of the corners and thirds of the cube; what is seen more often stays. */
static void test_pair_shades__sixteen_are_left(void **state)
{
    static const guint8 steps[] = { 0, 85, 170, 255 };
    g_autofree guint32 *pixels = white_new();

    (void) state;
    for (guint i = 0; i < 64; i++)
        pixels[SIDE + i] = (guint32) steps[i / 16] << 16 | (guint32) steps[i / 4 % 4] << 8 |
                           (guint32) steps[i % 4];
    for (guint i = 0; i < SIDE; i += 2)
        pixels[3 * SIDE + i] = 0x5500AA;
    assert_int_equal(count_colors(pixels), 64);
    tg_pair_reduce_shades(&canvas, pixels, 3);
    assert_int_equal(count_colors(pixels), 16);
    assert_int_equal(pixels[3 * SIDE] & 0xFFFFFF, 0x5500AA);
    assert_int_equal(pixels[0] & 0xFFFFFF, 0xFFFFFF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pair_shades__edges_are_rounded),
        cmocka_unit_test(test_pair_shades__areas_and_tones_stay),
        cmocka_unit_test(test_pair_shades__sixteen_are_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
