/* Column edit distance, squared error and structural similarity on small pictures. */
#include "tests/support/test_support.h"

#include "metrics/base/base.h"
#include "metrics/image/image.h"

enum { MAX_PIXELS = 1024 };

/* A picture from rows of text, a blank between them: '#' is ink. */
static TgGray draw(guint8 *pixels, const char *rows)
{
    const guint width = (guint) strcspn(rows, " ");
    guint n = 0;

    for (; *rows != '\0'; rows++)
        if (*rows != ' ')
            pixels[n++] = *rows == '#' ? 0 : 255;
    return (TgGray){ pixels, width, width > 0 ? n / width : 0, width };
}

/* A picture 8 pixels high, a letter for a column: F full, B blank, f half. */
static TgGray draw_columns(guint8 *pixels, const char *columns)
{
    const guint width = (guint) strlen(columns);

    for (guint y = 0; y < 8; y++)
        for (guint x = 0; x < width; x++)
            pixels[y * width + x] = columns[x] == 'F' || (columns[x] == 'f' && y < 4) ? 0 : 255;
    return (TgGray){ pixels, width, 8, width };
}

static guint32 distance(const char *ref, const char *hyp)
{
    guint8 a[MAX_PIXELS], b[MAX_PIXELS];
    TgArena arena = { 0 };

    const guint32 distance = tg_image_edit_distance(&arena, draw(a, ref), draw(b, hyp));

    tg_arena_clear(&arena);
    return distance;
}

static gboolean matches(const char *ref, const char *hyp, TgImageMatchFlags flags)
{
    guint8 a[MAX_PIXELS], b[MAX_PIXELS];
    TgArena arena = { 0 };

    const gboolean match =
        tg_image_match(&arena, draw_columns(a, ref), draw_columns(b, hyp), flags);

    tg_arena_clear(&arena);
    return match;
}

TEST(test_image_edit__by_hand)
{
    static const struct {
        const char *ref, *hyp;
        guint distance;
    } cases[] = {
        /* columns are symbols */
        { "#.# #.#", "#.# #.#", 0 },
        { "#.# #.#", "#. #.", 1 },     /* a column lost */
        { "#.# #.#", "##.# ##.#", 1 }, /* one added */
        { "#.# #.#", "#.# #..", 1 },   /* one pixel makes another symbol */
        /* the lower picture gets white rows below: its columns are then others */
        { "#.# #.#", "#.", 2 },
        { "#.# ...", "#.#", 0 },
        /* a missing picture costs every column */
        { "#.## ##.#", "", 4 },
        { "", "", 0 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_int_equal(distance(cases[i].ref, cases[i].hyp), cases[i].distance);
}

/* 128 is ink, 129 is not. */
TEST(test_image_edit__threshold)
{
    static const guint8 black[] = { 0, 0 }, gray[] = { 128, 129 };
    TgArena arena = { 0 };

    assert_int_equal(
        tg_image_edit_distance(&arena, (TgGray){ black, 2, 1, 2 }, (TgGray){ gray, 2, 1, 2 }), 1);
    tg_arena_clear(&arena);
}

TEST(test_image_match__by_hand)
{
    static const struct {
        const char *ref, *hyp;
        TgImageMatchFlags flags;
        gboolean match;
    } cases[] = {
        /* runs below five columns are tolerated */
        { "FFFFFFFFFF", "FFFBBBBFFF", 0, TRUE },
        { "FFFFFFFFFF", "FFBBBBBFFF", 0, FALSE },
        { "FFFFFFFFFF", "FFFFFF", 0, TRUE },
        { "FFFFFFFFFF", "FFFFF", 0, FALSE },
        /* longer ones that are added pass in the compatible test only */
        { "FBF", "FBFFFFF", 0, TRUE },
        { "FBF", "FBFFFFFF", 0, FALSE },
        { "FBF", "FBFFFFFF", TG_IMAGE_MATCH_COMPAT, TRUE },
        { "FBFFFFFF", "FBF", TG_IMAGE_MATCH_COMPAT, FALSE },
        /* blank columns may be skipped */
        { "FBBBBBBF", "FF", 0, FALSE },
        { "FBBBBBBF", "FF", TG_IMAGE_MATCH_SKIP_BLANK, TRUE },
        /* half columns differ from full ones in 4 pixels: the same symbol */
        { "FFFFFFFFFF", "ffffffffff", 0, TRUE },
        /* pictures without ink */
        { "BBB", "BBBBBBBBBBBB", 0, TRUE },
        { "", "BBB", 0, TRUE },
        { "BBB", "BFB", 0, FALSE },
        { "BFB", "", TG_IMAGE_MATCH_SKIP_BLANK, FALSE },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        if (matches(cases[i].ref, cases[i].hyp, cases[i].flags) != cases[i].match)
            fail_msg("%s | %s, %u", cases[i].ref, cases[i].hyp, cases[i].flags);
}

/* Of two pictures one of which is blank no run is compared. */
TEST(test_image_match__one_dot_is_ink)
{
    static const guint8 black = 0, white = 255;
    const TgGray dot = { &black, 1, 1, 1 }, blank = { &white, 1, 1, 1 };
    TgArena arena = { 0 };

    assert_false(tg_image_match(&arena, dot, blank, 0));
    assert_false(tg_image_match(&arena, blank, dot, 0));
    assert_true(tg_image_match(&arena, dot, dot, 0));
    assert_true(tg_image_match(&arena, blank, blank, 0));
    tg_arena_clear(&arena);
}

TEST(test_image_mse__by_hand)
{
    static const guint8 black[] = { 0 }, row[] = { 0, 255 }, shade[] = { 51 };
    const TgGray one = { black, 1, 1, 1 }, two = { row, 2, 1, 2 }, gray = { shade, 1, 1, 1 };
    const TgGray none = { NULL, 0, 0, 0 };

    tg_assert_near(tg_image_mse(one, none), 1.0, 0.0); /* black against a missing picture */
    tg_assert_near(tg_image_mse(one, two), 0.0, 0.0);
    tg_assert_near(tg_image_mse(gray, two), 0.2 * 0.2 / 2, 1e-15);
    tg_assert_near(tg_image_mse(none, none), 0.0, 0.0);
}

/* The pictures of golden/make_ssim.py. */
static TgGray noise(guint8 *pixels, guint64 state, guint width, guint height, guint levels)
{
    assert_true(width * height <= MAX_PIXELS);
    for (guint i = 0; i < width * height; i++) {
        state = state * G_GUINT64_CONSTANT(6364136223846793005) +
                G_GUINT64_CONSTANT(1442695040888963407);
        pixels[i] = (guint8) ((state >> 33) % levels * 255 / (levels - 1));
    }
    return (TgGray){ pixels, width, height, width };
}

TEST(test_ssim__equals_scikit_image)
{
    guint8 a[MAX_PIXELS], b[MAX_PIXELS];

    tg_assert_near(tg_ssim(noise(a, 1, 30, 20, 2), noise(b, 2, 30, 20, 2)), 0.02006871074492929,
                   1e-12);
    tg_assert_near(tg_ssim(noise(a, 3, 40, 13, 256), noise(b, 3, 40, 13, 2)), 0.07966977421779374,
                   1e-12);
    tg_assert_near(tg_ssim(noise(a, 5, 25, 30, 4), noise(b, 5, 18, 35, 4)), 0.013819803590207973,
                   1e-12);
    tg_assert_near(tg_ssim(noise(a, 7, 5, 4, 2), noise(b, 8, 6, 3, 2)), 0.2635447646160701, 1e-12);
}

TEST(test_ssim__equal_pictures_give_one)
{
    guint8 a[MAX_PIXELS];
    const TgGray none = { NULL, 0, 0, 0 };

    tg_assert_near(tg_ssim(noise(a, 4, 30, 30, 256), noise(a, 4, 30, 30, 256)), 1.0, 1e-12);
    tg_assert_near(tg_ssim(none, none), 1.0, 0.0);
}
