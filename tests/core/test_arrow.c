/* Tables of other programs: types, nulls, offsets, and what is broken in them. */
#include "tests/support/test_support.h"

#include <string.h>

#include "core/arrow/rows.h"
#include "tests/support/arrow_tables.h"

#define TABLE(n, ...)                                                                              \
    &(const TgTestColumn)                                                                          \
    {                                                                                              \
        .format = "+s", .length = (n), .n_buffers = 1, .children = { __VA_ARGS__ },                \
        .n_children = sizeof((const TgTestColumn *[]){ __VA_ARGS__ }) / sizeof(gpointer)           \
    }

/* "x^2", null, "", "\alpha" */
static const gint32 offsets[] = { 0, 3, 3, 3, 9 };
static const gint64 large_offsets[] = { 0, 3, 3, 3, 9 };
static const char texts[] = "x^2\\alpha";
static const guint8 validity[] = { 0xD };

static const TgTestColumn utf8 = { .name = "t",
                                   .format = "u",
                                   .length = 4,
                                   .null_count = 1,
                                   .n_buffers = 3,
                                   .buffers = { validity, offsets, texts } };

/* Opens a table of one batch, with all columns in use and the batch at hand. */
static TgArrowRows *open_table(const TgTestColumn *table, GError **error)
{
    struct ArrowArrayStream stream;
    gint64 n;

    tg_test_arrow_stream(&stream, &table, 1, NULL);
    g_autoptr(TgArrowRows) rows = tg_arrow_rows_open(&stream, error);
    assert_null(stream.release);
    if (rows == NULL)
        return NULL;
    for (guint i = 0; tg_arrow_rows_names(rows)[i] != NULL; i++)
        if (!tg_arrow_rows_use(rows, i, error))
            return NULL;
    return tg_arrow_rows_next(rows, &n, error) && n == table->length ? g_steal_pointer(&rows)
                                                                     : NULL;
}

static TgArrowRows *must_open(const TgTestColumn *table)
{
    g_autoptr(GError) error = NULL;
    TgArrowRows *rows = open_table(table, &error);

    tg_assert_no_error(error);
    assert_non_null(rows);
    return rows;
}

static void assert_four_texts(const TgTestColumn *column)
{
    g_autoptr(TgArrowRows) rows = must_open(TABLE(4, column));

    assert_true(tg_arrow_rows_is_text(rows, 0));
    tg_assert_arrow_text(rows, 0, 0, "x^2");
    tg_assert_arrow_text(rows, 0, 1, NULL);
    tg_assert_arrow_text(rows, 0, 2, "");
    tg_assert_arrow_text(rows, 0, 3, "\\alpha");
    tg_assert_arrow_json(rows, 0, 3, "\"\\\\alpha\"");
    tg_assert_arrow_json(rows, 0, 1, "null");
}

static void test_arrow__texts_of_all_layouts(void **state)
{
    TgTestColumn column = utf8;

    (void) state;
    assert_four_texts(&column);
    column.format = "U";
    column.buffers[1] = large_offsets;
    assert_four_texts(&column);
    assert_int_equal(tg_test_arrow_n_live(), 0);
}

static void put_view(guint8 *view, gint32 len, const char *start, gint32 buffer, gint32 at)
{
    memcpy(view, &len, 4);
    memcpy(view + 4, start, len > 12 ? 4 : strlen(start));
    if (len <= 12)
        return;
    memcpy(view + 8, &buffer, 4);
    memcpy(view + 12, &at, 4);
}

static void test_arrow__views(void **state)
{
    static const char first[] = "....\\frac{abc}{def}", second[] = "\\sqrt{x^2+y^2}";
    const gint64 sizes[] = { 19, 14 };
    guint8 views[4 * 16] = { 0 };
    TgTestColumn column = { .name = "v",
                            .format = "vu",
                            .length = 4,
                            .n_buffers = 5,
                            .buffers = { NULL, views, first, second, sizes } };

    (void) state;
    put_view(views, 3, "x^2", 0, 0);
    put_view(views + 16, 15, "\\fra", 0, 4);
    put_view(views + 32, 14, "\\sqr", 1, 0);
    put_view(views + 48, 12, "abcdefghijkl", 0, 0);
    g_autoptr(TgArrowRows) rows = must_open(TABLE(4, &column));
    tg_assert_arrow_text(rows, 0, 0, "x^2");
    tg_assert_arrow_text(rows, 0, 1, "\\frac{abc}{def}");
    tg_assert_arrow_text(rows, 0, 2, "\\sqrt{x^2+y^2}");
    tg_assert_arrow_text(rows, 0, 3, "abcdefghijkl");
}

static void test_arrow__dictionaries(void **state)
{
    static const gint8 indices[] = { 3, 0, 1, 0 };
    static const guint8 valid[] = { 0x7 };
    const TgTestColumn column = { .name = "d",
                                  .format = "c",
                                  .length = 4,
                                  .null_count = 1,
                                  .n_buffers = 2,
                                  .buffers = { valid, indices },
                                  .dictionary = &utf8 };
    g_autoptr(TgArrowRows) rows = must_open(TABLE(4, &column));

    (void) state;
    assert_true(tg_arrow_rows_is_text(rows, 0));
    tg_assert_arrow_text(rows, 0, 0, "\\alpha");
    tg_assert_arrow_text(rows, 0, 1, "x^2");
    tg_assert_arrow_text(rows, 0, 2, NULL); /* of the dictionary */
    tg_assert_arrow_text(rows, 0, 3, NULL);
    tg_assert_arrow_json(rows, 0, 0, "\"\\\\alpha\"");
}

static void test_arrow__slices_and_structs(void **state)
{
    static const guint8 valid[] = { 0x5 }; /* of the struct: its third value is row 0 */
    TgTestColumn inner = utf8;
    const TgTestColumn outer = { .name = "s",
                                 .format = "+s",
                                 .length = 2,
                                 .offset = 2,
                                 .null_count = -1,
                                 .n_buffers = 1,
                                 .buffers = { valid },
                                 .n_children = 1,
                                 .children = { &inner } };

    (void) state;
    g_autoptr(TgArrowRows) rows = must_open(TABLE(2, &outer));
    assert_string_equal(tg_arrow_rows_names(rows)[0], "s");
    assert_string_equal(tg_arrow_rows_names(rows)[1], "s.t");
    assert_null(tg_arrow_rows_names(rows)[2]);
    assert_false(tg_arrow_rows_is_text(rows, 0));
    tg_assert_arrow_text(rows, 1, 0, "");
    tg_assert_arrow_text(rows, 1, 1, NULL); /* its struct is null */
    tg_assert_arrow_json(rows, 0, 0, "{\"t\":\"\"}");
    tg_assert_arrow_json(rows, 0, 1, "null");

    inner.offset = 2;
    inner.length = 2;
    g_autoptr(TgArrowRows) sliced = must_open(TABLE(2, &inner));
    tg_assert_arrow_text(sliced, 0, 0, "");
    tg_assert_arrow_text(sliced, 0, 1, "\\alpha");
}

/* A tebibyte of nulls, for which no memory has to be there. */
static void test_arrow__values_end(void **state)
{
    const TgTestColumn nulls = { .format = "n", .length = (gint64) 1 << 40 };
    const TgTestColumn inner = { .format = "+w:1048576",
                                 .length = 1 << 20,
                                 .n_buffers = 1,
                                 .n_children = 1,
                                 .children = { &nulls } };
    const TgTestColumn outer = { .name = "w",
                                 .format = "+w:1048576",
                                 .length = 1,
                                 .n_buffers = 1,
                                 .n_children = 1,
                                 .children = { &inner } };
    g_autoptr(TgArrowRows) rows = must_open(TABLE(1, &outer));

    (void) state;
    assert_null(tg_arrow_rows_json(rows, 0, 0));
}

static void assert_numbers(const char *format, const void *data, const char *first,
                           const char *second)
{
    const TgTestColumn column = {
        .name = "n", .format = format, .length = 2, .n_buffers = 2, .buffers = { NULL, data }
    };
    g_autoptr(TgArrowRows) rows = must_open(TABLE(2, &column));

    assert_false(tg_arrow_rows_is_text(rows, 0));
    tg_assert_arrow_json(rows, 0, 0, first);
    tg_assert_arrow_json(rows, 0, 1, second);
}

static void test_arrow__numbers(void **state)
{
    (void) state;
    assert_numbers("b", (const guint8[]){ 0x2 }, "false", "true");
    assert_numbers("c", (const gint8[]){ -128, 127 }, "-128", "127");
    assert_numbers("C", (const guint8[]){ 0, 255 }, "0", "255");
    assert_numbers("s", (const gint16[]){ -2, 300 }, "-2", "300");
    assert_numbers("S", (const guint16[]){ 65535, 0 }, "65535", "0");
    assert_numbers("i", (const gint32[]){ -70000, 70000 }, "-70000", "70000");
    assert_numbers("I", (const guint32[]){ 4294967295u, 1 }, "4294967295", "1");
    assert_numbers("l", (const gint64[]){ G_MININT64, 5 }, "-9223372036854775808", "5");
    assert_numbers("L", (const guint64[]){ 7, G_GUINT64_CONSTANT(1) << 63 }, "7",
                   "9.2233720368547758e18");
    assert_numbers("e", (const guint16[]){ 0x3C00, 0xC100 }, "1.0", "-2.5");
    assert_numbers("f", (const float[]){ 0.5f, -4 }, "0.5", "-4.0");
    assert_numbers("g", (const double[]){ 0.25, (double) NAN }, "0.25", "null");
}

static void test_arrow__lists(void **state)
{
    static const gint32 list_offsets[] = { 0, 3, 3, 4 };
    const TgTestColumn list = { .name = "l",
                                .format = "+l",
                                .length = 3,
                                .n_buffers = 2,
                                .buffers = { NULL, list_offsets },
                                .n_children = 1,
                                .children = { &utf8 } };
    const TgTestColumn pairs = { .name = "w",
                                 .format = "+w:2",
                                 .length = 1,
                                 .offset = 1,
                                 .n_buffers = 1,
                                 .n_children = 1,
                                 .children = { &utf8 } };
    g_autoptr(TgArrowRows) rows = must_open(TABLE(3, &list));

    (void) state;
    tg_assert_arrow_json(rows, 0, 0, "[\"x^2\",null,\"\"]");
    tg_assert_arrow_json(rows, 0, 1, "[]");
    tg_assert_arrow_json(rows, 0, 2, "[\"\\\\alpha\"]");
    g_autoptr(TgArrowRows) fixed = must_open(TABLE(1, &pairs));
    tg_assert_arrow_json(fixed, 0, 0, "[\"\",\"\\\\alpha\"]");
}

static void test_arrow__bytes_that_are_no_utf8(void **state)
{
    static const gint32 ends[] = { 0, 2 };
    const TgTestColumn column = {
        .name = "t", .format = "u", .length = 1, .n_buffers = 3, .buffers = { NULL, ends, "a\xFF" }
    };
    g_autoptr(TgArrowRows) rows = must_open(TABLE(1, &column));

    (void) state;
    tg_assert_arrow_text(rows, 0, 0, "a\xFF");
    tg_assert_arrow_json(rows, 0, 0, "\"a\xEF\xBF\xBD\"");
}

static void test_arrow__other_types_are_refused_where_they_are_used(void **state)
{
    const TgTestColumn date = { .name = "day", .format = "tdD", .length = 4, .n_buffers = 2 };
    const TgTestColumn *const table = TABLE(4, &date, &utf8);
    struct ArrowArrayStream stream;
    g_autoptr(GError) error = NULL;
    gint64 n;

    (void) state;
    assert_null(open_table(table, &error));
    tg_assert_error(error, TG_ERROR_USAGE, "the column 'day' has a type that is not read");
    tg_test_arrow_stream(&stream, &table, 1, NULL);
    g_autoptr(TgArrowRows) rows = tg_arrow_rows_open(&stream, &error);
    assert_true(tg_arrow_rows_use(rows, 1, &error));
    assert_true(tg_arrow_rows_next(rows, &n, &error));
    tg_assert_arrow_text(rows, 1, 0, "x^2");
}

/* ---- what is broken ---- */

static void assert_refused(const TgTestColumn *column, const char *part)
{
    g_autoptr(GError) error = NULL;

    assert_null(open_table(TABLE(4, column), &error));
    tg_assert_error(error, TG_ERROR_INPUT, part);
    assert_int_equal(tg_test_arrow_n_live(), 0);
}

static void test_arrow__broken_arrays(void **state)
{
    static const TgTestColumn good = {
        .name = "t", .format = "u", .length = 4, .n_buffers = 3, .buffers = { NULL, offsets, texts }
    };
    TgTestColumn column = good;

    (void) state;
    column.length = 3;
    assert_refused(&column, "another length");
    column.length = G_MAXINT64;
    assert_refused(&column, "another length");
    column = good;
    column.offset = -1;
    assert_refused(&column, "another length");
    column.offset = G_MAXINT64;
    assert_refused(&column, "another length");
    column = good;
    column.n_buffers = 2;
    assert_refused(&column, "lacks buffers");
    column.n_buffers = -1;
    assert_refused(&column, "lacks buffers");
    column = good;
    column.buffers[1] = NULL;
    assert_refused(&column, "lacks buffers");
}

static void assert_broken_at(const TgTestColumn *column, gint64 row)
{
    g_autoptr(TgArrowRows) rows = must_open(TABLE(4, column));
    TgArrowText found;

    assert_false(tg_arrow_rows_text(rows, 0, row, &found));
    assert_null(tg_arrow_rows_json(rows, 0, row));
}

static void test_arrow__broken_offsets(void **state)
{
    static const gint32 backwards[] = { 0, 3, 2, 2, 9 }, negative[] = { -1, 3, 3, 3, 9 },
                        beyond[] = { 0, 3, 900, 5, 9 };
    TgTestColumn column = utf8;

    (void) state;
    column.null_count = 0;
    column.buffers[1] = backwards;
    assert_broken_at(&column, 1);
    column.buffers[1] = negative;
    assert_broken_at(&column, 0);
    column.buffers[1] = beyond;
    assert_broken_at(&column, 1);
    column.buffers[1] = offsets;
    column.buffers[2] = NULL;
    assert_broken_at(&column, 0);
}

static void test_arrow__broken_indices(void **state)
{
    static const gint32 indices[] = { 0, 4, -1, G_MAXINT32 };
    static const guint64 huge[] = { 0, 4, G_MAXUINT64, G_MAXINT64 };
    TgTestColumn column = { .name = "d",
                            .format = "i",
                            .length = 4,
                            .n_buffers = 2,
                            .buffers = { NULL, indices },
                            .dictionary = &utf8 };

    (void) state;
    for (gint64 row = 1; row < 4; row++)
        assert_broken_at(&column, row);
    column.format = "L";
    column.buffers[1] = huge;
    for (gint64 row = 1; row < 4; row++)
        assert_broken_at(&column, row);
}

static void test_arrow__broken_views(void **state)
{
    const gint64 sizes[] = { 20 };
    guint8 views[4 * 16] = { 0 };
    const TgTestColumn column = { .name = "v",
                                  .format = "vu",
                                  .length = 4,
                                  .n_buffers = 4,
                                  .buffers = { NULL, views, "twenty bytes of text", sizes } };

    (void) state;
    put_view(views, -1, "", 0, 0);
    put_view(views + 16, 15, "twen", 1, 0);
    put_view(views + 32, 15, "twen", 0, 6);
    put_view(views + 48, 15, "twen", 0, -1);
    for (gint64 row = 0; row < 4; row++)
        assert_broken_at(&column, row);
}

static void test_arrow__broken_lists(void **state)
{
    static const gint32 list_offsets[] = { 0, 5, 4, 4, 4 };
    const TgTestColumn list = { .name = "l",
                                .format = "+l",
                                .length = 4,
                                .n_buffers = 2,
                                .buffers = { NULL, list_offsets },
                                .n_children = 1,
                                .children = { &utf8 } };
    const TgTestColumn fixed = { .name = "w",
                                 .format = "+w:2",
                                 .length = 4,
                                 .n_buffers = 1,
                                 .n_children = 1,
                                 .children = { &utf8 } };
    g_autoptr(TgArrowRows) rows = must_open(TABLE(4, &list));

    (void) state;
    assert_null(tg_arrow_rows_json(rows, 0, 0)); /* five of four */
    assert_null(tg_arrow_rows_json(rows, 0, 1)); /* backwards */
    g_clear_pointer(&rows, tg_arrow_rows_free);
    assert_refused(&fixed, "another length");
}

static void test_arrow__broken_schemas(void **state)
{
    const TgTestColumn no_format = { .name = "t", .length = 4 };
    const TgTestColumn *const no_table = &utf8;
    struct ArrowArrayStream stream = { 0 };
    g_autoptr(GError) error = NULL;

    (void) state;
    assert_refused(&no_format, "schema is broken");
    assert_null(tg_arrow_rows_open(&stream, &error));
    tg_assert_error(error, TG_ERROR_INPUT, "was read before");
    tg_test_arrow_stream(&stream, &no_table, 1, NULL);
    assert_null(tg_arrow_rows_open(&stream, &error));
    tg_assert_error(error, TG_ERROR_INPUT, "not a table");
    assert_int_equal(tg_test_arrow_n_live(), 0);
}

static void test_arrow__types_that_are_too_deep(void **state)
{
    TgTestColumn levels[40];

    (void) state;
    for (guint i = 0; i < 40; i++)
        levels[i] = (TgTestColumn){ .name = "s",
                                    .format = "+s",
                                    .length = 4,
                                    .n_buffers = 1,
                                    .n_children = 1,
                                    .children = { &levels[i + 1] } };
    levels[39] = utf8;
    g_autoptr(GError) error = NULL;
    assert_null(open_table(TABLE(4, &levels[0]), &error));
    tg_assert_error(error, TG_ERROR_USAGE, "has a type that is not read");
}

static void test_arrow__the_end_and_a_failure(void **state)
{
    const TgTestColumn *const table = TABLE(4, &utf8), *const empty = TABLE(0, &utf8);
    const TgTestColumn *const batches[] = { empty, table, empty, table };
    struct ArrowArrayStream stream;
    g_autoptr(GError) error = NULL;
    gint64 n;

    (void) state;
    tg_test_arrow_stream(&stream, batches, 4, "the disk is gone");
    g_autoptr(TgArrowRows) rows = tg_arrow_rows_open(&stream, &error);
    for (guint i = 0; i < 2; i++) {
        assert_true(tg_arrow_rows_next(rows, &n, &error));
        assert_int_equal(n, 4);
    }
    assert_false(tg_arrow_rows_next(rows, &n, &error));
    tg_assert_error(error, TG_ERROR_INPUT, "the disk is gone");
    assert_int_equal(n, 0);

    struct ArrowArrayStream second;
    tg_test_arrow_stream(&second, batches, 4, NULL);
    g_autoptr(TgArrowRows) all = tg_arrow_rows_open(&second, &error);
    for (guint i = 0; i < 3; i++)
        assert_true(tg_arrow_rows_next(all, &n, &error));
    assert_int_equal(n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrow__texts_of_all_layouts),
        cmocka_unit_test(test_arrow__views),
        cmocka_unit_test(test_arrow__dictionaries),
        cmocka_unit_test(test_arrow__slices_and_structs),
        cmocka_unit_test(test_arrow__values_end),
        cmocka_unit_test(test_arrow__numbers),
        cmocka_unit_test(test_arrow__lists),
        cmocka_unit_test(test_arrow__bytes_that_are_no_utf8),
        cmocka_unit_test(test_arrow__other_types_are_refused_where_they_are_used),
        cmocka_unit_test(test_arrow__broken_arrays),
        cmocka_unit_test(test_arrow__broken_offsets),
        cmocka_unit_test(test_arrow__broken_indices),
        cmocka_unit_test(test_arrow__broken_views),
        cmocka_unit_test(test_arrow__broken_lists),
        cmocka_unit_test(test_arrow__broken_schemas),
        cmocka_unit_test(test_arrow__types_that_are_too_deep),
        cmocka_unit_test(test_arrow__the_end_and_a_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
