/* Options by tables: what each kind takes, and what it says of anything else. */
#include "tests/support/test_support.h"

#include "core/args.h"

typedef struct {
    double number, level;
    guint64 seed;
    guint count, shard[2];
} Inner;

typedef struct {
    gboolean flag;
    const char *text, *joined;
    const char *const *list, *const *names;
    gint choice;
    Inner inner;
} Values;

static const char *const choices[] = { "red", "green", NULL };

static const TgArg inner[] = {
    { "count", TG_ARG_COUNT, G_STRUCT_OFFSET(Inner, count), .min = 1, .max = 9 },
    { "number", TG_ARG_NUMBER, G_STRUCT_OFFSET(Inner, number), .letter = 'n' },
    { "level", TG_ARG_LEVEL, G_STRUCT_OFFSET(Inner, level), .preset = "0.95" },
    { "seed", TG_ARG_SEED, G_STRUCT_OFFSET(Inner, seed) },
    { "shard", TG_ARG_SHARD, G_STRUCT_OFFSET(Inner, shard) },
    { 0 },
};

static const TgArg table[] = {
    { "flag", TG_ARG_FLAG, G_STRUCT_OFFSET(Values, flag) },
    { "text", TG_ARG_TEXT, G_STRUCT_OFFSET(Values, text) },
    { .kind = TG_ARG_TABLE, .offset = G_STRUCT_OFFSET(Values, inner), .table = inner },
    { "joined", TG_ARG_JOINED, G_STRUCT_OFFSET(Values, joined) },
    { "list", TG_ARG_LIST, G_STRUCT_OFFSET(Values, list) },
    { "names", TG_ARG_NAMES, G_STRUCT_OFFSET(Values, names) },
    { "choice", TG_ARG_CHOICE, G_STRUCT_OFFSET(Values, choice), .choices = choices },
    { 0 },
};

static gboolean set(Values *values, const char *name, const char *text, GPtrArray *pool,
                    GError **error)
{
    g_autofree TgArg *rows = tg_args_flatten(table);
    const TgArg *arg = rows;

    while (arg->kind != TG_ARG_END && strcmp(arg->name, name) != 0)
        arg++;
    return tg_arg_set(arg, values, text, pool, error);
}

TEST(test_args__values_go_into_their_members)
{
    static const char *const given[][2] = {
        { "flag", NULL },
        { "text", "a b" },
        { "joined", "a" },
        { "joined", "b,c" },
        { "list", "x,y" },
        { "list", "z" },
        { "names", "p,q" },
        { "names", "r" },
        { "count", "9" },
        { "number", "0.5" },
        { "seed", "9223372036854775807" },
        { "shard", "2/3" },
        { "choice", "green" },
    };
    g_autoptr(GPtrArray) pool = g_ptr_array_new_with_free_func(g_free);
    g_autofree TgArg *rows = tg_args_flatten(table);
    Values v = { 0 };

    tg_args_preset(rows, &v, pool);
    for (guint i = 0; i < G_N_ELEMENTS(given); i++)
        assert_true(set(&v, given[i][0], given[i][1], pool, NULL));
    assert_true(v.flag);
    assert_string_equal(v.text, "a b");
    assert_string_equal(v.joined, "a,b,c");
    assert_int_equal(g_strv_length((char **) v.list), 2);
    assert_string_equal(v.list[0], "x,y");
    assert_int_equal(g_strv_length((char **) v.names), 3);
    assert_string_equal(v.names[2], "r");
    assert_int_equal(v.choice, 1);
    assert_int_equal(v.inner.count, 9);
    tg_assert_near(v.inner.number, 0.5, 0);
    tg_assert_near(v.inner.level, 0.95, 0);
    assert_true(v.inner.seed == G_MAXINT64);
    assert_true(v.inner.shard[0] == 2 && v.inner.shard[1] == 3);
}

/* No names are not the same as no option. */
TEST(test_args__an_empty_list_of_names_is_none)
{
    g_autoptr(GPtrArray) pool = g_ptr_array_new_with_free_func(g_free);
    Values v = { 0 };

    assert_true(set(&v, "names", "", pool, NULL));
    assert_non_null(v.names);
    assert_null(v.names[0]);
}

TEST(test_args__other_values_are_refused)
{
    static const char *const wrong[][3] = {
        { "count", "0", "a whole number from 1 to 9" },
        { "count", "10", "a whole number from 1 to 9" },
        { "count", "1.5", "a whole number from 1 to 9" },
        { "number", "-1", "a number that is not negative" },
        { "number", "nan", "a number that is not negative" },
        { "level", "1", "must be between 0 and 1" },
        { "level", "nan", "must be between 0 and 1" },
        { "seed", "-1", "a whole number from 0" },
        { "shard", "3/2", "K/N with 1 <= K <= N" },
        { "shard", "1/2x", "K/N with 1 <= K <= N" },
        { "choice", "blue", "one of red, green; not 'blue'" },
    };
    g_autoptr(GPtrArray) pool = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        Values v = { 0 };

        tg_assert_fails(set(&v, wrong[i][0], wrong[i][1], pool, &error), TG_ERROR_USAGE,
                        wrong[i][2]);
    }
}

TEST(test_args__rows_of_tables_inside_stand_in_their_place)
{
    g_autofree TgArg *rows = tg_args_flatten(table);

    assert_string_equal(rows[3].name, "number");
    assert_int_equal(rows[3].offset, G_STRUCT_OFFSET(Values, inner.number));
    assert_string_equal(rows[10].name, "choice");
    assert_int_equal(rows[10].offset, G_STRUCT_OFFSET(Values, choice));
    assert_int_equal(rows[11].kind, TG_ARG_END);
}
