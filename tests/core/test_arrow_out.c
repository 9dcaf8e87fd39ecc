/* Tables of our own for other programs. */
#include "tests/support/test_support.h"

#include <math.h>

#include "core/arrow/out.h"
#include "tests/support/arrow_tables.h"

static void set_flag(gpointer data)
{
    *(gboolean *) data = TRUE;
}

static void test_arrow_out__doubles_are_not_copied(void **state)
{
    static const double values[] = { 1.5, (double) NAN, -2 };
    struct ArrowArray array;
    gboolean released = FALSE;

    (void) state;
    tg_arrow_array_of_doubles(&array, values, 3, &released, set_flag);
    assert_int_equal(array.length, 3);
    assert_int_equal(array.null_count, 1);
    assert_int_equal(array.n_buffers, 2);
    assert_int_equal(((const guint8 *) array.buffers[0])[0], 0x5);
    assert_ptr_equal(array.buffers[1], values);
    array.release(&array);
    assert_null(array.release);
    assert_true(released);
}

/* One batch of the columns that are built below. */
typedef struct {
    TgArrowBuilder *builders[3];
    gboolean done;
} Built;

static const TgArrowField built_fields[] = { { "n", "l" }, { "t", "u" }, { "l", "+l" } };

static void built_schema(gpointer self, struct ArrowSchema *out)
{
    (void) self;
    tg_arrow_schema_make(out, built_fields, 3);
}

static gboolean built_next(gpointer self, struct ArrowArray *out, GError **error)
{
    Built *built = self;
    struct ArrowArray columns[3];

    (void) error;
    if (built->done)
        return TRUE;
    built->done = TRUE;
    for (guint i = 0; i < 3; i++)
        tg_arrow_builder_finish(built->builders[i], &columns[i]);
    tg_arrow_array_of_columns(out, 2, columns, 3);
    return TRUE;
}

static void built_free(gpointer self)
{
    for (guint i = 0; i < 3; i++)
        tg_arrow_builder_free(((Built *) self)->builders[i]);
}

static void test_arrow_out__what_is_built_can_be_read(void **state)
{
    static const TgArrowSource source = { built_schema, built_next, built_free };
    Built built = { 0 };
    struct ArrowArrayStream stream;
    g_autoptr(GError) error = NULL;
    gint64 n;

    (void) state;
    for (guint i = 0; i < 3; i++)
        built.builders[i] = tg_arrow_builder_new(built_fields[i].format);
    tg_arrow_builder_add_int(built.builders[0], -7);
    tg_arrow_builder_add_int(built.builders[0], 8);
    tg_arrow_builder_add_text(built.builders[1], NULL);
    tg_arrow_builder_add_text(built.builders[1], "\xC3\xA9");
    tg_arrow_builder_add_text(built.builders[2], "a");
    tg_arrow_builder_add_text(built.builders[2], NULL);
    tg_arrow_builder_end_list(built.builders[2]);
    tg_arrow_builder_end_list(built.builders[2]);
    assert_int_equal(tg_arrow_builder_size(built.builders[1]), 2);
    tg_arrow_stream_make(&stream, &source, &built);

    g_autoptr(TgArrowRows) rows = tg_arrow_rows_open(&stream, &error);
    tg_assert_no_error(error);
    for (guint i = 0; i < 3; i++)
        assert_true(tg_arrow_rows_use(rows, i, &error));
    assert_true(tg_arrow_rows_next(rows, &n, &error));
    assert_int_equal(n, 2);
    tg_assert_arrow_json(rows, 0, 0, "-7");
    tg_assert_arrow_json(rows, 0, 1, "8");
    tg_assert_arrow_text(rows, 1, 0, NULL);
    tg_assert_arrow_text(rows, 1, 1, "\xC3\xA9");
    tg_assert_arrow_json(rows, 2, 0, "[\"a\",null]");
    tg_assert_arrow_json(rows, 2, 1, "[]");
    assert_true(tg_arrow_rows_next(rows, &n, &error));
    assert_int_equal(n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrow_out__doubles_are_not_copied),
        cmocka_unit_test(test_arrow_out__what_is_built_can_be_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
