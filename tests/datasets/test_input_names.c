#include "tests/support/test_support.h"

#include <stdio.h>
#include <unistd.h>

#include "datasets/input_names.h"

#define MAX_INPUTS 4

TEST(test_input_parts__shortest_part_that_differs)
{
    static const struct {
        const char *paths[MAX_INPUTS + 1], *names[MAX_INPUTS + 1];
    } cases[] = {
        { { "runs/A/pred.json", "runs/B/pred.json" }, { "A", "B" } },
        { { "runA/r.jsonl", "runB/r.jsonl" }, { "runA", "runB" } },
        { { "aster.json", "data/birch.jsonl.gz" }, { "aster", "birch" } },
        { { "m.v1.json", "m.v2.json" }, { "m.v1", "m.v2" } },
        { { "x/pred.json" }, { "pred" } },
        { { "x/pred.json", "x/pred.csv" }, { "pred.json", "pred.csv" } },
        { { "1/a/p.json", "1/b/p.json", "2/a/p.json" }, { "1/a", "1/b", "2/a" } },
        { { "1/a/p.json", "1/a/q.json", "2/a/p.json" }, { "1/a/p", "1/a/q", "2/a/p" } },
        { { "x/../y/p.json", "./z/p.json" }, { "y", "z" } },
        { { "-", "z/p.json" }, { "-", "p" } },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(GStrv) names = tg_input_parts(cases[i].paths);

        assert_non_null(names);
        for (guint k = 0; cases[i].names[k] != NULL; k++)
            assert_string_equal(names[k], cases[i].names[k]);
    }
    assert_null(tg_input_parts((const char *const[]){ "a/p.json", "b/../a/p.json", NULL }));
}

TEST(test_input_names__named_by_the_user_or_by_the_path)
{
    g_auto(TgInputNames) names = { 0 }, common = { 0 }, none = { 0 };

    assert_true(tg_input_names_init(
        &names, (const char *const[]){ "new=a/p.json", "b/p.json", "c/p.json", "x/y=z.json", NULL },
        NULL, NULL));
    assert_int_equal(names.n, 4);
    assert_string_equal(names.at[0].model, "new");
    assert_string_equal(names.at[0].path, "a/p.json");
    assert_true(names.at[0].named && !names.at[1].named);
    assert_string_equal(names.at[1].model, "b");
    assert_string_equal(names.at[3].model, "x"); /* "x/y" is no name of a model */
    assert_string_equal(names.at[3].path, "x/y=z.json");
    assert_true(tg_input_names_init(&common, (const char *const[]){ "a", "a", NULL }, "m", NULL));
    assert_string_equal(common.at[1].model, "m");
    assert_true(tg_input_names_init(&none, NULL, NULL, NULL));
    assert_int_equal(none.n, 0);
}

TEST(test_input_names__a_slash_in_a_model_s_name_needs_a_file_that_is_there)
{
    g_autofree char *file = NULL;
    const int descriptor = g_file_open_tmp("texgauge-XXXXXX.json", &file, NULL);

    assert_true(descriptor >= 0);
    close(descriptor);
    g_autofree char *named = g_strdup_printf("org/model=%s", file);
    g_autofree char *field = g_strdup_printf("org/model=%s:pred", file);
    const char *const texts[] = { named, field, "runs/lr=0.1/a.json" };
    const char *const models[] = { "org/model", "org/model", NULL };

    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autofree char *model = NULL, *path = NULL;

        tg_input_split(texts[i], &model, &path);
        assert_true(g_strcmp0(model, models[i]) == 0);
    }
    remove(file);
}

TEST(test_input_names__errors_say_which)
{
    static const struct {
        const char *texts[MAX_INPUTS + 1];
        const char *message;
    } cases[] = {
        { { "b/p.json", "a/p.json", "a/p.json" }, "a/p.json is given twice" },
        { { "p=x.json", "b/p.json" }, "'p' would name both x.json and b/p.json" },
        { { "-", "-" }, "stdin ('-') can be given for one file only" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(TgInputNames) names = { 0 };
        GError *error = NULL;

        assert_false(tg_input_names_init(&names, cases[i].texts, NULL, &error));
        tg_assert_error(error, TG_ERROR_USAGE, cases[i].message);
    }
}
